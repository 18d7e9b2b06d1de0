// What a match or a tournament came to: as text, JSON, HTML and PGN.
#pragma once

#include "frontends/lab.h"
#include "match/ratings.h"

#include <jansson.h>

void report_match_text(const Lab *lab);
json_t *report_match_json(const Lab *lab);

// Ratings of all agents of a tournament, best first in `order`; the caller frees both.
typedef struct {
    AgentRating *ratings; // by agent
    unsigned *order;
    RatingFit fit;
} RatedAgents;

Status report_rate(const Lab *lab, RatedAgents *rated, Error *error);
void report_rated_close(RatedAgents *rated);

void report_tournament_text(const Lab *lab, const RatedAgents *rated);
json_t *report_tournament_json(const Lab *lab, const RatedAgents *rated);

// Self-contained pages: tables and SVG plots, nothing from a network.
Status report_html(const Lab *lab, const RatedAgents *rated, const char *path, Error *error);
void report_html_text(const Lab *lab, const RatedAgents *rated, Text *text);

// One result a game, without moves, for programs that compute ratings.
Status report_pgn(const Lab *lab, const char *path, Error *error);
void report_pgn_text(const Lab *lab, Text *text);

// The games of a against b, both colours, seen from a.
Tally report_between(const Lab *lab, unsigned a, unsigned b);

// A number for JSON, null where it is not finite.
json_t *report_number(double number);
