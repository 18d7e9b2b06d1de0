// The log of a proof search: a header with the task, then a line for each finding, each with a checksum. A killed run
// may leave half a line at the end, which is dropped; damage elsewhere is an error with the number of the line.
#pragma once

#include "engine/prove/prove.h"

typedef struct ProveLog ProveLog;

// Opens or creates the log and applies its lines to the search. An existing log must have the same header. `lines` gets
// the number of lines applied.
Status prove_log_open(ProveLog **log, const char *path, const char *header, Prove *prove, uint64_t *lines,
                      Error *error);

// Adds a line, which survives the end of this process from then on.
bool prove_log_add(ProveLog *log, Span line);

// Waits until everything is on the disk, so that it survives a crash of the machine.
Status prove_log_sync(ProveLog *log, Error *error);
void prove_log_close(ProveLog *log); // NULL is fine
