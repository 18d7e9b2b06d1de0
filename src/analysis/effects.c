// Compares the board before and after a turn: completed rows, threats stopped and made, rows built and blocked.
#include "analysis/effects.h"

#include "threats/centre.h"
#include "threats/lines.h"
#include "threats/row_threats.h"

#include <string.h>

// --- Lists ---

static bool rows_has_stones(const EffectRows *rows, const EffectRow *row)
{
    for (unsigned i = 0; i < rows->count; i++)
        if (rows->row[i].line == row->line && rows->row[i].stones == row->stones)
            return true;
    return false;
}

static bool is_within(uint64_t inner, uint64_t outer)
{
    return (inner & ~outer) == 0;
}

// Whether a row of the list covers this one; rows with equal stones are merged.
static bool is_said_by(EffectRow *known, const EffectRow *row)
{
    if (known->line != row->line)
        return false;
    if (known->stones == row->stones)
        known->empty |= row->empty;
    return is_within(row->stones, known->stones) || known->empty == row->empty;
}

static void rows_remove(EffectRows *rows, unsigned at)
{
    rows->count--;
    memmove(&rows->row[at], &rows->row[at + 1], (rows->count - at) * sizeof rows->row[0]);
}

static void rows_add(EffectRows *rows, EffectRow row)
{
    for (unsigned i = 0; i < rows->count; i++)
        if (is_said_by(&rows->row[i], &row))
            return;
    for (unsigned i = rows->count; i-- > 0;)
        if (rows->row[i].line == row.line && is_within(rows->row[i].stones, row.stones))
            rows_remove(rows, i);
    unsigned at = rows->count;
    while (at > 0 && bits_count(rows->row[at - 1].stones) < bits_count(row.stones))
        at--;
    if (rows->count == EFFECTS_ROWS) {
        rows->is_cut = true;
        if (at == EFFECTS_ROWS)
            return;
        rows->count--;
    }
    memmove(&rows->row[at + 1], &rows->row[at], (rows->count - at) * sizeof rows->row[0]);
    rows->row[at] = row;
    rows->count++;
}

static void cells_add(EffectCells *cells, Cell cell)
{
    if (cells->count < EFFECTS_CELLS)
        cells->cell[cells->count] = cell;
    cells->count++;
}

// --- Windows ---

static EffectRow row_of(const Board *board, Window window, Side side)
{
    uint64_t bits = window_bits(board, window);
    return (EffectRow){window.line, board->line[window.line][side] & bits, window_empty(board, window)};
}

// Whether it has no stone of the other side and, under `exact`, no own stone beside it.
static bool is_open(const Board *board, Window window, Side side)
{
    return window_can_complete(board, window, side, board->rules.k + (board->rules.gravity ? board->cells : 0u));
}

// Both boards, and a third one with the stones of the turn only, which shows their windows.
typedef struct {
    const Board *before;
    Board after, turn;
    Side side, other;
    unsigned left;       // stones of the turn
    unsigned other_next; // of the other side's next turn
    unsigned own_next;   // of the turn after that
    unsigned count;
    Window window[WINDOWS_MAX];
} Comparison;

static bool is_touched(const Comparison *turn, Window window)
{
    return (turn->turn.line[window.line][turn->side] & window_bits(turn->before, window)) != 0;
}

static void compare(Comparison *turn, const Board *before, const Cell *stones, unsigned count)
{
    turn->before = before;
    turn->side = board_side(before);
    turn->other = side_other(turn->side);
    turn->left = board_stones_left(before);
    unsigned empty = before->cells - board_count(before) - turn->left, p = before->rules.p;
    turn->other_next = empty < p ? empty : p;
    turn->own_next = empty - turn->other_next < p ? empty - turn->other_next : p;
    board_copy(&turn->after, before);
    board_init(&turn->turn, &before->rules);
    for (unsigned i = 0; i < count; i++) {
        (void)board_play(&turn->after, stones[i]);
        board_put(&turn->turn, stones[i], turn->side);
    }
    assert(count == turn->left || (count < turn->left && board_is_over(&turn->after)));
    turn->count = windows_all(before, turn->window);
}

// --- Rows that win ---

static void find_completed(const Comparison *turn, EffectRows *rows)
{
    for (unsigned i = 0; i < turn->count; i++) {
        Window window = turn->window[i];
        uint64_t own = turn->after.line[window.line][turn->side], bits = window_bits(turn->before, window);
        if (!is_touched(turn, window) || !window_can_complete(&turn->after, window, turn->side, 0))
            continue;
        unsigned low = window.low, high = low + turn->before->rules.k - 1u;
        bits |= bits_low(bits_run_below(own, low)) << (low - bits_run_below(own, low));
        bits |= high < 63 ? bits_low(bits_run_above(own, high)) << (high + 1) : 0;
        rows_add(rows, (EffectRow){window.line, bits, 0});
    }
}

