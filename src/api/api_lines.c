// Public library: the best turns of a position, by the engine's search.
#include "api/api_internal.h"

#include "base/memory.h"
#include "engine/search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static_assert((int)KROW_LINES_MAX == SEARCH_LINES_MAX && (int)KROW_LINE_TURN_MAX == SEARCH_TURN_MAX &&
                  (int)KROW_LINE_MAX == SEARCH_PV_MAX,
              "public and internal lines are equal");

enum { USUAL_NODES = 20000 };

// Scores are reported in hundreds of the search's unit, as by the agent.
#define SCORE_UNIT 100.0

struct KrowSearch {
    Search *search;
    Rules rules;
    atomic_bool stop;
    SearchInfo report;
};

KrowSearch *krow_search_open(const KrowRules *rules, const KrowSearchOptions *options, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    SearchOptions wanted = {0};
    if (options != NULL)
        wanted = (SearchOptions){.threads = options->threads, .megabytes = options->megabytes};
    if (api_rules(rules, &checked, &failure) != STATUS_OK) {
        (void)api_error(error, &failure);
    } else if (!search_suits(&checked)) {
        (void)api_refuse(error, KROW_BAD_INPUT, "the search supports up to 8 stones per turn");
    } else if (wanted.threads > SEARCH_THREADS_MAX || wanted.megabytes > 1 << 20) {
        (void)api_refuse(error, KROW_BAD_INPUT, "the search takes up to 64 threads and 1048576 megabytes");
    } else {
        KrowSearch *search = memory_new(1, sizeof *search);
        search->rules = checked;
        if (search_open(&search->search, &wanted, &checked, &failure) == STATUS_OK)
            return search;
        free(search);
        (void)api_error(error, &failure);
    }
    return NULL;
}

void krow_search_close(KrowSearch *search)
{
    if (search != NULL)
        search_close(search->search);
    free(search);
}

void krow_search_stop(KrowSearch *search, bool stop)
{
    atomic_store(&search->stop, stop);
}

static void copy_line(const SearchLine *from, KrowLine *to)
{
    int distance = search_distance(from->score);
    *to = (KrowLine){.count = from->turn.count,
                     .score = from->score / SCORE_UNIT,
                     .depth = from->depth,
                     .line_count = from->pv_count,
                     .proven = distance < 0      ? KROW_PROVEN_NOTHING
                               : from->score > 0 ? KROW_PROVEN_WIN
                                                 : KROW_PROVEN_LOSS,
                     .distance = distance};
    to->chance = distance < 0 ? 1 / (1 + exp(-(double)from->score / WEIGHTS_UNIT)) : from->score > 0 ? 1 : 0;
    memcpy(to->stones, from->turn.stones, from->turn.count * sizeof to->stones[0]);
    memcpy(to->line, from->pv, from->pv_count * sizeof to->line[0]);
}

KrowStatus krow_search_lines(KrowSearch *search, const KrowGame *game, const KrowLimits *limits, KrowLine *lines,
                             size_t capacity, size_t *count, KrowError *error)
{
    KrowStatus status = api_check_game(game, &search->rules, error);
    if (status != KROW_OK)
        return status;
    if (capacity == 0)
        return api_refuse(error, KROW_BAD_INPUT, "at least one line must be asked for");
    unsigned wanted = capacity < KROW_LINES_MAX ? (unsigned)capacity : KROW_LINES_MAX;
    SearchLimits given = {.lines = wanted, .limits = {.deadline = api_deadline(limits), .stop = &search->stop}};
    if (limits != NULL) {
        given.limits.nodes = limits->nodes;
        given.limits.depth = limits->depth;
    }
    if (given.limits.deadline <= 0 && given.limits.nodes == 0 && given.limits.depth == 0)
        given.limits.nodes = USUAL_NODES;
    SearchInfo *report = &search->report;
    search_run(search->search, &game->game.board, &given, report);
    SearchLine first = report->lines[0];
    search_sort_lines(report);
    if (report->line_count == 0) { // stopped before the first depth
        report->lines[0] = first;
        report->line_count = 1;
    }
    *count = report->line_count < wanted ? report->line_count : wanted;
    for (size_t i = 0; i < *count; i++)
        copy_line(&report->lines[i], &lines[i]);
    return KROW_OK;
}
