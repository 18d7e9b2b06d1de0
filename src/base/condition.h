// Condition variables with timed waits on the clock of clock_seconds.
#pragma once

#include <pthread.h>

void condition_init(pthread_cond_t *condition); // release with pthread_cond_destroy

// Waits, with the lock held, until the condition is signalled or `moment` has passed (INFINITY: no time limit). May
// wake up spuriously.
void condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double moment);
