// Random play to the end of a game, for Monte Carlo agents and benchmarks.
#pragma once

#include "base/rng.h"
#include "game/board.h"

// Plays legal cells with equal probability until the game is over. Returns the winner, WINNER_NONE for a draw; the
// board keeps its last position. Adds the number of stones to `stones` unless it is NULL.
Winner playout_random(Board *board, Rng *rng, uint64_t *stones);

// The same; returns the number of stones and stores the first `wanted` of them in `trace`.
unsigned playout_traced(Board *board, Rng *rng, Cell *trace, unsigned wanted);
