// The gate of krow train: matches of a new network against the best one.
#include "lab/match_run.h"
#include "lab/train/train_internal.h"

#include <stdio.h>
#include <string.h>

// The sequential test: the new network is at least as strong, against this many points stronger.
static const double ELO0 = 0, ELO1 = 20;

void train_network_name(const TrainRun *run, unsigned generation, char name[TRAIN_PATH_SIZE])
{
    if (generation > 0)
        train_path(run, name, "network-%u.net", generation);
    else
        (void)snprintf(name, TRAIN_PATH_SIZE, "%s", run->options->from);
}

// The search alone: a book or exact values would hide the evaluation.
static Status add_player(const TrainRun *run, Tournament *event, unsigned generation, const char *name, Error *error)
{
    char network[TRAIN_PATH_SIZE];
    Text text = {0};
    train_network_name(run, generation, network);
    text_add(&text, "engine:memory=8,exact=0,book=0,network=%s,name=%s", network, name);
    Status status = tournament_add_agent(event, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status play(TrainRun *run, unsigned number, double seconds, HeadToHead *results, Error *error)
{
    const TrainRunOptions *options = run->options;
    char path[TRAIN_PATH_SIZE];
    MatchRun match = {.jobs = seconds > 0 ? 1 : options->jobs, .stop = options->stop, .reporter = options->reporter};
    Tournament *event = &match.event;
    tournament_init(event);
    event->rules = options->rules;
    event->has_rules = true;
    event->games = seconds > 0 ? (options->gate_games + 1) / 2 : options->gate_games;
    event->openings = (event->games + 1) / 2;
    event->balanced = true;
    event->seed = options->seed + number;
    event->limits.nodes = seconds > 0 ? 0 : options->nodes;
    event->limits.turn_seconds = seconds;
    event->has_sprt = match.has_sprt = seconds <= 0;
    event->sprt = match.sprt = (Sprt){ELO0, ELO1, SPRT_ERROR, SPRT_ERROR, false};
    train_path(run, path, "matches.db");
    Status status = add_player(run, event, number, "new", error);
    if (status == STATUS_OK)
        status = add_player(run, event, run->best, "best", error);
    if (status == STATUS_OK)
        status =
            match_run_open_event(&match, &(MatchRunStore){.path = path, .repeat = MATCH_RESUME}, DATABASE_MATCH, error);
    if (status == STATUS_OK) {
        status = match_run_play(&match, error);
        *results = match.results.pairs[0];
    }
    match_run_close(&match);
    return status;
}

Status train_gate(TrainRun *run, unsigned number, Error *error)
{
    TrainGeneration *generation = &run->generations[number - 1];
    Status status = STATUS_OK;
    if (!generation->has_nodes) {
        status = play(run, number, 0, &generation->nodes, error);
        generation->has_nodes = status == STATUS_OK;
        if (status != STATUS_OK || (status = train_state_write(run, error)) != STATUS_OK)
            return status;
    }
    Sprt sprt = {ELO0, ELO1, SPRT_ERROR, SPRT_ERROR, false};
    bool passes = sprt_state(&sprt, &generation->nodes).verdict == SPRT_H1;
    if (passes && !generation->has_seconds) {
        status = play(run, number, run->options->gate_seconds, &generation->seconds, error);
        generation->has_seconds = status == STATUS_OK;
    }
    generation->is_best = status == STATUS_OK && passes && tally_score(generation->seconds.games) > 0.5;
    return status;
}
