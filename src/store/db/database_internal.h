// What the files of the database share. A statement is prepared SQL, a Query is a statement being run with parameters
// and rows, and a QueryName names a statement that is kept prepared. Only the drivers (database_driver_internal.h) know
// the engine.
#pragma once

#include "store/db/database.h"

#include <pthread.h>

// The statements that are prepared once and kept: all except those that depend on a filter.
typedef enum {
#define QUERY(name, text) QUERY_##name,
#include "store/db/database_queries.def"
#undef QUERY
    QUERY_COUNT
} QueryName;

extern const char *const query_texts[QUERY_COUNT];

// Step n migrates a database from version n to n + 1: the files of store/db/schema. Released steps are never changed.
extern const Span migrations[];
extern const unsigned migrations_count;

static inline int migration_count(void)
{
    return (int)migrations_count;
}

typedef struct Driver Driver; // database_driver_internal.h

struct Database {
    pthread_mutex_t lock; // protects the other fields
    const Driver *driver;
    void *connection;              // the driver's
    void *kept[QUERY_COUNT];       // the driver's statements
    char *path;                    // for display: a file, or a connection string without secrets
    double deadline;               // clock_seconds at which statements are cancelled; 0: never
    DatabaseDamageSink *on_damage; // NULL: damage is an error
    void *damage_context;
    bool checks_changes; // readers compare checksums
    bool is_in_transaction;
    bool had_conflict;       // since the transaction began
    struct Attempt *attempt; // of the current transaction, if it may be retried
};

// --- Opening: database.c and database_versions.c ---

// Opens a database without checking the version of its tables.
Status database_connect(const char *where, Database **db, Error *error);

// Applies the missing ones of the first `count` steps, each in its own transaction.
Status database_migrate(Database *db, const Span *steps, int count, Error *error);

// Sets the error for a code of the driver and notes conflicts.
Status database_failed(Database *db, int code, Error *error);

// --- Statements: database_query.c ---

// The first failure is kept and makes later calls no-ops, so only query_end needs checking. Parameters are bound in
// order; texts must live until the end. Hold the lock from beginning to end.
typedef struct {
    Database *db;
    void *statement; // the driver's
    bool is_kept;    // `statement` belongs to the database
    int bound;       // number of parameters bound
    bool is_over;    // the last row was read: another step would run the statement again
    int code;        // of the driver, 0 for success
} Query;

typedef enum { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_BLOB } ColumnType;

// The value of a parameter or column: one of number, real and bytes, by its type.
typedef struct {
    ColumnType type;
    bool is_null;
    bool is_copied; // the driver must copy the bytes: they do not live until the end of the statement
    int64_t number;
    double real;
    Span bytes;         // of texts and blobs
    const Rules *rules; // bound as their text form
} Value;

static inline Value value_int(int64_t number)
{
    return (Value){.type = COLUMN_INT, .number = number};
}

// Also for times: 0 is NULL.
static inline Value value_id(int64_t number)
{
    return (Value){.type = COLUMN_INT, .number = number, .is_null = number == 0};
}

static inline Value value_real(double real)
{
    return (Value){.type = COLUMN_REAL, .real = real};
}

static inline Value value_text(const char *text) // a null pointer is NULL
{
    return (Value){.type = COLUMN_TEXT, .bytes = span_of(text != NULL ? text : ""), .is_null = text == NULL};
}

static inline Value value_rules(const Rules *rules)
{
    return (Value){.type = COLUMN_TEXT, .rules = rules, .is_copied = true};
}

static inline Value value_blob(Span bytes) // an empty span is NULL
{
    return (Value){.type = COLUMN_BLOB, .bytes = bytes, .is_null = bytes.length == 0};
}

// The values of all parameters of a statement.
typedef struct {
    const Value *list;
    size_t count;
} Values;

#define VALUES(...) ((Values){(const Value[]){__VA_ARGS__}, sizeof((const Value[]){__VA_ARGS__}) / sizeof(Value)})
#define NO_VALUES ((Values){0})

Query query_use(Database *db, QueryName name);
Query query_with(Database *db, QueryName name, Values values);
Query query_prepare(Database *db, const char *sql); // used once
void query_bind(Query *query, Value value);

bool query_row(Query *query); // the next row; false at the end and after a failure
Value query_value(const Query *query, int column, ColumnType type);
bool query_is_null(const Query *query, int column);
int64_t query_int(const Query *query, int column);      // 0 for NULL
Span query_bytes(const Query *query, int column);       // empty for NULL; until the next step
const char *query_text(const Query *query, int column); // "" for NULL; until the next step

Status query_end(Query *query, Error *error);
// The same for rows that were processed with `status`: the first failure counts.
Status query_end_after(Query *query, Status status, Error *error);
Status query_run(Query *query, Error *error); // skips the remaining rows

// Run a statement; `*number` (may be NULL) is the first column of its first row, 0 without a row. database_get takes
// the lock, database_change runs it in a transaction.
Status query_number(Query *query, int64_t *number, Error *error);
Status query_execute(Database *db, QueryName name, Values values, int64_t *number, Error *error);
Status database_get(Database *db, QueryName name, Values values, int64_t *number, Error *error);
Status database_change(Database *db, QueryName name, Values values, int64_t *number, Error *error);

// Statements are cancelled at this time (clock_seconds) until it is set to 0.
void query_set_deadline(Database *db, double deadline);

// Whether the statement was cancelled at its deadline; clears the failure.
bool query_ran_out(Query *query);

bool query_is_orphan(const Query *query); // after the end: it failed because a referenced row is missing

