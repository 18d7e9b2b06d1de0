// The learning curve of an agent: after each game the score so far and the number of known patterns. Szóts and Harmati,
// section 5.2: the cumulative win percentage with draws as halves, beside the number of patterns.
#pragma once

#include "match/own_counts.h"
#include "match/stats.h"

// The number of recent games that show the current strength; the score of all games includes the beginning.
enum { LEARNING_RECENT = 100 };

typedef struct {
    double value;
    Interval limits; // 95 %
} LearningScore;

// The state after a game; sums are over all games up to it.
typedef struct {
    Tally games; // from the learning agent's view
    LearningScore score;
    LearningScore recent; // of the last LEARNING_RECENT games, or of all if there are fewer
    uint64_t learned, refuted, undecided;
    uint64_t unsaved;  // learned, but could not be written: lost at the end of the agent
    uint64_t versions; // known patterns with their rotations and reflections; set by learning_run
} LearningPoint;

// The limits use the variance of pairs with colours reversed, as in docs/statistics.md. They assume independent pairs,
// which is only approximately true for an agent that learns.
typedef struct {
    uint64_t before; // patterns known before the first game; may be set later
    unsigned count, capacity;
    HeadToHead pairs; // of all complete pairs
    uint8_t *half_points;
    LearningPoint *points;
} LearningCurve;

// Allocates room for this number of games. Zeroed is a curve without room.
void learning_curve_open(LearningCurve *curve, unsigned games);
void learning_curve_close(LearningCurve *curve);

// Adds a game: the learning agent's half points, and its counts named learned, refuted, undecided and unsaved. Games 2i
// and 2i + 1 of a curve are a pair with colours reversed.
void learning_curve_add(LearningCurve *curve, unsigned half_points, const OwnCounts *own);

// Patterns that were learned and stored.
uint64_t learning_point_saved(const LearningPoint *point);

// Stored patterns after this number of games.
uint64_t learning_curve_patterns(const LearningCurve *curve, unsigned games);

// The mean of curves of the same learning, after each game that all of them have: score, recent score and numbers of
// patterns, rounded. The limits are Student's for the curves as measurements. A single curve keeps its own points.
void learning_curve_mean(const LearningCurve *const *curves, unsigned count, LearningCurve *mean);

// The last point; before the first game zero with NAN scores.
LearningPoint learning_curve_end(const LearningCurve *curve);