// --- Threats ---

// The cells on which one stone of this side completes a row.
static void find_targets(const Comparison *turn, const Board *board, Side side, EffectCells *targets)
{
    uint64_t row[RULES_SIDE_MAX] = {0};
    for (unsigned i = 0; i < turn->count; i++) {
        Window window = turn->window[i];
        uint64_t empty = window_empty(board, window);
        if (empty == 0 || !window_can_complete(board, window, side, 1))
            continue;
        Cell cell = lines_cell(board, window.line, bits_lowest(empty));
        row[cell_row(cell)] |= cell_bit_in_row(cell);
    }
    for (unsigned y = 0; y < board->rules.height; y++)
        for (uint64_t cells = row[y]; cells != 0; cells &= cells - 1)
            cells_add(targets, cell_at(bits_lowest(cells), y));
}

// A window that lacks a single cell, which is too high to play.
static bool is_waiting(const Board *board, Window window, Side side)
{
    return bits_count(window_empty(board, window)) == 1 && is_open(board, window, side) &&
           !window_is_threat(board, window, side);
}

static void find_threats(const Comparison *turn, Effects *effects)
{
    const Board *before = turn->before, *after = &turn->after;
    for (unsigned i = 0; i < turn->count; i++) {
        Window window = turn->window[i];
        bool was = window_can_complete(before, window, turn->other, turn->other_next);
        bool is = window_can_complete(after, window, turn->other, turn->other_next);
        if (is)
            rows_add(&effects->remaining, row_of(after, window, turn->other));
        if (was && !is)
            rows_add(&effects->stopped, row_of(before, window, turn->other));
        if (window_can_complete(after, window, turn->side, turn->own_next))
            rows_add(&effects->threats, row_of(after, window, turn->side));
        if (is_waiting(after, window, turn->side) && is_touched(turn, window))
            rows_add(&effects->waiting, row_of(after, window, turn->side));
    }
    // The count assumes turns of p stones.
    effects->needed = turn->own_next == before->rules.p ? threats_in_play(after, turn->side) : (ExactThreats){0, true};
    effects->misses_win = lines_can_complete(before, turn->side, turn->left);
}

static void find_targets_after(const Comparison *turn, Effects *effects)
{
    if (turn->before->rules.p > 1 || turn->own_next == 0)
        return;
    find_targets(turn, &turn->after, turn->side, &effects->targets);
    if (effects->targets.count != 1)
        return;
    Board answered;
    board_copy(&answered, &turn->after);
    board_put(&answered, effects->targets.cell[0], turn->other);
    find_targets(turn, &answered, turn->side, &effects->follow_ups);
}

// --- Alternatives to the last stone of a turn ---

static bool can_other_win(const Comparison *turn, const Board *board)
{
    return lines_can_complete(board, turn->other, turn->other_next);
}

static void find_choices(const Comparison *turn, const Cell *stones, Effects *effects)
{
    if (turn->left != 1)
        return;
    bool in_danger = can_other_win(turn, turn->before);
    Board board;
    board_copy(&board, turn->before);
    Cell cells[RULES_CELLS_MAX];
    effects->choices = board_legal_cells(turn->before, cells);
    for (unsigned i = 0; i < effects->choices; i++) {
        BoardState state = board_play(&board, cells[i]);
        bool is_safe = board_winner(&board) != WINNER_NONE || !can_other_win(turn, &board);
        effects->safe += is_safe;
        if (!is_safe && !in_danger && cells[i] != stones[0])
            cells_add(&effects->traps, cells[i]);
        board_undo(&board, cells[i], state);
    }
}

// A single stone is tried on every cell. For more, the number of stones that the threats take is enough, also if the
// other side's next turn has fewer than p stones: then that turn takes all cells left, and a row is among them. In
// gravity games there may be further reasons, which are not searched.
static void find_hopelessness(const Comparison *turn, Effects *effects)
{
    if (turn->left == 1)
        effects->no_turn_helps = effects->safe == 0;
    else
        effects->no_turn_helps = threats_in_play(turn->before, turn->other).count > turn->left && !effects->misses_win;
}

static void find_fork(const Comparison *turn, const Cell *stones, Effects *effects)
{
    if (turn->before->rules.p > 1 || turn->left != 1 || can_other_win(turn, turn->before))
        return;
    Board board;
    board_copy(&board, turn->before);
    board_put(&board, stones[0], turn->other);
    effects->denies_fork = threats_in_play(&board, turn->other).count > 1;
}

