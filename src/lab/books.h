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

// `path` as --db says it: NULL for the usual database, "none" for none. Fails only without memory.
void books_open(Books *books, const char *path);
void books_close(Books *books);

// What goes into the host of agents; NULL with "none".
const AgentBooks *books_lent(const Books *books);

// Opens the database for a command that is about books and cannot do without.
Status books_database(const char *path, Database **db, Error *error);

// The same for one that changes nothing; NULL where there is no database.
Status books_database_to_read(const char *path, Database **db, Error *error);

// Says that there is no book of this name.
Status books_no_book(const char *name, Error *error);
