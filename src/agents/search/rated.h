// Rated cells: cells with utilities, which an agent returns and a search uses.
#pragma once

#include "base/rng.h"
#include "game/game.h"

// The cells that an agent considers for the next stone, each with a utility for the side to move; higher is better.
// `value` is the utility of the position before the stone; a search uses it at its leaves.
typedef struct {
    Cell cell;
    double utility;
} RatedCell;

typedef struct {
    unsigned count;
    double value; // of the position; left at NAN by agents that have none
    RatedCell cells[RULES_CELLS_MAX];
} Ratings;

// A rater used by a search: `rate` fills the empty `ratings` with at least one legal cell, each at most once. The
// result must depend on the game alone, not on earlier calls. For a search with a transposition table it must depend on
// the position alone.
typedef struct {
    void (*rate)(void *context, const Game *game, Ratings *ratings);
    void *context;
} Rater;

// Rates a position of a game that is not over.
void rater_ask(const Rater *rater, const Game *game, Ratings *ratings);

// Adds all legal cells, without a utility yet.
void ratings_add_legal(Ratings *ratings, const Board *board);

// The best cell; ties are broken at random. Uses one random number per stone whatever the number of ties.
RatedCell ratings_choose(const Ratings *ratings, Rng *rng);
