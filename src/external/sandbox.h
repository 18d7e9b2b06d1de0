// Where foreign programs run: inside bubblewrap, without a network, on a system they can only read, with a /tmp and a
// working folder of their own that vanish with them. docs/external-engines.md describes what they see.
#pragma once

#include "base/process/spawn.h"
#include "base/process/words.h"

enum {
    SANDBOX_PROCESSES = 64,              // processes and threads of one engine; only inside the sandbox
    SANDBOX_SCRATCH = 64 << 20,          // bytes in /tmp, and again in the working folder and in /dev/shm
    SANDBOX_REPORTED_MEMORY = 350 << 20, // the memory limit that is reported to engines, as at Gomocup
};

// For each process of an engine, inside the sandbox and without it.
extern const SpawnLimits sandbox_limits;

// The words that start a command inside the sandbox. Fails, and says why, when there is no bubblewrap or no such
// program.
Status sandbox_wrap(const Words *command, Words *argv, Error *error);

// The same without a sandbox: only the program is looked up.
Status sandbox_bypass(const Words *command, Words *argv, Error *error);

// Whether the last output of a program that ended at once says that the sandbox could not be set up.
bool sandbox_has_failed(const char *last_words);
