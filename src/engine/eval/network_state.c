// The evaluation of a network: views that follow a pattern board lazily, and the layers (engine/eval/network.h).
//
// Between two evaluations the search plays and takes back stones. The state keeps a stack of the stones that it
// contains, with what each one changed: it takes back those that the pattern board does not have, and places the
// others. A stone changes the shapes of the cells within reach, direction by direction: the old vector of a cell leaves
// the sum and its new one enters it. Both views are handled at once, as lanes of four vectors of 16 bits.
#include "engine/eval/network_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Vectors wider than the registers of the oldest processors are passed within this file only.
#pragma GCC diagnostic ignored "-Wpsabi"

enum { ABSENT = INT32_MAX, HALF_STEP = NETWORK_VECTOR_ONE / NETWORK_CELL_ONE / 2 };

// Only in release builds, as in pattern_board.c.
#ifdef NDEBUG
#define NETWORK_UNROLLED _Pragma("GCC unroll 4")
#else
#define NETWORK_UNROLLED
#endif

// The shape of a cell in a direction before a stone.
typedef struct {
    uint32_t *place; // in NetworkState.shapes
    uint32_t shape;
} ShapeChange;

// A stone of the state, or a pass (CELL_NONE).
typedef struct {
    int16_t sums[NETWORK_BOTH]; // before it
    uint32_t changes;           // number of changes before it
    Cell cell;
    uint8_t side;
} NetworkStone;

struct NetworkState {
    Lanes sums[NETWORK_ROWS]; // unsigned 16 bits: at most NETWORK_CELLS_MAX * NETWORK_CELL_ONE
    Lanes bias[NETWORK_ROWS]; // with half a step for rounding
    const Network *network;
    unsigned stone_count, change_count;
    NetworkStone *stones; // owned; since the position was set
    ShapeChange *changes; // owned
    size_t stones_room, changes_room;
    uint32_t (*shapes)[4];                                     // owned; by cell; ABSENT in the first if it has a stone
    uint64_t pairs[BOARD_LINES_MAX][PATTERN_BOARD_PAIR_WORDS]; // as those of the pattern board
};

