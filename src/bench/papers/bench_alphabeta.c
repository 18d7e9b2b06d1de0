// Benchmark of the papers' alpha-beta search: nodes per second and the effect of move ordering.
#include "bench/papers/bench_alphabeta.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bench/common/slices.h"
#include "game/notation.h"
#include "papers/connect5/alphabeta.h"

#include <stdlib.h>

enum { DEPTH = 5, ORDER_DEPTH = 5 };

// A quiet test position of paper 002, for the speed.
static const char quiet[] = "l9 c6 l8 c3 j13 m5 l10 d11 l7 l6 f8 b11 f5 k2 f11 l11";

// A position with so few empty cells that a search without an order finishes, for the savings of an order.
static const char crowded[] =
    "d4 m2 j4 i12 c9 b8 f2 f11 m10 e5 g6 d8 b6 a3 d6 f3 j1 c10 g10 d7 e9 c8 e4 j2 l1 j8 g11 j9 h13 m11 "
    "h12 c7 g2 k8 d1 l3 b3 i3 i2 f9 k13 i13 h8 f13 l4 a1 l9 l5 k11 f7 h2 l12 e12 i9 k2 l7 a13";

typedef struct {
    Game quiet, crowded;
    Alphabeta *history, *none;
    const atomic_bool *stop;
    uint64_t nodes; // of the search without an order, and with
    uint64_t nodes_ordered;
} AlphabetaBench;

static uint64_t search(const AlphabetaBench *work, Alphabeta *alphabeta, const Game *game, unsigned depth)
{
    Rng rng = rng_make(1);
    return alphabeta_run(alphabeta, &game->board, &(Limits){.depth = depth, .stop = work->stop}, &rng).nodes;
}

static uint64_t search_quiet(void *context)
{
    const AlphabetaBench *work = context;
    return search(work, work->history, &work->quiet, DEPTH);
}

// Both count positions, not nodes: the ratio is that of the time for the same work.
static uint64_t search_ordered(void *context)
{
    AlphabetaBench *work = context;
    work->nodes_ordered = search(work, work->history, &work->crowded, ORDER_DEPTH);
    return 1;
}

static uint64_t search_unordered(void *context)
{
    AlphabetaBench *work = context;
    work->nodes = search(work, work->none, &work->crowded, ORDER_DEPTH);
    return 1;
}

// The median speed over some searches, at least one.
static double measure_speed(AlphabetaBench *work, double seconds)
{
    double speeds[SLICES_MAX], end = clock_seconds() + seconds;
    unsigned count = 0;
    while (count < SLICES_MAX && (count == 0 || clock_seconds() < end)) {
        double begin = clock_seconds();
        uint64_t nodes = search_quiet(work);
        speeds[count++] = (double)nodes / (clock_seconds() - begin);
    }
    return slices_median(speeds, count);
}

static bool open_work(AlphabetaBench *work, const Rules *rules)
{
    AlphabetaOptions options = {.eval = EVALUATION_SIMPLE, .order = ORDERING_HISTORY};
    game_init(&work->quiet, rules);
    game_init(&work->crowded, rules);
    bool read = game_read(&work->quiet, span_of(quiet), NULL) == STATUS_OK &&
                game_read(&work->crowded, span_of(crowded), NULL) == STATUS_OK &&
                alphabeta_open(&work->history, &options, rules, NULL) == STATUS_OK;
    options.order = ORDERING_NONE;
    return read && alphabeta_open(&work->none, &options, rules, NULL) == STATUS_OK;
}

unsigned bench_alphabeta(double seconds, const atomic_bool *stop, BenchResult results[BENCH_ALPHABETA_RESULTS])
{
    static const BenchResult all[BENCH_ALPHABETA_RESULTS] = {
        {.name = "alphabeta/nodes", .unit = "nodes/s", .about = "eval=simple, order=history, depth 5 on 13x13"},
        {.name = "alphabeta/order",
         .unit = "x",
         .about = "times as many nodes without an order as with history, depth 5"},
        {.name = "alphabeta/order/time", .unit = "x", .about = "times as long"},
    };
    Rules rules;
    AlphabetaBench *work = memory_new(1, sizeof *work);
    for (int i = 0; i < BENCH_ALPHABETA_RESULTS; i++)
        results[i] = all[i];
    (void)rules_parse(span_of("13x13:k=5"), &rules, NULL);
    bool done = open_work(work, &rules);
    if (done) {
        work->stop = stop;
        results[0].value = measure_speed(work, seconds);
        results[2].value = slices_measure(0, stop, work, search_ordered, search_unordered).ratio;
        results[1].value = (double)work->nodes / (double)(work->nodes_ordered > 0 ? work->nodes_ordered : 1);
    }
    alphabeta_close(work->history);
    alphabeta_close(work->none);
    free(work);
    return done && (stop == NULL || !atomic_load(stop)) ? BENCH_ALPHABETA_RESULTS : 0;
}
