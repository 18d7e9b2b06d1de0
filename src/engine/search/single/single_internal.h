// The search where a turn is one stone that may go anywhere: its memory, and which stones it tries.
//
// Fours and threes are meant as engine/eval/pattern_board.h has them, for whatever k: a four needs one more stone to
// complete a row, an open four two answers, an open three one more stone to become an open four.
#pragma once

#include "engine/search/search_common_internal.h"

enum {
    SINGLE_PLY_MAX = 160, // stones from the root on that are searched
    SINGLE_FOUR_KINDS = 1 << CELL_OPEN_FOUR | 1 << CELL_FOUR_THREE | 1 << CELL_FOUR,
};

typedef struct {
    unsigned count, next; // `next`: those before it have been taken
    ScoredCell moves[RULES_CELLS_MAX];
} SingleMoves;

// A node on the current path.
typedef struct {
    int value;     // its evaluation, SEARCH_NO_VALUE where forced
    Cell move;     // the stone that is being tried
    Cell excluded; // left aside, to see how much the others are worse; CELL_NONE: none
    Cell killers[2];
    Pv pv;
} SinglePly;

typedef struct {
    SinglePly plies[SINGLE_PLY_MAX + 4];
    History history;
    Cell replies[2][RULES_CELLS_MAX];      // what refuted this stone last
    int log[128];                          // natural logarithms of small numbers in 1/1024
    int quiescence_nodes;                  // left of a search through fours at the end of a line
    SingleMoves moves[SINGLE_PLY_MAX + 4]; // by ply
} SingleState;

// What the counters of both sides say, seen from the side to move.
typedef struct {
    unsigned own[PATTERN_BOARD_COUNTERS], other[PATTERN_BOARD_COUNTERS];
} SingleCounts;

static inline SingleCounts single_counts(const PatternBoard *patterns)
{
    SingleCounts counts;
    Side side = pattern_board_side(patterns);
    for (unsigned kind = 0; kind < PATTERN_BOARD_COUNTERS; kind++) {
        counts.own[kind] = pattern_board_count(patterns, side, kind);
        counts.other[kind] = pattern_board_count(patterns, side_other(side), kind);
    }
    return counts;
}

// Cells where the other side would make a four.
static inline unsigned single_other_fours(const SingleCounts *counts)
{
    return counts->other[CELL_OPEN_FOUR] + counts->other[CELL_FOUR_THREE] + counts->other[CELL_FOUR];
}

// What is decided without looking further: stones until the side to move has won (above 0) or lost (below 0), else 0.
//
// - It completes a row: 1.
// - The other side has two cells that complete one: -2.
// - It makes an open four or two fours while the other side has nothing to complete: 3.
// - It makes a four and an open three, or two open threes, while the other side cannot make a four with one stone
//   anywhere: 5. Its answer then makes no four either, so that the open four which follows stands. No answer but to the
//   four is possible, and no stone is in the lines of two threes at once.
static inline int single_decided(const SingleCounts *counts)
{
    if (counts->own[CELL_COMPLETES] > 0)
        return 1;
    if (counts->other[CELL_COMPLETES] > 0)
        return counts->other[CELL_COMPLETES] > 1 ? -2 : 0;
    if (counts->own[CELL_OPEN_FOUR] > 0)
        return 3;
    if (counts->own[CELL_FOUR_THREE] + counts->own[CELL_DOUBLE_THREE] > 0 && single_other_fours(counts) == 0)
        return 5;
    return 0;
}

static inline int single_score_of(int decided, unsigned ply)
{
    return decided > 0 ? score_win_in(ply + (unsigned)decided) : score_loss_in(ply + (unsigned)-decided);
}

// Quiescence search (VCF): the score of the position, or of the best sequence of fours from it.
int single_quiescence(SearchThread *thread, int alpha, int beta, unsigned ply);

// The cell where a side completes a row; there must be one.
Cell single_completing_cell(const PatternBoard *patterns, Side side);

// Cells of kinds, given as bits for the side to move and for the other.
void single_collect(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, unsigned other_kinds);

// Cells of kinds for the side to move in the lines of a stone.
void single_collect_lines(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, Cell stone);

// All cells near stones, or all there are if these are none; the middle of an empty board. Returns whether it is all.
bool single_collect_near(const PatternBoard *patterns, SingleMoves *moves);

// Scores by line patterns, history and what refuted the last stone.
void single_score(const SearchThread *thread, SingleMoves *moves, SinglePly *ply, Cell last);

// The best that has not been taken; NULL when there is none.
ScoredCell *single_take(SingleMoves *moves);
