// Matches and tournaments of the web board: begun from the page, watched while they are played, paused, resumed after
// the program was ended in whatever way, and looked at afterwards. They are kept in the database as `krow match` keeps
// them.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_matches_routes[];

Status web_matches_open(WebMatches **result, WebContext *context, Error *error);

// Stops what is played, which can be resumed later, and waits for it; NULL is fine.
void web_matches_close(WebMatches *matches);
