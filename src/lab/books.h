// Opening books of the database for agents. The database is opened at the first use of a book, so commands without
// books never touch it.
#pragma once

#include "agents/agent.h"
#include "store/db/database_books.h"

#include <pthread.h>

typedef struct {
    AgentBooks lent; // for an AgentHost
    const char *path;
    pthread_mutex_t lock; // protects `db`: agents are opened by several threads
    Database *db;
} Books;

// `path` as for --db: NULL for the default database, "none" for none.
void books_open(Books *books, const char *path);
void books_close(Books *books);

// For an AgentHost; NULL with "none".
const AgentBooks *books_lent(const Books *books);

bool database_is_none(const char *path);

// Opens the database for a command that needs one for `what`, such as "opening books"; an error with --db none. To
// read:
// `*db` is NULL if the database does not exist.
typedef enum { OPEN_TO_WRITE, OPEN_TO_READ } DatabaseAccess;
Status database_for(const char *what, const char *path, DatabaseAccess access, Database **db, Error *error);

// To read; an error, with the name of the database, if it does not exist.
Status database_for_reports(const char *what, const char *path, Database **db, Error *error);
