// The defensive strategy of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section
// III, shared by the agents `defence` and `kagami`: ratings of half-moves, and whole turns in the order of section
// IV.B.
#pragma once

#include "agents/search/rated.h"
#include "base/rng.h"
#include "threats/window_tally.h"

// How the text is read where it allows two readings; all false is the default.
typedef struct {
    bool both; // a cell counts by the sum of both sides' influence, not by the opponent's alone
    bool sums; // the score of a turn is the sum of E of its stones, not their product
    bool once; // all stones of a turn are rated on the board before the turn
} DefendingReading;

// Adds the legal cells among `cells` (bits of each row of the board), each with the rank of the influence that a stone
// of the opponent would have there. While the opponent has no stone, the rating is the nearness to the centre.
void defending_rate(const Board *board, const uint64_t cells[RULES_SIDE_MAX], DefendingReading reading,
                    Ratings *ratings);

enum {
    DEFENDING_CELLS_MAX = 128,  // cells of which turns consist: two squares of 5 x 5 have 48
    DEFENDING_TURNS_MAX = 1200, // turns in a list: the pairs of 48 cells are 1128
};

// A turn with its stones in the order of their ratings.
typedef struct {
    Cell stones[WINDOW_TALLY_P_MAX];
    unsigned last; // index of its last stone among the cells
    double score;
} DefendingTurn;

// Turns, best first, and work space to make them.
typedef struct {
    DefendingReading reading;
    unsigned count;
    DefendingTurn list[DEFENDING_TURNS_MAX];
    unsigned shorter_count;
    DefendingTurn shorter[DEFENDING_TURNS_MAX];
    Board board;
    Ratings ratings;
} DefendingTurns;

// Lists the turns that consist of `cells`, for the stones left in the turn, at most WINDOW_TALLY_P_MAX. If there are
// fewer cells than stones, every legal cell is used. Equals come in a random order.
//
// The paper orders half-moves by score, and a turn is a set of them. Here the score of a turn is the sum of the ranks
// of its stones, each rated with those before it on the board as in the strategy itself. The stone that is best on the
// board before the turn comes first, so every set is listed once. A rank is a logarithm of E
// (papers/kagami/influence.h), so this orders turns by the product of E. With `sums` the order is that of the sum of E,
// which is little more than E of the better stone: the fifty turns tried are then one stone with fifty others.
//
// A turn that completes a row is not listed, because it needs no defence. Of turns of more than two stones, and of many
// cells, only those are listed whose first stones are among the best DEFENDING_TURNS_MAX beginnings.
void defending_list(DefendingTurns *turns, const Board *board, const uint64_t cells[RULES_SIDE_MAX],
                    DefendingReading reading, Rng *rng);
