// Tests of pattern extraction: Algorithm 2 compared with a simple version without indices and incremental values.
#include "support/check.h"

#include "papers/extraction_fixture.h"

#include <math.h>

enum { KNOWN_MAX = 16 };

typedef struct {
    const ExtractionOptions *options;
    Pattern known[KNOWN_MAX];
    unsigned count;
    Side root;
    uint64_t matches;
    bool critical;
} Plain;

typedef struct {
    double match, heuristic;
    unsigned tier;
    PatternCells cells;
} PlainOutcome;

static bool on_board(const Board *board, int column, int row)
{
    return column >= 0 && row >= 0 && column < board->rules.width && row < board->rules.height;
}

// The sum of equation 1 for one side, window by window.
static double plain_potential(const Plain *plain, const Board *board, Cell cell, Side side)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int k = board->rules.k;
    double sum = 0;
    for (unsigned d = 0; d < 4; d++)
        for (int first = 1 - k; first <= 0; first++) {
            double product = 1;
            for (int j = first; j < first + k; j++) {
                int column = (int)cell_column(cell) + j * steps[d][0], row = (int)cell_row(cell) + j * steps[d][1];
                Stone stone = on_board(board, column, row)
                                  ? board_stone(board, cell_at((unsigned)column, (unsigned)row))
                                  : (Stone)side_other(side);
                product *= stone == STONE_NONE ? 1 : stone == (Stone)side ? plain->options->base : 0;
            }
            sum += product;
        }
    return sum;
}

// Whether a picture lies on the board with this corner, the stone on `cell` counting as there.
static bool lies_at(const Board *board, const Pattern *picture, int left, int bottom, Cell cell, Side side)
{
    bool has_cell = false;
    for (unsigned i = 0; i < picture->count; i++) {
        int column = left + picture->cell[i].column, row = bottom + picture->cell[i].row;
        if (!on_board(board, column, row))
            return false;
        Cell at = cell_at((unsigned)column, (unsigned)row);
        Stone stone = at == cell ? (Stone)side : board_stone(board, at);
        if (stone != (picture->cell[i].own ? (Stone)side : STONE_NONE))
            return false;
        has_cell = has_cell || at == cell;
    }
    return has_cell;
}

// All places of all pictures that a stone completes; the best of them, and what they add to the heuristic.
static bool plain_matches(const Plain *plain, const Board *board, Cell cell, Side side, PlainOutcome *best, double *sum)
{
    bool found = false;
    unsigned tier = 0, size = 0;
    for (unsigned i = 0; i < plain->count; i++) {
        Pattern pictures[PATTERN_VERSIONS_MAX];
        unsigned count = pattern_versions(&plain->known[i], pictures);
        for (unsigned j = 0; j < count; j++)
            for (int at = 0; at < board->rules.width * board->rules.height; at++) {
                int left = at % board->rules.width, bottom = at / board->rules.width;
                const Pattern *picture = &pictures[j];
                if (!lies_at(board, picture, left, bottom, cell, side))
                    continue;
                *sum += pow(plain->options->base,
                            plain->options->by_product ? picture->own - 1.0 : board->rules.k - 1.0 - picture->tier);
                if (found && (picture->tier > tier || (picture->tier == tier && picture->count >= size)))
                    continue;
                found = true;
                tier = picture->tier;
                size = picture->count;
            }
    }
    best->tier = tier;
    best->match = found ? extraction_pattern_value(plain->options, tier, size) : 0;
    return found;
}

static double plain_tiers(const Plain *plain, const Board *board, Cell cell, Side side)
{
    PlainOutcome ignored;
    double sum = 0;
    (void)plain_matches(plain, board, cell, side, &ignored, &sum);
    return sum;
}

typedef struct {
    unsigned count;
    Cell cell[RULES_CELLS_MAX];
    double worth[RULES_CELLS_MAX];
} PlainList;

static void plain_list(const Plain *plain, const Board *board, PlainList *list)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    list->count = 0;
    while (list->count < count && list->count < plain->options->branching) {
        unsigned best = count;
        double worth = -1;
        for (unsigned i = 0; i < count; i++) {
            if (cells[i] == CELL_NONE)
                continue;
            double here = 0;
            for (Side side = SIDE_FIRST; side <= SIDE_SECOND; side++)
                here += plain_potential(plain, board, cells[i], side) +
                        (plain->options->in_branching ? plain_tiers(plain, board, cells[i], side) : 0);
            if (here > worth) {
                worth = here;
                best = i;
            }
        }
        list->cell[list->count] = cells[best];
        list->worth[list->count++] = worth;
        cells[best] = CELL_NONE;
    }
}

static bool plain_list_ends(const Plain *plain, const PlainList *list, unsigned i)
{
    return i > 0 && plain->options->in_branching && plain->options->halves && !plain->critical &&
           list->worth[i] < list->worth[i - 1] / 2;
}

// Values only: which of several equal matches gives its cells is not said, and the patterns made by hand above show how
// cells go up.
static PlainOutcome plain_look(Plain *plain, const Board *before, Cell cell, double heuristic, unsigned depth);

// What the choices of a side come to, as values and tiers.
static PlainOutcome plain_choose(const PlainOutcome *choices, unsigned count, double sign, bool *loses)
{
    unsigned best = 0, lowest = choices[0].tier;
    for (unsigned i = 1; i < count; i++) {
        double better = (choices[i].match - choices[best].match) * sign;
        if (better > 0 || (better == 0 && (choices[i].heuristic - choices[best].heuristic) * sign > 0))
            best = i;
        lowest = choices[i].tier < lowest ? choices[i].tier : lowest;
    }
    PlainOutcome chosen = choices[best];
    *loses = chosen.match * sign < 0;
    if (*loses)
        chosen.tier = lowest + 1;
    return chosen;
}

