// Wall-clock time that never jumps. CPU time is no clock: a thread that waits would not be seen.
#pragma once

// Seconds since some fixed moment.
double clock_seconds(void);

// Waits; returns early when a signal arrives.
void clock_sleep(double seconds);
