// Packed sums of a side: six counters of seven bits and the evaluation in one word, so that one addition updates all.
// Shared by the tables and the pattern board.
#pragma once

#include "engine/eval/pattern_board.h"

#define PATTERN_BOARD_HOT static inline __attribute__((always_inline))

enum { PACKED_BITS = 7, PACKED_BIAS = 1 << (PACKED_BITS - 1), PACKED_VALUE = PATTERN_BOARD_COUNTERS * PACKED_BITS };

PATTERN_BOARD_HOT int64_t packed_counter(uint64_t biased, unsigned counter)
{
    return (int64_t)(biased >> (counter * PACKED_BITS) & ((1u << PACKED_BITS) - 1)) << (counter % 4 * 16);
}

// Unpacks the sum of the changes of fewer than PACKED_BIAS cells. Counters may decrease, so a bias makes each positive
// meanwhile.
PATTERN_BOARD_HOT PatternSums widened(int64_t changes)
{
    const uint64_t ones = UINT64_C(0x40810204081) >> PACKED_BITS; // a bit for each counter
    const int64_t bias = PACKED_BIAS;
    uint64_t biased = (uint64_t)changes + ones * PACKED_BIAS;
    int64_t low =
        packed_counter(biased, 0) + packed_counter(biased, 1) + packed_counter(biased, 2) + packed_counter(biased, 3);
    int64_t high =
        packed_counter(biased, 4) + packed_counter(biased, 5) + ((int64_t)biased >> PACKED_VALUE) * (INT64_C(1) << 32);
    return (PatternSums){low - bias * INT64_C(0x0001000100010001), high - bias * INT64_C(0x00010001)};
}
