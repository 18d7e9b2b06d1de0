// Matches and tournaments of the web board: started from the page, watched, paused, resumed even after a crash, and
// reported. The database stores them like those of `krow match`.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_matches_routes[];

Status web_matches_open(WebMatches **result, WebContext *context, Error *error);

// Stops running matches, which can be resumed later, and waits for them; NULL is allowed.
void web_matches_close(WebMatches *matches);
