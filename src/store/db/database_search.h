// Games looked for, newest first, in a bounded time: for people who turn pages.
#pragma once

#include "store/db/database.h"

// A game in short.
typedef struct {
    int64_t id;
    int64_t match, number; // 0: imported
    Rules rules;
    const char *first, *second, *reason, *event, *date;
    Result result;
    unsigned stones;
    int64_t started, ended;
} DatabaseGameHead;

// The sink may use the database, and false ends the walk.
typedef bool DatabaseHeadSink(void *context, const DatabaseGameHead *head);

typedef struct {
    DatabaseFilter filter; // its deadline holds for the whole search; one match is not sorted by number here
    // Games that had exactly these stones with this side to move, or a symmetric picture of them; the filter must have
    // the rules of the board. NULL: all.
    const Board *position;
    bool is_symmetric;
    unsigned offset, limit; // games that are skipped, and those that are reported
    DatabaseHeadSink *sink;
    void *context;
} DatabaseGameSearch;

typedef struct {
    bool is_complete; // all games were looked at, and `total` is how many fit
    uint64_t total;   // else: those that were found to fit
    int64_t next;     // `before` of the search that continues this one; 0: no game is left
} DatabaseFound;

Status database_search_games(Database *db, const DatabaseGameSearch *search, DatabaseFound *found, Error *error);
