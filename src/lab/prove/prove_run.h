// A proof search from a position: with a log, progress, limits, and the proof as a file.
#pragma once

#include "engine/prove/prove.h"
#include "game/game.h"
#include "solver/proof/certificate.h"
#include "view/progress.h"

#include <jansson.h>

typedef struct {
    Side owner;
    unsigned threat_nodes, engine_nodes; // as in ProveOptions
    const char *log;                     // the log file; NULL: none
    const char *proof;                   // the file for the proof; NULL: none
    double seconds;                      // 0: no limit
    uint64_t searches;                   // 0: no limit
    unsigned memory;                     // megabytes; 0: PROVE_MEMORY
    const atomic_bool *stop;
    Reporter *reporter;
} ProveRunOptions;

enum { PROVE_MEMORY = 2048 };

typedef struct {
    const Game *game;
    Side owner;
    ProveFacts facts;
    ProveReply replies[RULES_CELLS_MAX]; // the first stones
    unsigned reply_count;
    uint64_t resumed; // findings of the log
    double seconds;
    const char *ended; // what ended the search, or NULL
    bool has_proof;
    CertificateReport report; // of the proof, if `has_proof`
} ProveRun;

// STATUS_OK even if nothing was proved: the facts tell.
Status prove_run(ProveRun *run, const Game *game, const ProveRunOptions *options, Error *error);

json_t *prove_run_json(const ProveRun *run);
