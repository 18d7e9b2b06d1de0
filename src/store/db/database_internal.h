// What the files of the database share: the connection, statements, transactions. Only the drivers know which database
// it is (database_driver_internal.h); the SQL that both engines share is in database_sql.c.
#pragma once

#include "store/db/database.h"

#include <pthread.h>

// Every statement but those that depend on a filter; the texts are in database_sql.c, prepared once and kept.
typedef enum {
    QUERY_BEGIN,
    QUERY_BEGIN_TO_READ,
    QUERY_COMMIT,
    QUERY_ROLLBACK,
    QUERY_LOCK,
    QUERY_NOTIFY,
    QUERY_MATCH_ADD,
    QUERY_MATCH_FIND,
    QUERY_MATCH_FINISH,
    QUERY_MATCH_IDS,
    QUERY_MATCH_IDS_NEWEST,
    QUERY_MATCH,
    QUERY_AGENT_ADD,
    QUERY_SOURCE_ADD,
    QUERY_OPENING_ADD,
    QUERY_GAME_ADD,
    QUERY_GAME,
    QUERY_GAME_HEAD,
    QUERY_GAME_SCORES,
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
    QUERY_JOB_ADD,
    QUERY_JOB_FIND,
    QUERY_JOB_FIND_SAME,
    QUERY_JOB_STATE,
    QUERY_JOB_IDS,
    QUERY_JOB_IDS_NEWEST,
    QUERY_JOB_NEXT,
    QUERY_JOB,
    QUERY_JOB_CHANGE,
    QUERY_JOBS_CLOSE,
    QUERY_UNITS_DROP,
    QUERY_UNITS_RETRY,
    QUERY_UNITS_EXPIRE,
    QUERY_UNIT_ADD,
    QUERY_UNIT_FIND,
    QUERY_UNIT_HELD,
    QUERY_UNIT_TAKE,
    QUERY_UNIT_CUT,
    QUERY_UNIT_FINISH,
    QUERY_UNIT_RETURN,
    QUERY_UNIT_FAIL,
    QUERY_UNIT_BEAT,
    QUERY_UNIT_STATE,
    QUERY_WORKER_ADD,
    QUERY_WORKER_BEAT,
    QUERY_WORKER_END,
    QUERY_WORKERS,
    QUERY_WORKERS_NEWEST,
    QUERY_ANSWER_ADD,
    QUERY_ANSWERS_FROM,
    QUERY_GAMES_FROM,
    QUERY_GAMES_COUNTS_FROM,
    QUERY_COUNT,
} QueryName;

extern const char *const query_texts[QUERY_COUNT];

// Step n brings a database of version n to version n + 1. Steps that have been released are never changed.
extern const char *const migrations[];
extern const int migration_count;

typedef struct Driver Driver; // database_driver_internal.h

struct Database {
    pthread_mutex_t lock; // held during every use of what follows
    const Driver *driver;
    void *connection;        // the driver's
    void *kept[QUERY_COUNT]; // its statements
    char *path;              // as people are shown it: a file, or a connection text without secrets
    double deadline;         // clock_seconds at which statements are given up; 0: never
    bool is_in_transaction;
    bool had_conflict;       // since the transaction began
    struct Attempt *attempt; // that it is, if it may be tried again
};

// --- Opening: database.c and database_versions.c ---

// Opens a database without looking at the version of its tables.
Status database_connect(const char *where, Database **db, Error *error);

// Applies those of the first `count` steps that are missing, each in a transaction of its own.
Status database_migrate(Database *db, const char *const *steps, int count, Error *error);

// A failure of the database as a status, in words.
Status database_failed(Database *db, int code, Error *error);

// --- Statements: database_query.c ---

// A statement under way. The first failure stays and later calls do nothing, so only the end has to be looked at.
// Parameters are bound in order; texts must live until the end. The lock must be held from beginning to end.
typedef struct {
    Database *db;
    void *statement; // the driver's
    bool is_kept;    // belongs to the database
    int bound;       // parameters so far
    int code;        // of the driver, 0 while all is well
} Query;

