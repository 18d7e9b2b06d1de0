// The laboratory's database: agents, openings, matches, games with every stone and its time, imported games, ratings.
// It is a file of SQLite, or a database of a PostgreSQL server.
//
// A Database may be used by many threads at once; it locks itself. Several programs may use the same one. Each call
// that changes something is one transaction: when it returns STATUS_OK the change survives the end of the program, also
// by kill -9; when it fails, nothing has changed. A server that is gone is STATUS_IO: it is then not known whether the
// change of that call was kept, and the next call connects again. Moments are milliseconds since 1970 (clock_unix_ms),
// 0 where unknown. docs/database.md explains the tables and what a power cut may cost.
#pragma once

#include "agents/agent.h"
#include "match/own_counts.h"
#include "match/results.h"
#include "store/files/record.h"

typedef struct Database Database;

// Opens a database, creates it if necessary, and brings an older one up to date. `path` is a file, or a connection
// text of PostgreSQL (store/db/connection.h), whose database must be there but may be empty. NULL: $KROW_DB, or else
// krow.db in the user's data folder. Refused are other files, databases of others and those of a newer krow.
Status database_open(const char *path, Database **db, Error *error);

// Opens a database to read books or patterns only: `*db` stays NULL if it does not exist, and
// nothing is made. One that can be written is opened as above; one that cannot is read as it is (database_sqlite_read.c
// says how for files), and what would change it fails. Calls that read books or patterns take NULL for a database
// without any.
Status database_open_to_read(const char *path, Database **db, Error *error);
void database_close(Database *db); // NULL is fine

// From now on statements that read are given up at this time (clock_seconds), with a failure; 0: never. Not while
// something is changed: a transaction that has run out of time could not be taken back either.
void database_set_deadline(Database *db, double deadline);

// The file, or the connection text without secrets.
const char *database_path(const Database *db);

// What kind of database it is.
typedef struct {
    const char *engine;      // "SQLite", "PostgreSQL"
    char engine_version[64]; // "15.4"
    int64_t version;         // of the tables
    int64_t bytes;           // on the disk
} DatabaseAbout;

Status database_describe(Database *db, DatabaseAbout *about, Error *error);

// Looks at every page and every reference; the error is the first complaint.
Status database_check(Database *db, Error *error);

// --- Matches ---

typedef enum { DATABASE_MATCH, DATABASE_TOURNAMENT } DatabaseKind;

typedef struct {
    int64_t id; // filled when read
    DatabaseKind kind;
    Rules rules;
    const char *spec;   // the whole configuration as text, the same for the same run: --resume finds a match by it
    const char *sprt;   // what a SPRT asks, as numbers with blanks between them; NULL: no SPRT
    const char *origin; // who began it: "web", or NULL for the command line
    int64_t created;
    int64_t finished; // 0: unfinished
    int64_t games;    // filled when read: how many are stored
} DatabaseMatch;

enum { DATABASE_SPRT_SIZE = 128 };

// All sinks: what they get is valid during the call, they may use the database, and false ends the walk.
typedef bool DatabaseMatchSink(void *context, const DatabaseMatch *match);

Status database_begin_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error);

// The newest match with this spec, unfinished or any; 0 if there is no such match.
typedef enum { DATABASE_UNFINISHED, DATABASE_ANY } DatabaseSearch;
Status database_find_match(Database *db, const char *spec, DatabaseSearch search, int64_t *id, Error *error);

// Marks a match as played to its end; the first moment given is kept.
Status database_finish_match(Database *db, int64_t id, int64_t finished, Error *error);

// All matches, oldest first; and the newest ones, at most `most` of them, newest first.
Status database_each_match(Database *db, DatabaseMatchSink *sink, void *context, Error *error);
Status database_newest_matches(Database *db, unsigned most, DatabaseMatchSink *sink, void *context, Error *error);

// One match; the sink is not called if it does not exist.
Status database_read_match(Database *db, int64_t id, DatabaseMatchSink *sink, void *context, Error *error);

// How the games of a match ended, and nothing else of them: for tables of many games. By number. This sink may not use
// the database.
typedef struct {
    int64_t number;
    Result result;
    Fault fault;
    Side faulty;
} DatabaseScore;

typedef bool DatabaseScoreSink(void *context, const DatabaseScore *score);
Status database_each_score(Database *db, int64_t match, DatabaseScoreSink *sink, void *context, Error *error);

// --- Games ---

