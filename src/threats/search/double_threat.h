// Double-threat search (VCDT): the attacker plays only turns after which the other side needs all its p stones, or more
// than it has, to stop the threats. So every answer is forced, and there are few.
//
// Such a turn meets every threat of the defender, and afterwards at least p stones are needed to stop all threats of
// the attacker (threats_exact). More than p wins. At p the search tries every smallest answer: no other reply stops the
// threats, and none completes a row, since the defender has no threat. With p = 2 these are the double threats of
// Connect6; with p = 1 the search is VCF.
//
// Sound: a win that is found is a win by the rules. Complete: if such turns win against every answer, the search finds
// a win in the fewest turns, given time. If fewer stones than a turn has make the threats, the others are free and may
// build or block anywhere. The search tries all that can matter: some wins need them.
//
// Optionally the attacker also plays some turns that leave the defender free stones (method and proof:
// single_threat_internal.h). Wins are still sound, but only the best ranked of these turns are tried, so that finding
// no win proves nothing.
//
// Not for gravity, where a stone that stops one row may support the next, nor for more than WINDOW_TALLY_P_MAX stones
// per turn, where there are too many answers.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "threats/window_tally.h"

enum { DOUBLE_THREAT_TURNS_MAX = 32, DOUBLE_THREAT_SINGLES_MAX = 4 };

typedef enum {
    DOUBLE_THREAT_WON,
    DOUBLE_THREAT_NONE,  // no such win in any number of turns; never returned with `singles`
    DOUBLE_THREAT_LIMIT, // none within the limits
} DoubleThreatVerdict;

typedef struct {
    DoubleThreatVerdict verdict;
    unsigned turns; // won: of the attacker, including the one that completes the row; else: double threats alone do not
                    // win in that many
    CellSet turn;   // won: the first turn, which may be shorter if it completes a row
    uint64_t nodes;
    unsigned singles; // won: at most so many turns per line leave free stones
} DoubleThreatResult;

typedef struct DoubleThreat DoubleThreat;

bool double_threat_suits(const Rules *rules);

// Allocates all memory that searches need for positions of these rules, which must suit.
Status double_threat_open(DoubleThreat **search, const Rules *rules, size_t table_bytes, Error *error);

// Searches for a win of the side to move in a game that is not over. The depth limit counts turns of the attacker,
// including the one that completes the row, at most DOUBLE_THREAT_TURNS_MAX. Nodes are positions with the attacker to
// move, plus one for every 64 sets of stones examined there.
void double_threat_run(DoubleThreat *search, const Board *board, const Limits *limits, DoubleThreatResult *result);

// The same with up to `singles` turns per line, at most DOUBLE_THREAT_SINGLES_MAX, that leave the defender free stones.
void double_threat_run_with_singles(DoubleThreat *search, const Board *board, const Limits *limits, unsigned singles,
                                    DoubleThreatResult *result);

// A position of a win with the attacker to move, and its turn there.
typedef struct {
    const Board *board; // before the turn
    unsigned level;     // turns of the attacker before this one
    CellSet answered;   // the defender's answer to the turn of the level above
    CellSet turn;
    unsigned turns;         // of the attacker from here on at most
    const CellSet *answers; // of the defender; none: the turn completes a row, or its threats cannot be stopped
    unsigned answer_count;
    bool is_single; // the turn leaves free stones
} DoubleThreatStep;

// Called for each step; false ends the walk.
typedef bool (*DoubleThreatVisit)(void *context, const DoubleThreatStep *step);

// Walks in preorder through the win that double_threat_run found last: every answer to every turn. False if a visit or
// the stop flag of the limits ended it.
//
// If a turn leaves free stones, `answers` are the minimal ones: none of their cells can be left out, and every reply
// that stops the threats contains one of them. An answer of fewer than p cells leaves free stones. The steps after it
// begin with `answered` alone, on a board without the free stones: the attacker wins in this way wherever they are,
// except on some cells. Then come steps with one of these cells in `answered`, and so on up to p cells.
bool double_threat_walk(DoubleThreat *search, const DoubleThreatResult *result, DoubleThreatVisit visit, void *context);

// One line of this win, along the longest defence: the turns of both sides, the last one the attacker's. Returns how
// many. Free stones are left out, so that a turn of the defender may have fewer than p cells.
unsigned double_threat_line(DoubleThreat *search, const DoubleThreatResult *result,
                            CellSet line[2 * DOUBLE_THREAT_TURNS_MAX]);

void double_threat_close(DoubleThreat *search); // NULL is fine
