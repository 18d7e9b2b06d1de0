// Conditions of threads whose waits are measured by clock_seconds.
#pragma once

#include <pthread.h>

void condition_init(pthread_cond_t *condition); // ends with pthread_cond_destroy

// Waits with the lock until it is signalled, or until this moment; INFINITY: for ever. May return without a reason.
void condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double moment);