typedef struct {
    int64_t id;     // filled when read
    int64_t match;  // 0: imported
    int64_t number; // within its match
    // Longer than a record can hold: whole texts of agents (exec: commands) and the reason. When added, NULL means
    // those of the record; when read, they are always there and the record has them as far as they fit.
    const char *first, *second, *reason;
    unsigned opening; // that many of the first stones were given, not decided
    uint64_t seed;
    Fault fault;
    Side faulty; // whose fault, if there is one
    int64_t started, ended;
    OwnCounts own[2];         // what the agents of a match counted about their turns
    const char *source;       // filled when read: the file it was imported from, NULL for none
    const GameRecord *record; // rules, result, event, date, set-up position, stones and their times
} DatabaseGame;

// Which games; all zero: every one.
typedef enum { DATABASE_ALL, DATABASE_PLAYED, DATABASE_IMPORTED } DatabaseOrigin;

typedef struct {
    int64_t match;      // 0: all
    const Rules *rules; // NULL: all
    const char *agent;  // as either side; NULL: all
    DatabaseOrigin origin;
    Result result;   // RESULT_NONE: all
    int64_t before;  // only games with a smaller id; 0: all
    double deadline; // clock_seconds at which a statement is given up, where something looks at it; 0: never
} DatabaseFilter;

typedef bool DatabaseGameSink(void *context, const DatabaseGame *game);

// Stores a game of a match. One with the same number is there already: STATUS_FAILED.
Status database_add_game(Database *db, const DatabaseGame *game, Error *error);

// The games of a filter (NULL: all) as they are when the walk begins, those of one match by number, else oldest first.
Status database_each_game(Database *db, const DatabaseFilter *filter, DatabaseGameSink *sink, void *context,
                          Error *error);

// At most `most` games of a match in order of their numbers, from the number `from`.
typedef struct {
    int64_t match, from;
    unsigned most;
} DatabaseGameRange;

// This sink may not use the database.
Status database_each_game_from(Database *db, const DatabaseGameRange *range, DatabaseGameSink *sink, void *context,
                               Error *error);

// One game; the sink is not called if it does not exist.
Status database_read_game(Database *db, int64_t id, DatabaseGameSink *sink, void *context, Error *error);

// --- Import ---

// The import of one file. Zeroed but for `source`; ends with database_import_close.
typedef struct {
    const char *source;
    uint64_t added; // games stored
    uint64_t known; // games that were there already
    struct DatabaseSeen *seen;
} DatabaseImport;

// Stores games of a file, those of one call in one transaction; call it again for the next ones. Games that were
// imported before (same rules, position, stones, result, names, event and date) are skipped, but where a file holds
// the same game twice, both are kept. After a failure import the file again from its beginning.
Status database_import(Database *db, DatabaseImport *import, const GameRecord *records, size_t count, Error *error);
void database_import_close(DatabaseImport *import);

// --- Results and ratings ---

typedef struct {
    char *name;      // owned
    bool is_foreign; // a name from an imported game; never the same as an agent of that name
    FaultCounts faults;
} DatabaseAgent;

// Games of one agent as first player against another, seen from the first; games without a result are left out.
typedef struct {
    unsigned first, second; // into `agents`
    Tally games;
} DatabasePair;

typedef struct {
    DatabaseAgent *agents; // by name, foreign ones last
    DatabasePair *pairs;
    unsigned agent_count, pair_count;
} DatabaseResults;

// The results of the games of a filter (NULL: all), STATUS_FAILED where its deadline came first. Close also after a
// failure.
Status database_results(Database *db, const DatabaseFilter *filter, DatabaseResults *results, Error *error);
void database_results_close(DatabaseResults *results);

// The pairs as the square table that ratings_fit wants. The caller frees it.
Tally *database_results_table(const DatabaseResults *results);

typedef struct {
    const char *agent;
    bool is_foreign;
    double rating, error; // in Elo; the error may be INFINITY
    uint32_t games;
} DatabaseRating;

typedef struct {
    const char *name;
    const Rules *rules; // NULL: several games together
    int64_t computed;
} DatabaseRatingList;

// Older lists of the same name and rules stay as history.
Status database_save_ratings(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                             Error *error);

// --- Being woken ---

// From now on database_wait hears of this channel, a word of small letters and underscores. It lasts over lost
// connections, but notifications sent meanwhile are lost: look for work before each wait.
Status database_listen(Database *db, const char *channel, Error *error);

// Waits until a channel is notified, that many seconds have passed, or a signal arrives. A file has no channels:
// every change by another connection counts. Other threads may use the database meanwhile.
Status database_wait(Database *db, double seconds, bool *was_notified, Error *error);
