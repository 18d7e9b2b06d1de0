// How far a long piece of work is: a line that renews itself on a terminal, a line now and then in a log.
#pragma once

#include <stdbool.h>

typedef struct {
    bool quiet, is_terminal;
    const char *things;     // what is counted: games
    unsigned total, before; // of them in all, and those that were done before we began
    double begun, shown;    // clock_seconds
} Progress;

void progress_begin(Progress *progress, unsigned total, unsigned before, bool quiet);

// `words` come between the count and the speed.
void progress_show(Progress *progress, unsigned done, const char *words);

// Ends the line.
void progress_end(Progress *progress, unsigned done, const char *words);
