// Ctrl-C as a flag that long work polls.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

// From now on SIGINT raises the flag, which is returned; a second one while it is up ends the program, as users expect
// of a program that does not answer.
const atomic_bool *interrupt_catch(void);

// The same for SIGTERM, for programs that a service manager starts and stops, and for SIGHUP, which comes when the
// connection closes through which they were started; not where SIGHUP is ignored, as under nohup.
void interrupt_catch_terminate(void);

const atomic_bool *interrupt_flag(void);

// Reads the flag and lowers it.
bool interrupt_take(void);
