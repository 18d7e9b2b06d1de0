// Which protections hold for an engine on this machine.
#pragma once

#include "external/sandbox.h"

typedef enum {
    PROTECTION_IN_FORCE, // by the kernel
    PROTECTION_WATCHED,  // krow looks at /proc and ends the engine
    PROTECTION_MISSING,  // this machine does not have it
    PROTECTION_OFF,      // not wanted: --no-sandbox
} ProtectionState;

typedef struct {
    const char *name; // "system calls"
    ProtectionState state;
    char detail[96];
} Protection;

enum { PROTECTIONS_MAX = 12 };

// Fills the list for an engine that was prepared; returns their number.
unsigned sandbox_protections(const Sandboxed *sandboxed, Protection list[PROTECTIONS_MAX]);

// "in force", "watched", "missing", "off".
const char *protection_state_name(ProtectionState state);

// Tells the host about protections that are missing, the first time that an engine is started.
void sandbox_warn(const Sandboxed *sandboxed, const AgentHost *host);
