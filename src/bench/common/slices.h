// Speeds measured in alternating short slices of a fast and a plain version, so that the ratio is measured under the
// same conditions.
#pragma once

#include <stdatomic.h>
#include <stdint.h>

enum { SLICES_MAX = 1001 };

// Does a slice of work and returns the number of stones, leaves or turns.
typedef uint64_t SliceWork(void *context);

typedef struct {
    double speed; // of the fast version, per second
    double ratio; // of its speed to that of the plain one
} SliceMedians;

// Alternates slices of both until the time is up, at least three of each.
SliceMedians slices_measure(double seconds, const atomic_bool *stop, void *context, SliceWork *fast, SliceWork *plain);

// The median; sorts the numbers. 0 if there are none.
double slices_median(double *numbers, unsigned count);
