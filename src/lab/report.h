// Results of a match or a tournament as JSON, HTML and PGN.
#pragma once

#include "lab/match_run.h"
#include "match/ratings.h"

#include <jansson.h>

json_t *report_match_json(const MatchRun *run);

// Ratings of all agents, and their order from the best; report_rated_close frees both.
typedef struct {
    AgentRating *ratings; // by agent
    unsigned *order;
    RatingFit fit;
} RatedAgents;

Status report_rate(const MatchRun *run, RatedAgents *rated, Error *error);
Status report_rate_games(const RatingGames *games, const RatingOptions *options, RatedAgents *rated, Error *error);
void report_rated_close(RatedAgents *rated);

json_t *report_tournament_json(const MatchRun *run, const RatedAgents *rated);

// Self-contained pages: tables and SVG plots, without network access.
Status report_html(const MatchRun *run, const RatedAgents *rated, const char *path, Error *error);
void report_html_text(const MatchRun *run, const RatedAgents *rated, Text *text);

// One result per game, without moves, for rating programs.
Status report_pgn(const MatchRun *run, const char *path, Error *error);
void report_pgn_text(const MatchRun *run, Text *text);

// The games that run->keeps_sgf has kept, in order.
Status report_sgf(const MatchRun *run, const char *path, Error *error);

// The games of a against b, both colours, seen from a.
Tally report_between(const MatchRun *run, unsigned a, unsigned b);

// The games of a match that its first-named agent began, and the others, from that agent's view.
Tally report_as_first(const MatchRun *run);
Tally report_as_second(const MatchRun *run);

json_t *report_faults_json(FaultCounts faults);

// An agent of a rating list: name, rating, results and faults.
json_t *report_agent_json(const char *name, const AgentRating *rating, Tally games, FaultCounts faults);

double report_ms_per_turn(const AgentCounts *agent);

// A number with its 95 % error; if it is not finite, with the finite end of its interval: "+∞ (at least +120)".
enum { REPORT_ESTIMATE_SIZE = 64 };
const char *report_estimate(Estimate estimate, char text[REPORT_ESTIMATE_SIZE]);

// A number for JSON; null if it is not finite.
json_t *report_number(double number);
