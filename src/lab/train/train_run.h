// Networks in generations. Each generation plays games with the best network so far, trains a network on the games of
// all generations, and plays it against the best one: first with a limit in nodes until a sequential test decides, then
// in time. Only a winner becomes the best.
//
// Everything is kept in a folder: games-1.scored, network-1.net and training-1.checkpoint of the first generation, and
// so on; matches.db with the games of the gates; network.net, the best; train.json with the options and results. A run
// that is called again with the same options continues where the last one ended, whether it was interrupted or killed.
#pragma once

#include "engine/train/self_play.h"
#include "engine/train/trainer.h"
#include "match/stats.h"
#include "view/progress.h"

#include <jansson.h>

enum { TRAIN_EPOCHS_MAX = 64, TRAIN_GENERATIONS_MAX = 100, TRAIN_PATH_SIZE = 4096 };

typedef struct {
    Rules rules;
    unsigned smallest, largest; // as in SelfPlayOptions
    const char *folder;
    const char *from;            // the network before the first generation, as in network_read
    unsigned generations, games; // games of each generation
    double hours;                // 0: until the number of games; else the time for everything
    uint64_t nodes;              // per turn of self-play
    unsigned varied;             // as in SelfPlayOptions
    unsigned epochs, jobs;
    double rate;
    unsigned results; // percentage of the loss for results, as in TrainOptions
    uint64_t seed;
    unsigned gate_games; // at most, of the match in nodes, and half of it in time; 0: every network is the best
    double gate_seconds; // per turn of the second match
    const atomic_bool *stop;
    Reporter *reporter;
} TrainRunOptions;

// The losses of an epoch; see TrainProgress.
typedef struct {
    double trained, held, result, simple;
} TrainEpoch;

typedef struct {
    unsigned games; // of this generation
    unsigned all_games, epochs;
    uint64_t positions; // held out
    TrainEpoch epoch[TRAIN_EPOCHS_MAX];
    bool has_network;            // it was trained
    bool has_nodes, has_seconds; // the matches were played
    HeadToHead nodes, seconds;   // of the new network against the best one before
    bool is_finished, is_best;   // accepted
} TrainGeneration;

typedef struct {
    const TrainRunOptions *options;
    unsigned count; // of generations that have begun
    TrainGeneration generations[TRAIN_GENERATIONS_MAX];
    unsigned best; // number of the generation with the best network, from 1; 0: the one before the first
    double began;  // clock_seconds
} TrainRun;

// STATUS_INTERRUPTED if `stop` was raised; everything is stored.
Status train_run(TrainRun *run, const TrainRunOptions *options, Error *error);

// The results so far.
json_t *train_run_json(const TrainRun *run);

// The losses by epoch as an SVG file.
void train_run_plot(const TrainRun *run, Text *text);
