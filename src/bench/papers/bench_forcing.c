// Benchmark of the forcing-sequence search against the complete double-threat search.
#include "bench/papers/bench_forcing.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"
#include "papers/connect5/forcing.h"
#include "threats/search/double_threat.h"

#include <stdlib.h>

enum { BOARDS = 32, STONES = 30, ROUNDS = 20, CAP = 150, TABLE_BYTES = 1 << 16 };

typedef struct {
    Agent agent;
    Forcing *forcing;
    DoubleThreat *complete;
    uint64_t sum; // so that no work is left out
    Game boards[BOARDS];
} ForcingBench;

// Many rounds, as one is too short for the clock.
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

unsigned bench_forcing(double seconds, const atomic_bool *stop, BenchResult results[BENCH_FORCING_RESULTS])
{
    Rules rules;
    ForcingBench *work = memory_new(1, sizeof *work);
    SliceMedians calls = {0};
    (void)rules_parse(span_of("13x13:k=5"), &rules, NULL);
    work->forcing = forcing_open(&rules, CAP);
    if (double_threat_open(&work->complete, &rules, TABLE_BYTES, NULL) == STATUS_OK &&
        agent_open(&work->agent, span_of("defence"), &rules, NULL) == STATUS_OK &&
        boards_play(&work->agent, &rules, STONES, work->boards, BOARDS))
        calls = slices_measure(seconds, stop, work, search_forcing, search_complete);
    agent_close(&work->agent);
    forcing_close(work->forcing);
    double_threat_close(work->complete);
    free(work);
    results[0] = (BenchResult){.name = "forcing/search",
                               .unit = "us",
                               .about = "forcing sequences of a position, up to 150, 13x13, 30 stones on the board"};
    results[1] = (BenchResult){
        .name = "forcing/search/fours", .unit = "x", .about = "times the speed of the complete search through fours"};
    results[0].value = calls.speed > 0 ? 1e6 / calls.speed : 0;
    results[1].value = calls.ratio;
    return calls.speed > 0 && (stop == NULL || !atomic_load(stop)) ? BENCH_FORCING_RESULTS : 0;
}
