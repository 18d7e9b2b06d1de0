// Judges the turns of agents in solved positions: the exact solver decides which turns keep the value.
#include "base/memory.h"
#include "papers/experiment/paper_internal.h"

#include "solver/exact.h"

#include <stdlib.h>

struct PaperJudge {
    Exact *exact;
    PaperTask task;
    ExactCells cells; // of the position solved last
    int best;         // what it is worth
    bool critical;
};

// Of a turn of several stones each would have to be judged in its own position.
static Status check(const Rules *rules, Error *error)
{
    if (rules->p == 1 && rules->q == 1)
        return exact_check(rules, error);
    return error_set(error, STATUS_BAD_INPUT, "only turns of one stone can be judged");
}

Status paper_judge_open(PaperJudge **judge, const Rules *rules, const PaperTask *task, Error *error)
{
    *judge = NULL;
    Status status = check(rules, error);
    if (status != STATUS_OK)
        return status;
    PaperJudge *opened = memory_new(1, sizeof *opened);
    opened->task = *task;
    ExactOptions options = {.openings = true};
    status = exact_open(&opened->exact, &options, rules, error);
    if (status == STATUS_OK)
        *judge = opened;
    else
        paper_judge_close(opened);
    return status;
}

void paper_judge_close(PaperJudge *judge)
{
    if (judge != NULL)
        exact_close(judge->exact);
    free(judge);
}

static int value_of(int score)
{
    return (score > 0) - (score < 0);
}

Status paper_judge_solve(PaperJudge *judge, const Board *board, Error *error)
{
    Limits limits = {.stop = judge->task.stop};
    exact_watch(judge->exact, (ExactWatch){.alive = judge->task.alive});
    ExactCells *cells = &judge->cells;
    Status status = exact_cells(judge->exact, &(ExactQuery){board, EXACT_SCORE, &limits, NULL}, cells, error);
    if (status != STATUS_OK)
        return status;
    judge->best = cells->list[0].low;
    for (unsigned i = 1; i < cells->count; i++)
        judge->best = cells->list[i].low > judge->best ? cells->list[i].low : judge->best;
    judge->critical = false;
    for (unsigned i = 0; i < cells->count; i++)
        judge->critical = judge->critical || value_of(cells->list[i].low) != value_of(judge->best);
    return STATUS_OK;
}

PaperVerdict paper_judge_turn(const PaperJudge *judge, const Decision *decision)
{
    PaperVerdict verdict = {.critical = judge->critical};
    for (unsigned i = 0; decision->count == 1 && i < judge->cells.count; i++) {
        const ExactCell *cell = &judge->cells.list[i];
        if (cell->cell != decision->stones[0])
            continue;
        verdict.kept = value_of(cell->low) == value_of(judge->best);
        verdict.kept_score = cell->low == judge->best;
    }
    return verdict;
}
