// What a program uses, with all processes that it has started, from /proc.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
    uint64_t memory; // bytes, resident and swapped, without files
    unsigned tasks;  // processes and threads
    double cpu;      // seconds of processor time, also of children that have ended and were waited for
} Usage;

// Costs some 30 µs per process. With `exact`, memory that processes share counts once, which takes longer. False if the
// process is gone.
bool usage_read(pid_t pid, bool exact, Usage *usage);
