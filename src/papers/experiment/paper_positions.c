// The measure of single positions: nodes, time, and distance of proven wins. Each thread has an agent of its own; the
// result of a position depends on its number and the seed.
#include "base/memory.h"
#include "papers/experiment/paper_internal.h"

#include "base/clock.h"
#include "game/notation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Status add_kept(const PaperPositions *positions, const Rules *rules, unsigned wanted, Openings *list,
                       Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < wanted && i < positions->kept_count && status == STATUS_OK; i++) {
        Game game;
        game_init(&game, rules);
        status = game_read(&game, span_of(positions->kept[i]), error);
        if (status == STATUS_OK)
            openings_add(list, game.stones, game.played);
    }
    return status;
}

Status paper_make_positions(const PaperPositions *positions, const Rules *rules, unsigned wanted,
                            const atomic_bool *stop, Openings *list, Error *error)
{
    Status status = add_kept(positions, rules, wanted, list, error);
    if (status != STATUS_OK || wanted <= positions->kept_count)
        return status;
    // The recipe generates the stored positions again, then others.
    OpeningRecipe recipe = positions->recipe;
    recipe.stop = stop;
    Openings made = {0};
    status = openings_make(&recipe, rules, wanted, &made, error);
    for (unsigned i = positions->kept_count; i < made.count && status == STATUS_OK; i++)
        openings_add(list, made.list[i].stones, made.list[i].count);
    openings_close(&made);
    return status != STATUS_OK && stop != NULL && atomic_load(stop) ? STATUS_INTERRUPTED : status;
}

// The result of one position.
typedef struct {
    bool done;
    bool cut; // ended at the node limit
    uint64_t nodes;
    double ms;
    unsigned beyond; // stones by which a proven win exceeds the depth; 0: none does
} Searched;

typedef struct {
    PaperWork base;
    Openings positions;
    Searched *list;
} PositionsWork;

// The data of one thread.
typedef struct {
    Agent agent;
    Decision decision;
} Searcher;

static Searched search_position(const PositionsWork *work, Agent *agent, unsigned number, Decision *decision)
{
    const DuelLimits *limits = &work->base.trial->limits;
    Game game;
    game_init(&game, &work->base.rules);
    (void)opening_play(&work->positions.list[number], &game, NULL); // they were played when they were made
    Rng rng = rng_make(rng_derive(work->base.options->seed, number));
    AgentTask task = {
        .budget = {.depth = limits->depth, .nodes = limits->nodes}, .rng = &rng, .stop = work->base.task.stop};
    paper_watch_agent(&task, &work->base.task);
    agent_new_game(agent);
    double begin = clock_seconds();
    agent_decide(agent, &game, &task, decision);
    double seconds = clock_seconds() - begin;
    bool wins = decision->proven == PROVEN_WIN && decision->distance > (int)limits->depth;
    return (Searched){
        .done = !atomic_load(work->base.task.stop), // an interrupted search does not count
        .cut = limits->nodes > 0 && decision->nodes > limits->nodes,
        .nodes = decision->nodes,
        .ms = 1000 * seconds,
        .beyond = wins ? (unsigned)decision->distance - limits->depth : 0,
    };
}

static Status open_searcher(const PaperWork *work, void **worker, Error *error)
{
    Searcher *searcher = *worker = memory_new(1, sizeof *searcher);
    return agent_open_with(&searcher->agent, span_of(work->trial->agents[0]), &work->rules, &work->options->host,
                           error);
}

static Status run_search(PaperWork *base, void *worker, unsigned number, bool *is_done, Error *error)
{
    (void)error;
    PositionsWork *work = (PositionsWork *)base;
    Searcher *searcher = worker;
    work->list[number] = search_position(work, &searcher->agent, number, &searcher->decision);
    *is_done = work->list[number].done;
    return STATUS_OK;
}

static void close_searcher(void *worker)
{
    Searcher *searcher = worker;
    if (searcher != NULL)
        agent_close(&searcher->agent);
    free(searcher);
}

typedef struct {
    Sample sample;
    unsigned cut;
    double most;
} Sum;

