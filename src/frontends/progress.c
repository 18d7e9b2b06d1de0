#include "frontends/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <unistd.h>

// Seconds between two lines, on a terminal and in a log.
static const double renew_terminal = 0.2, renew_log = 15;

void progress_begin(Progress *progress, unsigned total, unsigned before, bool quiet)
{
    double now = clock_seconds();
    *progress = (Progress){.quiet = quiet,
                           .is_terminal = isatty(STDERR_FILENO) != 0,
                           .things = "games",
                           .total = total,
                           .before = before,
                           .begun = now,
                           .shown = now};
}

static void print(const Progress *progress, unsigned done, const char *words)
{
    double seconds = clock_seconds() - progress->begun;
    unsigned played = done - progress->before, left = progress->total - done;
    double speed = seconds > 0 ? played / seconds : 0;
    (void)fprintf(stderr, "%s%u/%u %s%s%s, %.0f a minute", progress->is_terminal ? "\r" : "", done, progress->total,
                  progress->things, words[0] != '\0' ? ", " : "", words, 60 * speed);
    if (speed > 0 && left > 0) {
        unsigned wait = (unsigned)(left / speed + 0.5);
        (void)fprintf(stderr, ", %u:%02u:%02u left", wait / 3600, wait / 60 % 60, wait % 60);
    }
    (void)fprintf(stderr, "%s", progress->is_terminal ? "\033[K" : "\n");
    (void)fflush(stderr);
}

void progress_show(Progress *progress, unsigned done, const char *words)
{
    double now = clock_seconds(), wait = progress->is_terminal ? renew_terminal : renew_log;
    if (progress->quiet || now - progress->shown < wait)
        return;
    progress->shown = now;
    print(progress, done, words);
}

void progress_end(Progress *progress, unsigned done, const char *words)
{
    if (progress->quiet)
        return;
    print(progress, done, words);
    if (progress->is_terminal)
        (void)fprintf(stderr, "\n");
}
