// Plays the generations and the matches of a run.
#include "lab/evolve/evolve.h"

#include "base/memory.h"
#include "lab/match_openings.h"
#include "lab/report.h"

#include <stdlib.h>
#include <string.h>

// What a seed is for: seeds of different purposes are independent.
typedef enum { SEED_OPTIMISER, SEED_CANDIDATES, SEED_CHECK, SEED_DEFAULTS, SEED_START } SeedPurpose;

static uint64_t seed_of(const Evolve *evolve, SeedPurpose purpose, unsigned number)
{
    // Seeds in files are whole numbers with a sign.
    return rng_derive(rng_derive(evolve->event.seed, purpose), number) >> 1;
}

const char *evolve_algorithm_name(OptimiserKind algorithm)
{
    return algorithm == OPTIMISER_GENETIC ? "genetic" : "spsa";
}

// --- Matches ---

static void count_game(void *context, const Results *results, const GameCounts *counts)
{
    Evolve *evolve = context;
    Text text = {0};
    (void)results;
    (void)counts;
    evolve->done++;
    text_add(&text, "generation %u of %u, ", evolve->optimiser.generation, evolve->plan.generations);
    option_space_add_values(&evolve->space, &evolve->optimiser.estimate, &text);
    if (!evolve->by_workers)
        progress_show(&evolve->progress, evolve->done, text.data);
    text_close(&text);
}

// A match of a run.
typedef struct {
    SeedPurpose purpose;
    unsigned number; // of the matches of this purpose
    unsigned games;  // of each pair
} EvolveMatch;

// Each match goes on in its half of the openings where the one before ended.
static void take_openings(const Evolve *evolve, const EvolveMatch *match, Openings *openings)
{
    unsigned all = evolve->openings.count, half = all / 2;
    bool candidates = match->purpose == SEED_CANDIDATES;
    if (all == 0)
        return;
    unsigned from = candidates || all < 2 ? 0 : half, count = all < 2 ? all : candidates ? half : all - half;
    uint64_t next = (uint64_t)match->number * (match->games / 2);
    for (unsigned i = 0; i < match->games / 2 && i < count; i++) {
        const Opening *opening = &evolve->openings.list[from + (next + i) % count];
        openings_add(openings, opening->stones, opening->count);
    }
}

// Plays a round robin of the agents of run->event.
static Status play(Evolve *evolve, const EvolveMatch *match, MatchRun *run, Error *error)
{
    const Tournament *event = &evolve->event;
    Text title = {0};
    char game[RULES_TEXT_SIZE];
    rules_format(&event->rules, game);
    text_add(&title, "%s, evolution of %s, generation %u", game, evolve->space.agent, evolve->optimiser.generation);
    run->event.rules = event->rules;
    run->event.has_rules = true;
    run->event.limits = event->limits;
    run->event.balanced = event->balanced;
    run->event.games = match->games;
    run->event.seed = seed_of(evolve, match->purpose, match->number);
    run->host = evolve->host;
    run->jobs = evolve->jobs;
    run->by_workers = evolve->by_workers;
    run->verify = evolve->by_workers ? evolve->how.verify : 0;
    run->title = title.data;
    run->stop = evolve->stop;
    run->reporter = evolve->by_workers ? evolve->reporter : NULL;
    run->on_game = count_game;
    run->on_game_context = evolve;
    take_openings(evolve, match, &run->openings);
    MatchRunStore store = evolve->store;
    bool is_stored = store.path == NULL || strcmp(store.path, "none") != 0;
    if (is_stored && (match->purpose != SEED_CANDIDATES || match->number > 0))
        store.repeat = MATCH_RESUME;
    Status status =
        match_run_open_event(run, &store, run->event.agent_count == 2 ? DATABASE_MATCH : DATABASE_TOURNAMENT, error);
    evolve->progress.before += run->resumed; // the speed is that of new games
    if (status == STATUS_OK)
        status = lab_play(run, &evolve->how, error);
    run->title = NULL;
    text_close(&title);
    return status;
}

static Status add_point(Evolve *evolve, MatchRun *run, const OptimiserPoint *point, Error *error)
{
    Text agent = {0};
    option_space_add_agent(&evolve->space, point, &agent);
    Status status = tournament_add_agent(&run->event, span_of(agent.data), error);
    text_close(&agent);
    return status;
}

// The point against another agent.
static Status play_pair(Evolve *evolve, const EvolveMatch *match, const char *opponent, MatchRun *run, Error *error)
{
    tournament_init(&run->event);
    Status status = add_point(evolve, run, &evolve->optimiser.estimate, error);
    if (status == STATUS_OK)
        status = tournament_add_agent(&run->event, span_of(opponent), error);
    return status == STATUS_OK ? play(evolve, match, run, error) : status;
}

// --- Generations ---

static Status play_generation(Evolve *evolve, Error *error)
{
    Optimiser *optimiser = &evolve->optimiser;
    double scores[OPTIMISER_POINTS_MAX];
    MatchRun run = {0};
    EvolveMatch match = {SEED_CANDIDATES, optimiser->generation, evolve->plan.games};
    tournament_init(&run.event);
    Status status = STATUS_OK;
    for (unsigned i = 0; i < optimiser->plan.points && status == STATUS_OK; i++)
        status = add_point(evolve, &run, &optimiser->points[i], error);
    if (status == STATUS_OK)
        status = play(evolve, &match, &run, error);
    for (unsigned i = 0; i < optimiser->plan.points && status == STATUS_OK; i++)
        scores[i] = tally_score(results_of_agent(&run.results, i));
    if (status == STATUS_OK) {
        evolve->games += run.results.games;
        optimiser_take(optimiser, scores);
        evolve->path[optimiser->generation] = optimiser->estimate;
    }
    match_run_close(&run);
    return status;
}