static void add_value(Sum *sum, double value, bool cut)
{
    sample_add(&sum->sample, value);
    sum->cut += cut;
    sum->most = fmax(sum->most, value);
}

static Sum sum_of(const PositionsWork *work, const char *unit)
{
    Sum sum = {0};
    for (unsigned i = 0; i < work->positions.count; i++) {
        const Searched *searched = &work->list[i];
        if (!searched->done)
            continue;
        if (strcmp(unit, "nodes") == 0)
            add_value(&sum, (double)searched->nodes, searched->cut);
        else if (strcmp(unit, "ms") == 0)
            add_value(&sum, searched->ms, searched->cut);
        else if (searched->beyond > 0)
            add_value(&sum, searched->beyond, false);
    }
    return sum;
}

// Searches that ended at the node limit would have continued, so the figure has no upper limit.
static void set_figure(PaperFigure *figure, const Sum *sum)
{
    bool is_mean = strcmp(figure->unit, "furthest") != 0;
    Estimate most = {.value = sum->most, .range = {NAN, NAN}};
    paper_set_estimate(figure, is_mean ? sample_mean(&sum->sample) : most, sum->sample.n);
    if (sum->cut > 0)
        figure->limits.high = INFINITY;
    figure->cut = sum->cut;
}

static void report(const PaperWork *work, PaperFigures *figures)
{
    for (unsigned i = 0; i < paper_units(work->trial); i++) {
        PaperFigure figure = paper_figure(work->trial, work->options, i, work->count);
        Sum sum = sum_of((const PositionsWork *)work, figure.unit);
        set_figure(&figure, &sum);
        paper_add_figure(figures, &figure);
    }
}

static void write_search(const PaperWork *work, unsigned number, Text *text)
{
    const Searched *searched = &((const PositionsWork *)work)->list[number];
    text_add(text, "%llu %.17g %u %d", (unsigned long long)searched->nodes, searched->ms, searched->beyond,
             (int)searched->cut);
}

static bool read_search(PaperWork *work, unsigned number, Span text)
{
    Searched *searched = &((PositionsWork *)work)->list[number];
    Span nodes = {0}, ms = {0}, beyond = {0}, cut = {0};
    int64_t numbers[3] = {0, 0, 0};
    double taken = 0;
    bool good = span_next_word(&text, " ", &nodes) && span_to_int(nodes, 0, INT64_MAX, &numbers[0]) &&
                span_next_word(&text, " ", &ms) && span_to_real(ms, &taken) && span_next_word(&text, " ", &beyond) &&
                span_to_int(beyond, 0, RULES_CELLS_MAX, &numbers[1]) && span_next_word(&text, " ", &cut) &&
                span_to_int(cut, 0, 1, &numbers[2]);
    *searched = (Searched){.done = good,
                           .cut = numbers[2] != 0,
                           .nodes = (uint64_t)numbers[0],
                           .ms = taken,
                           .beyond = (unsigned)numbers[1]};
    return good;
}

static Status begin_work(PaperWork *base, Error *error)
{
    PositionsWork *work = (PositionsWork *)base;
    const PaperTrial *trial = base->trial;
    unsigned wanted = paper_trial_positions(trial, base->options->scale);
    Status status =
        paper_make_positions(trial->positions, &base->rules, wanted, base->task.stop, &work->positions, error);
    base->count = work->positions.count;
    work->list = memory_new(base->count + 1, sizeof *work->list);
    return status;
}

static void end_work(PaperWork *base)
{
    PositionsWork *work = (PositionsWork *)base;
    free(work->list);
    openings_close(&work->positions);
}

static bool is_time(unsigned word)
{
    return word == 1;
}

static const PaperPieces pieces = {
    .things = "positions",
    .size = sizeof(PositionsWork),
    .begin = begin_work,
    .end = end_work,
    .open = open_searcher,
    .run = run_search,
    .close = close_searcher,
    .write = write_search,
    .read = read_search,
    .is_time = is_time,
    .report = report,
};

const PaperMeasure paper_measure_positions = {.pieces = &pieces};
