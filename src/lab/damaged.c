// Damaged games: messages, and their removal.
#include "lab/damaged.h"

#include "base/memory.h"

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
