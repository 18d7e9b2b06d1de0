// A search for games, newest first, in limited time: for pages of results.
#pragma once

#include "store/db/database.h"

// The summary of a game.
typedef struct {
    int64_t id;
    int64_t match, number; // 0: imported
    Rules rules;
    const char *first, *second, *reason, *event, *date;
    const char *moves; // all stones: "h8 i9"
    const char *setup; // the position before them (game/fen.h); NULL for the empty board
    Result result;
    unsigned stones;
    int64_t started, ended;
    bool is_saved;    // by the web board
    bool is_reviewed; // the review is stored with the game
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

// The stones of a game from the empty board, for statistics of openings. RESULT_NONE: the game does not count, because
// it began from a set-up position, has no result, or ended with a fault.
typedef struct {
    int64_t id;
    Result result;
    Span stones; // "h8 i9 …"
} DatabaseLine;

// The games of some rules with a larger id than `after`, oldest first, at most `most`. This sink may not use the
// database.
typedef struct {
    const Rules *rules;
    int64_t after;
    unsigned most;
} DatabaseLineRange;

typedef bool DatabaseLineSink(void *context, const DatabaseLine *line);
Status database_each_line(Database *db, const DatabaseLineRange *range, DatabaseLineSink *sink, void *context,
                          Error *error);

// The number of games of these rules up to an id, which shows whether games that were read still exist.
Status database_count_lines(Database *db, const Rules *rules, int64_t last, int64_t *count, Error *error);