// The first column of all rows as numbers; ends the query. Free `list` also after a failure.
typedef struct {
    int64_t *list; // owned
    size_t count, capacity;
} Numbers;

// The first column of all rows as texts; ends the query.
typedef struct {
    char **list; // owned
    size_t count;
} TextList;

Status query_text_list(Query *query, TextList *texts, Error *error);
void text_list_close(TextList *texts);

// Owned copies of a row's texts; set `count` to 0 before the next row. Close also after a failure.
typedef struct {
    Text list[8];
    unsigned count;
} RowTexts;

const char *row_text(RowTexts *texts, const Query *row, int column); // NULL for NULL; without unsafe characters
const char *row_line(RowTexts *texts, const Query *row, int column); // the same as one line, for names
void row_texts_close(RowTexts *texts);

Side row_side(const Query *row, int column);

void numbers_add(Numbers *numbers, int64_t number);
Status query_numbers(Query *query, Numbers *numbers, Error *error);

void database_lock(Database *db);
void database_unlock(Database *db);

// Transactions that may write are retried after a conflict, so the body of this loop may run several times:
//
//     for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, error);)
//         status = transaction_end(db, change(db, …, error), error);
//
// transaction_try locks and begins. It returns false when the transaction is done or has failed, and at once if
// `*status` is a failure before it. IN_TRANSACTION is the whole loop as an expression.
typedef struct Attempt {
    unsigned tries;
    bool had_conflict;
} Attempt;

bool transaction_try(Database *db, Attempt *attempt, Status *status, Error *error);

#define IN_TRANSACTION(db, change, error)                                                                              \
    __extension__({                                                                                                    \
        Status outcome = STATUS_OK;                                                                                    \
        for (Attempt attempt = {0}; transaction_try(db, &attempt, &outcome, error);)                                   \
            outcome = transaction_end(db, change, error);                                                              \
        outcome;                                                                                                       \
    })

// Locks and begins a transaction that reads one snapshot; unlocks on failure.
Status transaction_begin_to_read(Database *db, Error *error);

// Runs an expression of type Status in such a transaction.
#define IN_SNAPSHOT(db, work, error)                                                                                   \
    __extension__({                                                                                                    \
        Status begun = transaction_begin_to_read(db, error);                                                           \
        begun == STATUS_OK ? transaction_end(db, work, error) : begun;                                                 \
    })

// Commits if `status` is STATUS_OK, else rolls back; unlocks. Returns the first failure.
Status transaction_end(Database *db, Status status, Error *error);

// Within a transaction: waits for other holders of the same lock, and holds it until the end. Does nothing if the
// engine has one writer anyway. The numbers are PostgreSQL advisory locks and must never be reused.
typedef enum { LOCK_TABLES = 1, LOCK_BOOKS = 2, LOCK_PATTERNS = 3 } TransactionLock;
Status transaction_lock(Database *db, TransactionLock what, Error *error);

// Within a transaction: notifies waiters (database_wait) on commit.
Status transaction_notify(Database *db, const char *channel, Error *error);

// --- Checksums: database_tables.c ---

// A letter of a list of types.
static inline ColumnType column_type_of(char letter)
{
    return letter == 'i' ? COLUMN_INT : letter == 'r' ? COLUMN_REAL : letter == 't' ? COLUMN_TEXT : COLUMN_BLOB;
}

// FNV-1a over values, without rules; and over the first columns of a row, one letter each.
uint64_t checksum_of(Values values);
uint64_t checksum_of_row(const Query *row, const char *types);

// --- Shared by games, imports and results ---

// The checksum of the counts of a game, in any order; part of that of the game.
uint64_t checksum_of_counts(const OwnCounts own[2]);

// Within a transaction: writes the checksum of a game that a statement has changed.
Status database_seal_game(Database *db, int64_t id, Error *error);

Fault fault_of_name(const char *name);

// A bound statement over the games of a filter (NULL: all): their ids, results by pairs, or count; the newest ids (bind
// limit and offset); the newest ids with position and stones (bind limit).
typedef enum { FILTERED_IDS, FILTERED_PAIRS, FILTERED_COUNT, FILTERED_NEWEST, FILTERED_STONES } FilteredName;
Query query_filtered(Database *db, FilteredName name, const DatabaseFilter *filter);

Status database_add_agent(Database *db, const char *name, bool is_foreign, Error *error);

// Columns of a game whose texts are made from its record.
typedef struct {
    char rules[RULES_TEXT_SIZE];
    Text setup;  // empty for none
    Text stones; // "h8 i9 …"
    Text times;  // "120 - 3500 …" in ms, empty if none is known
    Text kept;   // SGF properties, see database_games.c
} GameColumns;

void game_columns_fill(GameColumns *columns, const GameRecord *record); // reuses the memory
void game_columns_close(GameColumns *columns);

// Where an added game comes from; `id` is the result.
typedef struct {
    bool is_foreign;
    const char *source;
    Span hash;
    unsigned copy;
    int64_t id; // 0 if the game was stored before
} GameOrigin;

// Inserts a game whose agents have been added. Inside a transaction.
Status database_insert_game(Database *db, const DatabaseGame *game, const GameColumns *columns, GameOrigin *origin,
                            Error *error);

// The same for a game without opening that replaces an earlier one with the same hash.
Status database_replace_game(Database *db, const DatabaseGame *game, const GameColumns *columns, GameOrigin *origin,
                             Error *error);

// Inserts a game of a match with its agents' counts; the agents have been added. Inside a transaction.
Status database_insert_played(Database *db, const DatabaseGame *game, const GameColumns *columns, Error *error);
