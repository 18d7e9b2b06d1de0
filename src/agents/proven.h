// Names of proven values, as output, protocols and files have them.
#pragma once

#include "agents/agent.h"

// "win", "loss", "draw", or NULL where nothing is proven.
static inline const char *proven_name(Proven proven)
{
    static const char *const names[] = {NULL, "win", "loss", "draw"};
    return names[proven];
}

// The value as the other side sees it.
static inline Proven proven_reversed(Proven proven)
{
    return proven == PROVEN_WIN ? PROVEN_LOSS : proven == PROVEN_LOSS ? PROVEN_WIN : proven;
}
