// The network evaluation: a small neural network over line shapes, for one family of rules (k, p, gravity, exact).
//
// Inputs. A half-line is what lies on one side of an empty cell in a line: the cells up to the first obstacle that
// matters, at most the reach of rows through the cell; its stones belong to one side, since the first stone of the
// other side is an obstacle. A shape is an unordered pair of half-lines. Each empty cell has four shapes, one in every
// direction. Under gravity shapes also depend on the cell: next in its column, or else in an odd or an even row.
//
// Evaluation. Each shape has a vector of NETWORK_WIDTH numbers, the same in all directions. The vectors of the four
// shapes of a cell and a bias are added and clipped from 0 to just below 1: the vector of the cell. The sum over all
// empty cells is the view of one side; the other side has a view of its own, with colours exchanged. Three small layers
// turn the views of the side to move and of the other into the odds of a win and of a loss against a draw. There is one
// set of layers for each number of stones left in the turn. The result is added to the simpler evaluation of the family
// (patterns or gravity), so that the network learns only what that one lacks.
//
// All arithmetic is in integers, so that results are the same on every machine. Numbers are fixed-point: vectors have
// NETWORK_VECTOR_ONE steps per unit, vectors of cells NETWORK_CELL_ONE, inputs and outputs of a layer
// NETWORK_LAYER_ONE, weights of a layer NETWORK_WEIGHT_ONE.
//
// A file is a header of text lines, an empty line, and the numbers as little-endian 16-bit and 32-bit integers:
//
//     krow network 1
//     family k=5                  (as in engine/eval/weights.h)
//     size 1653 32 32 16          (shapes, numbers of a vector, widths of both hidden layers)
//     boards 13-20                (least and largest side of the boards that it was trained on; optional)
//     source 20000 games of ...   (origin; any number of lines)
//     checksum 1f2e3d4c           (CRC-32 of the numbers)
#pragma once

#include "base/text.h"
#include "engine/eval/pattern_board.h"

enum {
    NETWORK_VERSION = 1,
    NETWORK_WIDTH = 32,
    NETWORK_INPUTS = 2 * NETWORK_WIDTH, // the views of both sides
    NETWORK_FIRST = 32,                 // widths of the hidden layers
    NETWORK_SECOND = 16,
    NETWORK_OUTPUTS = 2, // win and loss
    NETWORK_REACH_MAX = LINE_PATTERNS_PAIRS_REACH,
    NETWORK_STAGES_MAX = 8, // most stones per turn

    NETWORK_VECTOR_ONE = 2048,
    NETWORK_CELL_ONE = 128,
    NETWORK_VIEW_SHARE = 32, // a sum over cells is divided by this
    NETWORK_LAYER_ONE = 512,
    NETWORK_LAYER_MAX = 8 * NETWORK_LAYER_ONE - 1,
    NETWORK_WEIGHT_ONE = 64,
    NETWORK_WEIGHT_MAX = 2047,
    NETWORK_VECTOR_MAX = (INT16_MAX - 8) / 5, // of a vector and of the bias: five are added, and rounded
    NETWORK_BIAS_MAX = 1 << 29,
    NETWORK_DRAWS_MAX = 8 * WEIGHTS_UNIT, // up to these odds draws matter for the value
    // So that no sum exceeds 16 bits.
    NETWORK_CELLS_MAX = UINT16_MAX / NETWORK_CELL_ONE,
};

// The layers for one number of stones left in the turn.
typedef struct {
    int16_t first[NETWORK_INPUTS][NETWORK_FIRST];
    int32_t first_bias[NETWORK_FIRST]; // in steps of 1 / (NETWORK_LAYER_ONE * NETWORK_WEIGHT_ONE)
    int16_t second[NETWORK_FIRST][NETWORK_SECOND];
    int32_t second_bias[NETWORK_SECOND];
    int16_t last[NETWORK_SECOND][NETWORK_OUTPUTS];
    int32_t last_bias[NETWORK_OUTPUTS];
} NetworkLayers;

// The kinds of half-lines and shapes of a family; see network_shapes.c.
typedef struct {
    unsigned reach;
    unsigned halves;                  // kinds of half-lines
    unsigned pairs;                   // unordered pairs of them
    unsigned count;                   // shapes: pairs times kinds of cells
    unsigned stages;                  // sets of layers
    uint16_t *half_left, *half_right; // owned; by the cells of a window on that side
} NetworkShapes;

