// Timed waits on condition variables.
#include "base/condition.h"

#include "base/clock.h"

#include <math.h>
#include <time.h>

// Windows waits only by calendar time, which may jump; the wait then ends early or late.
#ifdef _WIN32
static double clock_offset(void)
{
    return (double)clock_unix_ms() / 1000 - clock_seconds();
}
#else
static double clock_offset(void)
{
    return 0;
}
#endif

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
    moment += clock_offset();
    double whole = floor(moment);
    struct timespec until = {.tv_sec = (time_t)whole, .tv_nsec = (long)((moment - whole) * 1e9)};
    (void)pthread_cond_timedwait(condition, lock, &until);
}
