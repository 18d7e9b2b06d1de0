// The sandbox of external engines: bubblewrap without a network, with a read-only system and a temporary /tmp and
// working folder. docs/external-engines.md describes it.
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

// The words that start a command inside the sandbox. Fails without bubblewrap or without the program.
Status sandbox_wrap(const Words *command, Words *argv, Error *error);

// The same without a sandbox: only the program is looked up.
Status sandbox_bypass(const Words *command, Words *argv, Error *error);

// Whether the last output of a program that ended at once is an error of the sandbox.
bool sandbox_has_failed(const char *last_words);
