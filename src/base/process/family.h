// A program with the programs that it has started, and whether any of them runs several threads.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum { FAMILY_MAX = 16 };

// Zeroed: unknown.
typedef struct {
    unsigned count; // 0: unknown, or more than FAMILY_MAX
    pid_t pids[FAMILY_MAX];
    int threads[FAMILY_MAX]; // the folder with the threads of each process
} Family;

// Finds a process and its descendants; closed with family_close. Costs some 10 µs per process.
void family_find(Family *family, pid_t pid);

// Leaves a zeroed struct; safe on one.
void family_close(Family *family);

// Whether every process of the family is known to have exactly one thread. Costs less than 1 µs per process.
bool family_is_single_threaded(const Family *family);
