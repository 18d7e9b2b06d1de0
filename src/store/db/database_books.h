// Opening books in the database. A call that changes data is one transaction, so a kill leaves the old book or the new
// one. Reading functions accept NULL as a database without books.
#pragma once

#include "agents/book/book_graph.h"
#include "store/db/database.h"

typedef struct {
    BookSpec spec;
    uint64_t games;
    int64_t built;         // time of the last change
    uint64_t nodes, links; // filled only by database_each_book
} DatabaseBook;

typedef enum {
    DATABASE_BOOK_REPLACE, // removes a book of the same name
    DATABASE_BOOK_EXTEND,  // adds the counts to a book of the same spec, or creates it
} DatabaseBookMode;

Status database_save_book(Database *db, const BookGraph *graph, DatabaseBookMode mode, int64_t built, Error *error);

// Reads a whole book into a zeroed graph. Close it also after a failure.
Status database_load_book(Database *db, const char *name, BookGraph *graph, Error *error);

// The book of this name, or with "" the most recently built one for these rules. A book of other rules is an error
// unless `rules` is NULL.
Status database_find_book(Database *db, const char *name, const Rules *rules, DatabaseBook *book, bool *found,
                          Error *error);

// All books, by name.
typedef bool DatabaseBookSink(void *context, const DatabaseBook *book);
Status database_each_book(Database *db, DatabaseBookSink *sink, void *context, Error *error);

// At most `most` books of these rules, the most recently built first. `nodes` and `links` are not filled.
typedef struct {
    const Rules *rules;
    unsigned most;
} DatabaseBookRange;
Status database_books_of(Database *db, const DatabaseBookRange *range, DatabaseBookSink *sink, void *context,
                         Error *error);

// STATUS_FAILED if something else than krow has changed the book.
Status database_check_book(Database *db, const char *name, Error *error);

// STATUS_BAD_INPUT if the book does not exist.
Status database_remove_book(Database *db, const char *name, Error *error);

// Sets the error for a book that does not exist.
Status database_no_book(const char *name, Error *error);

// Passes the data of one position to a sink, which may not use the database.
Status database_look_up(Database *db, const BookKey *key, const BookSink *sink, Error *error);
