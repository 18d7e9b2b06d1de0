// Shared by the files of networks: vectors of numbers, and the layers as pairs of inputs.
#pragma once

#include "engine/eval/network.h"

#include "engine/eval/pattern_board_internal.h"

// Sixteen numbers of 16 bits; four of them are both views of a cell, the first side's before the second's.
typedef int16_t Lanes __attribute__((vector_size(32)));
typedef int32_t Wide __attribute__((vector_size(32)));
enum {
    LANES = 16,
    WIDE = 8,
    NETWORK_BOTH = 2 * NETWORK_WIDTH,
    NETWORK_ROWS = NETWORK_BOTH / LANES,
    NETWORK_FIRST_ROWS = NETWORK_FIRST / WIDE,
    NETWORK_SECOND_ROWS = NETWORK_SECOND / WIDE,
};

// Weights of two neighbouring inputs side by side, so that one instruction multiplies and adds both.
typedef struct {
    Lanes first[NETWORK_INPUTS / 2][NETWORK_FIRST_ROWS];
    Lanes second[NETWORK_FIRST / 2][NETWORK_SECOND_ROWS];
    Wide first_bias[NETWORK_FIRST_ROWS], second_bias[NETWORK_SECOND_ROWS];
    Lanes last[NETWORK_OUTPUTS][NETWORK_SECOND / LANES];
    int32_t last_bias[NETWORK_OUTPUTS];
} FastLayers;

// Zeroed memory for vectors, to be freed with memory_aligned_free; NULL if there is not enough.
void *lanes_new(size_t size);

// What is compiled in: the files of data/networks, made into a source file by tools/embed-texts.
extern const Span networks_trained[];
extern const unsigned networks_trained_count;
