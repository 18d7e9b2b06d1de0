// The evaluations of Kulev and Wu: the points of each side, counted anew or updated with a stone.
#include "papers/connect5/evaluation.h"

#include "papers/connect5/chains.h"
#include "threats/lines.h"
#include "threats/near.h"

// --- Lines ---

void evaluation_init(Evaluation *evaluation, EvaluationKind kind, const Rules *rules)
{
    Board board;
    board_init(&board, rules);
    *evaluation = (Evaluation){.kind = kind, .chain_weight = EVALUATION_CHAIN_WEIGHT};
    for (unsigned line = 0; line < board.line_count; line++)
        evaluation->line_cells[line] = lines_mask(&board, line);
    for (unsigned n = 1; n <= RULES_SIDE_MAX; n++)
        evaluation->run_value[n] = INT64_C(1) << 2 * (n < EVALUATION_RUN_MAX ? n : EVALUATION_RUN_MAX);
}

// The value of a side's runs on a line. On lines of 64 cells the cell beyond the end is shifted out of the word, and so
// counts as not empty, which is right.
static int64_t line_value(const Evaluation *evaluation, const Board *board, unsigned line, Side side)
{
    uint64_t stones = board->line[line][side];
    uint64_t empty = evaluation->line_cells[line] & ~(stones | board->line[line][side_other(side)]);
    int64_t sum = 0;
    while (stones != 0) {
        unsigned low = bits_lowest(stones), length = 1 + bits_run_above(stones, low);
        uint64_t run = bits_low(length) << low;
        sum += evaluation->run_value[length] * (int)bits_count(empty & (run << 1 | run >> 1));
        stones &= ~run;
    }
    return sum;
}

// Whether the cell beyond a run of `length` stones that ends next to bit `at` is empty. The shift takes two steps
// because a run can reach the last bit.
BOARD_HOT int64_t open_above(uint64_t empty, unsigned at, unsigned length)
{
    return (int64_t)(empty >> at >> length >> 1 & 1);
}

BOARD_HOT int64_t open_below(uint64_t empty, unsigned at, unsigned length)
{
    return (int64_t)(empty << (63 - at) << length << 1 >> 63);
}

// The change by a stone on bit `at` of a line. Own side: the runs on both sides of the cell become one, and lose their
// open ends there. Other side: the runs next to the cell lose one open end.
BOARD_HOT void add_line(const Evaluation *evaluation, const Board *board, unsigned line, unsigned at, unsigned side,
                        EvaluationPoints *points)
{
    const int64_t *value = evaluation->run_value;
    uint64_t own = board->line[line][side], other = board->line[line][1 - side];
    uint64_t empty = evaluation->line_cells[line] & ~(own | other);
    unsigned below = bits_run_below(own, at), above = bits_run_above(own, at);
    int64_t open_b = open_below(empty, at, below), open_a = open_above(empty, at, above);
    points->of[side] +=
        value[below + above + 1] * (open_b + open_a) - value[below] * (open_b + 1) - value[above] * (open_a + 1);
    points->of[1 - side] -= value[bits_run_below(other, at)] + value[bits_run_above(other, at)];
}

static void add_lines(const Evaluation *evaluation, const Board *board, Cell cell, EvaluationPoints *points)
{
    CellLines at = board_lines_of(board, cell);
    unsigned side = (unsigned)board_side(board), column = cell_column(cell);
    add_line(evaluation, board, at.row, column, side, points);
    add_line(evaluation, board, at.column, cell_row(cell), side, points);
    add_line(evaluation, board, at.rising, column, side, points);
    add_line(evaluation, board, at.falling, column, side, points);
}

// --- Neighbours ---

// The stones of a side on a row, counted from 1; none beyond the board.
static uint64_t stones_of_row(const Board *board, unsigned row_from_1, Side side)
{
    return row_from_1 >= 1 && row_from_1 <= board->rules.height ? board->line[row_from_1 - 1][side] : 0;
}

// The columns of a row that touch a stone of a side, including those of the stones; callers use only empty cells.
static uint64_t touched_row(const Board *board, unsigned row, Side side)
{
    uint64_t stones =
        stones_of_row(board, row, side) | stones_of_row(board, row + 1, side) | stones_of_row(board, row + 2, side);
    return bits_spread(stones, 1) & board->row_mask;
}

// Each pair is counted from both of its stones.
static int64_t count_pairs(const Board *board, Side side)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t stones = board->line[row][side]; stones != 0; stones &= stones - 1)
            count += near_stones(board, cell_at(bits_lowest(stones), row), side);
    return count / 2;
}

// The empty cells around each stone of a side. A cell counts once for each stone that it touches.
static int64_t count_empty_around(const Board *board, Side side)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t stones = board->line[row][side]; stones != 0; stones &= stones - 1)
            count += near_empty(board, cell_at(bits_lowest(stones), row));
    return count;
}

