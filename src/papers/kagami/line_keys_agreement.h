// Compares the number of threats by the table of patterns (papers/kagami/line_keys.h), with the correction of Liu and
// Lin for two stones on one line, with the exact number: turns of Connect6 on boards with random stones.
#pragma once

#include "papers/kagami/line_keys.h"

enum { LINE_KEYS_COUNTS = 4 }; // 0, 1, 2, and 3 or more

// Turns by both counts, without those that have no threat by either.
typedef struct {
    uint64_t turns;
    uint64_t counts[LINE_KEYS_COUNTS][LINE_KEYS_COUNTS]; // by the table, exactly
} LineKeysAgreement;

// Adds the turns of one to another.
void line_keys_add(LineKeysAgreement *sum, const LineKeysAgreement *agreement);

// Turns with the same number.
uint64_t line_keys_same(const LineKeysAgreement *agreement);

// Turns of the same kind, which according to the paper is all that matters: less than two threats, two, or more.
uint64_t line_keys_same_kind(const LineKeysAgreement *agreement);

// Turns whose kind is overestimated, which can mislead a search.
uint64_t line_keys_too_high(const LineKeysAgreement *agreement);

// Both counts of a turn, at most 3.
typedef struct {
    unsigned counted; // by the table
    unsigned exact;   // stones that stop all threats which go through a stone of the turn
} LineKeysCounts;

// Counts a turn of two stones. False when the turn completes a row.
bool line_keys_compare(const LineKeys *keys, WindowTally *tally, const CellSet *turn, Side side,
                       LineKeysCounts *counts);

// How many boards are compared, with how many turns on each, and the reading of the correction.
typedef struct {
    unsigned boards, turns;
    LineCorrection correction;
} LineKeysSample;

// Places stones at random on the boards of a sample and compares turns on each, half of them with both stones on one
// line. The boards and turns are the same for every correction. Fails if there is no memory for the table of patterns.
Status line_keys_agree(const Rules *rules, const LineKeysSample *sample, LineKeysAgreement cases[LINE_CASES],
                       Error *error);
