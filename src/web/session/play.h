// Sessions: creating, playing and changing them. docs/api.md describes each request.
#pragma once

#include "web/session/session.h"

extern const WebRoute web_play_routes[];
extern const WebRoute web_insight_routes[]; // what there is to understand about a position (insight.c)

// The session of a request, held and locked; NULL, and 404, if it does not exist.
WebSession *web_play_enter(WebCall *call);

// Runs the action of the route on the session of a request, which is locked, and answers with the state.
WebHandler web_play_act;

// The game at the node that the field or query parameter "node" names; the session is not locked afterwards. 404 as
// above.
Status web_play_game(WebCall *call, Game *game);