// Generations between two checks.
static unsigned check_distance(const Evolve *evolve)
{
    return (evolve->plan.generations + EVOLVE_CHECKS - 1) / EVOLVE_CHECKS;
}

static bool is_check_due(const Evolve *evolve)
{
    unsigned generation = evolve->optimiser.generation;
    return generation % check_distance(evolve) == 0 || generation == evolve->plan.generations;
}

static void note_check(const Evolve *evolve, const EvolveCheck *check)
{
    Text values = {0};
    char elo[REPORT_ESTIMATE_SIZE];
    option_space_add_values(&evolve->space, &check->estimate, &values);
    reporter_end(evolve->reporter);
    reporter_note(evolve->reporter, "Generation %u: %s, %.1f %% against %s, Elo %s", check->generation, values.data,
                  100 * tally_score(check->pair.games), evolve->space.start,
                  report_estimate(stats_elo(&check->pair), elo));
    text_close(&values);
}

static Status play_check(Evolve *evolve, Error *error)
{
    EvolveCheck *check = &evolve->checks[evolve->check_count];
    EvolveMatch match = {SEED_CHECK, evolve->check_count, evolve->plan.check_games};
    MatchRun run = {0};
    *check = (EvolveCheck){.generation = evolve->optimiser.generation, .estimate = evolve->optimiser.estimate};
    Status status = STATUS_OK;
    if (!option_space_is_start(&evolve->space, &check->estimate)) {
        status = play_pair(evolve, &match, evolve->space.start, &run, error);
        if (status == STATUS_OK)
            check->pair = run.results.pairs[0];
        match_run_close(&run);
    }
    if (status == STATUS_OK) {
        evolve->check_count++;
        note_check(evolve, check);
    }
    return status;
}

static Status play_final(Evolve *evolve, Error *error)
{
    const OptionSpace *space = &evolve->space;
    const OptimiserPoint *estimate = &evolve->optimiser.estimate;
    EvolveMatch defaults = {SEED_DEFAULTS, 0, evolve->plan.final_games};
    EvolveMatch start = {SEED_START, 0, evolve->plan.final_games};
    bool starts_elsewhere = false;
    for (unsigned d = 0; d < space->count; d++)
        starts_elsewhere = starts_elsewhere || space->ranges[d].start != space->ranges[d].fallback;
    Text winner = {0};
    option_space_add_agent(space, estimate, &winner);
    evolve->winner = winner.data;
    Status status = STATUS_OK;
    if (!option_space_is_default(space, estimate))
        status = play_pair(evolve, &defaults, space->agent, &evolve->against_defaults, error);
    if (status == STATUS_OK && starts_elsewhere && !option_space_is_start(space, estimate))
        status = play_pair(evolve, &start, space->start, &evolve->against_start, error);
    return status;
}

// --- Runs ---

static Status prepare_openings(Evolve *evolve, Error *error)
{
    MatchRun maker = {.event = evolve->event, .stop = evolve->stop, .reporter = evolve->reporter};
    Status status = match_openings_get(&maker, error);
    evolve->openings = maker.openings;
    if (status != STATUS_OK)
        error_prefix(error, "--openings: ");
    return status;
}

// An upper bound: a match is left out if both players are the same.
static unsigned games_of(const Evolve *evolve)
{
    const EvolvePlan *plan = &evolve->plan;
    unsigned pairs = plan->candidates * (plan->candidates - 1) / 2;
    unsigned checks = (plan->generations + check_distance(evolve) - 1) / check_distance(evolve);
    return plan->generations * pairs * plan->games + checks * plan->check_games + 2 * plan->final_games;
}

static void begin(Evolve *evolve)
{
    OptimiserPlan plan = {.kind = evolve->plan.algorithm,
                          .generations = evolve->plan.generations,
                          .points = evolve->plan.candidates,
                          .seed = seed_of(evolve, SEED_OPTIMISER, 0)};
    option_space_plan(&evolve->space, &plan);
    optimiser_open(&evolve->optimiser, &plan);
    evolve->path = memory_new(evolve->plan.generations + 1, sizeof *evolve->path);
    evolve->path[0] = evolve->optimiser.estimate;
    progress_begin(&evolve->progress, evolve->reporter, games_of(evolve), 0);
}

Status evolve_run(Evolve *evolve, Error *error)
{
    Status status = prepare_openings(evolve, error);
    if (status != STATUS_OK)
        return status;
    begin(evolve);
    while (status == STATUS_OK && evolve->optimiser.generation < evolve->plan.generations) {
        status = play_generation(evolve, error);
        if (status == STATUS_OK && is_check_due(evolve))
            status = play_check(evolve, error);
    }
    if (status == STATUS_OK)
        status = play_final(evolve, error);
    reporter_end(evolve->reporter);
    return status;
}

void evolve_close(Evolve *evolve)
{
    match_run_close(&evolve->against_defaults);
    match_run_close(&evolve->against_start);
    optimiser_close(&evolve->optimiser);
    openings_close(&evolve->openings);
    option_space_close(&evolve->space);
    tournament_close(&evolve->event);
    free(evolve->path);
    free(evolve->winner);
    *evolve = (Evolve){0};
}
