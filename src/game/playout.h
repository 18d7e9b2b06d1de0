// Random play to the end of a game: the sample that Monte Carlo agents and benchmarks draw.
#pragma once

#include "base/rng.h"
#include "game/board.h"

// Plays legal cells at random, each as likely as the others, until the game is over. Returns the winner, WINNER_NONE
// for a draw; the board is left in its last position. `stones`, if given, is increased by the stones played.
Winner playout_random(Board *board, Rng *rng, uint64_t *stones);

// The same; returns how many stones were played, and keeps the first `wanted` of them in `trace`.
unsigned playout_traced(Board *board, Rng *rng, Cell *trace, unsigned wanted);
