// The interface of a database engine. There are two drivers, SQLite and PostgreSQL; no other code knows which one is in
// use. In SQL texts, marks such as {int} stand for what the engines write differently.
#pragma once

#include "store/db/database_internal.h"

// The meaning of a driver's error code.
typedef enum {
    FAILURE_OTHER,
    FAILURE_ORPHAN,    // a referenced row is missing
    FAILURE_LATE,      // cancelled at its deadline
    FAILURE_CONFLICT,  // conflict with another transaction: may succeed when retried
    FAILURE_LOST,      // the connection is lost
    FAILURE_FORBIDDEN, // the role or the whole server may not write
} Failure;

// A mark of SQL texts, without its braces, and its replacement for this engine.
typedef struct {
    const char *mark, *text;
} DialectWord;

typedef struct StoreTable StoreTable; // database_tables_internal.h

// Operations on prepared statements; `statement` is the driver's handle.
typedef struct {
    // `kept` names a statement that is kept, QUERY_COUNT: it is used once. Parameters are question marks.
    int (*prepare)(Database *db, const char *sql, QueryName kept, void **statement);
    void (*finalize)(void *statement); // NULL is fine
    // Parameters count from 1. Texts must live until the end of the statement unless is_copied is set.
    int (*bind)(void *statement, int place, const Value *value);
    // Advances to the next row.
    int (*step)(Database *db, void *statement, int bound, bool *has_row);
    void (*reset)(void *statement); // discards rows and parameters
    // `type` must be the declared type of the column.
    Value (*column)(const void *statement, int column, ColumnType type);
    // Whether the rows read were valid, as a code. NULL: they always are.
    int (*settle)(const Database *db);
    // Applies db->deadline to the following statements; 0: none.
    void (*set_deadline)(Database *db);
} DriverStatements;

// The database is locked during all calls except `wait`. Codes are the driver's own, 0 is success.
struct Driver {
    const char *name;           // for display
    const DialectWord *dialect; // ends with a mark that is NULL
    bool has_one_writer;        // at most one transaction that may write runs at a time

    // Connects. The tables may be of any version, but must be krow's.
    Status (*open)(Database *db, const char *where, Error *error);
    // Implements database_open_to_read.
    Status (*open_to_read)(const char *where, Database **db, Error *error);
    void (*close)(Database *db); // also after a failed open

    // Sets the error for a code.
    Status (*explain)(Database *db, int code, Error *error);
    Failure (*failure)(int code);

    const DriverStatements *statements;
    // Many statements without parameters.
    Status (*execute)(Database *db, const char *sql, Error *error);

    bool (*is_in_transaction)(const Database *db);

    Status (*read_version)(Database *db, int64_t *version, Error *error);
    Status (*write_version)(Database *db, int64_t version, Error *error);

    Status (*check)(Database *db, Error *error);
    Status (*describe)(Database *db, DatabaseAbout *about, Error *error);
    // The last number that a table with has_id has given, 0 if the engine does not store it; and sets it.
    Status (*read_counter)(Database *db, const StoreTable *table, int64_t *last, Error *error);
    Status (*write_counter)(Database *db, const StoreTable *table, int64_t last, Error *error);
    // Bulk insert into one table within a transaction. A row has the columns in the table's order. load_end is called
    // also after a failure.
    Status (*load_begin)(Database *db, const StoreTable *table, Error *error);
    Status (*load_row)(Database *db, const StoreTable *table, const Query *row, Error *error);
    Status (*load_end)(Database *db, Status status, Error *error);

    Status (*listen)(Database *db, const char *channel, Error *error);
    // Waits without the lock, in short intervals.
    Status (*wait)(Database *db, double seconds, bool *was_notified, Error *error);
};

extern const Driver driver_sqlite;
extern const Driver driver_postgres;

// The number in the first row of a statement without parameters.
Status database_ask(Database *db, const char *sql, int64_t *number, Error *error);

// Runs a statement that returns the first broken reference: row number, table, and the table it refers to.
Status database_check_reference(Database *db, const char *sql, Error *error);

// Replaces the marks in an SQL text by the SQL of the driver. All marks must be known.
void dialect_expand(const Driver *driver, Span sql, Text *text);

// Creates a Database without a connection. `shown` is copied.
Status database_make(const Driver *driver, const char *shown, Database **db, Error *error);

// Creates all tables in an empty database, in one transaction, with `mark` as their version.
Status database_make_tables(Database *db, int64_t mark, Error *error);

// The version of the tables: 0 if there are none, negative for an unfinished copy. Takes the lock.
Status database_read_version(Database *db, int64_t *version, Error *error);

// Sets the error for a database whose version this krow does not know.
Status database_refuse_version(const Database *db, int64_t version, int known, Error *error);

// Opens a read-only file. `*db` is NULL if its tables are of an older version; a newer version is an error.
Status sqlite_connect_to_read(const char *path, int version, Database **db, bool *is_current, Error *error);
