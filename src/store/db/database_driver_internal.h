// What the store asks of a database engine. There are two drivers, for SQLite and for PostgreSQL; nothing else knows
// which one is in use, but for SQL texts, where marks such as {int} stand for what the engines write differently.
#pragma once

#include "store/db/database_internal.h"

// What a failure means to the store, whatever its code is.
typedef enum {
    FAILURE_OTHER,
    FAILURE_ORPHAN,    // something referred to is missing
    FAILURE_LATE,      // given up because of its time
    FAILURE_CONFLICT,  // another transaction was in the way: the same one may succeed when it is begun again
    FAILURE_LOST,      // the connection is gone
    FAILURE_FORBIDDEN, // the role, or the server as a whole, may not write
} Failure;

// A mark of SQL texts, without its braces, and what this engine has in its place.
typedef struct {
    const char *mark, *text;
} DialectWord;

typedef struct StoreTable StoreTable; // database_tables_internal.h

// What a driver does with statements.
typedef struct {
    // `kept` is its name if it stays, QUERY_COUNT if it is for once. Parameters are question marks.
    int (*prepare)(Database *db, const char *sql, QueryName kept, void **statement);
    void (*finalize)(void *statement); // NULL is fine
    // Places count from 1. Texts must live until the end of the statement, unless they are to be copied.
    int (*bind)(void *statement, int place, const Value *value);
    // Runs it to its first or its next row.
    int (*step)(Database *db, void *statement, int bound, bool *has_row);
    void (*reset)(void *statement); // forgets rows and parameters
    // A column of the row, as a value of the type it was declared with.
    Value (*column)(const void *statement, int column, ColumnType type);
    // A last look at what was read, as a code. NULL: it can be trusted.
    int (*settle)(const Database *db);
    // Gives statements up at db->deadline from now on, 0: never.
    void (*set_deadline)(Database *db);
} DriverStatements;

// The lock of the database is held during all calls but `wait`. Codes are the driver's own, 0 is success.
struct Driver {
    const char *name;           // as people write it
    const DialectWord *dialect; // ends with a mark that is NULL
    bool has_one_writer;        // a transaction that may write keeps all others out

    // --- Connection ---

    // Connects; db->path is what people are shown already. The tables may be of any version, but not of others.
    Status (*open)(Database *db, const char *where, Error *error);
    // database_open_to_read.
    Status (*open_to_read)(const char *where, Database **db, Error *error);
    void (*close)(Database *db); // also after a failed open

    // Describes a failure.
    Status (*explain)(Database *db, int code, Error *error);
    Failure (*failure)(int code);

    const DriverStatements *statements;
    // Many statements without parameters.
    Status (*execute)(Database *db, const char *sql, Error *error);

    // --- Transactions ---

    bool (*is_in_transaction)(const Database *db);

    // --- Versions ---

    Status (*read_version)(Database *db, int64_t *version, Error *error);
    Status (*write_version)(Database *db, int64_t version, Error *error);

    // --- Care ---

    Status (*check)(Database *db, Error *error);
    Status (*describe)(Database *db, DatabaseAbout *about, Error *error);
    // The last number that a table with has_id has given, 0 where that is not kept; and from where on it counts.
    Status (*read_counter)(Database *db, const StoreTable *table, int64_t *last, Error *error);
    Status (*write_counter)(Database *db, const StoreTable *table, int64_t last, Error *error);
    // Many rows for one table within a transaction: the beginning, a call for each with a row that was read in the
    // order of the table's columns, and the end, which is called also after a failure.
    Status (*load_begin)(Database *db, const StoreTable *table, Error *error);
    Status (*load_row)(Database *db, const StoreTable *table, const Query *row, Error *error);
    Status (*load_end)(Database *db, Status status, Error *error);

    // --- Being woken ---

    Status (*listen)(Database *db, const char *channel, Error *error);
    // Waits without the lock, in short pieces.
    Status (*wait)(Database *db, double seconds, bool *was_notified, Error *error);
};

extern const Driver driver_sqlite;
extern const Driver driver_postgres;

// The number a statement without parameters gives in its first row.
Status database_ask(Database *db, const char *sql, int64_t *number, Error *error);

// Runs a statement that gives a row number, a table and the table it refers to, where the latter lacks that row.
Status database_check_reference(Database *db, const char *sql, Error *error);

// Replaces the marks in an SQL text by the SQL of the driver. All marks must be known.
void dialect_expand(const Driver *driver, Span sql, Text *text);

// A database without a connection. `shown` is copied.
Status database_make(const Driver *driver, const char *shown, Database **db, Error *error);

// Makes all tables in an empty database, in one transaction, and writes `mark` in the place of their version.
Status database_make_tables(Database *db, int64_t mark, Error *error);

// The version of the tables, 0 where there are none; a copy that is not finished has it with a minus. Takes the lock.
Status database_read_version(Database *db, int64_t *version, Error *error);

// The error for a database whose version this krow does not know.
Status database_refuse_version(const Database *db, int64_t version, int known, Error *error);

// --- SQLite alone ---

// Opens a file that cannot be written. If its tables are not of this version, it is closed again and `*db` is NULL; a
// newer version is an error.
Status sqlite_connect_to_read(const char *path, int version, Database **db, bool *is_current, Error *error);
