// The parts of a simulated fleet: a heap, the server, the units of the job, the lengths of games.
#pragma once

#include "base/rng.h"
#include "fleet/fleet.h"
#include "store/db/jobs/unit_law.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// --- A heap: the smallest key first, of equal ones the oldest ---

typedef struct {
    double key;
    uint64_t order;
    uint32_t what, who;
    uint64_t stamp;
} HeapEntry;

typedef struct {
    HeapEntry *list; // owned
    size_t count, capacity;
    uint64_t pushed;
} Heap;

void heap_push(Heap *heap, HeapEntry entry);
HeapEntry heap_pop(Heap *heap);
void heap_close(Heap *heap);

static inline double heap_key(const Heap *heap)
{
    return heap->count > 0 ? heap->list[0].key : INFINITY;
}

// --- Something counted by the second ---

typedef struct {
    double *list; // owned
    size_t count;
} Seconds;

void seconds_add(Seconds *seconds, double from, double to, double each); // so much in each second of that time
double seconds_between(const Seconds *seconds, double from, double to);
void seconds_close(Seconds *seconds);

// --- How long games take ---

enum { GAME_QUANTILES = 40 };

typedef struct {
    const double *quantiles; // in seconds, from the shortest to the longest
    double scale;            // times as long; without quantiles: seconds of all games
    uint64_t seed;
} GameLengths;

// In the order of the choices of the option `game`; the last is the fixed length.
GameLengths game_lengths(unsigned choice, double scale, uint64_t seed);
double game_length(const GameLengths *lengths, uint64_t number); // the same whenever it is played
double game_length_mean(const GameLengths *lengths);

// --- The server: cores that are shared evenly by all that want them, and a disk that flushes the log for all who wait
// ---

enum { SERVER_NOBODY = INT32_MAX };

typedef struct {
    double cores, flush; // seconds of a flush
    double now, virtual; // the work that each task on the cores has got so far
    Heap tasks;          // by the virtual time of their end
    uint32_t *waiting, *flushing;
    size_t waiting_count, flushing_count, most;
    double flush_end; // INFINITY: none
    double cpu_seconds, disk_seconds;
    Seconds cores_busy;
} Server;

void server_open(Server *server, double cores, double flush, size_t most); // tasks at most
void server_close(Server *server);
void server_compute(Server *server, uint32_t who, uint64_t stamp, double seconds); // who: any number
void server_flush(Server *server, uint32_t who);
double server_next(const Server *server);  // when something ends next
void server_go(Server *server, double to); // not past server_next
// What has ended at this moment; SERVER_NOBODY when nothing has. Computations come with their stamp.
uint32_t server_computed(Server *server, uint64_t *stamp);
uint32_t server_flushed(Server *server);
// All is lost but what is above `kept`: computations of others on the same cores.
void server_crash(Server *server, uint32_t kept);

// --- The units of the job ---

typedef struct {
    uint32_t first, games, failures;
    double expires, beaten; // the end of its lease, and its last sign of life
    uint64_t token;         // of the attempt; 0: the place is free
} HeldUnit;

typedef struct {
    uint32_t total, unit; // games; pairs in a unit, or 0
    double lease;
    Heap open;        // those without a lock, by their first game
    uint64_t left;    // games of open units, also of those that are locked
    uint32_t locked;  // units
    HeldUnit *held;   // owned
    uint32_t *unused; // places in it; owned
    size_t unused_count, capacity;
    Heap leases; // by their ends, as they were when they were put here
    uint8_t *is_done;
    uint64_t tokens, done, units, aside, doubled, expired;
} Units;

// What a claim has locked: an open unit, of which it takes the first `games`.
typedef struct {
    uint32_t first, failures, games;
    uint32_t take, stays; // of the games; what is left is a unit of its own
} Locked;

void units_open(Units *units, uint32_t games, uint32_t unit, double lease);
void units_close(Units *units);
bool units_lock(Units *units, unsigned most, uint64_t slots, Locked *locked);
void units_unlock(Units *units, const Locked *locked);
uint32_t units_take(Units *units, const Locked *locked, double now); // its place
bool units_finish(Units *units, uint32_t place, uint64_t token);
bool units_expire(Units *units, double now); // whether something is open again
static inline bool units_are_over(const Units *units)
{
    return units->done + units->aside == units->total;
}

// --- The fleet ---

// What operations cost, in seconds.
typedef struct {
    double unit, game, beat, slot, poll, connect, trip, own;
} Costs;

typedef struct {
    bool has_unit, is_playing, is_idle;
    uint32_t place, games; // of its unit
    uint64_t token;
    double begun, asked; // when it began to play, and when it wanted the next unit
    double played;       // until when it has played
    double pace;
    unsigned tries, lates; // of the server that does not answer; of work that is all locked
    uint64_t stamp;        // its events have the same, or are of before
    uint32_t next;         // that waits for the connection of the worker
} Slot;

typedef struct {
    uint32_t head, tail; // slots that wait for the connection
    uint32_t owner;      // of the operation under way: a slot, BEAT or NO_OWNER
    bool wants_beat, is_connected, is_alive, is_flushing, has_locked;
    Locked locked;
    unsigned beat_tries;
    uint64_t stamp; // of its operation
    uint64_t life;  // of its events
} Worker;

// Times of claims are counted by their logarithms, from a microsecond on.
enum { FLEET_BINS_A_DECADE = 100, FLEET_BINS = 1000 };

typedef struct {
    uint32_t worker_count, slot_count, slots_each;
    double seconds; // of a unit, 0: by the law
    double loss, back, pause;
    bool shares, is_down, ends;
    Costs costs;
    GameLengths lengths;
    Worker *workers;
    Slot *slots;
    Heap events;
    Server server;
    Units units;
    Rng rng;
    double now;
    uint64_t seen;    // slots that the server believes in
    Seconds playing;  // slots
    uint64_t *claims; // how many took so long, by the logarithm of the time
    uint64_t claim_count;
    FleetResult result;
} Fleet;

// Puts all to work, and goes from event to event until the job is over.
void fleet_begin(Fleet *fleet);
Status fleet_go(Fleet *fleet, const atomic_bool *stop, Error *error);
