// Speeds measured in short slices: a fast way and a plain one by turns, so that a ratio compares what the machine gave
// both in the same moments.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum { SLICES_MAX = 1001 };

// Does a slice of work and returns how many stones, leaves or turns it came to.
typedef uint64_t SliceWork(void *context);

// Slices of both by turns until the time is up, at least three: the median speed of the fast one, a second, and the
// median of its ratio to the plain one.
void slices_measure(double seconds, const atomic_bool *stop, void *context, SliceWork *fast, SliceWork *plain,
                    double *speed, double *ratio);

// Sorts the numbers; 0 when there are none.
double slices_median(double *numbers, unsigned count);
