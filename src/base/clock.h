// Wall-clock time that never jumps. CPU time is no clock: a thread that waits would not be seen.
#pragma once

#include <stdint.h>

// Seconds since some fixed moment.
double clock_seconds(void);

// Milliseconds since 1970 UTC, for records: the clock on the wall, which may jump.
int64_t clock_unix_ms(void);

// Waits; returns early when a signal arrives.
void clock_sleep(double seconds);
