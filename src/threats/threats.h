// Threats: windows that a side could complete in its next turn of p stones, and how many stones the other side needs to
// stop all of them. Three counts (Levin et al., sections 2 and 3.2):
//
// - sliding, of Wu and Huang: scans the windows in reading order (threats/windows.h); a window without a marked cell
//   counts, and its last empty cell is marked. Correct along one line, too high or too low where lines cross.
// - marked, the improvement of section 2.2: marks all empty cells of such a window. Still sometimes wrong (2.3).
// - exact: the smallest number of cells that meet every threat window, a minimum hitting set; at most p + 1, which
// means
//   that no turn stops all threats.
//
// The turn is a whole one, regardless of the side to move and the stones left in the current turn. Under gravity it
// includes the stones that must be placed below; under `exact` an overline is no threat.
#pragma once

#include "threats/windows.h"

// All threat windows of a side in reading order; returns how many.
unsigned threats_windows(const Board *board, Side side, Window windows[WINDOWS_MAX]);

typedef enum { THREATS_MARK_LAST, THREATS_MARK_ALL } ThreatsMarking; // sliding, marked

// A step of the sliding or marked count, for code that shows it.
typedef struct {
    Window window;  // that was counted
    unsigned place; // its number in reading order
    uint64_t marks; // cells that were marked, as bits of its line
} ThreatScanStep;

// `steps` has room for WINDOWS_MAX or is NULL.
unsigned threats_scan(const Board *board, Side side, ThreatsMarking marking, ThreatScanStep *steps);

static inline unsigned threats_sliding(const Board *board, Side side)
{
    return threats_scan(board, side, THREATS_MARK_LAST, NULL);
}

static inline unsigned threats_marked(const Board *board, Side side)
{
    return threats_scan(board, side, THREATS_MARK_ALL, NULL);
}

// Windows that the hitting-set search may examine. Rules of the papers need few; a large p on a large board may need
// far more, and then the count is a lower bound.
enum { THREATS_STEPS = 20000000 };

typedef struct {
    unsigned count;    // stones needed, at most p + 1
    bool is_uncertain; // the search ran out of steps: `count` is a lower bound
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

// The smallest number of stones that the other side must drop until the side cannot complete a row in a turn; at most
// p + 1. Differs from the exact count only under gravity, where a stone that stops one row may support the next, and a
// cell is filled only after those below it. Uncertain if THREATS_FALLS placements were not enough.
enum { THREATS_FALLS = 100000 };
ExactThreats threats_in_play(const Board *board, Side side);
