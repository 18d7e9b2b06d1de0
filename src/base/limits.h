// Limits of a search: one struct for every search and solver.
#pragma once

#include "base/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// 0 and NULL mean no limit.
typedef struct {
    double deadline; // clock_seconds
    uint64_t nodes;
    unsigned depth;          // each search defines the unit
    const atomic_bool *stop; // set by another thread to end the search early
} Limits;

// NULL: never raised.
static inline bool stop_is_raised(const atomic_bool *stop)
{
    return stop != NULL && atomic_load_explicit(stop, memory_order_relaxed);
}

static inline bool limits_stopped(const Limits *limits)
{
    return stop_is_raised(limits->stop);
}

// Whether the flag is raised or the deadline has passed. Reads the clock.
static inline bool limits_expired(const Limits *limits)
{
    return limits_stopped(limits) || (limits->deadline > 0 && clock_seconds() >= limits->deadline);
}

// Whether a search that has visited `nodes` nodes must end. Reads the clock if `nodes` is a multiple of `period`. A
// search that has already counted the node it is about to visit passes its count less one.
static inline bool limits_reached_every(const Limits *limits, uint64_t nodes, unsigned period)
{
    return (limits->nodes > 0 && nodes >= limits->nodes) || limits_stopped(limits) ||
           (nodes % period == 0 && limits_expired(limits));
}

// The moment at which one `parts`-th of the time left until a deadline is used up. A deadline that has passed and 0 (no
// limit) are returned unchanged.
static inline double limits_part_of(double deadline, unsigned parts)
{
    double now = clock_seconds();
    return deadline > now ? now + (deadline - now) / parts : deadline;
}

// Subtracts spent nodes from a limit. If none are left, returns false and does not change the limit.
static inline bool limits_take_nodes(Limits *limits, uint64_t nodes)
{
    if (limits->nodes > 0 && nodes >= limits->nodes)
        return false;
    limits->nodes -= limits->nodes > 0 ? nodes : 0;
    return true;
}
