// The defensive strategy of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section
// III, as far as the agents `defence` and `kagami` share it: half-moves rated, and whole turns in the order in which
// section IV.B tries them.
#pragma once

#include "agents/search/rated.h"
#include "base/rng.h"
#include "threats/window_tally.h"

// Adds the legal cells among `cells` (bits of each row of the board): each with the rank of the influence that a stone
// of the opponent would have there. While he has no stone, with its nearness to the centre.
void defending_rate(const Board *board, const uint64_t cells[RULES_SIDE_MAX], Ratings *ratings);

enum {
    DEFENDING_CELLS_MAX = 128,  // cells that turns are made of: two squares of 5 x 5 have 48
    DEFENDING_TURNS_MAX = 1200, // turns in a list: the pairs of 48 cells are 1128
};

// A turn, its stones in the order in which they were rated.
typedef struct {
    Cell stones[WINDOW_TALLY_P_MAX];
    unsigned last; // the place of its last stone among the cells
    double score;
} DefendingTurn;

// Turns, best first, and work space to make them.
typedef struct {
    unsigned count;
    DefendingTurn list[DEFENDING_TURNS_MAX];
    unsigned shorter_count;
    DefendingTurn shorter[DEFENDING_TURNS_MAX];
    Board board;
    Ratings ratings;
} DefendingTurns;

// Lists the turns that can be made of `cells`, for as many stones as are left in the turn, at most WINDOW_TALLY_P_MAX.
// Where there are fewer cells than stones, any legal cell will do. Equals come in a random order.
//
// The paper orders half-moves by score, and a turn is a set of them. Here the score of a turn is the sum of the ranks
// of its stones, each rated with those before it on the board as the strategy itself does, the stone that is best on
// the board as it stands first: so every set comes once. A rank is a logarithm of E (papers/kagami/influence.h), so
// this orders turns by the product of their E. The sum of E would be as near to the paper's words, but is hardly more
// than E of the better stone: the fifty turns tried would be one stone with fifty others. In games it makes no
// difference (100 games of `kagami` with tss=exact each: against `sequences` 31 and 32 wins, against `threats` 59 and
// 59.5 %).
//
// A turn that completes a row is not listed: no defence is needed then. Of longer turns than two stones, and of
// many cells, only those are listed whose first stones are among the best beginnings, DEFENDING_TURNS_MAX of them.
void defending_list(DefendingTurns *turns, const Board *board, const uint64_t cells[RULES_SIDE_MAX], Rng *rng);
