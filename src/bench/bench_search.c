// Benchmark of the engine's search: nodes per second with one and two threads.
#include "bench/bench_parts.h"

#include "base/memory.h"
#include "base/rng.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"
#include "engine/search/search.h"

#include <stdio.h>
#include <stdlib.h>

// --- Speed ---

enum { BOARDS = 16, NODES = 20000, MEGABYTES = 4 };

static const struct {
    const char *game, *name, *threads;
    unsigned stones;
} games[] = {
    {"gomoku", "thinker/gomoku", "thinker/gomoku/threads", 10},
    {"connect6", "thinker/connect6", "thinker/connect6/threads", 9},
};

typedef struct {
    Agent agent;
    Search *one, *two;
    unsigned next_one, next_two;
    Game boards[BOARDS];
} SearchBench;

static uint64_t think(Search *search, const Board *board)
{
    SearchInfo report;
    SearchLimits limits = {.nodes = NODES};
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

static bool prepare(SearchBench *work, const Rules *rules, unsigned stones)
{
    SearchOptions one = {.threads = 1, .megabytes = MEGABYTES}, two = {.threads = 2, .megabytes = MEGABYTES};
    return search_open(&work->one, &one, rules, NULL) == STATUS_OK &&
           search_open(&work->two, &two, rules, NULL) == STATUS_OK &&
           agent_open(&work->agent, span_of("adjacent"), rules, NULL) == STATUS_OK &&
           boards_play(&work->agent, rules, stones, work->boards, BOARDS);
}

static bool measure(size_t game, double seconds, const atomic_bool *stop, BenchResult results[2])
{
    Rules rules;
    SearchBench *work = memory_new(1, sizeof *work);
    SliceMedians found = {0};
    (void)rules_parse(span_of(games[game].game), &rules, NULL);
    if (prepare(work, &rules, games[game].stones))
        found = slices_measure(seconds, stop, work, think_alone, think_together);
    agent_close(&work->agent);
    search_close(work->one);
    search_close(work->two);
    free(work);
    results[0] = (BenchResult){.value = found.speed, .unit = "nodes/s", .about = "of the engine, one thread"};
    results[1] = (BenchResult){.value = found.ratio > 0 ? 1 / found.ratio : 0,
                               .unit = "x",
                               .about = "times as many nodes a second with two threads"};
    (void)snprintf(results[0].name, sizeof results[0].name, "%s", games[game].name);
    (void)snprintf(results[1].name, sizeof results[1].name, "%s", games[game].threads);
    return found.speed > 0 && (stop == NULL || !atomic_load(stop));
}

unsigned bench_search(double seconds, const atomic_bool *stop, BenchResult results[BENCH_SEARCH_RESULTS])
{
    for (size_t i = 0; i < BENCH_SEARCH_RESULTS / 2; i++)
        if (!measure(i, seconds, stop, &results[2 * i]))
            return 0;
    return BENCH_SEARCH_RESULTS;
}
