// The numbering of half-lines and shapes (engine/eval/network.h).
//
// Half-lines are numbered by reach R: first the R + 1 empty ones, by length; then those with stones of the first side,
// by length and stones; then those with stones of the second side in the same order.
#include "engine/eval/network.h"

#include "base/memory.h"

#include <stdlib.h>

bool network_suits(const Rules *rules)
{
    return row_reach(rules) <= NETWORK_REACH_MAX && rules->p <= NETWORK_STAGES_MAX &&
           rules_cells(rules) <= NETWORK_CELLS_MAX;
}

// Half-lines shorter than `length` with at least one stone of a given side.
static unsigned shorter(unsigned length)
{
    return (1u << length) - 1 - length;
}

// The number of a half-line; `stones` has a bit for each stone of its side, the nearest cell first.
static unsigned half_number(unsigned reach, unsigned length, unsigned stones, Side side)
{
    if (stones == 0)
        return length;
    return reach + 1 + (side == SIDE_FIRST ? 0 : shorter(reach + 1)) + shorter(length) + stones - 1;
}

// The half-line that begins at one cell and continues outwards; a cell has two bits, 1 where it is empty or has a stone
// of the first, of the second side.
static unsigned half_of_cells(unsigned reach, const unsigned *cells)
{
    enum { WALL = 0, FIRST = 1, SECOND = 2 };
    unsigned length = 0, stones = 0, colour = WALL;
    for (; length < reach && cells[length] != WALL; length++) {
        if (cells[length] != FIRST && cells[length] != SECOND)
            continue;
        if (colour != WALL && cells[length] != colour)
            break;
        colour = cells[length];
        stones |= 1u << length;
    }
    return half_number(reach, length, stones, colour == SECOND ? SIDE_SECOND : SIDE_FIRST);
}

Status network_shapes_open(NetworkShapes *shapes, const Rules *rules, Error *error)
{
    unsigned reach = row_reach(rules);
    if (!network_suits(rules))
        return error_set(error, STATUS_BAD_INPUT,
                         "networks support rows of at most %u stones, %u stones per turn and %u cells",
                         NETWORK_REACH_MAX + 1, NETWORK_STAGES_MAX, NETWORK_CELLS_MAX);
    unsigned halves = reach + 1 + 2 * shorter(reach + 1), windows = 1u << (2 * reach);
    *shapes = (NetworkShapes){.reach = reach, .halves = halves, .pairs = halves * (halves + 1) / 2};
    shapes->count = shapes->pairs * (rules->gravity ? 3 : 1);
    shapes->stages = rules->p;
    shapes->half_left = memory_new(windows, sizeof *shapes->half_left);
    shapes->half_right = memory_new(windows, sizeof *shapes->half_right);
    for (unsigned window = 0; window < windows; window++) {
        unsigned left[NETWORK_REACH_MAX + 1] = {0}, right[NETWORK_REACH_MAX + 1] = {0};
        for (unsigned i = 0; i < reach; i++)
            left[reach - 1 - i] = right[i] = window >> (2 * i) & 3;
        shapes->half_left[window] = (uint16_t)half_of_cells(reach, left);
        shapes->half_right[window] = (uint16_t)half_of_cells(reach, right);
    }
    return STATUS_OK;
}

void network_shapes_close(NetworkShapes *shapes)
{
    free(shapes->half_left);
    free(shapes->half_right);
    *shapes = (NetworkShapes){0};
}

unsigned network_half_exchanged(const NetworkShapes *shapes, unsigned half)
{
    unsigned empty = shapes->reach + 1, of_side = (shapes->halves - empty) / 2;
    return half < empty ? half : half < empty + of_side ? half + of_side : half - of_side;
}

unsigned network_shape_exchanged(const NetworkShapes *shapes, unsigned shape)
{
    unsigned kind = shape / shapes->pairs, pair = shape % shapes->pairs, high = 0;
    while ((high + 1) * (high + 2) / 2 <= pair)
        high++;
    unsigned low = pair - high * (high + 1) / 2;
    return kind * shapes->pairs +
           network_pair(network_half_exchanged(shapes, high), network_half_exchanged(shapes, low));
}

void network_cell_shapes(const NetworkShapes *shapes, const PatternBoard *patterns, Cell cell, uint32_t numbers[4])
{
    unsigned kind = network_cell_kind(shapes, patterns, cell);
    for (unsigned direction = 0; direction < 4; direction++) {
        const uint64_t *pairs = patterns->pairs[pattern_board_line(patterns, cell, direction)];
        unsigned from = 2 * (pattern_board_place(cell, direction) + PATTERN_BOARD_WALLS - shapes->reach);
        uint64_t window = pairs[from / 64] >> from % 64 | pairs[from / 64 + 1] << 1 << (63 - from % 64);
        numbers[direction] = kind + network_window_pair(shapes, window);
    }
}
