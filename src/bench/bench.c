// Runs all benchmarks, and measures the board and the cost of the match runner itself.
#include "bench/bench.h"

#include "agents/agent.h"
#include "base/clock.h"
#include "base/memory.h"
#include "bench/bench_parts.h"
#include "bench/common/boards.h"
#include "bench/common/naive_board.h"
#include "bench/papers/bench_papers.h"
#include "game/perft.h"
#include "game/playout.h"
#include "match/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- BoardBench: each function does a slice and returns how many stones or leaves it came to ---

typedef struct {
    const Rules *rules;
    unsigned depth;       // of perft
    unsigned naive_depth; // a depth that the naive board finishes in a slice
    Rng rng;
    uint64_t sink; // uses all results, so that the compiler keeps the work
    Board start, board;
    NaiveBoard naive;
} BoardBench;

static uint64_t random_games(void *context)
{
    BoardBench *work = context;
    uint64_t stones = 0;
    while (stones < 200000) {
        board_copy(&work->board, &work->start);
        work->sink += (uint64_t)playout_random(&work->board, &work->rng, &stones) + board_key(&work->board);
    }
    return stones;
}

static uint64_t naive_random_game(void *context)
{
    BoardBench *work = context;
    NaiveBoard *board = &work->naive;
    naive_init(board, work->rules);
    while (!naive_is_over(board)) {
        int column = 0, row = 0;
        do {
            column = (int)rng_below(&work->rng, work->rules->width);
            row = (int)rng_below(&work->rng, work->rules->height);
            while (work->rules->gravity && row > 0 && board->cell[column][row - 1] == '.')
                row--;
            while (work->rules->gravity && row + 1 < work->rules->height && board->cell[column][row] != '.')
                row++;
        } while (board->cell[column][row] != '.');
        naive_play(board, column, row);
    }
    work->sink += (uint64_t)naive_winner(board);
    return (uint64_t)board->stones;
}

static uint64_t perft_leaves(void *context)
{
    BoardBench *work = context;
    Perft perft;
    board_copy(&work->board, &work->start);
    (void)perft_run(&work->board, work->depth, NULL, &perft);
    work->sink += perft.key_sum;
    return perft.counts[work->depth];
}

static uint64_t naive_perft_leaves(void *context)
{
    BoardBench *work = context;
    naive_init(&work->naive, work->rules);
    return naive_perft(&work->naive, (int)work->naive_depth);
}

// --- Measuring ---

static const struct {
    const char *name, *game;
    unsigned depth, naive_depth; // 0: random games
} benchmarks[] = {
    {"random/gomoku", "gomoku", 0, 0},     {"random/connect6", "connect6", 0, 0},
    {"random/connect4", "connect4", 0, 0}, {"perft/connect4/9", "connect4", 9, 5},
    {"perft/gomoku/3", "gomoku", 3, 1},
};

// --- The runner: what a turn costs besides the agent's own time ---

typedef struct {
    uint64_t turns;
    double seconds; // inside agents
} TurnCosts;

static bool add_costs(void *context, const Duel *duel)
{
    TurnCosts *costs = context;
    costs->turns += duel->turns[0] + duel->turns[1];
    costs->seconds += duel->seconds[0] + duel->seconds[1];
    return false;
}

// Microseconds per turn, the median of several matches.
static double measure_runner(double seconds, const atomic_bool *stop)
{
    static const char *const agents[] = {"random", "random"};
    static _Thread_local double costs_of[SLICES_MAX];
    RunnerConfig config = {.agents = agents, .schedule = {SCHEDULE_ROUND_ROBIN, 2, 50, 0}, .jobs = 1, .stop = stop};
    config.rules = bench_rules("gomoku");
    unsigned count = 0;
    double end = clock_seconds() + seconds;
    while (count < SLICES_MAX && (count < 3 || clock_seconds() < end)) {
        TurnCosts costs = {0};
        RunnerSink sink = {.context = &costs, .published = add_costs};
        double begin = clock_seconds();
        if (runner_run(&config, &sink, NULL) != STATUS_OK || costs.turns == 0)
            break;
        costs_of[count++] = (clock_seconds() - begin - costs.seconds) * 1e6 / (double)costs.turns;
    }
    return slices_median(costs_of, count);
}

// The receiver of results.
typedef struct {
    double seconds;
    const atomic_bool *stop;
    BenchResult *results;
    unsigned count;
    BenchProgress progress;
    void *context;
} Run;

// Publishes `more` results that were appended.
static void publish(Run *run, unsigned more)
{
    for (; more > 0; more--, run->count++)
        if (run->progress != NULL)
            run->progress(run->context, &run->results[run->count]);
}

static void measure_board(Run *run, unsigned number)
{
    Rules rules = bench_rules(benchmarks[number].game);
    BoardBench *work = memory_new(1, sizeof *work);
    work->rules = &rules;
    work->depth = benchmarks[number].depth;
    work->naive_depth = benchmarks[number].naive_depth;
    work->rng = rng_make(number);
    board_init(&work->start, &rules);
    bool is_perft = work->depth > 0;
    SliceMedians found = slices_measure(run->seconds, run->stop, work, is_perft ? perft_leaves : random_games,
                                        is_perft ? naive_perft_leaves : naive_random_game);
    free(work);
    if (stop_is_raised(run->stop))
        return;
    BenchResult *pair = run->results + run->count;
    pair[0] = (BenchResult){.value = found.speed,
                            .unit = is_perft ? "leaves/s" : "stones/s",
                            .about = is_perft ? "every leaf played, with key and win detection"
                                              : "random games to their end"};
    pair[1] = (BenchResult){.value = found.ratio, .unit = "x", .about = "times the speed of the naive board"};
    (void)snprintf(pair[0].name, sizeof pair[0].name, "%s", benchmarks[number].name);
    (void)snprintf(pair[1].name, sizeof pair[1].name, "%s/naive", benchmarks[number].name);
    publish(run, 2);
}

static void measure_turns(Run *run)
{
    run->results[run->count] = (BenchResult){.name = "match/turn",
                                             .value = measure_runner(run->seconds, run->stop),
                                             .unit = "us",
                                             .about = "a turn in a match, besides the agent's own time"};
    publish(run, 1);
}

unsigned bench_run(double seconds, const atomic_bool *stop, BenchResult results[BENCH_RESULTS_MAX],
                   BenchProgress progress, void *context)
{
    Run run = {.seconds = seconds, .stop = stop, .results = results, .progress = progress, .context = context};
    for (unsigned i = 0; i < sizeof benchmarks / sizeof benchmarks[0] && !stop_is_raised(stop); i++)
        measure_board(&run, i);
    if (stop_is_raised(stop))
        return run.count;
    measure_turns(&run);
    unsigned (*const benchmarks_of[])(double, const atomic_bool *, BenchResult *) = {
        bench_sequences, bench_montecarlo, bench_influence, bench_book,  bench_line_keys,     bench_forcing,
        bench_alphabeta, bench_potential,  bench_patterns,  bench_solve, bench_pattern_board, bench_search};
    for (unsigned i = 0; i < sizeof benchmarks_of / sizeof benchmarks_of[0]; i++)
        publish(&run, benchmarks_of[i](seconds, stop, results + run.count));
    return run.count;
}
