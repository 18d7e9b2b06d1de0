// Searches for wins by threats behind one face, so that an agent can be given one or the other: the search of Liu and
// Lin, section IV.A (papers/kagami/threat_space.h), which may be wrong, or the exact one
// (threats/search/double_threat.h).
#pragma once

#include "papers/kagami/threat_space.h"
#include "threats/immediate.h"

typedef enum { THREAT_WIN_PAPER, THREAT_WIN_EXACT } ThreatWinKind;

// The cells that a win depends on, as bits of each row of the board: stones of the attacker, and cells in the way of
// the rows he threatens. A turn with no stone there does not stop it, unless it makes threats of its own, at once or
// together with the answers that the attacker forces.
typedef struct {
    bool is_whole; // all of them are there
    uint64_t rows[RULES_SIDE_MAX];
} ThreatWinZone;

typedef struct {
    ThreatWinKind kind;
    ThreatSpace *paper; // one of the two is there
    DoubleThreat *exact;
    Limits limits; // of the last search
    WindowList windows;
    FinishCells blocks;
    Board board;
} ThreatWin;

// Takes all memory that searches need. Close it also when this fails.
Status threat_win_open(ThreatWin *threats, ThreatWinKind kind, const Rules *rules, Error *error);

// Chooses the correction that the search of the paper uses; the exact search has none.
void threat_win_set_correction(ThreatWin *threats, LineCorrection correction);

// Looks for a win of the side to move in a game that is not over.
void threat_win_run(ThreatWin *threats, const Board *board, const Limits *limits, DoubleThreatResult *result);

// Whether a side could complete a row with the stones of one turn.
bool threat_win_can_finish(ThreatWin *threats, const Board *board, Side side);

// The zone of the win that threat_win_run found last, on this board. By the exact search it is that of the whole
// winning tree. The other search reports only its first turn; it is asked again after each turn, with stones of the
// defender on all cells in the way. That is more than its own conservative defence, so it may not win any more: then
// the zone is not whole, and what is examined is added to `nodes` of the result. The walk through the winning tree of
// the exact search is not counted: it looks up what was found, and searches again only what its table has lost.
void threat_win_zone(ThreatWin *threats, const Board *board, DoubleThreatResult *result, ThreatWinZone *zone);

// The play of that win, as far as the search reports it; returns how many stones, at most `most`.
unsigned threat_win_line(ThreatWin *threats, const DoubleThreatResult *result, Cell *line, unsigned most);

// Safe on a zeroed one.
void threat_win_close(ThreatWin *threats);
