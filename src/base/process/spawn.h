// Starts a program without a shell, in its own session and process group, with pipes for its three standard streams.
//
// The program ends when krow ends, even after SIGKILL. The kernel ties a child to the thread that created it, so one
// thread that never ends creates all children. Any thread may call, many at once.
#pragma once

#include "base/process/guard.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// 0 means no limit. The number of processes is not limited here: the kernel counts all processes of a user, so the
// limit is useful only inside a user namespace and must be set there.
typedef struct {
    uint64_t memory;    // bytes of address space, for each process
    uint64_t file_size; // bytes of a file it writes
} SpawnLimits;

typedef struct {
    char *const *argv;        // ends with NULL; argv[0] is the path of the program
    char *const *environment; // ends with NULL; NULL: that of krow
    SpawnLimits limits;       // core dumps are always off
    GuardLimits whole;        // of the program with all its processes; process.h enforces them
    int group;                // open file of the control group that it joins; 0: none
    bool is_sandboxed;        // the output pipe is descriptor SPAWN_OUTPUT; standard output goes with standard error
    int passed[2];            // of a sandbox: files that it gets as SPAWN_PASSED and the next descriptor; 0: none
} SpawnSpec;

// The processes of a sandbox keep their standard output open, which hides that the program inside has closed its own;
// they close other descriptors.
enum { SPAWN_OUTPUT = 3, SPAWN_PASSED = 4, SPAWN_LAST = SPAWN_PASSED + 1 };

// All descriptors are close-on-exec and non-blocking. The process id is also the id of its group and session.
typedef struct {
    pid_t pid;
    int pidfd;     // readable when the program has ended
    int to;        // its standard input
    int from;      // its standard output
    int from_errs; // its standard error
} Spawned;

// On failure nothing remains open, and the error gives the reason.
Status spawn(const SpawnSpec *spec, Spawned *spawned, Error *error);
