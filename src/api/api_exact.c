// Public library: exact values.
#include "api/api_internal.h"

#include "base/memory.h"
#include "solver/exact.h"

#include <stdlib.h>

struct KrowExact {
    Exact *exact;
    Rules rules;
    atomic_bool stop;
    ExactCells cells;
};

KrowStatus krow_exact_check(const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) != STATUS_OK || exact_check(&checked, &failure) != STATUS_OK)
        return api_error(error, &failure);
    return KROW_OK;
}

bool krow_exact_has_scores(const KrowRules *rules)
{
    Rules checked;
    return api_rules(rules, &checked, NULL) == STATUS_OK && exact_check(&checked, NULL) == STATUS_OK &&
           exact_has_scores(&checked);
}

KrowExact *krow_exact_open(const KrowRules *rules, size_t megabytes, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) == STATUS_OK && exact_check(&checked, &failure) == STATUS_OK) {
        KrowExact *exact = memory_new(1, sizeof *exact);
        exact->rules = checked;
        ExactOptions options = {.megabytes = megabytes, .openings = true};
        if (exact_open(&exact->exact, &options, &checked, &failure) == STATUS_OK)
            return exact;
        free(exact);
    }
    (void)api_error(error, &failure);
    return NULL;
}

void krow_exact_close(KrowExact *exact)
{
    if (exact != NULL)
        exact_close(exact->exact);
    free(exact);
}

void krow_exact_stop(KrowExact *exact, bool stop)
{
    atomic_store(&exact->stop, stop);
}

static Limits limits_of(const KrowExact *exact, const KrowLimits *limits)
{
    return (Limits){
        .deadline = api_deadline(limits), .nodes = limits != NULL ? limits->nodes : 0, .stop = &exact->stop};
}

KrowStatus krow_exact_value(KrowExact *exact, const KrowGame *game, const KrowLimits *limits, KrowValue *value,
                            KrowError *error)
{
    KrowStatus status = api_check_game(game, &exact->rules, error);
    if (status != KROW_OK)
        return status;
    Limits given = limits_of(exact, limits);
    ExactResult result;
    Error failure = {0};
    if (exact_run(exact->exact, &(ExactQuery){&game->game.board, EXACT_SCORE, &given, NULL}, &result, &failure) !=
        STATUS_OK)
        return api_error(error, &failure);
    *value = (KrowValue){.low = result.low,
                         .high = result.high,
                         .nodes = result.nodes,
                         .best = result.has_best ? result.best : (KrowCell)KROW_CELL_NONE};
    return KROW_OK;
}

KrowStatus krow_exact_cells(KrowExact *exact, const KrowGame *game, const KrowLimits *limits, KrowCellValue *cells,
                            size_t capacity, size_t *count, KrowError *error)
{
    KrowStatus status = api_check_game(game, &exact->rules, error);
    if (status != KROW_OK)
        return status;
    Limits given = limits_of(exact, limits);
    ExactCells *found = &exact->cells;
    Error failure = {0};
    if (exact_cells(exact->exact, &(ExactQuery){&game->game.board, EXACT_SCORE, &given, NULL}, found, &failure) !=
        STATUS_OK)
        return api_error(error, &failure);
    for (unsigned i = 0; i < found->count && i < capacity; i++)
        cells[i] = (KrowCellValue){found->list[i].cell, found->list[i].low, found->list[i].high};
    *count = found->count;
    return KROW_OK;
}
