// Features of a stone: windows by difference, threats by placing the stone where it can change them.
#include "papers/learned/features.h"

#include "threats/centre.h"
#include "threats/lines.h"
#include "threats/near.h"

#include <stdio.h>
#include <string.h>

// The fixed features, in the order of their names.
enum {
    BIAS,
    WITHIN,
    EXPOSED,
    WINNING,
    CENTRE,
    TOUCHES_OWN,
    TOUCHES_OPPOSING,
    ROW_OWN_GOOD,
    ROW_OWN_BAD,
    ROW_OPPOSING_GOOD,
    ROW_OPPOSING_BAD,
    ROW_NEXT, // the opponent can complete a row on top of the stone
    THREATS_OWN,
    THREATS_OPPOSING = THREATS_OWN + FEATURES_THREATS,
};

typedef enum { OWN, OPPOSING, BUILD, BLOCK, BUILD_TWICE, BLOCK_TWICE } Group;

static const float WINDOW_SCALE = 0.25F; // there are many windows, and few of anything else

static unsigned place_of(unsigned k, Group group, unsigned n)
{
    return FEATURES_FIXED + (unsigned)group * (k - 1) + n - 1;
}

unsigned features_count(unsigned k)
{
    return FEATURES_FIXED + FEATURES_GROUPS * (k - 1);
}

void features_name(unsigned feature, unsigned k, char name[FEATURES_NAME_SIZE])
{
    static const char *const fixed[] = {"bias",
                                        "within",
                                        "exposed",
                                        "winning",
                                        "centre",
                                        "touches_own",
                                        "touches_opposing",
                                        "row_own_good",
                                        "row_own_bad",
                                        "row_opposing_good",
                                        "row_opposing_bad",
                                        "row_next"};
    static const char *const groups[] = {"own", "opposing", "build", "block", "build_twice", "block_twice"};
    unsigned number = 0;
    const char *word = NULL;
    if (feature < THREATS_OWN) {
        (void)snprintf(name, FEATURES_NAME_SIZE, "%s", fixed[feature]);
        return;
    }
    if (feature < FEATURES_FIXED) {
        number = (feature - THREATS_OWN) % FEATURES_THREATS + 1;
        word = feature < THREATS_OPPOSING ? "threats_own" : "threats_opposing";
    } else {
        number = (feature - FEATURES_FIXED) % (k - 1) + 1;
        word = groups[(feature - FEATURES_FIXED) / (k - 1)];
    }
    (void)snprintf(name, FEATURES_NAME_SIZE, "%s%u", word, number);
}

void features_init(Features *features, const Rules *rules, GeneralisedWindows windows)
{
    features->count = features_count(rules->k);
    features->style = (GeneralisedStyle){.c = generalised_constant(rules, GENERALISED_C), .windows = windows};
    sequences_init(&features->now, rules, SEQUENCES_SETTLED);
}

void features_read(Features *features, const Board *board)
{
    Sequences *now = &features->now;
    sequences_follow(now, board);
    memset(features->windows, 0, sizeof features->windows);
    for (unsigned i = 0; i < now->count; i++)
        for (unsigned side = 0; side < 2; side++)
            features->windows[side][now->stones[1 - side][i] == 0 ? now->stones[side][i] : 0]++;
    for (unsigned side = 0; side < 2; side++) {
        features->number_of_threats[side] = now->threats[side];
        features->needed[side] = sequences_needed(now, (Side)side);
    }
    generalised_read(board, &features->style, &features->threats);
}

// --- Windows ---

static void add_windows(const Features *features, Cell cell, Side side, float *value)
{
    const Sequences *now = &features->now;
    unsigned k = now->board.rules.k, other = side_other(side);
    int windows[2][RULES_SIDE_MAX + 1];
    memcpy(windows, features->windows, sizeof windows);
    for (int direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = now->through[cell][direction];
        for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++) {
            unsigned own = now->stones[side][i], theirs = now->stones[other][i];
            windows[side][own] -= theirs == 0;
            windows[side][own + 1] += theirs == 0;
            windows[other][theirs] -= own == 0;
        }
    }
    for (unsigned n = 1; n < k; n++) {
        value[place_of(k, OWN, n)] = WINDOW_SCALE * (float)windows[side][n];
        value[place_of(k, OPPOSING, n)] = WINDOW_SCALE * (float)windows[other][n];
    }
}

// --- The stone ---

// The values of a cell by tier: generalised threats sum powers of 2^c, of which c bits hold the number. The numbers are
// exact up to k = 17; beyond, they may carry into the next tier.
static void add_tiers(const Features *features, uint64_t sum, Group group, float *value)
{
    unsigned c = features->style.c, k = features->now.board.rules.k;
    for (unsigned t = 1; t < k && c * (t - 1) < 64; t++) {
        uint64_t number = sum >> c * (t - 1) & bits_low(c);
        value[place_of(k, group, t)] = (float)number;
        value[place_of(k, group + BUILD_TWICE - BUILD, t)] = number >= 2 ? 1 : 0;
    }
}

