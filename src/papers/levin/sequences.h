// The board knowledge of the agent Sequences of Levin et al. (section 3.3): the stones in each window, threat windows,
// and the marks of threats, for both sides, updated with every stone.
//
// A threat window of a side is one that it could complete in a turn (window_is_threat). Windows are examined in the
// order of windows_all; a threat window without a marked cell is a threat, and all its empty cells are marked. Marks of
// a side count for all directions; those of the other side do not matter. So threats are the first set of threat
// windows in that order of which no two share an empty cell, which depends only on the board.
//
// A stone changes only the windows through its cell; under gravity also those through the cells above it, which a turn
// may now reach, and under `exact` the two next to it, which may become part of a longer row. But a mark that is set or
// removed may enable or prevent a later threat, and so on. There are three ways to update:
//
//   settled  a change of a window's marks makes every later threat window through these cells be examined again, until
//            nothing changes. Always equal to a full scan.
//   paper    the rule of the paper: in each direction the windows through the new stone and one more on each side are
//            examined again, once. The result depends on the order of stones and may differ from a full scan; under a
//            search the same position may be rated differently.
//   rescan   everything is recomputed, for comparison.
//
// Where the paper is silent: a window that is examined again first removes its own marks, then counts as a threat if
// no cell has a mark of another window. A stone removes the mark of its cell: in the paper the window un-marks the
// "other spaces" of a threat that was countered. Directions are examined in the order of windows_all, the two sides
// separately. A stone that is taken back is treated like a new one; keep a copy to restore the earlier marks. Under
// gravity the windows through the cells above, and one more on each side, come last.
#pragma once

#include "threats/windows.h"

typedef enum { SEQUENCES_SETTLED, SEQUENCES_PAPER, SEQUENCES_RESCAN } SequencesUpdate;

enum {
    SEQUENCES_WORDS = WINDOWS_MAX / 64, // of a set of windows
    SEQUENCES_UNMARKED = UINT16_MAX,
};

// A window is numbered by its place in the order of windows_all. A set of windows has a bit for each. Plain data.
typedef struct {
    Board board; // only its lines: the side to move is not updated
    SequencesUpdate update;
    unsigned count;
    Window window[WINDOWS_MAX];
    WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS];
    uint8_t stones[2][WINDOWS_MAX];
    int64_t score[2];    // squares of the stones in windows without an opposing stone, summed
    unsigned threats[2]; // threat windows that have marks, or are complete
    uint64_t threat_windows[2][SEQUENCES_WORDS];
    uint64_t counted[2][SEQUENCES_WORDS]; // the windows counted in `threats`
    uint64_t waiting[2][SEQUENCES_WORDS]; // with `settled`: windows to examine again
    uint16_t marked_by[2][RULES_CELLS_MAX];
} Sequences;

// The empty board.
void sequences_init(Sequences *sequences, const Rules *rules, SequencesUpdate update);

// Copies everything that changes with stones; both must have the same rules.
void sequences_copy(Sequences *to, const Sequences *from);

// Puts a stone on an empty cell or takes one away, in any order. Call sequences_settle before reading threats and marks
// (with `rescan`, before reading anything).
void sequences_put(Sequences *sequences, Cell cell, Side side);
void sequences_take(Sequences *sequences, Cell cell);
void sequences_settle(Sequences *sequences);

// Updates everything to the stones of this board, which has the same rules, with the fewest stones put and taken.
void sequences_follow(Sequences *sequences, const Board *board);

// Recomputes everything from the stones, as `rescan` does.
void sequences_rescan(Sequences *sequences);

// The number of consecutive stones this side needs to complete a row; p + 1 stands for more than p.
unsigned sequences_needed(const Sequences *sequences, Side side);

// The change of the scores by a stone of `side` on an empty cell, without playing it, and whether the stone could
// change a threat or bring a row within p stones.
typedef struct {
    int64_t gain; // added to the own score
    int64_t loss; // subtracted from the other side's score
    bool matters; // false: threats of both sides stay as they are, as does sequences_needed
} SequencesStone;

SequencesStone sequences_stone(const Sequences *sequences, Cell cell, Side side);

static inline bool sequences_is_threat_window(const Sequences *sequences, Side side, unsigned window)
{
    return (sequences->threat_windows[side][window / 64] >> window % 64 & 1) != 0;
}

static inline bool sequences_is_threat(const Sequences *sequences, Side side, unsigned window)
{
    return (sequences->counted[side][window / 64] >> window % 64 & 1) != 0;
}

static inline bool sequences_is_marked(const Sequences *sequences, Side side, Cell cell)
{
    return sequences->marked_by[side][cell] != SEQUENCES_UNMARKED;
}
