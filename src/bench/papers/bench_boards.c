// Measures a fast and a plain function on boards from games of an agent.
#include "bench/papers/bench_boards_internal.h"

#include "bench/common/boards.h"

unsigned bench_boards(const BoardsBench *bench, void *work, double seconds, const atomic_bool *stop,
                      BenchResult results[2])
{
    Rules rules;
    Agent agent = {0};
    SliceMedians found = {0};
    (void)rules_parse(span_of(bench->game), &rules, NULL);
    if (agent_open(&agent, span_of(bench->agent), &rules, NULL) == STATUS_OK &&
        boards_play(&agent, &rules, bench->stones, work, bench->count))
        found = slices_measure(seconds, stop, work, bench->fast, bench->plain);
    agent_close(&agent);
    if (found.speed <= 0 || (stop != NULL && atomic_load(stop)))
        return 0;
    for (int i = 0; i < 2; i++)
        results[i] = bench->results[i];
    results[0].value = bench->is_time ? 1e6 / found.speed : found.speed;
    results[1].value = found.ratio;
    return 2;
}
