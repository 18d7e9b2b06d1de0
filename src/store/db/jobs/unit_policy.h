// The policy for units: how large they are, how often workers contact the server, how long they wait. The store, the
// worker and the simulation of many workers (tools/fleet/fleet.h) share it. docs/scaling.md derives the numbers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// The number of units of a new job, and the number of open units that a claim considers. A claim locks its unit until
// the end of its transaction, and other workers skip locked units, so there must be more open units than workers that
// claim at the same moment.
enum { UNIT_FIRST_UNITS = 64, UNIT_OPEN_MAX = 512 };

// A unit that failed or was lost this often is set aside.
enum { UNIT_FAILURES_MAX = 5 };

// The most games in one unit; they are handed in together.
enum { UNIT_GAMES_MAX = 4096 };

// An open unit, from which a worker claims some games.
typedef struct {
    unsigned games, failures;
    bool is_whole;  // it is not divided
    unsigned step;  // games that stay together: 2 for a pair, 1 for questions
    unsigned unit;  // the requested size in steps; 0: not requested
    uint64_t left;  // games of the job that are not claimed
    uint64_t slots; // of all workers
    unsigned open;  // open units of the job, up to UNIT_OPEN_MAX
} UnitOffer;

// The number of games that a claim for at most `most` games receives.
unsigned unit_size(const UnitOffer *offer, unsigned most);

// After `games` of it were claimed: the number of remaining games that stay in this unit. The rest, if any, becomes
// another unit; this happens while there are too few open units for the number of slots.
unsigned unit_stays(const UnitOffer *offer, unsigned games);

// How long a unit should take with this number of slots, in seconds.
double unit_seconds(uint64_t slots);

// The number of games that a slot plays in this time at `pace` games a second (0: not known yet), at least `least`.
unsigned unit_most(double pace, double seconds, unsigned least);

// Seconds after which an idle slot asks for work again, also without a notification.
enum { UNIT_IDLE_SECONDS = 2 };

// The same if other workers had locked all open units, for the n-th time from 0; `chance` (0 to 1) spreads the retries.
double unit_late_seconds(unsigned tries, double chance);

// Seconds between two heartbeats of a worker whose shortest lease has this length in seconds.
double unit_beat_seconds(double lease);

// Seconds until the next try after a connection was lost, for the n-th time from 0 on; `chance` spreads the retries, so
// that a thousand workers do not reconnect at the same moment.
double unit_retry_seconds(unsigned tries, double chance);
