// The parts of a simulated fleet: a heap, the server, the units of the job, game durations.
#pragma once

#include "base/rng.h"
#include "fleet/fleet.h"
#include "store/db/jobs/unit_policy.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

// --- A heap: smallest key first; of equal keys, the oldest ---

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

// --- A quantity per second ---

typedef struct {
    double *list; // owned
    size_t count;
} Seconds;

void seconds_add(Seconds *seconds, double from, double to, double each); // adds `each` per second
double seconds_between(const Seconds *seconds, double from, double to);
void seconds_close(Seconds *seconds);

// --- Durations of games ---

enum { GAME_QUANTILES = 40 };

typedef struct {
    const double *quantiles; // in seconds, ascending
    double scale;            // factor; without quantiles: duration of every game in seconds
    uint64_t seed;
} GameLengths;

// In the order of the choices of the option `game`; the last is the fixed duration.
GameLengths game_lengths(unsigned choice, double scale, uint64_t seed);
double game_length(const GameLengths *lengths, uint64_t number); // depends only on the game's number
double game_length_mean(const GameLengths *lengths);

// --- The server: cores shared evenly by all tasks, and a disk that flushes the log for all waiting operations ---

enum { SERVER_NOBODY = INT32_MAX };

typedef struct {
    double cores, flush; // seconds of a flush
    double now, virtual; // virtual: work that each task on the cores has received so far
    Heap tasks;          // by the virtual time of their end
    uint32_t *waiting, *flushing;
    size_t waiting_count, flushing_count, most;
    double flush_end; // INFINITY: none
    double cpu_seconds, disk_seconds;
    Seconds cores_busy;
} Server;

void server_open(Server *server, double cores, double flush, size_t most); // most: maximum number of tasks
void server_close(Server *server);
void server_compute(Server *server, uint32_t who, uint64_t stamp, double seconds); // who: any number
void server_flush(Server *server, uint32_t who);
double server_next(const Server *server);  // time of the next completion
void server_go(Server *server, double to); // not past server_next
// A task completed at this moment, or SERVER_NOBODY. Computations are returned with their stamp.
uint32_t server_computed(Server *server, uint64_t *stamp);
uint32_t server_flushed(Server *server);
// Drops all tasks except those above `kept`: computations of workers on the same cores.
void server_crash(Server *server, uint32_t kept);

// --- The units of the job ---

typedef struct {
    uint32_t first, games, failures;
    double expires, beaten; // end of its lease, last heartbeat
    uint64_t token;         // of the attempt; 0: unused
} HeldUnit;

typedef struct {
    uint32_t total, unit; // games; pairs per unit, or 0
    double lease;
    Heap open;        // unlocked open units by their first game
    uint64_t left;    // games of open units, including locked ones
    uint32_t locked;  // locked units
    HeldUnit *held;   // owned
    uint32_t *unused; // unused indices of `held`; owned
    size_t unused_count, capacity;
    Heap leases; // by their ends at the time of insertion
    uint8_t *is_done;
    uint64_t tokens, done, units, aside, doubled, expired;
} Units;

// An open unit that a claim has locked; the claim takes the first games.
typedef struct {
    uint32_t first, failures, games;
    uint32_t take, stays; // numbers of games; the remaining games become a unit
} Locked;

void units_open(Units *units, uint32_t games, uint32_t unit, double lease);
void units_close(Units *units);
bool units_lock(Units *units, unsigned most, uint64_t slots, Locked *locked);
void units_unlock(Units *units, const Locked *locked);
uint32_t units_take(Units *units, const Locked *locked, double now); // returns its index
bool units_finish(Units *units, uint32_t place, uint64_t token);
bool units_expire(Units *units, double now); // whether a unit is open again
static inline bool units_are_over(const Units *units)
{
    return units->done + units->aside == units->total;
}

// --- The fleet ---

// Costs of operations in seconds.
typedef struct {
    double unit, game, beat, slot, poll, connect, trip, own;
} Costs;

typedef struct {
    bool has_unit, is_playing, is_idle;
    uint32_t place, games; // index and games of its unit
    uint64_t token;
    double begun, asked; // when it started to play, when it requested the next unit
    double played;       // played until this time
    double pace;
    unsigned tries, lates; // attempts while the server does not answer; polls that found all work locked
    uint64_t stamp;        // events with another stamp are outdated
    uint32_t next;         // next slot that waits for the connection of the worker
} Slot;

typedef struct {
    uint32_t head, tail; // slots that wait for the connection
    uint32_t owner;      // of the current operation: a slot, BEAT or NO_OWNER
    bool wants_beat, is_connected, is_alive, is_flushing, has_locked;
    Locked locked;
    unsigned beat_tries;
    uint64_t stamp; // of its operation
    uint64_t life;  // of its events
} Worker;

// Durations of claims are counted in logarithmic steps from one microsecond.
enum { FLEET_BINS_A_DECADE = 100, FLEET_BINS = 1000 };

typedef struct {
    uint32_t worker_count, slot_count, slots_each;
    double seconds; // per unit; 0: by unit_policy.h
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
    uint64_t seen;    // slots that the server counts
    Seconds playing;  // slots
    uint64_t *claims; // number of claims by the logarithm of their duration
    uint64_t claim_count;
    FleetResult result;
} Fleet;

// Starts all workers and processes events until the job is finished.
void fleet_begin(Fleet *fleet);
Status fleet_go(Fleet *fleet, const atomic_bool *stop, Error *error);
