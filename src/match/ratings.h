// Ratings of agents from the results of each pair: Bradley-Terry with draws, fitted by maximum likelihood.
//
// The model is Davidson's (1970): a game between strengths a and b is won, drawn and lost with odds a : v sqrt(ab) : b.
// A draw is then worth exactly half a win, as in every tournament table, which Rao and Kupper's model does not give.
// docs/statistics.md explains the scale, the prior and the errors.
#pragma once

#include "base/status.h"
#include "match/stats.h"

enum { RATINGS_MAX_AGENTS = 200 };

#define RATINGS_PRIOR 1.0      // virtual games of each agent against the middle of the field, half won and half lost
#define RATINGS_PRIOR_MIN 1e-6 // small enough for plain maximum likelihood, large enough to stay solvable

// Zeroed is a good choice: mean 0, the default prior, colours ignored.
typedef struct {
    double anchor_rating;
    double prior;         // 0: RATINGS_PRIOR; else at least RATINGS_PRIOR_MIN
    unsigned anchor;      // index of an agent
    bool anchored;        // the anchor has anchor_rating (and error 0); else the mean of all is 0
    bool first_advantage; // also fit the first player's advantage
} RatingOptions;

// The rating of an agent that won or lost every game depends on the prior: it means "at least" or "at most".
typedef enum { RATING_INSIDE, RATING_WON_ALL, RATING_LOST_ALL } RatingEdge;

typedef struct {
    double rating; // in Elo
    double error;  // 95 %, relative to the anchor or the mean; INFINITY for an agent without opponents
    Tally games;   // against all others, in both colours
    RatingEdge edge;
    unsigned group; // from 0, in the order of the agents; ratings of different groups cannot be compared
} AgentRating;

typedef struct {
    unsigned groups;        // sets of agents that no chain of games connects; usually 1
    double draw_share;      // between equal agents, from 0 to 1
    double advantage;       // of the first player, in Elo; 0 if not fitted
    double advantage_error; // 95 %; 0 if not fitted
    unsigned steps;         // Newton steps taken
} RatingFit;

// table[i * agents + j] has the games of i as first player against j, from i's view. The diagonal has games of an agent
// against itself, which contain information about draws and the first player's advantage.
typedef struct {
    const Tally *table;
    unsigned agents;
} RatingGames;

// Rates the agents; deterministic. A group without the anchor has mean 0. Fails for invalid options.
Status ratings_fit(const RatingGames *games, const RatingOptions *options, AgentRating *ratings, RatingFit *fit,
                   Error *error);

// The indices of the agents from the best to the worst.
void ratings_order(const AgentRating *ratings, unsigned agents, unsigned *order);