static int64_t count_touched(const Board *board, Side side)
{
    unsigned count = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        count += bits_count(touched_row(board, row, side) & ~board_occupied_row(board, row));
    return count;
}

// The stone adds the empty cells around it, and each stone next to it loses one.
static void add_empty_around(const Board *board, Cell cell, EvaluationPoints *points)
{
    points->of[board_side(board)] += near_empty(board, cell);
    for (unsigned s = 0; s < 2; s++)
        points->of[s] -= near_stones(board, cell, (Side)s);
}

// The cell of the stone is no longer empty; empty cells around it may be touched for the first time.
static void add_touched(const Board *board, Cell cell, EvaluationPoints *points)
{
    Side side = board_side(board);
    unsigned row = cell_row(cell), top = row + 1 < board->rules.height ? row + 1 : row;
    uint64_t bit = cell_bit_in_row(cell);
    for (unsigned y = row > 0 ? row - 1 : 0; y <= top; y++) {
        uint64_t around = bits_spread(bit, 1) & board->row_mask & ~board_occupied_row(board, y);
        around &= y == row ? ~bit : ~UINT64_C(0);
        points->of[side] += bits_count(around & ~touched_row(board, y, side));
    }
    for (unsigned s = 0; s < 2; s++)
        points->of[s] -= (touched_row(board, row, (Side)s) & bit) != 0;
}

// --- All ---

// What an evaluation counts.
static bool has_runs(EvaluationKind kind)
{
    return kind == EVALUATION_SIMPLE || kind == EVALUATION_SIMPLEDEF;
}

static bool has_pairs(EvaluationKind kind)
{
    return kind == EVALUATION_EMPTY_NEIGHBORS_DOWN || kind == EVALUATION_EMPTY_NEIGHBORS_UP;
}

static bool has_empty_cells(EvaluationKind kind)
{
    return kind == EVALUATION_EMPTY_CELLS_DOWN || kind == EVALUATION_EMPTY_CELLS_UP;
}

static int64_t count_side(const Evaluation *evaluation, const Board *board, Side side)
{
    int64_t sum = 0;
    for (unsigned line = 0; has_runs(evaluation->kind) && line < board->line_count; line++)
        sum += line_value(evaluation, board, line, side);
    if (has_pairs(evaluation->kind))
        return count_pairs(board, side);
    if (has_empty_cells(evaluation->kind))
        return count_empty_around(board, side);
    return evaluation->kind == EVALUATION_NEIGHBORS ? count_touched(board, side) : sum;
}

EvaluationPoints evaluation_count(const Evaluation *evaluation, const Board *board)
{
    return (EvaluationPoints){{count_side(evaluation, board, SIDE_FIRST), count_side(evaluation, board, SIDE_SECOND)}};
}

EvaluationPoints evaluation_after(const Evaluation *evaluation, const Board *board, Cell cell, EvaluationPoints points)
{
    if (has_runs(evaluation->kind))
        add_lines(evaluation, board, cell, &points);
    else if (has_pairs(evaluation->kind))
        points.of[board_side(board)] += near_stones(board, cell, board_side(board));
    else if (has_empty_cells(evaluation->kind))
        add_empty_around(board, cell, &points);
    else if (evaluation->kind == EVALUATION_NEIGHBORS)
        add_touched(board, cell, &points);
    return points;
}

// A number from the key of a position, spread by the finalizer of splitmix64; between -2^20 and 2^20.
static int64_t random_value(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    key = (key ^ key >> 27) * UINT64_C(0x94d049bb133111eb);
    return (int64_t)(key >> 43) - (INT64_C(1) << 20);
}

int64_t evaluation_value(const Evaluation *evaluation, const Board *board, const EvaluationPoints *points, Side side)
{
    int64_t mine = points->of[side], theirs = points->of[side_other(side)], chains[2];
    switch (evaluation->kind) {
    case EVALUATION_RANDOM:
        return random_value(board_key(board) ^ evaluation->seed);
    case EVALUATION_SIMPLEDEF:
        return mine - 2 * theirs;
    case EVALUATION_EMPTY_NEIGHBORS_UP:
    case EVALUATION_EMPTY_CELLS_DOWN:
        return theirs - mine;
    case EVALUATION_NONE:
        return 0;
    case EVALUATION_CHAINS:
        chains_add_up(board, evaluation->line_cells, evaluation->run_value, chains);
        return chains[side] - evaluation->chain_weight * chains[side_other(side)];
    case EVALUATION_SIMPLE:
    case EVALUATION_EMPTY_NEIGHBORS_DOWN:
    case EVALUATION_EMPTY_CELLS_UP:
    case EVALUATION_NEIGHBORS:
        break;
    }
    return mine - theirs;
}
