// The potential of empty cells, updated with every stone by sums along the four lines through it.
#include "papers/patterns/potential.h"

#include "base/memory.h"
#include "threats/lines.h"

#include <stdlib.h>
#include <string.h>

// Of the first side and of the second, side by side: a stone changes both.
typedef double Pair __attribute__((vector_size(16)));

// The windows of a line begin at its bits `low` to `end` - 1; bit b is the cell `cell` + b * `step`.
typedef struct {
    int cell, step;
    unsigned low, end;
} PotentialLine;

// Nothing is kept of the windows themselves: the words of a line show how many stones are in one, and so what a stone
// changes. What windows add to a cell is summed up along the line, from one cell to the next, which takes about 2k
// steps a line where adding each window to each of its cells would take k * k.
struct Potential {
    double base;
    double power[RULES_SIDE_MAX + 1];  // what a window of n stones adds
    double growth[RULES_SIDE_MAX + 1]; // what it adds more with one stone more
    Board board;
    PotentialLine line[BOARD_LINES_MAX];
    Pair value[RULES_CELLS_MAX]; // of taken cells as well, never read
};

// --- Opening ---

// The largest power that leaves room for all that is added up, see above.
static void set_powers(Potential *potential, const Rules *rules)
{
    unsigned side = rules->width > rules->height ? rules->width : rules->height, k = rules->k;
    unsigned windows = 4 * (k < side - k + 1 ? k : side - k + 1);
    double most = POTENTIAL_LIMIT / POTENTIAL_GAINS / windows / potential->base, power = 1;
    for (unsigned n = 0; n <= k; n++) {
        potential->power[n] = power;
        power = power * potential->base <= most ? power * potential->base : power;
    }
    for (unsigned n = 0; n < k; n++)
        potential->growth[n] = potential->power[n + 1] - potential->power[n];
}

static PotentialLine shape_of(const Board *board, unsigned line)
{
    uint64_t mask = lines_mask(board, line);
    unsigned low = bits_lowest(mask), length = bits_count(mask), k = board->rules.k;
    int first = lines_cell(board, line, low), step = length > 1 ? lines_cell(board, line, low + 1) - first : 0;
    return (PotentialLine){first - (int)low * step, step, low, length >= k ? low + length - k + 1 : low};
}

// A cell of the empty board has 1 for each side from each window through it.
static void fill_line(Potential *potential, const PotentialLine *line)
{
    unsigned k = potential->board.rules.k;
    for (unsigned bit = line->low; line->low < line->end && bit < line->end + k - 1; bit++) {
        unsigned first = bit + 1 > line->low + k ? bit + 1 - k : line->low, end = bit < line->end ? bit + 1 : line->end;
        double windows = end - first;
        potential->value[line->cell + (int)bit * line->step] += (Pair){windows, windows};
    }
}

static void clear(Potential *potential, const Rules *rules)
{
    board_init(&potential->board, rules);
    memset(potential->value, 0, (size_t)rules->height * RULES_SIDE_MAX * sizeof potential->value[0]);
    for (unsigned i = 0; i < potential->board.line_count; i++)
        fill_line(potential, &potential->line[i]);
}

Potential *potential_open(const Rules *rules, unsigned base)
{
    assert(base >= 1 && base <= POTENTIAL_BASE_MAX);
    Potential *made = memory_new(1, sizeof *made);
    made->base = base;
    set_powers(made, rules);
    board_init(&made->board, rules);
    for (unsigned i = 0; i < made->board.line_count; i++)
        made->line[i] = shape_of(&made->board, i);
    clear(made, rules);
    return made;
}

void potential_close(Potential *potential)
{
    free(potential);
}

// --- Stones ---

// The two windows that end right before a stone and begin right after it add nothing for its side any more.
static void drop_beside(Potential *potential, unsigned line, unsigned low, Side side, double sign)
{
    const PotentialLine *shape = &potential->line[line];
    const uint64_t *stones = potential->board.line[line];
    unsigned k = potential->board.rules.k;
    uint64_t window = bits_low(k) << low;
    if ((stones[side_other(side)] & window) != 0 || !row_window_wins(&potential->board.rules, stones[side], window))
        return;
    double power = potential->power[bits_count(stones[side] & window)];
    for (unsigned bit = low; bit < low + k; bit++)
        potential->value[shape->cell + (int)bit * shape->step][side] -= sign * power;
}

// What a stone on an empty cell of some windows one after another changes: its own side's grow, the other's are gone.
BOARD_HOT void grow_windows(const Potential *potential, const uint64_t *stones, unsigned from, unsigned count,
                            Side side, double sign, Pair *change)
{
    uint64_t own = stones[side], other = stones[side_other(side)], window = bits_low(potential->board.rules.k) << from;
    const Rules *rules = &potential->board.rules;
    for (unsigned i = 0; i < count; i++, window <<= 1) {
        unsigned mine = bits_count(own & window), theirs = bits_count(other & window);
        bool grows = theirs == 0 && row_window_wins(rules, own, window);
        bool falls = mine == 0 && row_window_wins(rules, other, window);
        change[i][side] = grows ? sign * potential->growth[mine] : 0;
        change[i][side_other(side)] = falls ? -sign * potential->power[theirs] : 0;
    }
}

