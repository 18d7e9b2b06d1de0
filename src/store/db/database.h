// The database: agents, openings, matches, games with every stone and its time, imported games, ratings, jobs. It is a
// SQLite file or a database of a PostgreSQL server.
//
// A Database is thread-safe, and several programs may use the same one. Each call that changes data is one transaction:
// after STATUS_OK the change survives the end of the program, even kill -9; after a failure nothing has changed. If the
// server is lost (STATUS_IO), it is unknown whether the change was stored, and the next call reconnects. Times are
// milliseconds since 1970 (clock_unix_ms), 0 if unknown. docs/database.md explains the tables and power cuts.
#pragma once

#include "agents/agent.h"
#include "match/own_counts.h"
#include "match/results.h"
#include "store/files/record.h"

typedef struct Database Database;

// Opens a database, creates it if necessary, and migrates an older one. `path` is a file or a PostgreSQL connection
// string (store/db/connection.h), whose database must exist but may be empty. NULL: $KROW_DB, or else krow.db in the
// user's data folder. Fails for other files, databases of other programs, and those of a newer krow.
Status database_open(const char *path, Database **db, Error *error);

// Opens a database to read books or patterns only; `*db` stays NULL if it does not exist, and nothing is created. A
// writable one is opened as above, another one read-only (for files see database_sqlite_read.c): changes then fail.
// Calls that read books or patterns accept NULL as a database without any.
Status database_open_to_read(const char *path, Database **db, Error *error);
void database_close(Database *db); // NULL is fine

// Reads are cancelled, with a failure, at this time (clock_seconds); 0: never. Transactions that write are not: one
// that has run out of time could not be rolled back either.
void database_set_deadline(Database *db, double deadline);

// The file, or the connection text without secrets.
const char *database_path(const Database *db);

typedef struct {
    const char *engine;      // "SQLite", "PostgreSQL"
    char engine_version[64]; // "15.4"
    int64_t version;         // of the schema
    int64_t bytes;           // on the disk
} DatabaseAbout;

Status database_describe(Database *db, DatabaseAbout *about, Error *error);

// Checks every page and every reference; the error describes the first problem.
Status database_check(Database *db, Error *error);

// --- Matches ---

typedef enum { DATABASE_MATCH, DATABASE_TOURNAMENT } DatabaseKind;

typedef struct {
    int64_t id; // filled when read
    DatabaseKind kind;
    Rules rules;
    const char *spec;   // the whole configuration as text, equal for equal runs: --resume finds a match by it
    const char *sprt;   // the SPRT settings as numbers separated by spaces; NULL: no SPRT
    const char *origin; // who started it: "web", or NULL for the command line
    int64_t created;
    int64_t finished; // 0: unfinished
    int64_t games;    // filled when read: number of stored games
} DatabaseMatch;

enum { DATABASE_SPRT_SIZE = 128 };

// All sinks: the arguments are valid during the call, the sink may use the database, and false ends the iteration.
typedef bool DatabaseMatchSink(void *context, const DatabaseMatch *match);

Status database_begin_match(Database *db, const DatabaseMatch *match, int64_t *id, Error *error);

// The newest match with this spec; 0 if there is no such match.
Status database_find_match(Database *db, const char *spec, int64_t *id, Error *error);

// Marks a match as finished; an earlier finish time is kept.
Status database_finish_match(Database *db, int64_t id, int64_t finished, Error *error);

// All matches, oldest first; or at most `most` of them, newest first.
Status database_each_match(Database *db, DatabaseMatchSink *sink, void *context, Error *error);
Status database_newest_matches(Database *db, unsigned most, DatabaseMatchSink *sink, void *context, Error *error);

// One match; the sink is not called if it does not exist.
Status database_read_match(Database *db, int64_t id, DatabaseMatchSink *sink, void *context, Error *error);

// Only the results of the games of a match, by number: for tables of many games. This sink may not use the database.
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
    // May be longer than the fields of `record`, for example exec: commands. When added, NULL means the record's
    // text; when read, they are always set, and the record has them truncated.
    const char *first, *second, *reason;
    unsigned opening; // number of stones at the start that come from the opening
    uint64_t seed;
    Fault fault;
    Side faulty; // whose fault, if any
    int64_t started, ended;
    OwnCounts own[2];         // counts that the agents of a match reported about their turns
    const char *source;       // filled when read: the imported file, or NULL
    const GameRecord *record; // rules, result, event, date, set-up position, stones and their times
} DatabaseGame;

// Selects games; all zero: every game.
// Played in a match, imported from a file, or saved by the web board.
typedef enum { DATABASE_ALL, DATABASE_PLAYED, DATABASE_IMPORTED, DATABASE_SAVED } DatabaseOrigin;

typedef struct {
    int64_t match;      // 0: all
    const Rules *rules; // NULL: all
    const char *agent;  // as either side; NULL: all
    DatabaseOrigin origin;
    bool without_saved;   // leaves out games that the web board saved
    Result result;        // RESULT_NONE: all
    const char *player;   // in the name of either side, in any case; NULL: all
    const char *text;     // in a name, the event, the date, the reason or the stones; NULL: all
    int64_t since, until; // ended at or after, and before; 0: all
    int64_t before;       // only games with a smaller id; 0: all
    double deadline;      // clock_seconds at which functions that support it cancel the statement; 0: never
} DatabaseFilter;

