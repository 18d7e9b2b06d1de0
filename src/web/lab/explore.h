// The opening explorer of the web board: games of a few recently explored rules stay in memory.
#pragma once

#include "game/game.h"
#include "web/http/api.h"

extern const WebRoute web_explore_routes[];

WebExplorers *web_explorers_open(void);
void web_explorers_close(WebExplorers *explorers); // NULL is fine

// What games and books say about a position; NULL on a failure.
json_t *web_explore(WebCall *call, const Game *game);
