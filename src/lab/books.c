// Provides the opening books of a database to agents, and opens databases for commands.
#include "lab/books.h"

#include <string.h>

static Status database_of(Books *books, Database **db, Error *error)
{
    Status status = STATUS_OK;
    (void)pthread_mutex_lock(&books->lock);
    if (books->db == NULL)
        status = database_open_to_read(books->path, &books->db, error);
    *db = books->db;
    (void)pthread_mutex_unlock(&books->lock);
    return status;
}

static Status find(void *context, const char *name, const Rules *rules, BookSpec *spec, bool *found, Error *error)
{
    Database *db = NULL;
    DatabaseBook book = {0};
    *found = false;
    Status status = database_of(context, &db, error);
    if (status == STATUS_OK)
        status = database_find_book(db, name, rules, &book, found, error);
    *spec = book.spec;
    return status;
}

static Status look_up(void *context, const BookKey *key, const BookSink *sink, Error *error)
{
    Database *db = NULL;
    Status status = database_of(context, &db, error);
    return status == STATUS_OK ? database_look_up(db, key, sink, error) : status;
}

void books_open(Books *books, const char *path)
{
    *books = (Books){.lent = {.context = books, .find = find, .look_up = look_up}, .path = path};
    (void)pthread_mutex_init(&books->lock, NULL);
}

void books_close(Books *books)
{
    database_close(books->db);
    (void)pthread_mutex_destroy(&books->lock);
}

bool database_is_none(const char *path)
{
    return path != NULL && strcmp(path, "none") == 0;
}

const AgentBooks *books_lent(const Books *books)
{
    return database_is_none(books->path) ? NULL : &books->lent;
}

Status database_for(const char *what, const char *path, DatabaseAccess access, Database **db, Error *error)
{
    *db = NULL;
    if (database_is_none(path))
        return error_set(error, STATUS_BAD_INPUT, "--db none: %s need a database", what);
    return access == OPEN_TO_READ ? database_open_to_read(path, db, error) : database_open(path, db, error);
}

Status database_for_reports(const char *what, const char *path, Database **db, Error *error)
{
    Status status = database_for(what, path, OPEN_TO_READ, db, error);
    if (status != STATUS_OK || *db != NULL)
        return status;
    if (path == NULL)
        return error_set(error, STATUS_FAILED, "there is no database yet; 'krow match' creates it");
    return error_set(error, STATUS_FAILED, "there is no database '%s'; 'krow match' creates it", path);
}