static void add_stone(const Features *features, const Board *board, Cell cell, float *value)
{
    const Rules *rules = &board->rules;
    Side side = board_side(board), other = side_other(side);
    unsigned span = rules->width > rules->height ? rules->width : rules->height;
    value[BIAS] = 1;
    value[CENTRE] = (float)(centre_nearness(rules, cell) / span);
    value[TOUCHES_OWN] = (float)near_stones(board, cell, side) / 8;
    value[TOUCHES_OPPOSING] = (float)near_stones(board, cell, other) / 8;
    add_tiers(features, features->threats.value[side][cell], BUILD, value);
    add_tiers(features, features->threats.value[other][cell], BLOCK, value);
}

// --- Threats ---

typedef struct {
    unsigned threats[2];
    unsigned needed[2];
} Standing;

static void add_count(unsigned threats, float *value)
{
    if (threats > 0)
        value[(threats < FEATURES_THREATS ? threats : FEATURES_THREATS) - 1] = 1;
}

static void add_threats(const Features *features, const Standing *standing, Side side, unsigned left, float *value)
{
    unsigned p = features->now.board.rules.p, other = side_other(side);
    value[WITHIN] = left > 0 && standing->needed[side] <= (left < p ? left : p) ? 1 : 0;
    value[EXPOSED] = standing->needed[other] <= p ? 1 : 0;
    value[WINNING] = standing->threats[other] == 0 && standing->threats[side] > p ? 1 : 0;
    add_count(standing->threats[side], value + THREATS_OWN);
    add_count(standing->threats[other], value + THREATS_OPPOSING);
}

// Under gravity, the windows that lack one stone, after the stone was placed. `next` is the cell on top of it.
static void add_rows(const Features *features, Side side, unsigned next_row, unsigned column, float *value)
{
    const Sequences *now = &features->now;
    const Board *board = &now->board;
    for (unsigned s = 0; s < 2; s++) {
        for (unsigned i = 0; i < now->count; i++) {
            if (now->stones[s][i] + 1U != board->rules.k || now->stones[1 - s][i] != 0)
                continue;
            Window window = now->window[i];
            Cell cell = lines_cell(board, window.line, bits_lowest(window_empty(board, window)));
            bool good = (cell_row(cell) & 1) == s;
            value[s == (unsigned)side ? (good ? ROW_OWN_GOOD : ROW_OWN_BAD)
                                      : (good ? ROW_OPPOSING_GOOD : ROW_OPPOSING_BAD)] += 1;
            if (s != (unsigned)side && cell_row(cell) == next_row && cell_column(cell) == column)
                value[ROW_NEXT] = 1;
        }
    }
}

// Places the stone, reads what has changed, and takes it back; the next stone settles both.
static void try_stone(Features *features, Cell cell, Side side, Standing *standing, FeatureVector *vector)
{
    Sequences *now = &features->now;
    sequences_put(now, cell, side);
    sequences_settle(now);
    for (unsigned s = 0; s < 2; s++) {
        standing->threats[s] = now->threats[s];
        standing->needed[s] = sequences_needed(now, (Side)s);
    }
    vector->wins = standing->needed[side] == 0;
    if (now->board.rules.gravity && !vector->wins)
        add_rows(features, side, cell_row(cell) + 1U, cell_column(cell), vector->value);
    sequences_take(now, cell);
}

void features_of(Features *features, const Board *board, Cell cell, FeatureVector *vector)
{
    Side side = board_side(board);
    unsigned left = board_stones_left(board) - 1;
    vector->stage = left < FEATURES_STAGES ? left : FEATURES_STAGES - 1;
    vector->wins = false;
    memset(vector->value, 0, features->count * sizeof vector->value[0]);
    Standing standing;
    memcpy(standing.threats, features->number_of_threats, sizeof standing.threats);
    memcpy(standing.needed, features->needed, sizeof standing.needed);
    if (sequences_stone(&features->now, cell, side).matters)
        try_stone(features, cell, side, &standing, vector);
    if (vector->wins)
        return;
    add_windows(features, cell, side, vector->value);
    add_stone(features, board, cell, vector->value);
    add_threats(features, &standing, side, left, vector->value);
}

// --- Candidates ---

unsigned features_candidates(const Board *board, Cell cells[RULES_CELLS_MAX])
{
    enum { REACH = 2 };
    unsigned count = 0;
    if (board->rules.gravity)
        return board_legal_cells(board, cells);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t near = board_legal_row(board, row) & near_stones_row(board, row, REACH); near != 0;
             near &= near - 1)
            cells[count++] = cell_at(bits_lowest(near), row);
    return count > 0 ? count : centre_cells(board, cells);
}
