// Games of the database that cannot be replayed: readers leave them out, and name them. And the search for everything
// that is damaged in a database.
#pragma once

#include "store/db/database.h"
#include "view/progress.h"

typedef struct {
    Reporter *reporter; // NULL: no messages
    int64_t *ids;       // of the rows; owned
    size_t count, capacity;
} DamagedGames;

// From now on games that are read from the database and are damaged go to the list. It must outlive the database, or
// end with damaged_close before.
void damaged_watch(DamagedGames *damaged, Database *db, Reporter *reporter);

// The failure of a command that has left out games; STATUS_OK if there was none.
Status damaged_status(const DamagedGames *damaged, Error *error);

// Deletes the games from the database, so that they can be played again.
Status damaged_remove(DamagedGames *damaged, Database *db, Error *error);

void damaged_close(DamagedGames *damaged, Database *db); // NULL is allowed as a database

// --- krow db check ---

// Something damaged: "game" with the number of its row, "book 'b'", "pattern set 's'", "file", …
typedef struct {
    const char *what;
    int64_t id; // of a game; 0: none
    const char *reason;
} Damage;

typedef struct {
    void (*found)(void *context, const Damage *damage);
    bool (*goes_on)(void *context, uint64_t games); // after each game and book; false: stop
    void *context;
    uint64_t games; // filled: replayed so far
    size_t count;   // filled: of what is damaged
} DamageSearch;

// Checks every page, reference, game, book and pattern. STATUS_INTERRUPTED if it was stopped.
Status damage_search(DamageSearch *search, Database *db, Error *error);