typedef enum { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_BLOB } ColumnType;

Query query_use(Database *db, QueryName name);
Query query_prepare(Database *db, const char *sql); // for once

void query_bind_int(Query *query, int64_t value);
void query_bind_id(Query *query, int64_t value); // also for moments: 0 is NULL
void query_bind_real(Query *query, double value);
void query_bind_text(Query *query, const char *text); // NULL is NULL
void query_bind_span(Query *query, Span text);
void query_bind_null(Query *query, ColumnType type);
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
// From now on, and until it is set to 0, statements are given up at this time (clock_seconds).
void query_set_deadline(Database *db, double deadline);

// Whether a statement was given up because of its time; it is then as if it had come to its end.
bool query_ran_out(Query *query);

bool query_is_orphan(const Query *query); // after the end: it failed because something referred to is missing

// The numbers of the first column of all rows; ends the query. Also after a failure `numbers` is to be freed.
typedef struct {
    int64_t *list; // owned
    size_t count, capacity;
} Numbers;

void numbers_add(Numbers *numbers, int64_t number);
Status query_numbers(Query *query, Numbers *numbers, Error *error);

void database_lock(Database *db);
void database_unlock(Database *db);

// Transactions that may write are tried again when another one was in the way, so what is between the two calls may
// run several times:
//
//     for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
//         status = transaction_end(db, change(db, …, error), error);
//
// transaction_try locks and begins; false when all is done or has failed, with `*status` telling which, and at once
// where something before has failed.
typedef struct Attempt {
    unsigned tries;
    bool had_conflict;
} Attempt;

bool transaction_try(Database *db, Attempt *attempt, Status *status, Error *error);

// Locks and begins a transaction that only reads, all of it in one state; failed, it is unlocked.
Status transaction_begin_to_read(Database *db, Error *error);

// Commits if `status` is STATUS_OK, else takes all back; unlocks. Returns what became of it.
Status transaction_end(Database *db, Status status, Error *error);

// Within a transaction: others that want the same wait until its end. Where there is one writer at a time anyway, that
// is so without asking. The numbers are those of PostgreSQL's advisory locks, and are never given to anything else.
typedef enum { LOCK_TABLES = 1, LOCK_BOOKS = 2, LOCK_PATTERNS = 3 } TransactionLock;
Status transaction_lock(Database *db, TransactionLock what, Error *error);

// Within a transaction: wakes those that listen (database_wait), once it is committed.
Status transaction_notify(Database *db, const char *channel, Error *error);

// --- Shared by games, imports and results ---

Fault fault_of_name(const char *name);

// A statement over the games of a filter (NULL: all), bound and ready to run: their ids, their results by pairs, how
// many there are; the newest ids, with a limit and an offset to be bound; the newest ids with position and stones, with
// a limit to be bound.
typedef enum { FILTERED_IDS, FILTERED_PAIRS, FILTERED_COUNT, FILTERED_NEWEST, FILTERED_STONES } FilteredName;
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

void game_columns_fill(GameColumns *columns, const GameRecord *record); // reuses the memory
void game_columns_close(GameColumns *columns);

// Where an added game comes from, and the row that it became; game->record must be set.
typedef struct {
    bool is_foreign;
    const char *source;
    Span hash;
    unsigned copy;
    int64_t id; // result; 0 if the game was there before
} GameOrigin;

// Inserts a game whose agents have been added. Inside a transaction.
Status database_insert_game(Database *db, const DatabaseGame *game, const GameColumns *columns, GameOrigin *origin,
                            Error *error);

// A game of a match with what its agents counted, the agents being there already. Inside a transaction.
Status database_insert_played(Database *db, const DatabaseGame *game, const GameColumns *columns, Error *error);
