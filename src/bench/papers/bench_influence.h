// The influence evaluation: how long all candidate half-moves of a turn of Connect6 take, and how that compares with
// walking from cell to cell.
#pragma once

#include "bench/common/bench_result.h"
#include "papers/kagami/influence.h"

enum { BENCH_INFLUENCE_RESULTS = 2 };

// The formula as plainly as possible: cell by cell, with one look at the board for each.
Influence bench_influence_plain(const Board *board, Cell cell, Side side);

// About `seconds`, on boards with 61 stones, the first number of at least 60 at which a turn begins, from games that
// the agent `defence` played against itself. Returns how many results there are, 0 when `stop` is raised.
unsigned bench_influence(double seconds, const atomic_bool *stop, BenchResult results[BENCH_INFLUENCE_RESULTS]);
