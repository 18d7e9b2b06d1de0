// Monotonic and calendar time, and sleeping.
#include "base/clock.h"

#include <time.h>

double clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int64_t clock_unix_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void clock_sleep(double seconds)
{
    struct timespec wait = {.tv_sec = (time_t)seconds};
    wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
    (void)nanosleep(&wait, NULL);
}
