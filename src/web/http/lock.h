// A mutex that is held until the end of a block.
#pragma once

#include <pthread.h>

// Locks a mutex and unlocks it when the enclosing block ends, also by return.
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration cannot stand in parentheses
#define WEB_LOCK(mutex) __attribute__((cleanup(web_unlock), unused)) pthread_mutex_t *held = web_lock(mutex)

static inline pthread_mutex_t *web_lock(pthread_mutex_t *mutex)
{
    (void)pthread_mutex_lock(mutex);
    return mutex;
}

static inline void web_unlock(pthread_mutex_t **mutex)
{
    (void)pthread_mutex_unlock(*mutex);
}
