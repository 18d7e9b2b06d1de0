// Limits for a program together with all processes that it starts.
//
// Where krow can make a control group, the kernel enforces the limits of memory and processes. Otherwise, and for
// processor time, a thread looks at all guarded programs four times per second and ends those that are over a limit.
#pragma once

#include "base/process/cgroup.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

// 0: no limit.
typedef struct {
    uint64_t memory;  // bytes
    unsigned tasks;   // processes and threads
    unsigned helpers; // tasks that do not count, such as those of a sandbox
    double cpu;       // seconds of processor time since the start or guard_restart_cpu
} GuardLimits;

typedef enum { GUARD_WITHIN, GUARD_MEMORY, GUARD_TASKS, GUARD_CPU } GuardBreach;

// Zeroed: nothing is guarded. A guard that is used stays in its place.
typedef struct Guard {
    GuardLimits limits;
    pid_t pid;
    Cgroup group;
    bool is_grouped; // the kernel enforces the limits
    GuardBreach breach;
    atomic_bool is_full;      // it has had as many processes and threads as it may
    double cpu, cpu_before;   // counted since the last restart; the sum at the last look
    atomic_bool restarts_cpu; // at the next look
    struct Guard *next;
} Guard;

// Before the start of a program. Makes a control group, if possible, which the program has to join.
void guard_prepare(Guard *guard, const GuardLimits *limits);

// After its start. The process has to exist until guard_end.
void guard_begin(Guard *guard, pid_t pid);

// Counts processor time from now on, for instance because a game begins.
void guard_restart_cpu(Guard *guard);

// The first before the process is waited for: the guard ends and knows why the program has ended. The second when its
// processes have been killed. Both are safe on a zeroed guard.
void guard_end(Guard *guard);
void guard_close(Guard *guard);

// "it used more than 512 MB of memory in all its processes"; empty if no limit was broken.
void guard_describe(const Guard *guard, char *text, size_t size);

// Whether the kernel enforces limits of memory and processes; otherwise krow watches them.
bool guard_has_groups(void);
