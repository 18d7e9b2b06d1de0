// Starts another program: without a shell, in a session and process group of its own, with pipes for its three streams.
//
// It ends when krow ends, also after a kill -9. The kernel ties a child to the thread that made it, not to the program,
// so all children are made by one thread of this file that never ends; callers may be any thread, many at once.
#pragma once

#include "base/status.h"

#include <stdint.h>
#include <sys/types.h>

// 0 is no limit. A limit on the number of processes is not here: the kernel counts all processes of a user, not those
// of one program, so it means something only inside a user namespace, and has to be set there.
typedef struct {
    uint64_t memory;    // bytes of address space, for each process
    uint64_t file_size; // bytes of a file it writes
} SpawnLimits;

typedef struct {
    char *const *argv;  // ends with NULL; argv[0] is the path of the program
    SpawnLimits limits; // core dumps are always off
} SpawnSpec;

// All descriptors are closed on exec and do not block. The process id is also that of its group and of its session.
typedef struct {
    pid_t pid;
    int pidfd;     // readable when the program has ended
    int to;        // its standard input
    int from;      // its standard output
    int from_errs; // its standard error
} Spawned;

// When the program cannot be started, nothing is left behind and the error says why.
Status spawn(const SpawnSpec *spec, Spawned *spawned, Error *error);
