// A search for games, newest first, in limited time: for pages of results.
#pragma once

#include "store/db/database.h"

// The summary of a game.
typedef struct {
    int64_t id;
    int64_t match, number; // 0: imported
    Rules rules;
    const char *first, *second, *reason, *event, *date;
    Result result;
    unsigned stones;
    int64_t started, ended;
} DatabaseGameHead;

typedef bool DatabaseHeadSink(void *context, const DatabaseGameHead *head);

typedef struct {
    DatabaseFilter filter; // its deadline applies to the whole search; the games of one match are not sorted by number
    // Games that had exactly these stones with this side to move, or with is_symmetric a symmetric position; the filter
    // must have the rules of the board. NULL: all.
    const Board *position;
    bool is_symmetric;
    unsigned offset, limit; // games to skip, and to report
    DatabaseHeadSink *sink;
    void *context;
} DatabaseGameSearch;

typedef struct {
    bool is_complete; // all games were checked, and `total` counts all matches
    uint64_t total;   // games found
    int64_t next;     // `before` for the search that continues this one; 0: no game is left
} DatabaseFound;

Status database_search_games(Database *db, const DatabaseGameSearch *search, DatabaseFound *found, Error *error);
