// Messages and progress on standard error: progress is repainted on a terminal and printed at intervals in a log.
#pragma once

#include "view/progress.h"

typedef struct {
    Reporter reporter;
    bool is_terminal;
    unsigned lines; // of progress on the terminal
    double shown;   // clock_seconds
} Console;

// Returns the reporter, or NULL if `quiet`.
Reporter *console_open(Console *console, bool quiet);
