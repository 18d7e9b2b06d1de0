// Random turns whose threats are counted by the table of patterns and exactly.
#include "papers/kagami/line_keys_agreement.h"

#include "base/memory.h"
#include "base/rng.h"

#include <stdlib.h>

enum {
    STONES_LEAST = 40, // of both sides on a board of 361 cells
    STONES_MOST = 120,
    THREATS_MOST = 2 * WINDOW_DIRECTIONS * LINE_KEYS_K_MAX, // through two stones
};

// --- Evaluation of the counts ---

static unsigned kind_of(unsigned threats)
{
    return threats < 2 ? 1 : threats;
}

// Sums up the turns for which the kind by the table is no less than the exact one (`high`), or equal to it.
static uint64_t sum_kinds(const LineKeysAgreement *agreement, bool high)
{
    uint64_t sum = 0;
    for (unsigned counted = 0; counted < LINE_KEYS_COUNTS; counted++)
        for (unsigned exact = 0; exact < LINE_KEYS_COUNTS; exact++)
            if (high ? kind_of(counted) > kind_of(exact) : kind_of(counted) == kind_of(exact))
                sum += agreement->counts[counted][exact];
    return sum;
}

void line_keys_add(LineKeysAgreement *sum, const LineKeysAgreement *agreement)
{
    sum->turns += agreement->turns;
    for (unsigned i = 0; i < LINE_KEYS_COUNTS; i++)
        for (unsigned j = 0; j < LINE_KEYS_COUNTS; j++)
            sum->counts[i][j] += agreement->counts[i][j];
}

uint64_t line_keys_same(const LineKeysAgreement *agreement)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < LINE_KEYS_COUNTS; i++)
        sum += agreement->counts[i][i];
    return sum;
}

uint64_t line_keys_same_kind(const LineKeysAgreement *agreement)
{
    return sum_kinds(agreement, false);
}

uint64_t line_keys_too_high(const LineKeysAgreement *agreement)
{
    return sum_kinds(agreement, true);
}

// --- A turn ---

static bool completes_row(const WindowTally *tally, Cell cell, Side side)
{
    for (unsigned direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = tally->through[cell][direction];
        for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++)
            if (window_tally_need(tally, i, side) == 0)
                return true;
    }
    return false;
}

bool line_keys_compare(const LineKeys *keys, WindowTally *tally, const CellSet *turn, Side side, LineKeysCounts *counts)
{
    CellSet targets[THREATS_MOST];
    unsigned count = 0, least = 0;
    unsigned counted = line_keys_turn(keys, &tally->board, turn, side);
    window_tally_put(tally, turn->cell[0], side);
    window_tally_put(tally, turn->cell[1], side);
    bool is_row = completes_row(tally, turn->cell[0], side) || completes_row(tally, turn->cell[1], side);
    for (unsigned i = 0; i < 2 && !is_row; i++)
        count = window_tally_threats_through(tally, turn->cell[i], side, targets, count, THREATS_MOST);
    if (!is_row)
        least = targets_least(targets, count, tally->board.rules.p);
    window_tally_take(tally, turn->cell[1], side);
    window_tally_take(tally, turn->cell[0], side);
    *counts = (LineKeysCounts){counted < LINE_KEYS_COUNTS ? counted : LINE_KEYS_COUNTS - 1, least};
    return !is_row;
}

// --- Random turns ---

typedef struct {
    Rng rng;
    LineKeys keys;
    WindowTally tally;
    Board board;
    unsigned cell_count, line_count;
    Cell cells[RULES_CELLS_MAX]; // empty ones in windows that the turn can make threats of
    Cell line[RULES_CELLS_MAX];  // of these, those on a line with one
} Deal;

