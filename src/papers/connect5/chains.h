// Chains: stones of one side one after another on a line, as Vasilchenko and Johnson look at them, for any rules of the
// family. A chain is all consecutive stones, so a three is not two twos as well.
//
// Valid chains (section 2a, Fig. 3, whose picture is lost): "every valid chain must be adjacent to an empty slot that
// the opponent player could legally choose in order to block the chain". So one of the two cells beyond its ends must
// be empty and legal; under gravity an empty cell with nothing below it does not count, without gravity every empty one
// does. The text asks this of the opponent's chains, its figure of both sides' and of a chain that its owner would
// extend there, and the cell is the same for both: the rule is asked of every chain. Where it is silent:
// - A chain with two such cells counts once. The paper says "a" slot, and 16 points for a two.
// - Whether there is room for k at all is not asked. The paper does not ask it.
// - The paper has chains of 2, 3 and 4 stones; here they have 2 to k. Longer rows are won or, under `exact`, worthless.
#pragma once

#include "game/board.h"

// Adds up value[n] of all valid chains of n stones, 2 to k, of each side. `line_cells` are the cells of each line as
// bits (lines_mask), which a frequent caller often has at hand.
void chains_add_up(const Board *board, const uint64_t line_cells[BOARD_LINES_MAX],
                   const int64_t value[RULES_SIDE_MAX + 1], int64_t sum[2]);

// All chains of 2 to k stones, one after another, valid or not, for those who want to show them.
typedef struct {
    Side side;
    unsigned line, low, length; // its cells are the bits from `low` on of its line
    unsigned end_count;         // legal cells beyond its ends: 0 where it is not valid
    Cell ends[2];
} Chain;

typedef void ChainVisit(void *context, const Chain *chain);
void chains_each(const Board *board, ChainVisit *visit, void *context);

// Cells of the board, a word a row.
typedef struct {
    uint64_t row[RULES_SIDE_MAX];
} ChainCells;

// The legal cells beyond the ends of a side's chains of `least` to `most` stones: where one is built upon or blocked.
void chains_ends(const Board *board, Side side, unsigned least, unsigned most, ChainCells *cells);

// Where a side could make k in a row with `stones` stones, as if it were to move, or be kept from it: the legal cells
// of the windows that it could complete (window_can_complete) without a stone elsewhere, as one to stand on. Without
// `gaps` only windows count whose stones are a single chain, and of their cells those beyond its ends; all where there
// is no stone yet. So after a stone on one of the cells the others can still be found. With one stone that is a chain
// of k - 1 with a legal cell beyond an end of it.
void chains_completions(const Board *board, Side side, unsigned stones, bool gaps, ChainCells *cells);

// How many cells there are.
unsigned chains_count(const ChainCells *cells);

// The n-th of the cells, row by row from a1, n from 0 and less than their count.
Cell chains_nth(const ChainCells *cells, unsigned n);