static PlainOutcome plain_look(Plain *plain, const Board *before, Cell cell, double heuristic, unsigned depth)
{
    Side side = board_side(before);
    double sign = side == plain->root ? 1 : -1, sum = 0;
    double own_part = plain_potential(plain, before, cell, side),
           other_part = plain_potential(plain, before, cell, side_other(side));
    if (plain->options->in_evaluation) {
        own_part += plain_tiers(plain, before, cell, side);
        other_part += plain_tiers(plain, before, cell, side_other(side));
    }
    Board board = *before;
    (void)board_play(&board, cell);
    double worth_before = plain->options->is_signed ? own_part - other_part : own_part + other_part;
    PlainOutcome own = {.heuristic = heuristic + sign * (plain->options->base * own_part - worth_before)};
    if (board_winner(&board) != WINNER_NONE)
        own.match = extraction_pattern_value(plain->options, 0, board.rules.k);
    else if (plain_matches(plain, &board, cell, side, &own, &sum))
        plain->matches++;
    own.match *= sign;
    plain->critical = plain->critical || own.match != 0;
    if (board_is_over(&board) || depth == 1)
        return own;
    PlainList list;
    PlainOutcome choices[EXTRACTION_BRANCHING_MAX] = {0};
    plain_list(plain, &board, &list);
    unsigned count = 0;
    for (; count < list.count && !plain_list_ends(plain, &list, count); count++)
        choices[count] = plain_look(plain, &board, list.cell[count], own.heuristic, depth - 1);
    bool loses = false;
    PlainOutcome below = plain_choose(choices, count, -sign, &loses);
    if (loses) // the size of the union is not known here
        below.match = sign * extraction_pattern_value(plain->options, below.tier, 0);
    double both = plain->options->decay * below.match + own.match;
    bool outweighs = fabs(below.match) > plain->options->neglect * fabs(own.match) && both * below.match > 0;
    if (own.match != 0 && !outweighs) {
        own.heuristic = below.heuristic;
        return own;
    }
    below.match = both;
    return below;
}

// Without a cost of size all values can be compared, and the choice must be one of the best.
static void compare(Plain *plain, Fixture *fixture, const Board *board)
{
    ExtractionResult result;
    extraction_run(fixture->search, board, &(ExtractionTask){fixture->index, &(Limits){0}, NULL, &fixture->rng},
                   &result);
    plain->root = board_side(board);
    plain->matches = 0;
    plain->critical = false;
    PlainList list;
    plain_list(plain, board, &list);
    PlainOutcome best = {.match = -INFINITY}, chosen = best;
    bool all_lose = true;
    for (unsigned i = 0; i < list.count && !plain_list_ends(plain, &list, i); i++) {
        PlainOutcome at = plain_look(plain, board, list.cell[i], 0, plain->options->depth);
        if (at.match > best.match || (at.match == best.match && at.heuristic > best.heuristic))
            best = at;
        if (list.cell[i] == result.cell)
            chosen = at;
        all_lose = all_lose && at.match < 0;
    }
    bool same = chosen.match == best.match && chosen.heuristic == best.heuristic &&
                result.score == (best.match != 0 ? best.match : best.heuristic) && result.matches == plain->matches;
    if (!same)
        print_board(board);
    assert_true(same);
    assert_int_equal(result.has_pattern || result.is_too_large, best.match < 0 || (best.match > 0 && best.tier > 0));
    if (result.has_pattern) {
        assert_true(pattern_is_good(&result.pattern));
        assert_int_equal(result.owner, all_lose ? side_other(plain->root) : plain->root);
    }
}

static void compare_options(const ExtractionOptions *options, const char *text, unsigned long steps)
{
    static const struct {
        const char *text;
        unsigned tier;
    } known[] = {{".xxx.", 1}, {"x-x./--xx", 2}, {".x/xx", 3}, {"x.x/.-.", 2}, {"xx-/-x./--x", 1}};
    Rules rules = rules_of(text);
    Fixture fixture = open_fixture(options, &rules);
    Plain plain = {.options = options};
    Error error = {0};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        know(&fixture, known[i].text, known[i].tier);
        assert_done(pattern_parse(span_of(known[i].text), known[i].tier, &plain.known[plain.count++], &error), error);
    }
    for (unsigned long i = 0; i < steps; i++) {
        Board board;
        if (scatter_stones(&board, &rules, rng_below(&fixture.rng, rules_cells(&rules)), &fixture.rng))
            compare(&plain, &fixture, &board);
    }
    close_fixture(&fixture);
}

static void test_plain(void **state)
{
    (void)state;
    unsigned long steps = test_steps() / 20000 + 5;
    ExtractionOptions options = usual;
    options.size_cost = 0;
    options.branching = 4;
    options.takes_first = true; // as the simple version does
    compare_options(&options, "6x6:k=4", steps);
    options.neglect = 1;
    options.is_signed = true;
    compare_options(&options, "7x5:k=5", steps);
    options.in_branching = true;
    compare_options(&options, "6x6:k=4", steps);
    options.halves = false;
    options.in_evaluation = true;
    compare_options(&options, "6x6:k=4", steps);
    options.by_product = true;
    options.depth = 2;
    compare_options(&options, "9x4:k=4,q=2", steps);
}

TEST_GROUP(extraction_plain)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
