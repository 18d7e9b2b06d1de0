// Benchmark of the potential evaluation: incremental updates against a computation from scratch.
#include "bench/papers/bench_potential.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"

#include <stdlib.h>

// --- Cell by cell ---

// Whether a stone of a side stands at a place, which may be beyond the edge.
static bool has_stone(const Board *board, int x, int y, Side side)
{
    return x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height &&
           board_stone(board, cell_at((unsigned)x, (unsigned)y)) == (Stone)side;
}

// The stones of a side in one window, given by its first cell and its direction; -1 when it cannot become a row.
static int window_stones(const Board *board, int x, int y, const int step[2], Side side)
{
    int k = board->rules.k, end_x = x + (k - 1) * step[0], end_y = y + (k - 1) * step[1];
    int stones = 0;
    if (x < 0 || y < 0 || y >= board->rules.height || end_x >= board->rules.width || end_y < 0 ||
        end_y >= board->rules.height)
        return -1;
    if (board->rules.exact &&
        (has_stone(board, x - step[0], y - step[1], side) || has_stone(board, end_x + step[0], end_y + step[1], side)))
        return -1;
    for (int i = 0; i < k; i++) {
        if (has_stone(board, x + i * step[0], y + i * step[1], side_other(side)))
            return -1;
        stones += has_stone(board, x + i * step[0], y + i * step[1], side);
    }
    return stones;
}

double bench_potential_plain(const Board *board, Cell cell, Side side, const double power[RULES_SIDE_MAX + 1])
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    double sum = 0;
    for (int direction = 0; direction < 4; direction++)
        for (int back = 0; back < board->rules.k; back++) {
            const int *step = steps[direction];
            int stones = window_stones(board, x - back * step[0], y - back * step[1], step, side);
            sum += stones >= 0 ? power[stones] : 0;
        }
    return sum;
}

// --- The benchmark ---

enum { BOARDS = 16, STONES = 40, ROUNDS = 10 };

typedef struct {
    Agent agent;
    Potential *potential;
    double power[RULES_SIDE_MAX + 1];
    double sum;    // so that no work is left out
    unsigned next; // the board that is looked at plainly
    Game boards[BOARDS];
} PotentialBench;

// A stone on every empty cell of every board.
static uint64_t follow(void *context)
{
    PotentialBench *work = context;
    uint64_t stones = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < BOARDS; i++) {
            Cell cells[RULES_CELLS_MAX];
            unsigned count = board_legal_cells(&work->boards[i].board, cells);
            potential_set(work->potential, &work->boards[i].board);
            for (unsigned j = 0; j < count; j++) {
                BoardState before = potential_play(work->potential, cells[j]);
                work->sum += potential_sum(work->potential, cells[j == 0]);
                potential_undo(work->potential, cells[j], before);
            }
            stones += count;
        }
    return stones;
}

// One stone on one board: all values of its empty cells.
static uint64_t add_up(void *context)
{
    PotentialBench *work = context;
    Board *board = &work->boards[work->next++ % BOARDS].board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    BoardState before = board_play(board, cells[work->next % count]);
    for (unsigned i = 0; i < count; i++)
        if (board_stone(board, cells[i]) == STONE_NONE)
            work->sum += bench_potential_plain(board, cells[i], SIDE_FIRST, work->power) +
                         bench_potential_plain(board, cells[i], SIDE_SECOND, work->power);
    board_undo(board, cells[work->next % count], before);
    return 1;
}

static bool prepare(PotentialBench *work, const Rules *rules)
{
    work->power[0] = 1;
    for (unsigned n = 1; n <= rules->k; n++)
        work->power[n] = POTENTIAL_BASE * work->power[n - 1];
    work->potential = potential_open(rules, POTENTIAL_BASE);
    return agent_open(&work->agent, span_of("constant"), rules, NULL) == STATUS_OK &&
           boards_play(&work->agent, rules, STONES, work->boards, BOARDS);
}

unsigned bench_potential(double seconds, const atomic_bool *stop, BenchResult results[BENCH_POTENTIAL_RESULTS])
{
    Rules rules;
    PotentialBench *work = memory_new(1, sizeof *work);
    SliceMedians found = {0};
    (void)rules_parse(span_of("gomoku"), &rules, NULL);
    if (prepare(work, &rules))
        found = slices_measure(seconds, stop, work, follow, add_up);
    agent_close(&work->agent);
    potential_close(work->potential);
    free(work);
    results[0] = (BenchResult){.name = "potential/stone",
                               .value = found.speed,
                               .unit = "stones/s",
                               .about = "played and taken back with the values of all cells, Gomoku, 40 stones"};
    results[1] = (BenchResult){.name = "potential/stone/plain",
                               .value = found.ratio,
                               .unit = "x",
                               .about = "times the speed of adding all up anew"};
    return found.speed > 0 && (stop == NULL || !atomic_load(stop)) ? BENCH_POTENTIAL_RESULTS : 0;
}
