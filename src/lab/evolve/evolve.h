// A run of `krow evolve`: the candidates of each generation play a round robin, the optimiser takes their scores, and
// matches against the start show the progress.
//
// All games are stored as matches whose settings follow from those of the run and from the results before. The state of
// a run is therefore in the database after every game: to continue, the run repeats its decisions, with the stored
// games in place of new ones.
#pragma once

#include "lab/evolve/option_space.h"
#include "lab/submit/lab_workers.h"

typedef struct {
    OptimiserKind algorithm;
    unsigned generations;
    unsigned candidates;  // of a generation; SPSA: 2
    unsigned games;       // of each pair of candidates; even, like the other two
    unsigned check_games; // of an estimate against the start
    unsigned final_games; // of the winner against the defaults, and against the start
} EvolvePlan;

enum { EVOLVE_CHECKS = 20 }; // at most

// A match of the estimate against the start.
typedef struct {
    unsigned generation; // completed
    OptimiserPoint estimate;
    HeadToHead pair; // no games if both are the same
} EvolveCheck;

typedef struct {
    EvolvePlan plan;
    OptionSpace space;
    Tournament event; // rules, limits, openings and seed; no agents
    AgentHost host;
    unsigned jobs;
    bool by_workers;
    LabWorkers how;
    const atomic_bool *stop;
    Reporter *reporter;
    MatchRunStore store; // `repeat` is about the first match; the others are continued

    Optimiser optimiser;
    Openings openings; // the first half for the candidates, the others for matches against the start and the defaults
    EvolveCheck checks[EVOLVE_CHECKS];
    unsigned check_count;
    OptimiserPoint *path;                     // the estimate before the first generation and after each
    uint64_t games;                           // of candidates so far
    char *winner;                             // the agent of the last estimate; NULL: generations are missing
    MatchRun against_defaults, against_start; // no agents: not played
    Progress progress;
    unsigned done; // games
} Evolve;

// Runs a plan; everything above `optimiser` is set. STATUS_INTERRUPTED if `stop` was raised. Close also after a
// failure.
Status evolve_run(Evolve *evolve, Error *error);
void evolve_close(Evolve *evolve);

const char *evolve_algorithm_name(OptimiserKind algorithm); // "genetic", "spsa"