typedef bool DatabaseGameSink(void *context, const DatabaseGame *game);

// Stores a game of a match. STATUS_FAILED if the match has a game with this number.
Status database_add_game(Database *db, const DatabaseGame *game, Error *error);

// The games of a filter (NULL: all) at the start of the call, those of one match by number, else oldest first.
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

// Readers replay every game. Without a sink for damage, a game whose stones, times or result are wrong ends the reading
// with an error. With one, it is passed to the sink and left out. The sink may not use the database.
typedef struct {
    int64_t id, match, number; // of the row; its match and its number within it, if they can be read
    const char *reason;
    bool was_changed; // since it was stored, or it has no checksum
} DatabaseDamage;

typedef void DatabaseDamageSink(void *context, const DatabaseDamage *damage);
void database_on_damage(Database *db, DatabaseDamageSink *sink, void *context); // each may be NULL

// From now on readers of games and patterns also find changes that leave a valid row, by its checksum.
void database_check_changes(Database *db);

// Deletes games with all that belongs to them. `*removed` is the number of those that existed.
Status database_remove_games(Database *db, const int64_t *ids, size_t count, uint64_t *removed, Error *error);

// One game; the sink is not called if it does not exist.
Status database_read_game(Database *db, int64_t id, DatabaseGameSink *sink, void *context, Error *error);

// --- Import ---

// The import of one file. Zero all fields except `source`; end with database_import_close.
typedef struct {
    const char *source;
    uint64_t added; // games stored
    uint64_t known; // games that were stored before
    struct DatabaseSeen *seen;
} DatabaseImport;

// Stores games of a file in one transaction; may be called repeatedly for one file. Games that were imported before
// (same rules, position, stones, result, names, event and date) are skipped, but duplicates within a file are kept.
// After a failure import the file again from its beginning.
Status database_import(Database *db, DatabaseImport *import, const GameRecord *records, size_t count, Error *error);
void database_import_close(DatabaseImport *import);

// --- Saved games ---

// Games that people finished on the web board. A saved game is stored like an imported one, with a source of its own,
// so that searches, exports and reviews find it; ratings leave it out.
enum { DATABASE_KEY_SIZE = 64 };

typedef struct {
    const char *key; // identifies the game: saving the same key again replaces it
    int64_t started, ended;
    const GameRecord *record;
} DatabaseSavedGame;

Status database_save_game(Database *db, const DatabaseSavedGame *game, int64_t *id, Error *error);

// Stores the SGF properties of a reviewed game, if it is a saved game with the same stones.
Status database_save_review(Database *db, int64_t id, const GameRecord *record, bool *is_stored, Error *error);

// Removes a saved game; games of matches and files are never removed.
Status database_remove_saved(Database *db, int64_t id, bool *is_removed, Error *error);

// --- Results and ratings ---

typedef struct {
    char *name;      // owned
    bool is_foreign; // from an imported game; never the same as an agent of that name
    FaultCounts faults;
} DatabaseAgent;

// The games with a result of one agent as first player against another, from the first player's view.
typedef struct {
    unsigned first, second; // into `agents`
    Tally games;
} DatabasePair;

typedef struct {
    DatabaseAgent *agents; // by name, those of imported games last
    DatabasePair *pairs;
    unsigned agent_count, pair_count;
} DatabaseResults;

// The results of the games of a filter (NULL: all); STATUS_FAILED if its deadline passed. Close also after a failure.
// Without games that the web board saved, unless the filter asks for them: people take turns back and try again.
Status database_results(Database *db, const DatabaseFilter *filter, DatabaseResults *results, Error *error);
void database_results_close(DatabaseResults *results);

// The rules of the games with a result, those with the most games first. This sink may not use the database.
typedef bool DatabaseRulesSink(void *context, const Rules *rules, uint64_t games);
Status database_each_rules(Database *db, DatabaseRulesSink *sink, void *context, Error *error);

// The pairs as the square table for ratings_fit. The caller frees it.
Tally *database_results_table(const DatabaseResults *results);

typedef struct {
    const char *agent;
    bool is_foreign;
    double rating, error; // in Elo; the error may be INFINITY
    uint32_t games;
} DatabaseRating;

typedef struct {
    const char *name;
    const Rules *rules; // NULL: for several games
    int64_t computed;
} DatabaseRatingList;

// Earlier lists of the same name and rules are kept.
Status database_save_ratings(Database *db, const DatabaseRatingList *list, const DatabaseRating *ratings, size_t count,
                             Error *error);

// --- Notifications ---

// Subscribes database_wait to a channel, a name of small letters and underscores. The subscription survives lost
// connections, but notifications sent meanwhile are lost: check for work before each wait.
Status database_listen(Database *db, const char *channel, Error *error);

// Waits for a notification, at most `seconds`, or until a signal arrives. SQLite has no channels: every change by
// another connection counts. Other threads may use the database meanwhile.
Status database_wait(Database *db, double seconds, bool *was_notified, Error *error);
