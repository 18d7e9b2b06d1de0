// Speeds measured in short slices: a fast way and a plain one by turns, so that a ratio compares what the machine gave
// both in the same moments.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum { SLICES_MAX = 1001 };

// Does a slice of work and returns how many stones, leaves or turns it came to.
typedef uint64_t SliceWork(void *context);

typedef struct {
    double speed; // of the fast one, a second
    double ratio; // of its speed to that of the plain one
} SliceMedians;

// Alternates slices of both until the time is up, at least three of each.
SliceMedians slices_measure(double seconds, const atomic_bool *stop, void *context, SliceWork *fast, SliceWork *plain);

// Sorts the numbers; 0 when there are none.
double slices_median(double *numbers, unsigned count);
