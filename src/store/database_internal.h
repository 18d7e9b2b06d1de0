// What the files of the database share: the connection, statements, transactions. Only database_sqlite.c and
// database_query.c know which database it is; every SQL text stands in database_sql.c.
#pragma once

#include "store/database.h"

#include <pthread.h>

// Every statement but those that depend on a filter; the texts are in database_sql.c, prepared once and kept.
typedef enum {
    QUERY_BEGIN,
    QUERY_BEGIN_TO_READ,
    QUERY_COMMIT,
    QUERY_ROLLBACK,
    QUERY_MATCH_ADD,
    QUERY_MATCH_FIND,
    QUERY_MATCH_FINISH,
    QUERY_MATCH_IDS,
    QUERY_MATCH,
    QUERY_AGENT_ADD,
    QUERY_SOURCE_ADD,
    QUERY_OPENING_ADD,
    QUERY_GAME_ADD,
    QUERY_GAME_NUMBERS,
    QUERY_GAME,
    QUERY_GAME_COUNT_ADD,
    QUERY_GAME_COUNTS,
    QUERY_RATING_LIST_ADD,
    QUERY_RATING_ADD,
    QUERY_RATING_LIST,
    QUERY_RATINGS,
    QUERY_BOOK_ADD,
    QUERY_BOOK_EXTEND,
    QUERY_BOOK_NODE_ADD,
    QUERY_BOOK_LINK_ADD,
    QUERY_BOOK_LINKS_REMOVE,
    QUERY_BOOK_NODES_REMOVE,
    QUERY_BOOK_REMOVE,
    QUERY_BOOK_BY_NAME,
    QUERY_BOOK_BY_RULES,
    QUERY_BOOK_NAMES,
    QUERY_BOOK_SIZE,
    QUERY_BOOK_NODES,
    QUERY_BOOK_LINKS,
    QUERY_BOOK_LOOK_UP,
    QUERY_PATTERN_ADD,
    QUERY_PATTERNS,
    QUERY_PATTERNS_FORGET,
    QUERY_PATTERN_SETS,
    QUERY_COUNT,
} QueryName;

extern const char *const query_texts[QUERY_COUNT];

// Step n brings a database of version n to version n + 1. Steps that have been released are never changed.
extern const char *const migrations[];
extern const int migration_count;

struct sqlite3;
struct sqlite3_stmt;

// What a file looked like; after a change it looks otherwise.
typedef struct {
    int64_t size, changed; // in bytes; in nanoseconds
} DatabaseStamp;

struct Database {
    pthread_mutex_t lock; // held during every use of what follows
    struct sqlite3 *connection;
    struct sqlite3_stmt *kept[QUERY_COUNT];
    char *path;
    bool is_to_read;     // opened without the right to write
    bool is_frozen;      // read without locks: what was read counts only while the file has this stamp
    DatabaseStamp stamp; // of a frozen one
};

// --- Connection: database_sqlite.c ---

// Opens a file without looking at the version of its tables.
Status database_connect(const char *path, Database **db, Error *error);

// What can be done with a file: whether it is there, and whether it and its folder can be written.
typedef enum { DATABASE_MISSING, DATABASE_READABLE, DATABASE_WRITABLE } DatabaseAccess;
Status database_access(const char *path, DatabaseAccess *access, Error *error);

// Opens a file that cannot be written. If its tables are not of this version, it is closed again and `*db` is NULL; a
// newer version is an error.
Status database_connect_to_read(const char *path, int version, Database **db, bool *is_current, Error *error);

// Whether a frozen database is no longer what it was when it was opened.
bool database_has_changed(const Database *db);

// Applies those of the first `count` steps that are missing, each in a transaction of its own.
Status database_migrate(Database *db, const char *const *steps, int count, Error *error);

// A failure of the database as a status, in words.
Status database_failed(Database *db, int code, Error *error);

// --- Statements: database_query.c ---

// A statement under way. The first failure stays and later calls do nothing, so only the end has to be looked at.
// Parameters are bound in order; texts must live until the end. The lock must be held from beginning to end.
typedef struct {
    Database *db;
    struct sqlite3_stmt *statement;
    bool is_kept; // belongs to the database
    int bound;    // parameters so far
    int code;     // of the database
} Query;

Query query_use(Database *db, QueryName name);
Query query_prepare(Database *db, const char *sql); // for once

void query_bind_int(Query *query, int64_t value);
void query_bind_id(Query *query, int64_t value); // also for moments: 0 is NULL
void query_bind_real(Query *query, double value);
void query_bind_text(Query *query, const char *text); // NULL is NULL
void query_bind_rules(Query *query, const Rules *rules);
void query_bind_blob(Query *query, Span bytes); // nothing is NULL

bool query_row(Query *query); // steps; false at the end, and after a failure
bool query_is_null(const Query *query, int column);
int64_t query_int(const Query *query, int column); // 0 for NULL
double query_real(const Query *query, int column);
Span query_bytes(const Query *query, int column);       // empty for NULL; until the next step
const char *query_text(const Query *query, int column); // "" for NULL; until the next step

Status query_end(Query *query, Error *error);
Status query_run(Query *query, Error *error); // for statements without rows
bool query_is_orphan(const Query *query);     // after the end: it failed because something referred to is missing

// The numbers of the first column of all rows; ends the query. Also after a failure `numbers` is to be freed.
typedef struct {
    int64_t *list; // owned
    size_t count, capacity;
} Numbers;

bool numbers_add(Numbers *numbers, int64_t number); // false without memory
Status query_numbers(Query *query, Numbers *numbers, Error *error);

void database_lock(Database *db);
void database_unlock(Database *db);

// Locks and begins a transaction that may write; failed, it is unlocked.
Status transaction_begin(Database *db, Error *error);

// The same for one that only reads.
Status transaction_begin_to_read(Database *db, Error *error);

// Commits if `status` is STATUS_OK, else takes all back; unlocks. Returns what became of it.
Status transaction_end(Database *db, Status status, Error *error);

// --- Shared by games, imports and results ---

// A statement over the games of a filter (NULL: all), bound and ready to run: their ids, or their results by pairs.
typedef enum { FILTERED_IDS, FILTERED_PAIRS } FilteredName;
Query query_filtered(Database *db, FilteredName name, const DatabaseFilter *filter);

Status database_add_agent(Database *db, const char *name, bool is_foreign, Error *error);

// Columns of a game that are texts made from its record.
typedef struct {
    char rules[RULES_TEXT_SIZE];
    Text setup;  // empty for none
    Text stones; // "h8 i9 …"
    Text times;  // "120 - 3500 …", empty if none is known
    Text kept;   // SGF properties, see database_games.c
} GameColumns;

Status game_columns_fill(GameColumns *columns, const GameRecord *record, Error *error); // reuses the memory
void game_columns_close(GameColumns *columns);

// What is bound besides; game->record must be set.
typedef struct {
    bool is_foreign;
    const char *source;
    Span hash;
    unsigned copy;
} GameOrigin;

// Inserts a game, its agents being there already; `id` is 0 where it was there before. Inside a transaction.
Status database_insert_game(Database *db, const DatabaseGame *game, const GameColumns *columns,
                            const GameOrigin *origin, int64_t *id, Error *error);
