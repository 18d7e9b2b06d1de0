// Timed waits on condition variables.
#include "base/condition.h"

#include <math.h>
#include <time.h>

void condition_init(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(condition, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
}

void condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double moment)
{
    if (isinf(moment)) {
        (void)pthread_cond_wait(condition, lock);
        return;
    }
    double whole = floor(moment);
    struct timespec until = {.tv_sec = (time_t)whole, .tv_nsec = (long)((moment - whole) * 1e9)};
    (void)pthread_cond_timedwait(condition, lock, &until);
}
