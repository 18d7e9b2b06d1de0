// Messages and progress of long work. The command line prints them to standard error (cli/output/console.h); a NULL
// reporter shows nothing.
#pragma once

#include "base/text.h"

#include <stdbool.h>

typedef struct Reporter Reporter;
struct Reporter {
    unsigned columns;                                   // of the terminal; 0: a log
    void (*note)(Reporter *reporter, const char *text); // a message
    bool (*is_due)(Reporter *reporter);                 // whether it is time to update the progress
    void (*show)(Reporter *reporter, const char *text); // updates the progress, which may have several lines
    void (*end)(Reporter *reporter, const char *text);  // shows it a last time and keeps it; NULL: removes it
};

__attribute__((format(printf, 2, 3))) void reporter_note(Reporter *reporter, const char *format, ...);

// Updates the progress if that is due.
__attribute__((format(printf, 2, 3))) void reporter_show(Reporter *reporter, const char *format, ...);

// Removes the progress.
void reporter_end(Reporter *reporter);

// Progress of things that are counted, with the speed and the time left.
typedef struct {
    Reporter *reporter;     // NULL: nothing is shown
    const char *things;     // what is counted: games
    unsigned total, before; // all, and those already done at the begin
    double begun;           // clock_seconds
} Progress;

void progress_begin(Progress *progress, Reporter *reporter, unsigned total, unsigned before);

// `words` appear between the count and the speed.
void progress_show(Progress *progress, unsigned done, const char *words);

void progress_end(Progress *progress, unsigned done, const char *words);

// Adds ", 1:02:03 left".
void progress_add_wait(Text *text, double seconds);
