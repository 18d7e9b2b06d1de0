// What the agent Sequences of Levin et al. (section 3.3) knows about a board: for every window and side the stones in
// it, whether it is a threat window, and the marks of threats; kept up to date stone by stone.
//
// A threat window of a side is one that it could complete in a turn (window_is_threat). Windows are taken in the order
// of windows_all; a threat window without a marked cell is a threat, and marks all its empty cells. The marks of a side
// count for all directions, those of the other side do not matter. So threats are the first set of threat windows, in
// that order, of which no two share an empty cell: it depends on the board alone.
//
// A stone changes only the windows through its cell; under gravity also those through the cells above it, which may
// come within reach of a turn, and under `exact` the two beside, which may become part of a longer row. But a mark that
// comes or goes may free or forbid a window further on, that one the next, and so on. Three ways to deal with it:
//
//   settled  a change of a window's marks makes every later threat window through these cells be examined again, until
//            nothing changes any more. Always the same as a rescan.
//   paper    the rule of the paper: in each direction the windows through the new stone and one more on each side are
//            examined again, once. Depends on the stones that came before, and may differ from a rescan;
//            under a search a position may be judged differently by the way that led there.
//   rescan   everything is recomputed; to compare with.
//
// What the paper leaves open was decided so. A window that is examined again first removes its own marks, then counts
// as a threat if none of its cells carries a mark of another. A stone takes away the mark of its cell: the paper has
// the window un-mark the "other spaces" of a threat that was countered. Directions come in the order of windows_all,
// the two sides each for themselves. A stone that is taken back is treated as a new one: who wants the marks of before
// keeps a copy. Under gravity the windows through the cells above, and one more on each side, come last.
#pragma once

#include "threats/windows.h"

typedef enum { SEQUENCES_SETTLED, SEQUENCES_PAPER, SEQUENCES_RESCAN } SequencesUpdate;

enum {
    SEQUENCES_WORDS = WINDOWS_MAX / 64, // of a set of windows
    SEQUENCES_UNMARKED = UINT16_MAX,
};

// Windows have their place in the order of windows_all as a number. A set of windows is a bit for each. Plain data.
typedef struct {
    Board board; // its lines alone; whose turn it is, is not followed
    SequencesUpdate update;
    unsigned count;
    Window window[WINDOWS_MAX];
    WindowRange through[RULES_CELLS_MAX][WINDOW_DIRECTIONS];
    uint8_t stones[2][WINDOWS_MAX];
    int64_t score[2];    // squares of the stones in windows without an opposing stone, summed
    unsigned threats[2]; // threat windows that have made marks, or are complete
    uint64_t threat_windows[2][SEQUENCES_WORDS];
    uint64_t counted[2][SEQUENCES_WORDS]; // those of `threats`
    uint64_t waiting[2][SEQUENCES_WORDS]; // of `settled`: to be examined again
    uint16_t marked_by[2][RULES_CELLS_MAX];
} Sequences;

// The empty board.
void sequences_init(Sequences *sequences, const Rules *rules, SequencesUpdate update);

// Copies what changes with stones; both must have been begun with the same rules.
void sequences_copy(Sequences *to, const Sequences *from);

// Puts a stone on an empty cell, takes one away, in any order; sequences_settle before threats and marks (with `rescan`
// before anything) are asked for.
void sequences_put(Sequences *sequences, Cell cell, Side side);
void sequences_take(Sequences *sequences, Cell cell);
void sequences_settle(Sequences *sequences);

// Brings everything to the stones of this board, of the same rules, by the fewest stones put and taken.
void sequences_follow(Sequences *sequences, const Board *board);

// Recomputes everything from the stones, as `rescan` does.
void sequences_rescan(Sequences *sequences);

// Stones this side needs to complete a row, if it placed them now, one after another; p + 1 stands for more than p.
unsigned sequences_needed(const Sequences *sequences, Side side);

// What a stone of `side` on an empty cell would do to the scores, and whether it could change a threat or bring a row
// within p stones at all. Without playing it.
typedef struct {
    int64_t gain; // added to the own score
    int64_t loss; // taken from the other's
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
