// Opening books in the database. As everywhere there, a call that changes something is one transaction: a kill at any
// instant leaves the old book or the new one. To those that only read, a database that is NULL is one without books.
#pragma once

#include "agents/book/book_graph.h"
#include "store/db/database.h"

typedef struct {
    BookSpec spec;
    uint64_t games;
    int64_t built;         // moment of the last change
    uint64_t nodes, links; // filled by database_each_book alone
} DatabaseBook;

typedef enum {
    DATABASE_BOOK_REPLACE, // a book of the same name goes
    DATABASE_BOOK_EXTEND,  // counts are added to those of the book, which must be of the same spec; or it is made
} DatabaseBookMode;

Status database_save_book(Database *db, const BookGraph *graph, DatabaseBookMode mode, int64_t built, Error *error);

// Reads a whole book into a zeroed graph, which is to be closed also after a failure.
Status database_load_book(Database *db, const char *name, BookGraph *graph, Error *error);

// The book of this name, or with "" the one for these rules that was built last. `found` says whether there is one;
// the name of a book of other rules is an error. With `rules` NULL any book of the name will do.
Status database_find_book(Database *db, const char *name, const Rules *rules, DatabaseBook *book, bool *found,
                          Error *error);

// All books, by name. The sink may use the database, and false ends the walk.
typedef bool DatabaseBookSink(void *context, const DatabaseBook *book);
Status database_each_book(Database *db, DatabaseBookSink *sink, void *context, Error *error);

// No such book: STATUS_BAD_INPUT.
Status database_remove_book(Database *db, const char *name, Error *error);

// The error where there is no book of this name.
Status database_no_book(const char *name, Error *error);

// Passes to a sink what a book says of one position. Unlike other sinks this one may not use the database.
Status database_look_up(Database *db, const BookKey *key, const BookSink *sink, Error *error);
