// The positions of scored games from which networks are trained: quiet ones (pattern_board_is_quiet) that were
// searched.
#pragma once

#include "engine/eval/evaluator.h"
#include "engine/train/scored_games.h"
#include "engine/train/train_model.h"

// What all threads share.
typedef struct {
    Rules rules;
    PatternTables *tables; // owned
    NetworkShapes shapes;
    uint32_t *exchanged; // owned; by shape
    unsigned blank;      // pairs of half-lines without stones come first
} TrainFamily;

Status train_family_open(TrainFamily *family, const Rules *rules, Error *error);
void train_family_close(TrainFamily *family); // safe on a zeroed one

// What a thread needs to read games: zeroed, except for the first two.
typedef struct {
    const TrainFamily *family;
    float result_share; // of the loss, where the result counts
    PatternBoard patterns;
    Evaluator simple;
    ScoredGame game;
    // Owned. The shapes of all cells by cell; then those of the position as in TrainPosition.
    uint32_t (*shapes)[4], (*own)[4], (*other)[4];
    float *times;
    // Cells without a stone in reach have the shapes of the empty board, and many of them the same ones, so they are
    // combined: by cell its group, and by group the number in the position, from 1.
    uint16_t *group, *combined; // owned
    unsigned groups;
} TrainPositions;

void train_positions_close(TrainPositions *reader);

// Calls `each` for every position of a game.
typedef void EachTrainPosition(void *context, const TrainPosition *position);
void train_positions_each(TrainPositions *reader, const ScoredGames *games, unsigned number, EachTrainPosition *each,
                          void *context);
