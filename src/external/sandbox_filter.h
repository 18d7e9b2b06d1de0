// The system calls that an engine in the sandbox may use. docs/external-engines.md gives the reasons.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Whether this kernel can filter system calls.
bool sandbox_filter_is_available(void);

// The filter as bubblewrap reads it (struct sock_filter); it lives as long as krow. The first call compiles it. Safe
// among threads.
Status sandbox_filter_program(Span *program, Error *error);
