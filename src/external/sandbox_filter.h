// The system calls that an engine in the sandbox may use. tools/make_filter.c has the list, docs/external-engines.md
// the reasons.
#pragma once

#include "base/text.h"

// Made at build time.
extern const size_t sandbox_filter_size;
extern const unsigned char sandbox_filter_bytes[];

// Whether this kernel can filter system calls.
bool sandbox_filter_is_available(void);

// The filter as bubblewrap reads it (struct sock_filter).
Span sandbox_filter_program(void);
