// Benchmark of the agent `sequences`: incremental counts against a new scan for every cell.
#include "bench/papers/bench_sequences.h"

#include "base/memory.h"
#include "bench/common/boards.h"
#include "bench/common/slices.h"

#include <stdlib.h>

enum { BOARDS = 16, STONES = 41, TURNS = 20 };

typedef struct {
    unsigned board; // the one of this slice
    Agent fast, plain;
    Rng rng;
    Decision decision;
    Game boards[BOARDS];
} SequencesBench;

static void choose_turn(SequencesBench *work, Agent *agent)
{
    AgentTask task = {.rng = &work->rng};
    agent_decide(agent, &work->boards[work->board], &task, &work->decision);
}

static uint64_t choose_by_rescan(void *context)
{
    SequencesBench *work = context;
    work->board = (work->board + 1) % BOARDS;
    choose_turn(work, &work->plain);
    return 1;
}

// On the board the plain one has had. Many turns, as one is too short for the clock; each begins with one stone to be
// taken back.
static uint64_t choose_by_stones(void *context)
{
    SequencesBench *work = context;
    for (int i = 0; i < TURNS; i++)
        choose_turn(work, &work->fast);
    return TURNS;
}

SliceMedians bench_sequences(double seconds, const atomic_bool *stop)
{
    Rules rules;
    SequencesBench *work = memory_new(1, sizeof *work);
    SliceMedians turns = {0};
    (void)rules_parse(span_of("connect6"), &rules, NULL);
    if (agent_open(&work->fast, span_of("sequences"), &rules, NULL) == STATUS_OK &&
        agent_open(&work->plain, span_of("sequences:update=rescan"), &rules, NULL) == STATUS_OK &&
        boards_play(&work->fast, &rules, STONES, work->boards, BOARDS))
        turns = slices_measure(seconds, stop, work, choose_by_stones, choose_by_rescan);
    agent_close(&work->fast);
    agent_close(&work->plain);
    free(work);
    return turns;
}
