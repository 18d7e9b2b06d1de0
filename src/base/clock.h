// Monotonic wall-clock time. CPU time would not count a thread that waits.
#pragma once

#include <stdint.h>

// Seconds since an unspecified moment; never jumps.
double clock_seconds(void);

// Milliseconds since 1970 UTC, for records. May jump when the system clock is set.
int64_t clock_unix_ms(void);

// Sleeps; returns early if a signal arrives.
void clock_sleep(double seconds);
