// One interface for two searches for wins by threats: that of Liu and Lin, section IV.A (papers/kagami/threat_space.h),
// which can be wrong, and the exact one (threats/search/double_threat.h).
#pragma once

#include "papers/kagami/threat_space.h"
#include "threats/immediate.h"

typedef enum { THREAT_WIN_PAPER, THREAT_WIN_EXACT } ThreatWinKind;

// The cells on which a win depends, as bits of each row of the board: stones of the attacker, and cells that block the
// rows it threatens. A turn without a stone there does not stop the win, unless it makes threats of its own, at once or
// together with the answers that the attacker forces.
typedef struct {
    bool is_whole; // whether all such cells are known
    uint64_t rows[RULES_SIDE_MAX];
} ThreatWinZone;

typedef struct {
    ThreatWinKind kind;
    ThreatSpace *paper; // NULL unless it is used; as `exact`
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

// The zone of the win that threat_win_run found last, on this board. With the exact search it covers the whole winning
// tree; this walk is not counted in `nodes`, because it uses the transposition table and searches again only what the
// table has lost. The paper's search reports only its first turn, so it runs again after each turn, with stones of the
// defender on all blocking cells; these positions are added to `nodes` of the result. That is more than its own
// conservative defence, so it may not find the win again; the zone is then not whole.
void threat_win_zone(ThreatWin *threats, const Board *board, DoubleThreatResult *result, ThreatWinZone *zone);

// The line of that win, as far as the search reports it; returns the number of stones, at most `most`.
unsigned threat_win_line(ThreatWin *threats, const DoubleThreatResult *result, Cell *line, unsigned most);

// Safe on a zeroed struct.
void threat_win_close(ThreatWin *threats);