Status network_state_open(NetworkState **opened, const Network *network, Error *error)
{
    NetworkState *state = lanes_new(sizeof *state);
    *opened = state;
    if (state == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the network");
    state->network = network;
    for (unsigned i = 0; i < NETWORK_BOTH; i++)
        state->bias[i / LANES][i % LANES] = (int16_t)(network->bias[i % NETWORK_WIDTH] + HALF_STEP);
    state->shapes = memory_new(RULES_CELLS_MAX, sizeof *state->shapes);
    return STATUS_OK;
}

void network_state_close(NetworkState *state)
{
    if (state == NULL)
        return;
    free(state->stones);
    free(state->changes);
    free(state->shapes);
    memory_aligned_free(state);
}

// --- Cells ---

// The sum of the vectors of a cell, half a step included, as the vector of the cell.
PATTERN_BOARD_HOT void clip(Lanes *sum)
{
    const Lanes most = (Lanes){0} + (NETWORK_CELL_ONE - 1);
    Lanes steps = *sum >> 4;
#ifdef __AVX2__
    typedef short Shorts __attribute__((vector_size(32)));
    *sum = (Lanes)__builtin_ia32_pminsw256((Shorts)most, __builtin_ia32_pmaxsw256((Shorts){0}, (Shorts)steps));
#else
    Lanes above = steps > most;
    *sum = (steps & (steps > 0) & ~above) | (most & above);
#endif
}
static_assert(NETWORK_VECTOR_ONE / NETWORK_CELL_ONE == 1 << 4, "the shift divides by this");

PATTERN_BOARD_HOT const Lanes *views_of(const Network *network, uint32_t shape)
{
    return (const Lanes *)network->views + (size_t)shape * NETWORK_ROWS;
}

// Adds the vector of a cell to the sums (sign 1), or subtracts it (-1).
static void add_cell(NetworkState *state, const uint32_t shapes[4], int sign)
{
    for (unsigned i = 0; i < NETWORK_ROWS; i++) {
        Lanes sum = state->bias[i];
        for (unsigned direction = 0; direction < 4; direction++)
            sum += views_of(state->network, shapes[direction])[i];
        clip(&sum);
        state->sums[i] += sign > 0 ? sum : -sum;
    }
}

// Adds what it changes that the shape of a cell in one direction becomes another.
PATTERN_BOARD_HOT void add_change(const NetworkState *state, const uint32_t *shapes, unsigned direction, uint32_t shape,
                                  Lanes *sums)
{
    const Network *network = state->network;
    const Lanes *a = views_of(network, shapes[(direction + 1) & 3]),
                *b = views_of(network, shapes[(direction + 2) & 3]),
                *c = views_of(network, shapes[(direction + 3) & 3]);
    const Lanes *old = views_of(network, shapes[direction]), *fresh = views_of(network, shape);
    NETWORK_UNROLLED
    for (unsigned i = 0; i < NETWORK_ROWS; i++) {
        Lanes before = state->bias[i] + a[i] + b[i] + c[i], after = before + fresh[i];
        before += old[i];
        clip(&before);
        clip(&after);
        sums[i] += after - before;
    }
}

// --- Stones ---

// Sets the shape of a cell in one direction, and notes the old one.
PATTERN_BOARD_HOT void change_shape(ShapeChange **change, uint32_t *place, uint32_t shape)
{
    *(*change)++ = (ShapeChange){place, *place};
    *place = shape;
}

// Sets or clears a cell for one side (empty or its stone) in all lines.
PATTERN_BOARD_HOT void flip_pairs(NetworkState *state, const PatternBoard *patterns, Cell cell, unsigned side)
{
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned bit = 2 * (pattern_board_place(cell, direction) + PATTERN_BOARD_WALLS) + side;
        state->pairs[pattern_board_line(patterns, cell, direction)][bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

// Updates the cells of a line within reach of a stone that has been placed. Returns the end of the changes.
PATTERN_BOARD_HOT ShapeChange *update_line(NetworkState *state, const PatternBoard *patterns, Cell stone,
                                           unsigned direction, ShapeChange *change)
{
    const NetworkShapes *numbers = &state->network->shapes;
    const uint64_t *pairs = state->pairs[pattern_board_line(patterns, stone, direction)];
    unsigned reach = numbers->reach;
    unsigned from = 2 * (pattern_board_place(stone, direction) + PATTERN_BOARD_WALLS - 2 * reach), shift = from % 64;
    uint64_t window = pairs[from / 64] >> shift | pairs[from / 64 + 1] << 1 << (63 - shift);
    int step = pattern_board_step[direction], cell = stone - (int)reach * step;
    Lanes sums[NETWORK_ROWS];
    memcpy(sums, state->sums, sizeof sums);
    for (unsigned i = 0; i <= 2 * reach; i++, window >>= 2, cell += step) {
        if ((window >> (2 * reach) & 3) != 3)
            continue;
        uint32_t *shapes = state->shapes[cell];
        uint32_t kind = numbers->count == numbers->pairs ? 0 : shapes[direction] / numbers->pairs * numbers->pairs;
        uint32_t shape = kind + network_window_pair(numbers, window);
        if (shape == shapes[direction])
            continue;
        add_change(state, shapes, direction, shape, sums);
        change_shape(&change, &shapes[direction], shape);
    }
    memcpy(state->sums, sums, sizeof sums);
    return change;
}

// The cell above a stone is next in its column now.
static ShapeChange *update_above(NetworkState *state, Cell above, ShapeChange *change)
{
    uint32_t *shapes = state->shapes[above];
    add_cell(state, shapes, -1);
    for (unsigned direction = 0; direction < 4; direction++)
        change_shape(&change, &shapes[direction], shapes[direction] % state->network->shapes.pairs);
    add_cell(state, shapes, 1);
    return change;
}

// Places a stone of a side on an empty cell.
static void place(NetworkState *state, const PatternBoard *patterns, Cell cell, unsigned side)
{
    ShapeChange *change = state->changes + state->change_count;
    add_cell(state, state->shapes[cell], -1);
    change_shape(&change, &state->shapes[cell][0], ABSENT);
    flip_pairs(state, patterns, cell, 1 - side);
    change = update_line(state, patterns, cell, 0, change);
    change = update_line(state, patterns, cell, 1, change);
    change = update_line(state, patterns, cell, 2, change);
    change = update_line(state, patterns, cell, 3, change);
    if (patterns->rules.gravity && cell_row(cell) + 1u < patterns->rules.height)
        change = update_above(state, (Cell)(cell + RULES_SIDE_MAX), change);
    state->change_count = (unsigned)(change - state->changes);
}

static void push(NetworkState *state, const PatternBoard *patterns, unsigned number)
{
    enum { CHANGES = 8 * NETWORK_REACH_MAX + 5 }; // most changes of a stone
    state->changes =
        array_grow(state->changes, &state->changes_room, state->change_count + CHANGES, sizeof *state->changes);
    state->stones = array_grow(state->stones, &state->stones_room, state->stone_count + 1, sizeof *state->stones);
    NetworkStone *stone = &state->stones[state->stone_count++];
    memcpy(stone->sums, state->sums, sizeof stone->sums);
    stone->changes = state->change_count;
    stone->cell = patterns->played[number];
    stone->side = patterns->before[number].side;
    if (stone->cell != CELL_NONE)
        place(state, patterns, stone->cell, stone->side);
}

static void pop(NetworkState *state, const PatternBoard *patterns)
{
    const NetworkStone *stone = &state->stones[--state->stone_count];
    memcpy(state->sums, stone->sums, sizeof stone->sums);
    while (state->change_count > stone->changes) {
        const ShapeChange *change = &state->changes[--state->change_count];
        *change->place = change->shape;
    }
    if (stone->cell != CELL_NONE)
        flip_pairs(state, patterns, stone->cell, 1u - stone->side);
}

void network_state_set(NetworkState *state, const PatternBoard *patterns)
{
    memset(state->sums, 0, sizeof state->sums);
    memcpy(state->pairs, patterns->pairs, sizeof state->pairs);
    state->stone_count = state->change_count = 0;
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (unsigned column = 0; column < patterns->rules.width; column++) {
            Cell cell = cell_at(column, row);
            uint32_t *shapes = state->shapes[cell];
            shapes[0] = ABSENT;
            if (!pattern_board_is_empty(patterns, cell))
                continue;
            network_cell_shapes(&state->network->shapes, patterns, cell, shapes);
            add_cell(state, shapes, 1);
        }
}

static void follow(NetworkState *state, const PatternBoard *patterns)
{
    unsigned count = patterns->played_count, same = 0;
    while (same < count && same < state->stone_count && state->stones[same].cell == patterns->played[same])
        same++;
    while (state->stone_count > same)
        pop(state, patterns);
    while (state->stone_count < count)
        push(state, patterns, state->stone_count);
}

// --- Layers ---

// Adds to each sum the products of two inputs and their weights.
PATTERN_BOARD_HOT void add_products(Wide *sums, const Lanes *weights, const int16_t inputs[2], unsigned rows)
{
    NETWORK_UNROLLED
    for (unsigned row = 0; row < rows; row++) {
#ifdef __AVX2__
        typedef short Shorts __attribute__((vector_size(32)));
        uint32_t both;
        memcpy(&both, inputs, sizeof both);
        Wide pair = (Wide){0} + (int32_t)both;
        sums[row] += (Wide)__builtin_ia32_pmaddwd256((Shorts)pair, (Shorts)weights[row]);
#else
        for (unsigned i = 0; i < WIDE; i++)
            sums[row][i] += inputs[0] * weights[row][2 * i] + inputs[1] * weights[row][2 * i + 1];
#endif
    }
}

// Adds the products of inputs and their weights, pair by pair.
PATTERN_BOARD_HOT void add_pairs(Wide *sums, Lanes weights, const int16_t inputs[LANES])
{
#ifdef __AVX2__
    typedef short Shorts __attribute__((vector_size(32)));
    Shorts numbers;
    memcpy(&numbers, inputs, sizeof numbers);
    *sums += (Wide)__builtin_ia32_pmaddwd256(numbers, (Shorts)weights);
#else
    for (size_t i = 0; i < WIDE; i++)
        (*sums)[i] += inputs[2 * i] * weights[2 * i] + inputs[2 * i + 1] * weights[2 * i + 1];
#endif
}

// The outputs of a layer as inputs of the next.
PATTERN_BOARD_HOT void clip_outputs(const Wide *sums, unsigned rows, int16_t *inputs)
{
    const Wide most = (Wide){0} + NETWORK_LAYER_MAX;
    for (unsigned row = 0; row < rows; row++) {
        typedef int16_t Half __attribute__((vector_size(16)));
        Wide outputs = sums[row] & (sums[row] > 0);
        outputs >>= 6;
        Wide above = outputs > most;
        Half half = __builtin_convertvector((outputs & ~above) | (most & above), Half);
        memcpy(inputs + (size_t)row * WIDE, &half, sizeof half);
    }
}
static_assert(NETWORK_WEIGHT_ONE == 1 << 6, "the shift divides by this");

static NetworkOdds odds_of(const int64_t last[NETWORK_OUTPUTS], int simple)
{
    const int64_t one = (int64_t)NETWORK_LAYER_ONE * NETWORK_WEIGHT_ONE;
    int half = simple / 2;
    return (NetworkOdds){(int)(last[0] * WEIGHTS_UNIT / one) + half,
                         (int)(last[1] * WEIGHTS_UNIT / one) - (simple - half)};
}

static NetworkOdds run_layers(const FastLayers *layers, const int16_t inputs[NETWORK_INPUTS], int simple)
{
    Wide first[NETWORK_FIRST_ROWS], second[NETWORK_SECOND_ROWS];
    int16_t next[NETWORK_FIRST], others[NETWORK_SECOND];
    int64_t last[NETWORK_OUTPUTS];
    memcpy(first, layers->first_bias, sizeof first);
    for (unsigned i = 0; i < NETWORK_INPUTS / 2; i++)
        add_products(first, layers->first[i], inputs + 2 * (size_t)i, NETWORK_FIRST_ROWS);
    clip_outputs(first, NETWORK_FIRST_ROWS, next);
    memcpy(second, layers->second_bias, sizeof second);
    for (unsigned i = 0; i < NETWORK_FIRST / 2; i++)
        add_products(second, layers->second[i], next + 2 * (size_t)i, NETWORK_SECOND_ROWS);
    clip_outputs(second, NETWORK_SECOND_ROWS, others);
    for (unsigned j = 0; j < NETWORK_OUTPUTS; j++) {
        Wide sums = {0};
        for (unsigned i = 0; i < NETWORK_SECOND / LANES; i++)
            add_pairs(&sums, layers->last[j][i], others + (size_t)i * LANES);
        last[j] = layers->last_bias[j];
        for (unsigned i = 0; i < WIDE; i++)
            last[j] += sums[i];
    }
    return odds_of(last, simple);
}

static unsigned stage_of(const PatternBoard *patterns)
{
    unsigned left = pattern_board_stones_left(patterns), most = patterns->rules.p;
    return left == 0 ? 0 : left < most ? left - 1 : most - 1; // q may be larger than p
}

// A sum over cells has this many steps for each of an input of the first layer.
enum { INPUT_STEPS = NETWORK_VIEW_SHARE * NETWORK_CELL_ONE / NETWORK_LAYER_ONE };

NetworkOdds network_odds(NetworkState *state, const PatternBoard *patterns, int simple)
{
    follow(state, patterns);
    typedef uint16_t Inputs __attribute__((vector_size(32)));
    int16_t inputs[NETWORK_INPUTS];
    unsigned own = pattern_board_side(patterns) == SIDE_FIRST ? 0 : NETWORK_ROWS / 2;
    for (unsigned row = 0; row < NETWORK_ROWS; row++) {
        Inputs input = (Inputs)state->sums[row ^ own] / INPUT_STEPS;
        memcpy(inputs + (size_t)row * LANES, &input, sizeof input);
    }
    const FastLayers *layers = (const FastLayers *)state->network->fast + stage_of(patterns);
    return run_layers(layers, inputs, simple);
}

// --- By the definition ---

// The sum over the empty cells of one number of a view.
static unsigned plain_view(const Network *network, const PatternBoard *patterns, Side side, unsigned number)
{
    unsigned sum = 0;
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t empty = pattern_board_empty_row(patterns, row); empty != 0; empty &= empty - 1) {
            uint32_t shapes[4];
            int cell = network->bias[number];
            network_cell_shapes(&network->shapes, patterns, cell_at(bits_lowest(empty), row), shapes);
            for (unsigned direction = 0; direction < 4; direction++) {
                unsigned shape = side == SIDE_FIRST ? shapes[direction]
                                                    : network_shape_exchanged(&network->shapes, shapes[direction]);
                cell += network->vectors[(size_t)shape * NETWORK_WIDTH + number];
            }
            int steps = (int)floor((cell + HALF_STEP) / 16.0);
            sum += (unsigned)(steps < 0 ? 0 : steps < NETWORK_CELL_ONE ? steps : NETWORK_CELL_ONE - 1);
        }
    return sum;
}

static int32_t plain_output(int64_t sum)
{
    int64_t output = sum / NETWORK_WEIGHT_ONE;
    return output < 0 ? 0 : output > NETWORK_LAYER_MAX ? NETWORK_LAYER_MAX : (int32_t)output;
}

static NetworkOdds plain_layers(const NetworkLayers *layers, const int32_t inputs[NETWORK_INPUTS], int simple)
{
    int32_t first[NETWORK_FIRST], second[NETWORK_SECOND];
    int64_t last[NETWORK_OUTPUTS];
    for (unsigned j = 0; j < NETWORK_FIRST; j++) {
        int64_t sum = layers->first_bias[j];
        for (unsigned i = 0; i < NETWORK_INPUTS; i++)
            sum += (int64_t)inputs[i] * layers->first[i][j];
        first[j] = plain_output(sum);
    }
    for (unsigned j = 0; j < NETWORK_SECOND; j++) {
        int64_t sum = layers->second_bias[j];
        for (unsigned i = 0; i < NETWORK_FIRST; i++)
            sum += (int64_t)first[i] * layers->second[i][j];
        second[j] = plain_output(sum);
    }
    for (unsigned j = 0; j < NETWORK_OUTPUTS; j++) {
        last[j] = layers->last_bias[j];
        for (unsigned i = 0; i < NETWORK_SECOND; i++)
            last[j] += (int64_t)second[i] * layers->last[i][j];
    }
    return odds_of(last, simple);
}

NetworkOdds network_odds_plain(const Network *network, const PatternBoard *patterns, int simple)
{
    int32_t inputs[NETWORK_INPUTS];
    Side side = pattern_board_side(patterns);
    for (unsigned i = 0; i < NETWORK_INPUTS; i++)
        inputs[i] =
            (int32_t)(plain_view(network, patterns, i < NETWORK_WIDTH ? side : side_other(side), i % NETWORK_WIDTH) /
                      INPUT_STEPS);
    return plain_layers(&network->layers[stage_of(patterns)], inputs, simple);
}

// --- Values ---

static int with_half_draws(const Network *network, int odds)
{
    if (odds >= NETWORK_DRAWS_MAX)
        return odds;
    return network->with_draws[NETWORK_DRAWS_MAX + (odds > -NETWORK_DRAWS_MAX ? odds : -NETWORK_DRAWS_MAX)];
}

int network_value(const Network *network, NetworkOdds odds)
{
    return with_half_draws(network, odds.win) - with_half_draws(network, odds.loss);
}

NetworkChances network_chances(NetworkOdds odds)
{
    int most = odds.win > odds.loss ? odds.win : odds.loss;
    most = most > 0 ? most : 0;
    double win = exp((double)(odds.win - most) / WEIGHTS_UNIT), loss = exp((double)(odds.loss - most) / WEIGHTS_UNIT);
    double sum = win + exp((double)-most / WEIGHTS_UNIT) + loss;
    NetworkChances chances = {.win = (unsigned)lrint(NETWORK_CHANCES * win / sum)};
    chances.loss = (unsigned)lrint(NETWORK_CHANCES * (win + loss) / sum) - chances.win;
    chances.draw = NETWORK_CHANCES - chances.win - chances.loss;
    return chances;
}
