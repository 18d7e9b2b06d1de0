// Long work reports to the user: remarks, and a line of progress that is renewed. Who shows them is an interface: the
// command line prints to standard error (cli/output/console.h); NULL shows nothing.
#pragma once

#include <stdbool.h>

typedef struct Reporter Reporter;
struct Reporter {
    unsigned columns;                                   // of the terminal; 0: a log
    void (*note)(Reporter *reporter, const char *text); // a remark
    bool (*is_due)(Reporter *reporter);                 // whether it is time to renew the progress
    void (*show)(Reporter *reporter, const char *text); // renews the progress; it may have several lines
    void (*end)(Reporter *reporter, const char *text);  // shows it a last time and keeps it; NULL: removes it
};

__attribute__((format(printf, 2, 3))) void reporter_note(Reporter *reporter, const char *format, ...);

// Renews the progress if that is due.
__attribute__((format(printf, 2, 3))) void reporter_show(Reporter *reporter, const char *format, ...);

// Removes the progress.
void reporter_end(Reporter *reporter);

// Progress of things that are counted, with the speed and the time left.
typedef struct {
    Reporter *reporter;     // NULL: nothing is shown
    const char *things;     // what is counted: games
    unsigned total, before; // of them in all, and those that were done before
    double begun;           // clock_seconds
} Progress;

void progress_begin(Progress *progress, Reporter *reporter, unsigned total, unsigned before);

// `words` come between the count and the speed.
void progress_show(Progress *progress, unsigned done, const char *words);

// Ends the line.
void progress_end(Progress *progress, unsigned done, const char *words);
