// Shared by the parts of the library.
#pragma once

#include "store/db/database.h"
#include "web/lab/library.h"

// Time limit of a database search, in seconds.
#define WEB_LIBRARY_SECONDS 0.25

// Opens the database to read; `*db` is NULL if it does not exist, and then everything is empty.
Status web_library_open(const WebContext *context, Database **db, Error *error);

// The rules of `game` in a query. `*given` is false without them.
Status web_library_rules(WebCall *call, Rules *rules, bool *given);

// The position of `game` and `moves` in a query.
Status web_library_game(WebCall *call, Game *game);

// Handlers of library_games.c.
WebHandler web_library_get_games, web_library_get_game, web_library_delete_game, web_library_export,
    web_library_post_import;
