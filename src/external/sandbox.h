// The sandbox of external engines: bubblewrap without a network, with a read-only system, a temporary /tmp and working
// folder, and a filter of system calls. docs/external-engines.md describes it.
#pragma once

#include "agents/agent.h"
#include "base/process/process.h"

enum {
    SANDBOX_MEMORY = 4096,               // MB of one engine with all its processes, and of each process
    SANDBOX_PROCESSES = 64,              // processes and threads of one engine; only inside the sandbox
    SANDBOX_CPU = 24 * 3600,             // seconds of processor time of one engine in a game
    SANDBOX_SCRATCH = 64 << 20,          // bytes in /tmp, and again in the working folder and in /dev/shm
    SANDBOX_REPORTED_MEMORY = 350 << 20, // the memory limit that is reported to engines, as at Gomocup
};

// Limits for an engine with all its processes, 0: the default; and what it sees.
typedef struct {
    unsigned told_memory; // MB of the setting `memory`; more than the default raises the limit
    unsigned memory;      // MB
    unsigned processes;   // and threads
    double cpu;           // seconds of processor time in a game
    bool keeps_paths;     // folders keep their paths inside
} SandboxSettings;

SandboxSettings sandbox_settings_of(const AgentSettings *settings);

// A command as it is started. Zeroed: empty.
typedef struct {
    bool is_used; // inside the sandbox
    SandboxSettings settings;
    Words argv;    // what is executed
    Words options; // of bubblewrap, which reads them from a file: an engine can read the arguments of its processes
} Sandboxed;

// Prepares a command for the sandbox, or for a start without one if it is not used. Fails without bubblewrap or without
// the program. Close it in any case.
Status sandbox_prepare(const Words *command, const SandboxSettings *settings, bool is_used, Sandboxed *sandboxed,
                       Error *error);
void sandbox_close(Sandboxed *sandboxed);

// What holds for all its processes together.
GuardLimits sandbox_whole_limits(const Sandboxed *sandboxed);

Status sandbox_start(const Sandboxed *sandboxed, Process *process, Error *error);

// Whether the last output of a program that ended at once is an error of the sandbox.
bool sandbox_has_failed(const char *last_words);
