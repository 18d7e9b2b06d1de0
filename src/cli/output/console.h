// Remarks and progress on standard error: lines that renew themselves on a terminal, a line now and then in a log.
#pragma once

#include "view/progress.h"

typedef struct {
    Reporter reporter;
    bool is_terminal;
    unsigned lines; // of progress that are shown on the terminal
    double shown;   // clock_seconds
} Console;

// Returns the reporter, or NULL if `quiet`.
Reporter *console_open(Console *console, bool quiet);
