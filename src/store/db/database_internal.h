// What the files of the database share: the connection, statements, transactions. Only the drivers know which database
// it is (database_driver_internal.h); the SQL that both engines share is in database_sql.c.
#pragma once

#include "store/db/database.h"

#include <pthread.h>

// Every statement but those that depend on a filter, prepared once and kept.
typedef enum {
#define QUERY(name, text) QUERY_##name,
#include "store/db/database_queries.def"
#undef QUERY
    QUERY_COUNT
} QueryName;

extern const char *const query_texts[QUERY_COUNT];

// Step n brings a database of version n to version n + 1: the files of store/db/schema. Steps that have been released
// are never changed.
extern const Span migrations[];
extern const unsigned migrations_count;

static inline int migration_count(void)
{
    return (int)migrations_count;
}

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
Status database_migrate(Database *db, const Span *steps, int count, Error *error);

// A failure of the database as a status, with its text.
Status database_failed(Database *db, int code, Error *error);

// --- Statements: database_query.c ---

// A statement under way. The first failure stays and later calls do nothing, so only the end has to be looked at.
// Parameters are bound in order; texts must live until the end. The lock must be held from beginning to end.
typedef struct {
    Database *db;
    void *statement; // the driver's
    bool is_kept;    // belongs to the database
    int bound;       // parameters so far
    bool is_over;    // its last row has been read: another step would run it again
    int code;        // of the driver, 0 while all is well
} Query;

typedef enum { COLUMN_INT, COLUMN_REAL, COLUMN_TEXT, COLUMN_BLOB } ColumnType;

// A value of a parameter or of a column; one of the last four fields, by its type.
typedef struct {
    ColumnType type;
    bool is_null;
    bool is_copied; // a text that does not live until the end of the statement
    int64_t number;
    double real;
    Span bytes;         // of texts and blobs
    const Rules *rules; // bound as their text
} Value;

static inline Value value_int(int64_t number)
{
    return (Value){.type = COLUMN_INT, .number = number};
}

// Also for moments: 0 is NULL.
static inline Value value_id(int64_t number)
{
    return (Value){.type = COLUMN_INT, .number = number, .is_null = number == 0};
}

static inline Value value_real(double real)
{
    return (Value){.type = COLUMN_REAL, .real = real};
}

static inline Value value_text(const char *text) // NULL is NULL
{
    return (Value){.type = COLUMN_TEXT, .bytes = span_of(text != NULL ? text : ""), .is_null = text == NULL};
}

static inline Value value_rules(const Rules *rules)
{
    return (Value){.type = COLUMN_TEXT, .rules = rules, .is_copied = true};
}

static inline Value value_blob(Span bytes) // nothing is NULL
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
Query query_prepare(Database *db, const char *sql); // for once
void query_bind(Query *query, Value value);

bool query_row(Query *query); // steps; false at the end, and after a failure
Value query_value(const Query *query, int column, ColumnType type);
bool query_is_null(const Query *query, int column);
int64_t query_int(const Query *query, int column);      // 0 for NULL
Span query_bytes(const Query *query, int column);       // empty for NULL; until the next step
const char *query_text(const Query *query, int column); // "" for NULL; until the next step

Status query_end(Query *query, Error *error);
// Ends a statement whose rows were read with this status: the first failure counts.
Status query_end_after(Query *query, Status status, Error *error);
Status query_run(Query *query, Error *error); // passes over the rows that are left

// Runs a statement that gives at most one number: `*number` (may be NULL) is the first column of its first row, 0
// without a row. database_get takes the lock for it, database_change runs it in a transaction.
Status query_number(Query *query, int64_t *number, Error *error);
Status statement_run(Database *db, QueryName name, Values values, int64_t *number, Error *error);
Status database_get(Database *db, QueryName name, Values values, int64_t *number, Error *error);
Status database_change(Database *db, QueryName name, Values values, int64_t *number, Error *error);

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

// The texts of the first column, in the same way.
typedef struct {
    char **list; // owned
    size_t count;
} TextList;

Status query_text_list(Query *query, TextList *texts, Error *error);
void text_list_close(TextList *texts);

// Texts of a row in memory of their own; `count` is set to 0 before the next row. Close also after a failure.
typedef struct {
    Text list[6];
    unsigned count;
} RowTexts;

const char *row_text(RowTexts *texts, const Query *row, int column); // NULL for NULL
void row_texts_close(RowTexts *texts);

Side row_side(const Query *row, int column);

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
// transaction_try locks and begins; false when all is done or has failed, with `*status` saying which, and at once
// where something before has failed. IN_TRANSACTION is the whole loop as an expression.
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

// Locks and begins a transaction that only reads, all of it in one state; failed, it is unlocked.
Status transaction_begin_to_read(Database *db, Error *error);

// Runs an expression of type Status in such a transaction.
#define IN_SNAPSHOT(db, work, error)                                                                                   \
    __extension__({                                                                                                    \
        Status begun = transaction_begin_to_read(db, error);                                                           \
        begun == STATUS_OK ? transaction_end(db, work, error) : begun;                                                 \
    })

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
