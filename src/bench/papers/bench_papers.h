// Benchmarks of the papers' algorithms. Each takes about `seconds` per measurement, writes its results and returns
// their number, 0 if `stop` was raised. The boards come from games of an agent against itself.
#pragma once

#include "bench/common/bench_result.h"
#include "papers/kagami/influence.h"

// Paper 000: the turns of the agent `sequences` on boards of Connect6 against a new scan of all windows for every cell;
// the random games of the agent `montecarlo`, and the search with ratings of agents.
unsigned bench_sequences(double seconds, const atomic_bool *stop, BenchResult *results);
unsigned bench_montecarlo(double seconds, const atomic_bool *stop, BenchResult *results);

// Paper 001: the influence of all candidate half-moves of a turn of Connect6, against a cell-by-cell computation; the
// accuracy of the threat table, which does not depend on the machine.
unsigned bench_influence(double seconds, const atomic_bool *stop, BenchResult *results);
unsigned bench_line_keys(double seconds, const atomic_bool *stop, BenchResult *results);

// Paper 002: nodes per second of the alpha-beta search and the savings of move orderings; the search for forcing
// sequences, against the complete VCF search (threats/search/double_threat.h).
unsigned bench_alphabeta(double seconds, const atomic_bool *stop, BenchResult *results);
unsigned bench_forcing(double seconds, const atomic_bool *stop, BenchResult *results);

// Paper 003: a stone placed and taken back with the potential of all cells, against a computation from scratch; the
// search for the winning patterns, of 700, that a stone completes, and the proof of one.
unsigned bench_potential(double seconds, const atomic_bool *stop, BenchResult *results);
unsigned bench_patterns(double seconds, const atomic_bool *stop, BenchResult *results);

// The plain versions, also used by tests: the influence formula cell by cell, and the sum of power[n] over the windows
// of n stones through a cell.
Influence bench_influence_plain(const Board *board, Cell cell, Side side);
double bench_potential_plain(const Board *board, Cell cell, Side side, const double power[RULES_SIDE_MAX + 1]);
