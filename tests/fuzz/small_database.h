// A database with one of everything krow stores, as a file in memory, for the fuzz target `database`.
#pragma once

#include "store/db/database.h"

#include <stdint.h>

// SQLite's own file system in memory is the default one of this process from the first call on: a database of this path
// never touches the disk.
extern const char small_database_path[];

// The bytes of the database, always the same. Its pages are small, so that edits reach all parts of it.
Span small_database(void);

// The file has these bytes. No connection may be open.
void small_database_write(Span bytes);
