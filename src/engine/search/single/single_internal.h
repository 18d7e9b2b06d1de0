// Shared declarations of the search variant for p = q = 1: state, move lists, quiescence search.
//
// engine/eval/pattern_board.h defines fours and threes for every k: a four needs one more stone to complete a row, an
// open four has two such cells, an open three needs one more stone to become an open four.
#pragma once

#include "engine/search/search_common_internal.h"

enum {
    SINGLE_PLY_MAX = 160, // maximum ply
    SINGLE_FOUR_KINDS = 1 << CELL_OPEN_FOUR | 1 << CELL_FOUR_THREE | 1 << CELL_FOUR,
};

typedef struct {
    unsigned count, next; // moves before `next` have been taken
    ScoredCell moves[RULES_CELLS_MAX];
} SingleMoves;

// A node on the current path.
typedef struct {
    int value;     // static evaluation; SEARCH_NO_VALUE if forced
    Cell move;     // the stone being searched
    Cell excluded; // in a search for a singular extension; else CELL_NONE
    Cell killers[2];
    Pv pv;
} SinglePly;

typedef struct {
    SinglePly plies[SINGLE_PLY_MAX + 4];
    History history;
    Cell replies[2][RULES_CELLS_MAX];      // counter moves: the last refutation of a stone
    int log[128];                          // natural logarithms in 1/1024
    int quiescence_nodes;                  // nodes left for the quiescence search
    SingleMoves moves[SINGLE_PLY_MAX + 4]; // by ply
} SingleState;

// The cell pattern counters of both sides, from the point of view of the side to move.
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

// Cells where the opponent makes a four.
static inline unsigned single_other_fours(const SingleCounts *counts)
{
    return counts->other[CELL_OPEN_FOUR] + counts->other[CELL_FOUR_THREE] + counts->other[CELL_FOUR];
}

// What the patterns decide: stones until the side to move has won (above 0) or lost (below 0), else 0.
//
// - It completes a row: 1.
// - The opponent has two cells that complete a row: -2.
// - It makes an open four or two fours while the opponent has no cell to complete a row: 3.
// - It makes a four and an open three, or two open threes, while the opponent cannot make a four anywhere: 5. The
//   answer then makes no four either, so the open four that follows stands. A four allows only one answer, and no stone
//   is in the lines of two threes at once.
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

// The cell where a side completes a row; it must exist.
Cell single_completing_cell(const PatternBoard *patterns, Side side);

// Collects the cells with one of these cell patterns (bits) for the side to move or for the other.
void single_collect(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, unsigned other_kinds);

// Collects the cells with these patterns for the side to move in the lines of a stone.
void single_collect_lines(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, Cell stone);

// Collects all cells near stones, or all cells if none are near; the middle of an empty board. Returns whether these
// are all empty cells.
bool single_collect_near(const PatternBoard *patterns, SingleMoves *moves);

// Scores the moves by line patterns, history, killer and counter moves.
void single_score(const SearchThread *thread, SingleMoves *moves, SinglePly *ply, Cell last);

// Takes the best remaining move; NULL if there is none.
ScoredCell *single_take(SingleMoves *moves);
