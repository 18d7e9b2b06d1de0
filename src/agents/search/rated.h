// Cells with a utility each: how an agent says what it would do, and what a search asks of it.
#pragma once

#include "base/rng.h"
#include "game/game.h"

// The cells an agent would consider for the next stone, each with its utility; higher is better. An agent that has a
// utility of the board as it stands, before the stone, says it as well: a search stands on it at its leaves. All are
// seen from the side to move.
typedef struct {
    Cell cell;
    double utility;
} RatedCell;

typedef struct {
    unsigned count;
    double value; // of the board; NAN, as it is given in, where the agent has none
    RatedCell cells[RULES_CELLS_MAX];
} Ratings;

// A rater of positions, lent to a search: `rate` fills `ratings`, which is empty, with at least one legal cell and
// none twice. The answer must depend on the game alone, not on what was asked before; and on its position alone, not on
// how that came about, if a search with a table is to find the same as one without.
typedef struct {
    void (*rate)(void *context, const Game *game, Ratings *ratings);
    void *context;
} Rater;

// Asks about a position of a game that is not over.
void rater_ask(const Rater *rater, const Game *game, Ratings *ratings);

// Adds all legal cells, without a utility yet.
void ratings_add_legal(Ratings *ratings, const Board *board);

// The best cell of at least one; equals are chosen at random, one draw a stone, so that the number of equals does not
// change how much chance a turn uses.
RatedCell ratings_choose(const Ratings *ratings, Rng *rng);
