// Messages and progress on standard error.
#include "cli/output/console.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_USUAL = 80 };

// Seconds between two lines of progress, on a terminal and in a log.
static const double renew_terminal = 0.2, renew_log = 15;

static void note(Reporter *reporter, const char *text)
{
    Console *console = (Console *)reporter;
    // Replaces a line of progress, which is painted again when it is due.
    bool is_painted = console->is_terminal && console->lines == 1;
    (void)fprintf(stderr, is_painted ? "\r%s\033[K\n" : "%s\n", text);
    console->lines = is_painted ? 0 : console->lines;
}

static bool is_due(Reporter *reporter)
{
    const Console *console = (const Console *)reporter;
    return clock_seconds() - console->shown >= (console->is_terminal ? renew_terminal : renew_log);
}

// A single line has no line end and is overwritten. Several lines end with one; the cursor moves up to overwrite them.
static void paint(Console *console, const char *text)
{
    unsigned lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines == 1) {
        (void)fprintf(stderr, "\r%s\033[K", text);
    } else {
        if (console->lines > 1)
            (void)fprintf(stderr, "\033[%uA\r", console->lines);
        for (const char *at = text, *end = NULL; at != NULL; at = end != NULL ? end + 1 : NULL) {
            end = strchr(at, '\n');
            (void)fprintf(stderr, "%.*s\033[K\n", end != NULL ? (int)(end - at) : (int)strlen(at), at);
        }
    }
    console->lines = lines;
}

static void show(Reporter *reporter, const char *text)
{
    Console *console = (Console *)reporter;
    console->shown = clock_seconds();
    if (console->is_terminal)
        paint(console, text);
    else
        (void)fprintf(stderr, "%s\n", text);
    (void)fflush(stderr);
}

static void end(Reporter *reporter, const char *text)
{
    Console *console = (Console *)reporter;
    if (text != NULL)
        show(reporter, text);
    if (console->lines == 1)
        (void)fprintf(stderr, "%s", text != NULL ? "\n" : "\r\033[K");
    console->lines = 0;
    console->shown = clock_seconds();
}

static unsigned terminal_columns(void)
{
    struct winsize size = {0};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS_USUAL;
}

Reporter *console_open(Console *console, bool quiet)
{
    *console = (Console){.reporter = {.note = note, .is_due = is_due, .show = show, .end = end},
                         .is_terminal = isatty(STDERR_FILENO) != 0,
                         .shown = clock_seconds()};
    console->reporter.columns = console->is_terminal ? terminal_columns() : 0;
    return quiet ? NULL : &console->reporter;
}