// A stone comes to an empty cell of a line, or with sign -1 has gone from it.
BOARD_HOT void change_line(Potential *potential, unsigned line, unsigned at, Side side, double sign)
{
    // 1. The windows through the cell; if there are none, the line has none.
    const PotentialLine *shape = &potential->line[line];
    unsigned k = potential->board.rules.k;
    unsigned from = at + 1 > shape->low + k ? at + 1 - k : shape->low, to = at < shape->end ? at + 1 : shape->end;
    if (from >= to)
        return;
    // 2. What each of them adds from now on.
    Pair change[RULES_SIDE_MAX];
    unsigned count = to - from;
    grow_windows(potential, potential->board.line[line], from, count, side, sign, change);
    // 3. Along the line: windows that begin, windows that continue, windows that end.
    Pair sum = {0, 0};
    int cell = shape->cell + (int)from * shape->step;
    for (unsigned i = 0; i < count; i++, cell += shape->step)
        potential->value[cell] += sum += change[i];
    for (unsigned i = count; i < k; i++, cell += shape->step)
        potential->value[cell] += sum;
    for (unsigned i = 0; i + 1 < count; i++, cell += shape->step)
        potential->value[cell] += sum -= change[i];
    // 4. Those beside it.
    if (row_has_limit(&potential->board.rules) && at >= shape->low + k)
        drop_beside(potential, line, at - k, side, sign);
    if (row_has_limit(&potential->board.rules) && at + 1 < shape->end)
        drop_beside(potential, line, at + 1, side, sign);
}

// The board is that without the stone.
static void change(Potential *potential, Cell cell, Side side, double sign)
{
    CellLines at = board_lines_of(&potential->board, cell);
    change_line(potential, at.row, cell_column(cell), side, sign);
    change_line(potential, at.column, cell_row(cell), side, sign);
    change_line(potential, at.rising, cell_column(cell), side, sign);
    change_line(potential, at.falling, cell_column(cell), side, sign);
}

BoardState potential_play(Potential *potential, Cell cell)
{
    change(potential, cell, board_side(&potential->board), 1);
    return board_play(&potential->board, cell);
}

void potential_undo(Potential *potential, Cell cell, BoardState before)
{
    board_undo(&potential->board, cell, before);
    change(potential, cell, board_side(&potential->board), -1);
}

// --- Whole positions ---

// Stones of a row that come, or with sign -1 go.
static void change_row(Potential *potential, unsigned row, Side side, uint64_t columns, double sign)
{
    for (; columns != 0; columns &= columns - 1) {
        Cell cell = cell_at(bits_lowest(columns), row);
        if (sign < 0)
            board_take(&potential->board, cell, side);
        change(potential, cell, side, sign);
        if (sign > 0)
            board_put(&potential->board, cell, side);
    }
}

void potential_set(Potential *potential, const Board *board)
{
    Board *now = &potential->board;
    assert(rules_equal(&now->rules, &board->rules));
    if (board_differences(now, board) > board_count(board))
        clear(potential, &board->rules);
    for (unsigned row = 0; row < board->rules.height; row++) {
        for (unsigned side = 0; side < 2; side++)
            change_row(potential, row, (Side)side, now->line[row][side] & ~board->line[row][side], -1);
        for (unsigned side = 0; side < 2; side++)
            change_row(potential, row, (Side)side, board->line[row][side] & ~now->line[row][side], 1);
    }
    now->state = board->state;
}

// --- Values ---

const Board *potential_board(const Potential *potential)
{
    return &potential->board;
}

double potential_of(const Potential *potential, Cell cell, Side side)
{
    assert(board_has(&potential->board, cell) && board_stone(&potential->board, cell) == STONE_NONE);
    return potential->value[cell][side];
}

double potential_sum(const Potential *potential, Cell cell)
{
    return potential_of(potential, cell, SIDE_FIRST) + potential_of(potential, cell, SIDE_SECOND);
}

double potential_gain(const Potential *potential, Cell cell, bool summed)
{
    Side side = board_side(&potential->board);
    double own = potential_of(potential, cell, side), other = potential_of(potential, cell, side_other(side));
    return potential->base * own - (summed ? own + other : own - other);
}

// The list of the best cells as it grows.
typedef struct {
    const uint16_t *rank; // NULL: cells come in order
    Cell *cell;
    unsigned count, most;
} BestCells;

static bool comes_before(const Potential *potential, const BestCells *best, Cell cell, Cell other)
{
    double sum = potential_sum(potential, cell), other_sum = potential_sum(potential, other);
    return sum != other_sum ? sum > other_sum : best->rank != NULL && best->rank[cell] < best->rank[other];
}

// Inserts a cell into its place; a full list drops its last cell.
static void insert(const Potential *potential, BestCells *best, Cell cell)
{
    unsigned at = best->count;
    if (at == best->most && !comes_before(potential, best, cell, best->cell[at - 1]))
        return;
    at = at == best->most ? at - 1 : best->count++;
    for (; at > 0 && comes_before(potential, best, cell, best->cell[at - 1]); at--)
        best->cell[at] = best->cell[at - 1];
    best->cell[at] = cell;
}

unsigned potential_best(const Potential *potential, Cell *cells, unsigned most, const uint16_t *rank)
{
    const Board *board = &potential->board;
    BestCells best = {.rank = rank, .most = most};
    best.cell = cells;
    for (unsigned row = 0; row < board->rules.height && most > 0 && !board_is_over(board); row++)
        for (uint64_t legal = board_legal_row(board, row); legal != 0; legal &= legal - 1)
            insert(potential, &best, cell_at(bits_lowest(legal), row));
    return best.count;
}
