// Lets a thread wake another one that waits for input.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
    int event;             // a file descriptor that is readable after wake_raise
    atomic_bool is_raised; // where the system has no such descriptors
} Wake;

bool wake_open(Wake *wake);
void wake_raise(Wake *wake);
void wake_close(Wake *wake);

// Waits until there is something to read; false after wake_raise.
bool wake_wait_input(const Wake *wake, int input);

// Waits until the reader of an output has closed it; false after wake_raise, or if the system cannot tell.
bool wake_wait_hang_up(const Wake *wake, int output);
