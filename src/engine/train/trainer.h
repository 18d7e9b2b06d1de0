// Training of networks on scored games: Adam (Kingma and Ba 2015) with a learning rate that falls along a cosine.
//
// Samples are the quiet positions of the games (pattern_board_is_quiet). One game in sixteen is held out. The same
// games in the same order with the same options give the same network, whatever the number of threads.
#pragma once

#include "engine/eval/network.h"
#include "engine/train/scored_games.h"

#include <stdatomic.h>

typedef struct {
    unsigned epoch, epochs; // passes over all games; the first is 1
    double done;            // share of all steps
    double trained;         // loss over the positions of the epoch so far
    bool is_epoch;          // an epoch has ended: the following are set
    double held;            // loss over the held-out positions
    double result, simple;  // the negative logarithm of results alone, by the network and by the simpler evaluation
} TrainProgress;

typedef struct {
    unsigned epochs, threads;
    double rate;         // of learning, at the beginning
    double result_share; // of the loss, for the result of the game; the rest is for the score of the search
    uint64_t seed;
    const char *checkpoint; // a file; an interrupted training continues from it. NULL: none
    const atomic_bool *stop;
    void (*progress)(void *context, const TrainProgress *progress); // NULL: none
    void *context;
} TrainOptions;

TrainOptions train_options(void); // the defaults

typedef struct {
    unsigned games, held_games;
    uint64_t positions, held_positions;
    TrainProgress last; // of the last epoch
} TrainReport;

typedef struct Trainer Trainer;

Status trainer_open(Trainer **opened, const Rules *rules, Error *error);
void trainer_close(Trainer *trainer); // NULL is fine

// Adds all games of a file, which must stay until the training has ended; they must be of the family.
Status trainer_add(Trainer *trainer, const ScoredGames *games, Error *error);

// Trains a network from the beginning. STATUS_INTERRUPTED after `stop`; a checkpoint has then been written.
Status trainer_run(Trainer *trainer, const TrainOptions *options, Network *network, TrainReport *to, Error *error);