// --- Open rows ---

static void find_open_rows(const Board *board, Side side, EffectRows *rows)
{
    unsigned length = board->rules.k + 1u;
    for (unsigned line = 0; line < board->line_count; line++) {
        uint64_t mask = lines_mask(board, line);
        for (unsigned low = bits_lowest(mask); low + length <= 64 && (mask >> (low + length - 1) & 1) != 0; low++) {
            uint64_t empty = row_threats_open_at(board, line, low, side, 2);
            if (empty != 0)
                rows_add(rows, (EffectRow){(uint16_t)line, bits_low(length) << low & ~empty, empty});
        }
    }
}

static void rows_add_missing(EffectRows *to, const EffectRows *from, const EffectRows *known)
{
    for (unsigned i = 0; i < from->count; i++)
        if (!rows_has_stones(known, &from->row[i]))
            rows_add(to, from->row[i]);
}

static void compare_open_rows(const Comparison *turn, Effects *effects)
{
    if (turn->before->rules.p > 1 || turn->before->rules.k < 4)
        return;
    EffectRows own[2] = {0}, other[2] = {0};
    find_open_rows(turn->before, turn->side, &own[0]);
    find_open_rows(&turn->after, turn->side, &own[1]);
    find_open_rows(turn->before, turn->other, &other[0]);
    find_open_rows(&turn->after, turn->other, &other[1]);
    // A truncated list does not show which rows are new.
    if (!own[0].is_cut)
        rows_add_missing(&effects->opened, &own[1], &own[0]);
    if (!other[1].is_cut)
        rows_add_missing(&effects->closed, &other[0], &other[1]);
}

// --- Rows that are built or blocked ---

static unsigned span_of_bits(uint64_t bits)
{
    return bits != 0 ? 64 - bits_leading_zeros(bits) - bits_lowest(bits) : 0;
}

// Whether it has more stones, or as many closer together.
static bool is_better(const EffectRow *row, const EffectRow *than)
{
    unsigned count = bits_count(row->stones), best = bits_count(than->stones);
    return count > best || (count == best && span_of_bits(row->stones) < span_of_bits(than->stones));
}

static void find_rows(const Comparison *turn, Effects *effects)
{
    for (unsigned i = 0; i < turn->count; i++) {
        Window window = turn->window[i];
        if (!is_touched(turn, window))
            continue;
        EffectRow own = row_of(&turn->after, window, turn->side), other = row_of(turn->before, window, turn->other);
        bool is_own = is_open(&turn->after, window, turn->side);
        effects->open_windows += is_own;
        if (is_own && is_better(&own, &effects->built))
            effects->built = own;
        if (is_open(turn->before, window, turn->other) && is_better(&other, &effects->hampered))
            effects->hampered = other;
    }
}

static void find_room_left(const Comparison *turn, Effects *effects)
{
    const EffectRow *row = &effects->hampered;
    effects->hampered_is_closed = row->stones != 0;
    for (unsigned i = 0; i < turn->count; i++)
        if (turn->window[i].line == row->line && is_within(row->stones, window_bits(turn->before, turn->window[i])) &&
            is_open(&turn->after, turn->window[i], turn->other))
            effects->hampered_is_closed = false;
}

static bool is_central(const Comparison *turn, const Cell *stones)
{
    if (board_count(turn->before) > 0 || board_count(&turn->after) != 1)
        return false;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(turn->before, cells);
    for (unsigned i = 0; i < count; i++)
        if (centre_nearness(&turn->before->rules, cells[i]) > centre_nearness(&turn->before->rules, stones[0]))
            return false;
    return true;
}

void effects_find(const Board *before, const Cell *stones, unsigned count, Effects *effects)
{
    Comparison turn;
    compare(&turn, before, stones, count);
    *effects = (Effects){.side = turn.side};

    // 1. The end of the game, after which nothing else matters.
    effects->wins = board_winner(&turn.after) != WINNER_NONE;
    effects->ends_in_draw = !effects->wins && board_is_over(&turn.after);
    if (effects->wins)
        find_completed(&turn, &effects->completed);
    if (board_is_over(&turn.after))
        return;

    // 2. Wins in the next turns of both sides.
    find_threats(&turn, effects);
    find_targets_after(&turn, effects);

    // 3. Alternatives to the turn.
    find_choices(&turn, stones, effects);
    find_hopelessness(&turn, effects);
    find_fork(&turn, stones, effects);

    // 4. Rows further ahead.
    compare_open_rows(&turn, effects);
    find_rows(&turn, effects);
    find_room_left(&turn, effects);
    effects->is_central = is_central(&turn, stones);
    effects->is_dead = lines_are_dead(&turn.after);
}
