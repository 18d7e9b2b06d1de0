// The laws of units: how large they are, how often workers speak to the server, how long they wait. The store, the
// worker and the simulation of many workers (tools/fleet/fleet.h) keep the same ones. docs/scaling.md says where the
// numbers come from.
#pragma once

#include <stdint.h>

// Into how many units a job is cut at first, and how many open ones are looked at when another is claimed. Anyone who
// claims one locks it until the end of its transaction and the others pass on to the next, so there must be more of
// them than workers that claim in the same moment.
enum { UNIT_FIRST_UNITS = 64, UNIT_OPEN_MAX = 512 };

// A unit that has failed or was lost so often is set aside.
enum { UNIT_FAILURES_MAX = 5 };

// Games that are handed in at once.
enum { UNIT_GAMES_MAX = 4096 };

// An open unit, of which a worker claims a part.
typedef struct {
    unsigned games, failures;
    unsigned step;  // games that stay together: 2, or 1 where they are no games
    unsigned unit;  // the requested size; 0: none was requested
    uint64_t left;  // games of the job that are not claimed
    uint64_t slots; // of all workers
    unsigned open;  // open units of the job, up to UNIT_OPEN_MAX
} UnitOffer;

// How many of its games a claim for at most `most` games gets.
unsigned unit_size(const UnitOffer *offer, unsigned most);

// After `games` of it were taken: how many of the others stay one unit. The rest, if any, becomes another one, where
// there are too few for that many slots.
unsigned unit_stays(const UnitOffer *offer, unsigned games);

// How long a unit should take, in seconds, where there are that many slots.
double unit_seconds(uint64_t slots);

// How many games are a unit of that many seconds for a slot that plays `pace` of them a second (0: it does not know
// yet), at least `least`.
unsigned unit_most(double pace, double seconds, unsigned least);

// Seconds after which a slot without work looks again, also without a notification.
double unit_idle_seconds(void);

// The same where there is work, but others were cutting all of it just now, for the n-th time from 0 on; `chance` from
// 0 to 1 spreads them.
double unit_late_seconds(unsigned tries, double chance);

// Seconds between two signs of life of a worker whose shortest lease has that many.
double unit_beat_seconds(double lease);

// Seconds until the next try after a connection was lost, for the n-th time from 0 on; `chance` spreads them, so that a
// thousand workers do not come back in the same moment.
double unit_retry_seconds(unsigned tries, double chance);
