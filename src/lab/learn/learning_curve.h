// How an agent did while it learned: games one after another, and after each of them the score so far and what is
// known. Szóts and Harmati, section 5.2: the cumulative win percentage with draws as halves, beside the number of
// patterns.
#pragma once

#include "match/own_counts.h"
#include "match/stats.h"

// The last games of a curve, which show how the agent plays now; the score of all games includes the beginning.
enum { LEARNING_RECENT = 100 };

typedef struct {
    double value;
    Interval limits; // of 95 %
} LearningScore;

// After a game. Sums are those of all games up to it.
typedef struct {
    Tally games; // seen from the agent that learns
    LearningScore score;
    LearningScore recent; // of the last LEARNING_RECENT games, or of all where there are fewer
    uint64_t learned, refuted, undecided;
    uint64_t unsaved; // of those learned: they could not be written, and are lost with the agent
} LearningPoint;

// The limits stand on the variance of pairs with colours reversed, as in docs/statistics.md. They take the pairs for
// independent, which those of an agent that changes are not quite.
typedef struct {
    uint64_t before; // what was known before the first game; may be found out later
    unsigned count, capacity;
    HeadToHead pairs; // of all games but the one that has no twin yet
    uint8_t *half_points;
    LearningPoint *points;
} LearningCurve;

// Room for that many games. Zeroed is a curve without room.
void learning_curve_open(LearningCurve *curve, unsigned games);
void learning_curve_close(LearningCurve *curve);

// The next game: half points of the agent that learns, and what it counted under the names learned, refuted,
// undecided and unsaved. Games 2i and 2i + 1 of a curve are a pair with colours reversed.
void learning_curve_add(LearningCurve *curve, unsigned half_points, const OwnCounts *own);

// Patterns that were learned and saved.
uint64_t learning_point_saved(const LearningPoint *point);

// What is known after that many games: what could not be saved is not.
uint64_t learning_curve_patterns(const LearningCurve *curve, unsigned games);

// After the last game; all zero and without limits before the first.
LearningPoint learning_curve_end(const LearningCurve *curve);
