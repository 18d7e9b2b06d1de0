// The line that shows that an agent is thinking, drawn by a thread of its own.
#include "cli/play/thinking.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>

// Fast agents answer before the line appears.
static const double first_shown = 0.5, interval = 1; // seconds

static void wait_for(Thinking *thinking, double seconds)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    long nanoseconds = until.tv_nsec + (long)(seconds * 1e9);
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    while (!thinking->has_ended && pthread_cond_timedwait(&thinking->changed, &thinking->lock, &until) == 0) {
    }
}

static void *draw(void *context)
{
    Thinking *thinking = context;
    double begin = clock_seconds();
    bool is_drawn = false;
    (void)pthread_mutex_lock(&thinking->lock);
    wait_for(thinking, first_shown);
    while (!thinking->has_ended) {
        (void)printf("\r%s is thinking… %.0f s", thinking->name, clock_seconds() - begin);
        (void)fflush(stdout);
        is_drawn = true;
        wait_for(thinking, interval);
    }
    (void)pthread_mutex_unlock(&thinking->lock);
    if (is_drawn)
        (void)printf("\r\033[K");
    return NULL;
}

void thinking_begin(Thinking *thinking, const char *name, bool is_wanted)
{
    *thinking = (Thinking){.name = name};
    if (!is_wanted)
        return;
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&thinking->lock, NULL);
    (void)pthread_cond_init(&thinking->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    // Ctrl-C is for the thread that plays.
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    thinking->is_shown = pthread_create(&thinking->thread, NULL, draw, thinking) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void thinking_end(Thinking *thinking)
{
    if (!thinking->is_shown)
        return;
    (void)pthread_mutex_lock(&thinking->lock);
    thinking->has_ended = true;
    (void)pthread_cond_signal(&thinking->changed);
    (void)pthread_mutex_unlock(&thinking->lock);
    (void)pthread_join(thinking->thread, NULL);
    (void)pthread_cond_destroy(&thinking->changed);
    (void)pthread_mutex_destroy(&thinking->lock);
}
