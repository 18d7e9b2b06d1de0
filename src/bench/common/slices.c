// Measures a fast and a plain function in alternating slices of time: median speed and ratio.
#include "bench/common/slices.h"

#include "base/limits.h"

#include <stdlib.h>

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double slices_median(double *numbers, unsigned count)
{
    qsort(numbers, count, sizeof numbers[0], compare_numbers);
    return count > 0 ? numbers[count / 2] : 0;
}

// Speed of one slice, a second.
static double slice(SliceWork *run, void *context)
{
    double begin = clock_seconds();
    uint64_t done = run(context);
    double took = clock_seconds() - begin;
    return took > 0 ? (double)done / took : 0;
}

SliceMedians slices_measure(double seconds, const atomic_bool *stop, void *context, SliceWork *fast, SliceWork *plain)
{
    static _Thread_local double speeds[SLICES_MAX], ratios[SLICES_MAX];
    unsigned count = 0;
    double end = clock_seconds() + seconds;
    while (count < SLICES_MAX && (count < 3 || clock_seconds() < end)) {
        if (stop_is_raised(stop))
            break;
        double plain_speed = slice(plain, context);
        speeds[count] = slice(fast, context);
        ratios[count] = plain_speed > 0 ? speeds[count] / plain_speed : 0;
        count++;
    }
    return (SliceMedians){slices_median(speeds, count), slices_median(ratios, count)};
}
