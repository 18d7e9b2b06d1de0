// The ratings that an agent gives to the cells of a position, as JSON and as a grid of text.
#pragma once

#include "agents/agent.h"

#include <jansson.h>

// Opens an agent that rates cells, and asks it about the next stone of a game that is not over; close it in any case.
// Fails for agents that decide whole turns; the error lists those that rate cells.
Status view_rate(Span name, const Game *game, const AgentHost *host, Agent *agent, Error *error);

// Whether no other cell has a higher rating.
bool view_is_best(const Ratings *ratings, double utility);

// A rating in at most 7 characters.
enum { RATING_SIZE = 16 };
const char *view_rating(double utility, char text[RATING_SIZE]);

// "agent", "turn", "value" of the board (null: the agent has none), "best" cells, and "ratings": "cell" and "rating".
json_t *view_ratings(const Agent *agent, const Game *game);

// The board as a grid: stones, ratings, a star before the best ones, a dot on cells that are not rated.
void view_add_ratings(const Agent *agent, const Game *game, Text *text);
