// Opening books of the database for agents. The database is opened when a book is first asked for, so that commands
// that use none never touch it.
#pragma once

#include "agents/agent.h"
#include "store/db/database_books.h"

#include <pthread.h>

typedef struct {
    AgentBooks lent; // what goes into an AgentHost
    const char *path;
    pthread_mutex_t lock; // of what follows; agents are opened in several threads
    Database *db;
} Books;

// `path` as --db says it: NULL for the usual database, "none" for none.
void books_open(Books *books, const char *path);
void books_close(Books *books);

// What goes into the host of agents; NULL with "none".
const AgentBooks *books_lent(const Books *books);

// Whether --db says "none".
bool database_is_none(const char *path);

// Opens the database for a command that cannot do without one; `what` it needs it for, such as "opening books", is for
// the error with --db none. To read: NULL where there is no database.
typedef enum { OPEN_TO_WRITE, OPEN_TO_READ } DatabaseAccess;
Status database_for(const char *what, const char *path, DatabaseAccess access, Database **db, Error *error);
