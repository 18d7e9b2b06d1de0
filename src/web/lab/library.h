// The library of the web board: games of the database, opening books, learned patterns, ratings, and uploaded
// game files.
#pragma once

#include "store/files/record.h"
#include "web/http/api.h"

extern const WebRoute web_library_routes[];

// A game of the database; the record, which is zeroed before, is to be closed. STATUS_BAD_INPUT if it does not exist.
Status web_library_record(WebContext *context, int64_t id, GameRecord *record, Error *error);

// The book's turns for a position: the book of this name, or with "-" the newest one for its rules. NULL on a failure.
json_t *web_library_book(WebCall *call, const char *name, const Game *game);
