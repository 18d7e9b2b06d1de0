// Winning by double threats: the attacker plays only turns after which the other side needs all its p stones to stop
// what threatens, or more than it has. So every answer is forced, and there are few of them.
//
// A turn of this kind meets every threat of the defender, and afterwards the exact number of stones that stop all
// threats of the attacker (threats_exact) is at least p. More than p wins. At p every smallest answer is tried: no
// other reply stops the threats, and none completes a row, as nothing is left to complete. With two stones a turn these
// are the double threats of Connect6; with one, it is the usual search through fours.
//
// Sound: a win that is found is a win by the rules. Complete: if turns of this kind win whatever is answered, a win is
// found, given time, and in the fewest turns. Where fewer stones than a turn has make the threats, the others are free,
// and may build or block anywhere. All that can matter are tried: some wins need them.
//
// If it is asked for, the attacker may also play some turns that leave the defender stones of his turn to place where
// he likes (single_threat_internal.h says how that is done, and why it is sound). Wins are sound then too, but of these
// turns only the best ranked are tried, so that nothing is claimed where none is found.
//
// Gravity is not searched, where a stone that stops one row may be what the next one stands on; nor more than
// WINDOW_TALLY_P_MAX stones a turn, where there are too many answers.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "threats/window_tally.h"

enum { DOUBLE_THREAT_TURNS_MAX = 32, DOUBLE_THREAT_SINGLES_MAX = 4 };

typedef enum {
    DOUBLE_THREAT_WON,
    DOUBLE_THREAT_NONE,  // surely no win of this kind, in any number of turns; not claimed with `singles`
    DOUBLE_THREAT_LIMIT, // none within the limits
} DoubleThreatVerdict;

typedef struct {
    DoubleThreatVerdict verdict;
    unsigned turns; // won: of the attacker until a row is complete, that one included; else: surely none in that many
                    // by double threats alone
    CellSet turn;   // won: the first turn, which is shorter than others if it completes a row
    uint64_t nodes;
    unsigned singles; // won: turns in a line that leave free stones, at most
} DoubleThreatResult;

typedef struct DoubleThreat DoubleThreat;

// Whether positions of these rules can be searched.
bool double_threat_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit.
Status double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error);

// Looks for a win of the side to move in a game that is not over. The unit of `depth` is a turn of the attacker, the
// one that completes the row included, at most DOUBLE_THREAT_TURNS_MAX. Nodes are positions with the attacker to move,
// and one more for every 64 sets of stones examined there.
void double_threat_run(DoubleThreat *search, const Board *board, const Limits *limits, DoubleThreatResult *result);

// The same, with up to `singles` turns in a line that may leave the defender free stones, at most
// DOUBLE_THREAT_SINGLES_MAX.
void double_threat_run_with_singles(DoubleThreat *search, const Board *board, const Limits *limits, unsigned singles,
                                    DoubleThreatResult *result);

// --- The winning tree ---

// A position of the attacker on the way to a win, and his turn there.
typedef struct {
    const Board *board; // before the turn
    unsigned level;     // turns of the attacker before this one
    CellSet answered;   // what led here: the defender's answer to the turn of the level above
    CellSet turn;
    unsigned turns;         // of the attacker from here on at most
    const CellSet *answers; // of the defender; none: the turn completes a row, or nothing stops the threats
    unsigned answer_count;
    bool is_single; // the turn leaves free stones
} DoubleThreatStep;

// Called for each of them; false ends the walk.
typedef bool (*DoubleThreatVisit)(void *context, const DoubleThreatStep *step);

// Walks through a win that double_threat_run found last: every answer to every turn, a step before those that follow
// from it. False when it was ended, by a visit or the stop flag of the limits.
//
// Where a turn leaves free stones, `answers` are the minimal ones: none of their cells can be left out, and all that
// stops the threats has one of them among its cells. Those of fewer than p cells leave stones that may go anywhere.
// The steps that follow have as `answered` first such an answer alone, on a board without the other stones; how it is
// won there is how it is won wherever these go, but for some cells. Then come steps that have one of these cells in
// `answered` too, and so on up to p.
bool double_threat_walk(DoubleThreat *search, const DoubleThreatResult *result, DoubleThreatVisit visit, void *context);

// One line of play of that win, along the answers that hold out longest: the turns of both sides in order, the last one
// the attacker's. Returns how many. Free stones are left out: a turn of the defender may have fewer than p cells.
unsigned double_threat_line(DoubleThreat *search, const DoubleThreatResult *result,
                            CellSet line[2 * DOUBLE_THREAT_TURNS_MAX]);

void double_threat_close(DoubleThreat *search); // NULL is fine
