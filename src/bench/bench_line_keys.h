// How often threats looked up in the table of patterns (analysis/line_keys.h), with the correction of Liu and Lin for
// two stones on one line, are what they are exactly: turns of Connect6 on boards with stones dealt at random.
#pragma once

#include "analysis/line_keys.h"
#include "bench/bench.h"

enum { LINE_KEYS_COUNTS = 4 }; // 0, 1, 2, and 3 or more

// Turns by both counts, those without a threat by either left out.
typedef struct {
    uint64_t turns;
    uint64_t counts[LINE_KEYS_COUNTS][LINE_KEYS_COUNTS]; // by the table, exactly
} LineKeysAgreement;

// Adds the turns of one to another.
void line_keys_add(LineKeysAgreement *sum, const LineKeysAgreement *agreement);

// Turns with the same number.
uint64_t line_keys_same(const LineKeysAgreement *agreement);

// Turns that are the same in what the paper says alone matters: less than two threats, two, or three and more.
uint64_t line_keys_same_kind(const LineKeysAgreement *agreement);

// Turns taken for more than they are in that respect: what may mislead a search.
uint64_t line_keys_too_high(const LineKeysAgreement *agreement);

// Both counts of a turn of two stones, at most 3. The exact one is the number of stones that stop all threats which go
// through a stone of the turn. False when the turn completes a row.
bool line_keys_compare(const LineKeys *keys, WindowTally *tally, const CellSet *turn, Side side, unsigned *counted,
                       unsigned *exact);

// Deals stones on `boards` boards and compares as many turns on each, half of them on one line. Returns the status of
// getting memory.
Status line_keys_agree(const Rules *rules, uint64_t seed, unsigned boards, unsigned turns,
                       LineKeysAgreement cases[LINE_CASES]);

enum { BENCH_LINE_KEYS_RESULTS = LINE_CASES + 2 };

// The shares for each case of the correction and over all, as results of a benchmark: always the same numbers. Returns
// how many there are, 0 when `stop` is raised or there is no memory.
unsigned bench_line_keys(double seconds, const atomic_bool *stop, BenchResult results[BENCH_LINE_KEYS_RESULTS]);
