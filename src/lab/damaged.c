// Damaged games: messages, and their removal; the search for damage.
#include "lab/damaged.h"

#include "agents/book/book_check.h"
#include "base/memory.h"
#include "store/db/database_books.h"
#include "store/db/database_patterns.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES_MAX = 20 };

static void take(void *context, const DatabaseDamage *damage)
{
    DamagedGames *damaged = context;
    for (size_t i = 0; i < damaged->count; i++)
        if (damaged->ids[i] == damage->id)
            return; // it was read again
    damaged->ids = array_grow(damaged->ids, &damaged->capacity, damaged->count + 1, sizeof damaged->ids[0]);
    damaged->ids[damaged->count++] = damage->id;
    if (damaged->count <= MESSAGES_MAX)
        reporter_note(damaged->reporter, "game %lld of the database is damaged and left out: %s", (long long)damage->id,
                      damage->reason);
    else if (damaged->count == MESSAGES_MAX + 1)
        reporter_note(damaged->reporter, "more games are damaged; 'krow db check' lists them");
}

void damaged_watch(DamagedGames *damaged, Database *db, Reporter *reporter)
{
    *damaged = (DamagedGames){.reporter = reporter};
    database_on_damage(db, take, damaged);
}

Status damaged_status(const DamagedGames *damaged, Error *error)
{
    if (damaged->count == 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "%zu damaged game%s left out; 'krow db check' lists, 'krow db remove' deletes them",
                     damaged->count, damaged->count == 1 ? " was" : "s were");
}

Status damaged_remove(DamagedGames *damaged, Database *db, Error *error)
{
    uint64_t removed = 0;
    Status status =
        damaged->count > 0 ? database_remove_games(db, damaged->ids, damaged->count, &removed, error) : STATUS_OK;
    if (status == STATUS_OK)
        damaged->count = 0;
    return status;
}

void damaged_close(DamagedGames *damaged, Database *db)
{
    database_on_damage(db, NULL, NULL);
    free(damaged->ids);
    *damaged = (DamagedGames){0};
}

// --- The search ---

typedef struct {
    DamageSearch *search;
    Database *db;
    bool is_stopped;
    Error error; // of one book or set
} Searching;

static void add(Searching *searching, const char *what, int64_t id, const char *reason)
{
    searching->search->count++;
    searching->search->found(searching->search->context, &(Damage){what, id, reason});
}

static bool goes_on(Searching *searching)
{
    const DamageSearch *search = searching->search;
    searching->is_stopped = searching->is_stopped || !search->goes_on(search->context, search->games);
    return !searching->is_stopped;
}

static void take_damage(void *context, const DatabaseDamage *damage)
{
    add(context, "game", damage->id, damage->reason);
}

static bool count_game(void *context, const DatabaseGame *game)
{
    (void)game;
    Searching *searching = context;
    searching->search->games++;
    return goes_on(searching);
}

static bool check_book(void *context, const DatabaseBook *book)
{
    Searching *searching = context;
    BookGraph graph = {0};
    char what[BOOK_NAME_SIZE + 16];
    unsigned node = 0;
    (void)snprintf(what, sizeof what, "book '%s'", book->spec.name);
    Status status = database_load_book(searching->db, book->spec.name, &graph, &searching->error);
    if (status == STATUS_OK)
        status = book_check_graph(&graph, &node, &searching->error);
    if (status == STATUS_OK)
        status = database_check_book(searching->db, book->spec.name, &searching->error);
    if (status != STATUS_OK)
        add(searching, what, 0, searching->error.text);
    book_graph_close(&graph);
    return goes_on(searching);
}

static bool pass_pattern(void *context, const DatabasePattern *pattern)
{
    (void)context;
    (void)pattern;
    return true;
}

static bool check_set(void *context, const DatabasePatternSet *set)
{
    Searching *searching = context;
    char what[BOOK_NAME_SIZE + 24];
    (void)snprintf(what, sizeof what, "pattern set '%s'", set->name);
    AgentPatternRange range = {set->name, &set->rules, 0};
    if (database_each_pattern(searching->db, &range, pass_pattern, NULL, &searching->error) != STATUS_OK)
        add(searching, what, 0, searching->error.text);
    return goes_on(searching);
}

// Games, books and patterns, each as far as it can be read.
static void check_rows(Searching *searching)
{
    Database *db = searching->db;
    database_on_damage(db, take_damage, searching);
    database_check_changes(db);
    Status status = database_each_game(db, NULL, count_game, searching, &searching->error);
    database_on_damage(db, NULL, NULL);
    if (status != STATUS_OK) {
        if (!searching->is_stopped)
            add(searching, "games", 0, searching->error.text);
        return;
    }
    if (!searching->is_stopped && database_each_book(db, check_book, searching, &searching->error) != STATUS_OK)
        add(searching, "books", 0, searching->error.text);
    if (!searching->is_stopped && database_each_pattern_set(db, check_set, searching, &searching->error) != STATUS_OK)
        add(searching, "pattern sets", 0, searching->error.text);
}

Status damage_search(DamageSearch *search, Database *db, Error *error)
{
    Searching searching = {.search = search, .db = db};
    // The pages and references first: whatever is wrong with them may be wrong with all that follows.
    if (database_check(db, &searching.error) != STATUS_OK)
        add(&searching, "file", 0, searching.error.text);
    check_rows(&searching);
    return searching.is_stopped ? error_set(error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}
