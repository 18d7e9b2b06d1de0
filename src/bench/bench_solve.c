// Benchmark of exact scores of Connect Four against a plain alpha-beta search.
#include "bench/bench_parts.h"

#include "base/memory.h"
#include "base/rng.h"
#include "bench/common/boards.h"
#include "solver/gravity/gravity_solver.h"

#include <stdlib.h>

// Late positions are compared with the plain search, which is too slow for earlier ones; early ones are the expensive
// ones.
enum { POSITIONS = 32, LATE_STONES = 26, EARLY_STONES = 14 };

typedef struct {
    GravitySolver *solver;
    unsigned next, plain_next;
    int64_t sum; // uses all results, so that the compiler keeps the work
    Board late[POSITIONS], early[POSITIONS];
} SolveBench;

int bench_solve_plain(Board *board, int alpha, int beta)
{
    int empty = (int)(board->cells - board_count(board));
    if (board_is_over(board))
        return board_winner(board) == WINNER_NONE ? 0 : -(empty + 2) / 2;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    int best = -empty;
    for (unsigned i = 0; i < count && best < beta; i++) {
        BoardState before = board_play(board, cells[i]);
        int score = -bench_solve_plain(board, -beta, -(alpha > best ? alpha : best));
        board_undo(board, cells[i], before);
        best = score > best ? score : best;
    }
    return best;
}

static int64_t score_of(SolveBench *work, const Board *board)
{
    Limits limits = {0};
    ExactResult result = {0};
    (void)gravity_solver_run(work->solver, &(ExactQuery){board, EXACT_SCORE, &limits, NULL}, &result, NULL);
    return result.low;
}

static uint64_t solve_late(void *context)
{
    SolveBench *work = context;
    for (unsigned i = 0; i < POSITIONS; i++)
        work->sum += score_of(work, &work->late[i]);
    gravity_solver_clear(work->solver);
    return POSITIONS;
}

static uint64_t solve_early(void *context)
{
    SolveBench *work = context;
    work->sum += score_of(work, &work->early[work->next++ % POSITIONS]);
    gravity_solver_clear(work->solver);
    return 1;
}

static uint64_t solve_plainly(void *context)
{
    SolveBench *work = context;
    Board *board = &work->late[work->plain_next++ % POSITIONS];
    work->sum += bench_solve_plain(board, -(int)board->cells, board->cells);
    return 1;
}

// Makes a position of a random game without a winner.
static void make_position(Board *board, const Rules *rules, unsigned stones, Rng *rng)
{
    do {
        board_init(board, rules);
        while (!board_is_over(board) && board_count(board) < stones) {
            Cell cells[RULES_CELLS_MAX];
            (void)board_play(board, cells[rng_below(rng, board_legal_cells(board, cells))]);
        }
    } while (board_is_over(board));
}

unsigned bench_solve(double seconds, const atomic_bool *stop, BenchResult *results)
{
    Rules rules = bench_rules("connect4");
    Rng rng = rng_make(9);
    SolveBench *work = memory_new(1, sizeof *work);
    SliceMedians late = {0}, early = {0};
    if (gravity_solver_open(&work->solver, &rules, 1, 1, NULL) == STATUS_OK) {
        for (unsigned i = 0; i < POSITIONS; i++) {
            make_position(&work->late[i], &rules, LATE_STONES, &rng);
            make_position(&work->early[i], &rules, EARLY_STONES, &rng);
        }
        late = slices_measure(seconds, stop, work, solve_late, solve_plainly);
        early = slices_measure(seconds, stop, work, solve_early, solve_early);
    }
    gravity_solver_close(work->solver);
    free(work);
    results[0] = (BenchResult){.name = "solve/late",
                               .value = late.speed,
                               .unit = "positions/s",
                               .about = "exact scores of Connect Four with 26 stones on the board"};
    results[1] = (BenchResult){
        .name = "solve/late/plain", .value = late.ratio, .unit = "x", .about = "times the speed of plain alpha-beta"};
    results[2] = (BenchResult){.name = "solve/early",
                               .value = early.speed,
                               .unit = "positions/s",
                               .about = "exact scores of Connect Four with 14 stones on the board"};
    return late.speed > 0 && early.speed > 0 && !stop_is_raised(stop) ? 3 : 0;
}
