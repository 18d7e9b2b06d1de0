// Control groups (cgroup v2): the kernel limits what all processes of a program use together.
//
// krow makes groups in the folder $KROW_CGROUP if it is set ('none': nowhere), else in its own group or beside it. That
// needs the controllers memory and pids and the right to write there: root with systemd has both, a normal user in a
// part of the tree that was delegated.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CGROUP_PATH_SIZE = 512 };

// Zeroed: no group.
typedef struct {
    char path[CGROUP_PATH_SIZE];
    int procs; // open file; a process that writes "0" to it joins
} Cgroup;

typedef enum { CGROUP_NOTHING, CGROUP_MEMORY, CGROUP_TASKS } CgroupEvent;

// Makes a group for at most this much memory and this many processes and threads (0: no limit). False where krow
// cannot.
bool cgroup_open(Cgroup *group, uint64_t memory, unsigned tasks);

// Whether a process has joined.
bool cgroup_is_used(const Cgroup *group);

// Seconds of processor time of all processes since the group was made.
double cgroup_cpu(const Cgroup *group);

// CGROUP_MEMORY: the kernel has ended the processes because they needed more memory. CGROUP_TASKS: it has refused a
// process or thread.
CgroupEvent cgroup_event(const Cgroup *group);

// Ends all processes of the group and removes it.
void cgroup_close(Cgroup *group);
