// Threats: windows that a side could complete in its next turn of p stones, and how many stones the other side needs to
// stop them all. Three counts (Levin et al., sections 2 and 3.2):
//
// - sliding, of Wu and Huang: windows are taken in the order of reading (threats/windows.h); one without a marked cell
//   is a threat, and its last empty cell is marked. Right along one line, too high or too low where lines cross.
// - marked, the improvement of section 2.2: all empty cells of such a window are marked. Still wrong at times (2.3).
// - exact, the smallest number of cells that meet every threat window: a minimum hitting set. A turn has p stones, so
//   it is counted up to p + 1, which means that no turn stops them all.
//
// Threats are those of the next whole turn, regardless of the side to move and however many stones are left. With
// gravity the stones that have to be put below are part of the turn; under `exact` a row that would be longer than k is
// no threat.
#pragma once

#include "threats/windows.h"

// All threat windows of a side, in the order of reading; returns how many.
unsigned threats_windows(const Board *board, Side side, Window windows[WINDOWS_MAX]);

// The first two counts, also step by step for code that shows them: a window that was counted, where it stands among
// all windows of the board in the order of reading, and its cells that were marked then, as bits of its line.
typedef enum { THREATS_MARK_LAST, THREATS_MARK_ALL } ThreatsMarking; // sliding, marked

typedef struct {
    Window window;
    unsigned place;
    uint64_t marks;
} ThreatScanStep;

// `steps` has room for WINDOWS_MAX; NULL: only the count is wanted.
unsigned threats_scan(const Board *board, Side side, ThreatsMarking marking, ThreatScanStep *steps);

static inline unsigned threats_sliding(const Board *board, Side side)
{
    return threats_scan(board, side, THREATS_MARK_LAST, NULL);
}

static inline unsigned threats_marked(const Board *board, Side side)
{
    return threats_scan(board, side, THREATS_MARK_ALL, NULL);
}

// How often the search for a hitting set may look at a window. Rules of the papers need a few; a large p on a large
// board may need far more, and then the count is the largest number that is surely not too
// high.
enum { THREATS_STEPS = 20000000 };

typedef struct {
    unsigned count;    // stones needed, at most p + 1
    bool is_uncertain; // the search ran out of steps: at least `count`
} ExactThreats;

ExactThreats threats_exact(const Board *board, Side side);

enum { THREATS_ANSWERS = 200 };

// The answers to the threats of a side: all smallest sets of cells that meet every window and that one turn can play.
// With gravity no stone of a set floats: cells below it are filled or belong to the set, so that a set may need more
// cells than the exact count. The cells of an answer are in the order of their numbers, in which they can be played; no
// answer occurs twice, and answers are in the order of those numbers. There are none if there are no threats, if no
// turn meets them all, and if a count is uncertain.
typedef struct {
    ExactThreats exact;
    unsigned size;     // cells of an answer: exact.count or, with gravity, more; p + 1: no turn meets all windows
    unsigned count;    // answers in `cells`
    bool is_truncated; // there are more than THREATS_ANSWERS, or not all could be examined
    Cell *cells;       // owned; answer i begins at i * size
} ThreatAnswers;

void threats_answers(const Board *board, Side side, ThreatAnswers *answers);
void threats_answers_close(ThreatAnswers *answers);

// With gravity a stone that stops one row may be what the next one stands on, and a cell in the air is filled only with
// those below it. The smallest number of stones which the other side, letting them fall, needs until the side cannot
// complete anything in a turn; counted up to p + 1 like the exact count, which it equals without gravity. Uncertain
// when THREATS_FALLS ways to place them were not enough.
enum { THREATS_FALLS = 100000 };
ExactThreats threats_in_play(const Board *board, Side side);