// Places stones of both sides alternately on random empty cells without completing a row.
static void deal_stones(Deal *deal, const Rules *rules)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned stones = STONES_LEAST + rng_below(&deal->rng, STONES_MOST - STONES_LEAST + 1);
    board_init(&deal->board, rules);
    for (unsigned i = 0; i < stones && !board_is_over(&deal->board); i++) {
        unsigned count = board_legal_cells(&deal->board, cells);
        Cell cell = cells[rng_below(&deal->rng, count)];
        BoardState before = board_play(&deal->board, cell);
        if (board_winner(&deal->board) != WINNER_NONE)
            board_undo(&deal->board, cell, before);
    }
    window_tally_set(&deal->tally, &deal->board);
    line_keys_set(&deal->keys, &deal->board);
}

static void find_cells(Deal *deal, Side side)
{
    const WindowTally *tally = &deal->tally;
    uint64_t rows[RULES_SIDE_MAX] = {0};
    for (unsigned i = 0; i < tally->count; i++) {
        Cell cells[RULES_SIDE_MAX];
        if (window_tally_need(tally, i, side) > 2u * tally->board.rules.p)
            continue;
        for (unsigned count = window_tally_empty(tally, i, cells); count-- > 0;)
            rows[cell_row(cells[count])] |= cell_bit_in_row(cells[count]);
    }
    deal->cell_count = 0;
    for (unsigned row = 0; row < tally->board.rules.height; row++)
        for (; rows[row] != 0; rows[row] &= rows[row] - 1)
            deal->cells[deal->cell_count++] = cell_at(bits_lowest(rows[row]), row);
}

static void find_line(Deal *deal, Cell cell, Side side)
{
    deal->line_count = 0;
    for (unsigned i = 0; i < deal->cell_count; i++) {
        unsigned direction;
        if (deal->cells[i] != cell &&
            line_keys_case(&deal->board, cell, deal->cells[i], side, &direction) != LINE_CASE_APART)
            deal->line[deal->line_count++] = deal->cells[i];
    }
}

// Chooses two cells at random, or two on one line. False if there are none.
static bool draw_turn(Deal *deal, Side side, bool on_line, CellSet *turn)
{
    if (deal->cell_count < 2)
        return false;
    Cell a = deal->cells[rng_below(&deal->rng, deal->cell_count)], b = a;
    if (on_line)
        find_line(deal, a, side);
    if (on_line && deal->line_count == 0)
        return false;
    while (a == b)
        b = on_line ? deal->line[rng_below(&deal->rng, deal->line_count)]
                    : deal->cells[rng_below(&deal->rng, deal->cell_count)];
    CellSet first = cell_set_with(&cell_set_none, a);
    *turn = cell_set_with(&first, b);
    return true;
}

static void compare_turn(Deal *deal, const CellSet *turn, Side side, LineKeysAgreement cases[LINE_CASES])
{
    unsigned direction;
    LineKeysCounts found;
    LineCase how = line_keys_case(&deal->board, turn->cell[0], turn->cell[1], side, &direction);
    if (!line_keys_compare(&deal->keys, &deal->tally, turn, side, &found) || found.counted + found.exact == 0)
        return;
    cases[how].turns++;
    cases[how].counts[found.counted][found.exact]++;
}

Status line_keys_agree(const Rules *rules, const LineKeysSample *sample, LineKeysAgreement cases[LINE_CASES],
                       Error *error)
{
    assert(rules->p == 2 && line_keys_suits(rules));
    memset(cases, 0, LINE_CASES * sizeof cases[0]);
    Deal *deal = memory_new(1, sizeof *deal);
    deal->rng = rng_make(1);
    Status status = line_keys_open(&deal->keys, rules, error);
    deal->keys.correction = sample->correction;
    window_tally_init(&deal->tally, rules);
    for (unsigned i = 0; i < sample->boards && status == STATUS_OK; i++) {
        Side side = i % 2 == 0 ? SIDE_FIRST : SIDE_SECOND;
        deal_stones(deal, rules);
        find_cells(deal, side);
        for (unsigned j = 0; j < sample->turns; j++) {
            CellSet turn;
            if (draw_turn(deal, side, j % 2 == 0, &turn))
                compare_turn(deal, &turn, side, cases);
        }
    }
    line_keys_close(&deal->keys);
    free(deal);
    return status;
}
