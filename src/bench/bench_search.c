// Benchmark of the engine's search: nodes per second with one and two threads.
#include "bench/bench_parts.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "engine/search/search.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOARDS = 16, NODES = 20000, MEGABYTES = 4 };

typedef struct {
    Game boards[BOARDS];
    Search *one, *two;
    unsigned next_one, next_two;
} SearchBench;

static uint64_t think(Search *search, const Board *board)
{
    SearchInfo report;
    SearchLimits limits = {.limits.nodes = NODES};
    search_new_game(search);
    search_run(search, board, &limits, &report);
    return report.nodes;
}

static uint64_t think_alone(void *context)
{
    SearchBench *work = context;
    return think(work->one, &work->boards[work->next_one++ % BOARDS].board);
}

static uint64_t think_together(void *context)
{
    SearchBench *work = context;
    return think(work->two, &work->boards[work->next_two++ % BOARDS].board);
}

static unsigned measure(const char *game, unsigned stones, double seconds, const atomic_bool *stop,
                        BenchResult *results)
{
    BoardsBench bench = {.game = game,
                         .agent = "adjacent",
                         .stones = stones,
                         .count = BOARDS,
                         .fast = think_alone,
                         .plain = think_together,
                         .results = {{"", 0, "nodes/s", "of the engine, one thread"},
                                     {"", 0, "x", "times as many nodes a second with two threads"}}};
    SearchOptions one = {.threads = 1, .megabytes = MEGABYTES}, two = {.threads = 2, .megabytes = MEGABYTES};
    Rules rules = bench_rules(game);
    SearchBench *work = memory_new(1, sizeof *work);
    unsigned count = 0;
    (void)snprintf(bench.results[0].name, sizeof bench.results[0].name, "thinker/%s", game);
    (void)snprintf(bench.results[1].name, sizeof bench.results[1].name, "thinker/%s/threads", game);
    if (search_open(&work->one, &one, &rules, NULL) == STATUS_OK &&
        search_open(&work->two, &two, &rules, NULL) == STATUS_OK)
        count = bench_boards(&bench, work, seconds, stop, results);
    search_close(work->one);
    search_close(work->two);
    free(work);
    if (count > 0 && results[1].value > 0)
        results[1].value = 1 / results[1].value;
    return count;
}

unsigned bench_search(double seconds, const atomic_bool *stop, BenchResult *results)
{
    return measure("gomoku", 10, seconds, stop, results) > 0 && measure("connect6", 9, seconds, stop, results + 2) > 0
               ? 4
               : 0;
}