struct Network {
    Rules rules; // only the family matters
    NetworkShapes shapes;
    int16_t *vectors; // owned; NETWORK_WIDTH numbers for each shape, seen by the first side
    int16_t bias[NETWORK_WIDTH];
    NetworkLayers *layers; // owned; by stones left in the turn, from 1
    // Sides of the boards for which it is used unless another one is asked for; 0: all.
    unsigned smallest, largest;
    Text source;
    // For speed, by network_prepare.
    void *views; // owned; the vectors of both views side by side
    void *fast;  // owned; the layers in the order in which they are used
    int16_t with_draws[2 * NETWORK_DRAWS_MAX + 1];
};

// The probability of each outcome in hundredths of a percent; they add up to NETWORK_CHANCES.
enum { NETWORK_CHANCES = 10000 };
typedef struct {
    unsigned win, draw, loss;
} NetworkChances;

// Whether games with these rules can have a network.
bool network_suits(const Rules *rules);

// --- Shapes ---

Status network_shapes_open(NetworkShapes *shapes, const Rules *rules, Error *error);
void network_shapes_close(NetworkShapes *shapes); // safe on a zeroed one

// The half-line with both colours exchanged, and the shape.
unsigned network_half_exchanged(const NetworkShapes *shapes, unsigned half);
unsigned network_shape_exchanged(const NetworkShapes *shapes, unsigned shape);

static inline unsigned network_pair(unsigned a, unsigned b)
{
    unsigned high = a > b ? a : b, low = a > b ? b : a;
    return high * (high + 1) / 2 + low;
}

// The pair at the centre of a window, as in engine/eval/line_patterns.h: `reach` cells on each side of it.
static inline unsigned network_window_pair(const NetworkShapes *shapes, uint64_t window)
{
    unsigned reach = shapes->reach;
    return network_pair(shapes->half_left[window & bits_low(2 * reach)],
                        shapes->half_right[window >> (2 * reach + 2) & bits_low(2 * reach)]);
}

// The number of the first shape of an empty cell: a multiple of `pairs` that depends on the kind of cell.
static inline unsigned network_cell_kind(const NetworkShapes *shapes, const PatternBoard *patterns, Cell cell)
{
    if (!patterns->rules.gravity)
        return 0;
    unsigned row = cell_row(cell);
    bool is_next = row == 0 || !pattern_board_is_empty(patterns, (Cell)(cell - RULES_SIDE_MAX));
    return (is_next ? 0 : 1 + row % 2) * shapes->pairs;
}

// The four shapes of an empty cell.
void network_cell_shapes(const NetworkShapes *shapes, const PatternBoard *patterns, Cell cell, uint32_t numbers[4]);

// --- Networks ---

// A network of zeros, which changes nothing about the simpler evaluation. Its numbers may be set before
// network_prepare.
Status network_new(Network **opened, const Rules *rules, Error *error);
void network_close(Network *network); // NULL is fine

// Computes what depends on the vectors; call it after changing them.
void network_prepare(Network *network);

// The network of the family of these rules and for boards of this size that is compiled in; NULL: none.
Status network_find(Network **network, const Rules *rules, Error *error);

// Reads a network by name: "" is the compiled network of the family (NULL without one), "none" gives NULL, and any
// other name is a file.
Status network_read(Network **network, const char *name, const Rules *rules, Error *error);

// The content of a file. Parsing checks the family, the size and the checksum.
Status network_parse(Network **opened, const Rules *rules, Span content, Error *error);
void network_format(Network *network, Text *text);

// --- Evaluation ---

// The views of a position and the shapes of all empty cells; they follow a pattern board lazily.
typedef struct NetworkState NetworkState;

Status network_state_open(NetworkState **opened, const Network *network, Error *error);
void network_state_close(NetworkState *state); // NULL is fine

// Follow the pattern board: call it after the pattern board was set to another position, before an evaluation.
void network_state_set(NetworkState *state, const PatternBoard *patterns);

// The outcome for the side to move, in the unit of weights.h: how much a win, and a loss, is likelier than a draw.
// `simple` is the value of the simpler evaluation.
typedef struct {
    int win, loss;
} NetworkOdds;
NetworkOdds network_odds(NetworkState *state, const PatternBoard *patterns, int simple);

// The same, computed from the position alone by the definition; for tests and training.
NetworkOdds network_odds_plain(const Network *network, const PatternBoard *patterns, int simple);

// The value of odds as the logarithm of the odds of winning, a draw counting half.
int network_value(const Network *network, NetworkOdds odds);
NetworkChances network_chances(NetworkOdds odds);
