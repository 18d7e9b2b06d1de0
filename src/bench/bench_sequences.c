#include "bench/bench_sequences.h"

#include "bench/boards.h"
#include "bench/slices.h"

#include <stdlib.h>

enum { BOARDS = 16, STONES = 41, TURNS = 20 };

typedef struct {
    unsigned board; // the one of this slice
    Agent fast, plain;
    Rng rng;
    Decision decision;
    Game boards[BOARDS];
} Work;

static void choose_turn(Work *work, Agent *agent)
{
    AgentTask task = {.rng = &work->rng};
    agent_decide(agent, &work->boards[work->board], &task, &work->decision);
}

static uint64_t choose_by_rescan(void *context)
{
    Work *work = context;
    work->board = (work->board + 1) % BOARDS;
    choose_turn(work, &work->plain);
    return 1;
}

// On the board the plain one has had. Many turns, as one is too short for the clock; each begins with one stone to be
// taken back.
static uint64_t choose_by_stones(void *context)
{
    Work *work = context;
    for (int i = 0; i < TURNS; i++)
        choose_turn(work, &work->fast);
    return TURNS;
}

void bench_sequences(double seconds, const atomic_bool *stop, double *turns_a_second, double *times_rescan)
{
    Rules rules;
    Work *work = calloc(1, sizeof *work);
    *turns_a_second = *times_rescan = 0;
    (void)rules_parse(span_of("connect6"), &rules, NULL);
    if (work != NULL && agent_open(&work->fast, span_of("sequences"), &rules, NULL) == STATUS_OK &&
        agent_open(&work->plain, span_of("sequences:update=rescan"), &rules, NULL) == STATUS_OK &&
        boards_play(&work->fast, &rules, STONES, work->boards, BOARDS))
        slices_measure(seconds, stop, work, choose_by_stones, choose_by_rescan, turns_a_second, times_rescan);
    if (work != NULL) {
        agent_close(&work->fast);
        agent_close(&work->plain);
    }
    free(work);
}
