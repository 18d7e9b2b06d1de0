// Benchmarks of paper 002: the alpha-beta search with its move orderings, and the forcing-sequence search.
#include "bench/papers/bench_papers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bench/common/boards.h"
#include "game/notation.h"
#include "papers/connect5/alphabeta.h"
#include "papers/connect5/forcing.h"
#include "threats/search/double_threat.h"

#include <stdlib.h>

#define GAME "13x13:k=5"

enum { DEPTH = 5, ORDER_DEPTH = 5 };

// A quiet test position of paper 002, for measuring speed.
static const char quiet[] = "l9 c6 l8 c3 j13 m5 l10 d11 l7 l6 f8 b11 f5 k2 f11 l11";

// A position with few enough empty cells for a search without move ordering to finish, for measuring the savings of
// ordering.
static const char crowded[] =
    "d4 m2 j4 i12 c9 b8 f2 f11 m10 e5 g6 d8 b6 a3 d6 f3 j1 c10 g10 d7 e9 c8 e4 j2 l1 j8 g11 j9 h13 m11 "
    "h12 c7 g2 k8 d1 l3 b3 i3 i2 f9 k13 i13 h8 f13 l4 a1 l9 l5 k11 f7 h2 l12 e12 i9 k2 l7 a13";

typedef struct {
    Game quiet, crowded;
    Alphabeta *history, *none;
    const atomic_bool *stop;
    uint64_t nodes; // of the search without and with move ordering
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

// Both functions count positions, not nodes, so the ratio is that of the time for the same work.
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

// The median speed of several searches, at least one.
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

unsigned bench_alphabeta(double seconds, const atomic_bool *stop, BenchResult *results)
{
    enum { RESULTS = 3 };
    static const BenchResult all[RESULTS] = {
        {"alphabeta/nodes", 0, "nodes/s", "eval=simple, order=history, depth 5 on 13x13"},
        {"alphabeta/order", 0, "x", "times as many nodes without an order as with history, depth 5"},
        {"alphabeta/order/time", 0, "x", "times as long"}};
    Rules rules = bench_rules(GAME);
    AlphabetaBench *work = memory_new(1, sizeof *work);
    for (int i = 0; i < RESULTS; i++)
        results[i] = all[i];
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
    return done && !stop_is_raised(stop) ? RESULTS : 0;
}

enum { BOARDS = 32, STONES = 30, ROUNDS = 20, CAP = 150, TABLE_BYTES = 1 << 16 };

typedef struct {
    Game boards[BOARDS];
    Forcing *forcing;
    DoubleThreat *complete;
    uint64_t sum; // uses all results, so that the compiler keeps the work
} ForcingBench;

// Several rounds, since one is too short to measure.
static uint64_t search_forcing(void *context)
{
    ForcingBench *work = context;
    for (int i = 0; i < ROUNDS; i++)
        for (int j = 0; j < BOARDS; j++) {
            ForcingResult result;
            forcing_run(work->forcing, &work->boards[j].board, CAP, &result);
            work->sum += result.stones;
        }
    return (uint64_t)ROUNDS * BOARDS;
}

static uint64_t search_complete(void *context)
{
    ForcingBench *work = context;
    for (int j = 0; j < BOARDS; j++) {
        DoubleThreatResult result;
        double_threat_run(work->complete, &work->boards[j].board, &(Limits){.nodes = 1000}, &result);
        work->sum += result.turns;
    }
    return BOARDS;
}

unsigned bench_forcing(double seconds, const atomic_bool *stop, BenchResult *results)
{
    static const BoardsBench bench = {
        .game = GAME,
        .agent = "defence",
        .stones = STONES,
        .count = BOARDS,
        .is_time = true,
        .fast = search_forcing,
        .plain = search_complete,
        .results = {
            {"forcing/search", 0, "us", "forcing sequences of a position, up to 150, 13x13, 30 stones on the board"},
            {"forcing/search/fours", 0, "x", "times the speed of the complete search through fours"}}};
    Rules rules = bench_rules(GAME);
    ForcingBench *work = memory_new(1, sizeof *work);
    unsigned count = 0;
    work->forcing = forcing_open(&rules, CAP);
    if (double_threat_open(&work->complete, &rules, TABLE_BYTES, NULL) == STATUS_OK)
        count = bench_boards(&bench, work, seconds, stop, results);
    forcing_close(work->forcing);
    double_threat_close(work->complete);
    free(work);
    return count;
}
