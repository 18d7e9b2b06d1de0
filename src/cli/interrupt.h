// Ctrl-C as a flag that long work polls.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// From now on SIGINT raises the returned flag. A second SIGINT while it is raised ends the program.
const atomic_bool *interrupt_catch(void);

// The same for SIGTERM, which service managers send, and for SIGHUP, which a closed connection sends, unless SIGHUP is
// ignored, as under nohup.
void interrupt_catch_terminate(void);

const atomic_bool *interrupt_flag(void);

// Reads the flag and lowers it.
bool interrupt_take(void);
