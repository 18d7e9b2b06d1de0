// Games of the engine against itself, with the score of every turn, to train networks from.
//
// A game begins with a few random stones near each other, such that the search considers it undecided. Each turn then
// searches about `nodes` positions. So that networks also see what the search looks at and good play avoids, some turns
// are varied: one of the best few of a shorter search, without a score. A game ends as soon as its result is proven.
// Game n of a seed is always the same.
#pragma once

#include "base/rng.h"
#include "engine/search/search.h"
#include "engine/train/scored_games.h"

typedef struct {
    Rules rules;
    unsigned smallest, largest; // sides of square boards, chosen at random; 0: the board of the rules
    uint64_t nodes;             // per turn, a quarter more or less
    unsigned varied;            // percentage of turns that are one of several good ones, in every other game
    uint64_t seed;
    const char *network; // as in network_read; borrowed
} SelfPlayOptions;

// What one thread needs.
typedef struct SelfPlay SelfPlay;

Status self_play_check(const SelfPlayOptions *options, Error *error);
SelfPlay *self_play_open(const SelfPlayOptions *options);
void self_play_close(SelfPlay *player); // NULL is fine

// Plays game `number`. STATUS_INTERRUPTED if `stop` was raised before its end.
Status self_play_game(SelfPlay *player, uint64_t number, const atomic_bool *stop, ScoredGame *game, Error *error);
