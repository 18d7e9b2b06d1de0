// A line on the terminal that shows that an agent is thinking, and for how long.
#pragma once

#include <pthread.h>
#include <stdbool.h>

typedef struct {
    const char *name; // borrowed
    bool is_shown;    // false: there is no terminal or no thread, nothing happens
    bool has_ended;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} Thinking;

// Shows "NAME is thinking…" on standard output after a moment, with the seconds since the beginning.
void thinking_begin(Thinking *thinking, const char *name, bool is_wanted);

// Erases the line.
void thinking_end(Thinking *thinking);
