#include "bench/bench_potential.h"

#include "bench/boards.h"
#include "bench/slices.h"

#include <stdlib.h>

// --- Cell by cell ---

// Whether a stone of a side stands at a place, which may be beyond the edge.
static bool has_stone(const Board *board, int x, int y, Side side)
{
    return x >= 0 && y >= 0 && x < board->rules.width && y < board->rules.height &&
           board_stone(board, cell_at((unsigned)x, (unsigned)y)) == (Stone)side;
}

// One window, by its first cell and its direction.
static double window_adds(const Board *board, int x, int y, const int step[2], Side side, const double *power)
{
    int k = board->rules.k, end_x = x + (k - 1) * step[0], end_y = y + (k - 1) * step[1];
    unsigned stones = 0;
    if (x < 0 || y < 0 || y >= board->rules.height || end_x >= board->rules.width || end_y < 0 ||
        end_y >= board->rules.height)
        return 0;
    if (board->rules.exact &&
        (has_stone(board, x - step[0], y - step[1], side) || has_stone(board, end_x + step[0], end_y + step[1], side)))
        return 0;
    for (int i = 0; i < k; i++) {
        if (has_stone(board, x + i * step[0], y + i * step[1], side_other(side)))
            return 0;
        stones += has_stone(board, x + i * step[0], y + i * step[1], side);
    }
    return power[stones];
}

double bench_potential_plain(const Board *board, Cell cell, Side side, const double power[RULES_SIDE_MAX + 1])
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int x = (int)cell_column(cell), y = (int)cell_row(cell);
    double sum = 0;
    for (int direction = 0; direction < 4; direction++)
        for (int back = 0; back < board->rules.k; back++)
            sum += window_adds(board, x - back * steps[direction][0], y - back * steps[direction][1], steps[direction],
                               side, power);
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
} Work;

// A stone on every empty cell of every board.
static uint64_t follow(void *context)
{
    Work *work = context;
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
    Work *work = context;
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

static bool prepare(Work *work, const Rules *rules)
{
    work->power[0] = 1;
    for (unsigned n = 1; n <= rules->k; n++)
        work->power[n] = POTENTIAL_BASE * work->power[n - 1];
    return potential_open(&work->potential, rules, POTENTIAL_BASE, NULL) == STATUS_OK &&
           agent_open(&work->agent, span_of("constant"), rules, NULL) == STATUS_OK &&
           boards_play(&work->agent, rules, STONES, work->boards, BOARDS);
}

unsigned bench_potential(double seconds, const atomic_bool *stop, BenchResult results[BENCH_POTENTIAL_RESULTS])
{
    Rules rules;
    Work *work = calloc(1, sizeof *work);
    double speed = 0, ratio = 0;
    (void)rules_parse(span_of("gomoku"), &rules, NULL);
    if (work != NULL && prepare(work, &rules))
        slices_measure(seconds, stop, work, follow, add_up, &speed, &ratio);
    if (work != NULL) {
        agent_close(&work->agent);
        potential_close(work->potential);
    }
    free(work);
    results[0] = (BenchResult){.name = "potential/stone",
                               .value = speed,
                               .unit = "stones/s",
                               .about = "played and taken back with the values of all cells, Gomoku, 40 stones"};
    results[1] = (BenchResult){
        .name = "potential/stone/plain", .value = ratio, .unit = "x", .about = "times the speed of adding all up anew"};
    return speed > 0 && (stop == NULL || !atomic_load(stop)) ? BENCH_POTENTIAL_RESULTS : 0;
}
