// The units of a simulated job, as in store/db/jobs/database_units.c but without a database.
#include "base/memory.h"
#include "fleet/fleet_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Open units. The key is the first game, `who` the number of games, `what` the number of failures ---

static void put_up(Units *units, uint32_t first, uint32_t games, uint32_t failures)
{
    heap_push(&units->open, (HeapEntry){.key = first, .who = games, .what = failures});
}

void units_open(Units *units, uint32_t games, uint32_t unit, double lease)
{
    *units = (Units){.total = games, .unit = unit, .lease = lease, .left = games};
    units->is_done = memory_new(games, 1);
    uint32_t most = games / UNIT_FIRST_UNITS / 2 * 2 + 2; // as in database_add_job
    for (uint32_t done = 0; done < games; done += most)
        put_up(units, done, games - done < most ? games - done : most, 0);
}

void units_close(Units *units)
{
    heap_close(&units->open);
    heap_close(&units->leases);
    free(units->held);
    free(units->unused);
    free(units->is_done);
}

bool units_lock(Units *units, unsigned most, uint64_t slots, Locked *locked)
{
    if (units->open.count == 0)
        return false;
    HeapEntry entry = heap_pop(&units->open);
    uint64_t open = units->open.count + ++units->locked;
    UnitOffer offer = {.step = 2,
                       .games = entry.who,
                       .failures = entry.what,
                       .unit = units->unit,
                       .left = units->left,
                       .slots = slots,
                       .open = open < UNIT_OPEN_MAX ? (unsigned)open : UNIT_OPEN_MAX};
    *locked = (Locked){.first = (uint32_t)entry.key, .failures = entry.what, .games = entry.who};
    locked->take = unit_size(&offer, most);
    locked->stays = unit_stays(&offer, locked->take);
    return true;
}

void units_unlock(Units *units, const Locked *locked)
{
    units->locked--;
    put_up(units, locked->first, locked->games, locked->failures);
}

// --- Held units ---

static void make_room(Units *units)
{
    if (units->unused_count > 0)
        return;
    size_t capacity = units->capacity > 0 ? 2 * units->capacity : 1024;
    units->held = memory_resize(units->held, capacity, sizeof *units->held);
    units->unused = memory_resize(units->unused, capacity, sizeof *units->unused);
    for (size_t place = capacity; place > units->capacity; place--)
        units->unused[units->unused_count++] = (uint32_t)(place - 1);
    memset(units->held + units->capacity, 0, (capacity - units->capacity) * sizeof *units->held);
    units->capacity = capacity;
}

static void watch_lease(Units *units, uint32_t place)
{
    const HeldUnit *held = &units->held[place];
    heap_push(&units->leases, (HeapEntry){.key = held->expires, .who = place, .stamp = held->token});
}

uint32_t units_take(Units *units, const Locked *locked, double now)
{
    uint32_t rest = locked->games - locked->take - locked->stays;
    if (locked->stays > 0)
        put_up(units, locked->first + locked->take, locked->stays, locked->failures);
    if (rest > 0)
        put_up(units, locked->first + locked->take + locked->stays, rest, locked->failures);
    units->left -= locked->take;
    units->locked--;
    make_room(units);
    uint32_t place = units->unused[--units->unused_count];
    units->held[place] = (HeldUnit){.first = locked->first,
                                    .games = locked->take,
                                    .failures = locked->failures,
                                    .expires = now + units->lease,
                                    .beaten = now,
                                    .token = ++units->tokens};
    watch_lease(units, place);
    return place;
}

static void release(Units *units, uint32_t place)
{
    units->held[place] = (HeldUnit){0};
    units->unused[units->unused_count++] = place;
}

bool units_finish(Units *units, uint32_t place, uint64_t token)
{
    HeldUnit *held = &units->held[place];
    if (held->token != token)
        return false;
    for (uint32_t game = held->first; game < held->first + held->games; game++) {
        units->doubled += units->is_done[game];
        units->is_done[game] = 1;
    }
    units->done += held->games;
    units->units++;
    release(units, place);
    return true;
}

bool units_expire(Units *units, double now)
{
    bool any = false;
    while (heap_key(&units->leases) < now) {
        HeapEntry entry = heap_pop(&units->leases);
        const HeldUnit held = units->held[entry.who];
        if (held.token != entry.stamp)
            continue; // it was submitted
        if (held.expires >= now) {
            watch_lease(units, entry.who); // a heartbeat has extended the lease
            continue;
        }
        units->expired++;
        if (held.failures + 1 >= UNIT_FAILURES_MAX) {
            units->aside += held.games;
        } else {
            put_up(units, held.first, held.games, held.failures + 1);
            units->left += held.games;
            any = true;
        }
        release(units, entry.who);
    }
    return any;
}
