// Pattern extraction: a search of three stones that determines which cells a coming win depends on (Szóts, Harmati,
// Development of an Incremental Pattern Extraction Based Gomoku Agent, section 4.2, Algorithms 1 and 2).
//
// At every node the n best cells are tried. A stone that completes a known pattern (papers/patterns/pattern_index.h)
// has the value of that pattern; the complete row is always known. Values propagate as in minimax, together with the
// cells they depend on: if the winner chooses, those of the chosen pattern; if the loser chooses, the union of those of
// all its choices, since it loses only if all of them lose. Stones of the winner that the search has played become
// empty cells of the pattern. The tier of a union is one above the lowest tier of its parts.
//
// Where the text and the printed lines differ, or are silent:
// - Tiers. Line 19 of Algorithm 2 and line 8 of Algorithm 1 pass on the largest value of the parts; the text says that
//   the union is "on tier n + 1 […] and have according value". krow follows the text: otherwise an open four would have
//   the value of a row, and the rule of 1.5 below would have no effect.
// - Depth. The text says three stones; line 8 of Algorithm 2, searchDepth > maxDepth, gives four if the first call has
//   depth 1. `depth` selects.
// - Neglecting deeper matches. Line 20 only compares; by the text, deeper matches must outweigh the match of the node
//   "by at least 1.5". `neglect` is that factor; 1 gives line 20. Equal tiers differ by less than the factor 2.
// - "If searchValue > 0" in line 15: a heuristic value has no pattern to pass on. A union is made only if every choice
//   of the loser leads to a pattern of the other side, as the text says.
// - Heuristic values "range around 100-1000" in the text, but with m = 10 a row that lacks a stone is worth 90,000 by
//   the paper's formula, more than patterns from tier 4 on. So krow separates them: patterns decide, and the heuristic
//   decides among choices with equal patterns. There is no limit from which a value counts as that of a pattern. The
//   factor 0.99 applies to patterns only.
// - A leaf with a match that is not final has the value of the match and the heuristic value; line 9 has the heuristic
//   value alone, but "matching patterns add to the heuristic game value".
// - The most valuable match of a stone counts: the lowest tier, then the fewest cells.
// - If a stone completes several rows, the first counts, in the order row, column, rising, falling diagonal.
// - Equal choices. Cells with equal heuristic values are ordered by a random ranking of all cells. It is drawn for each
//   search and decides at every node which of them become candidates; among equal outcomes at the root one is drawn.
//   With `takes_first`, the first in the order of rows from a1 is taken everywhere, as max() does in the language of
//   the paper's program.
// - A loss is learned at the root from the position before the own stone, a win from the one after it: in both the
//   owner has just played, which is how patterns are matched.
//
// Higher tiers in the heuristic (section 4.3): "multiplications are not done along straight lines, but along patterns"
// (3.1). A known pattern that lacks only one own stone adds to the value of that cell. The paper gives no formula:
// - m^(k - 1 - tier), the default: "by specifying how value scales with the incompleteness, we assign values to
//   different patterns relative to the final pattern" (3.1). A pattern of tier n is n stones short of a row.
// - `by_product`, m to the power of the pattern's other own stones: the product of equation 1 along the pattern. A
//   large pattern then outweighs a completed row, whose cell is no longer a candidate.
//
// Patterns that lack two stones or more are left out: there are too many of them. With higher tiers in the branching, a
// cell worth less than half of the one before it ends the list of candidates as long as the search has not found a
// match, if `halves` is set (4.4). Often a single candidate remains then, even at the root.
//
// Games in which a stone can harm its owner, that is `exact`. Section 4.2 proposes to change each possibly relevant
// cell and to repeat the search; a cell belongs to the pattern if the change prevents the win. For one more stone of
// the owner the rules give the same answer: only a stone beside a row prevents it. These two cells are added to the
// pattern if they were empty at the root. A pattern that lacks one of them, because of a border or a stone of the other
// side, may not win elsewhere: only the proof (pattern_proof.h) keeps it from being learned.
//
// One stone a turn; there is no alpha-beta pruning, because a union needs every choice.
#pragma once

#include "base/limits.h"
#include "base/rng.h"
#include "papers/patterns/pattern_index.h"
#include "papers/patterns/potential.h"

enum { EXTRACTION_BRANCHING_MAX = 64, EXTRACTION_DEPTH_MAX = 8 };

typedef struct {
    unsigned base;      // m
    unsigned branching; // cells tried at each node
    unsigned depth;     // in stones
    bool is_signed;     // potential_gain is not `summed`
    double factor;      // a tier is worth this many times the next one
    double size_cost;   // share of its value that a pattern loses with each cell
    double decay;       // of values on their way up
    double neglect;     // deeper matches must outweigh the node's own by this factor
    bool in_branching;  // higher tiers choose cells
    bool in_evaluation; // higher tiers in the value of the game
    bool by_product;    // higher tiers count by their own stones instead of their tier
    bool halves;        // with in_branching: pruning by halves
    bool takes_first;   // of equal choices, instead of one at random
} ExtractionOptions;

// Whether a match holds on this board: supplied by a caller that checks before counting.
typedef struct {
    bool (*holds)(void *context, const Board *board, Side owner, const PatternMatch *match);
    void *context;
} ExtractionJudge;

typedef struct {
    Cell cell;      // the stone to play
    unsigned depth; // in stones
    double score;   // for the side to move: of a pattern if there is one, else of the heuristic
    uint64_t nodes;
    uint64_t matches; // stones that completed a known pattern other than a row
    bool has_pattern; // there is a pattern to learn, perhaps a known one
    Side owner;       // of the pattern
    Pattern pattern;
    bool is_too_large; // there is one with more cells than a pattern can have
} ExtractionResult;

typedef struct Extraction Extraction;

Extraction *extraction_open(const ExtractionOptions *options, const Rules *rules);
void extraction_close(Extraction *search); // NULL is fine

typedef struct {
    const PatternIndex *index;    // the known patterns
    const Limits *limits;         // the depth is in stones
    const ExtractionJudge *judge; // NULL: every match holds
    Rng *rng;
} ExtractionTask;

// Searches a position whose game is not over. If the limits leave no time, the result is the best-rated cell. An
// interrupted search has no pattern to learn, since a union needs every choice.
void extraction_run(Extraction *search, const Board *board, const ExtractionTask *task, ExtractionResult *result);

// The value of a pattern: a million, divided by the factor for each tier, reduced by a share for each cell. At least a
// hundredth remains.
double extraction_pattern_value(const ExtractionOptions *options, unsigned tier, unsigned size);
