// Messages and progress of long work.
#include "view/progress.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void reporter_note(Reporter *reporter, const char *format, ...)
{
    if (reporter == NULL)
        return;
    char text[1024];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    utf8_clean_lines(text);
    reporter->note(reporter, text);
}

void reporter_show(Reporter *reporter, const char *format, ...)
{
    if (reporter == NULL || !reporter->is_due(reporter))
        return;
    char text[512];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    utf8_clean_lines(text);
    reporter->show(reporter, text);
}

void reporter_end(Reporter *reporter)
{
    if (reporter != NULL)
        reporter->end(reporter, NULL);
}

void progress_begin(Progress *progress, Reporter *reporter, unsigned total, unsigned before)
{
    *progress =
        (Progress){.reporter = reporter, .things = "games", .total = total, .before = before, .begun = clock_seconds()};
}

void progress_add_wait(Text *text, double seconds)
{
    unsigned long wait = (unsigned long)seconds;
    text_add(text, ", %lu:%02lu:%02lu left", wait / 3600, wait / 60 % 60, wait % 60);
}

static void add_line(const Progress *progress, unsigned done, const char *words, Text *text)
{
    double seconds = clock_seconds() - progress->begun;
    unsigned played = done - progress->before, left = progress->total - done;
    double speed = seconds > 0 ? played / seconds : 0;
    text_add(text, "%u/%u %s%s%s, %.0f a minute", done, progress->total, progress->things, words[0] != '\0' ? ", " : "",
             words, 60 * speed);
    if (speed > 0 && left > 0)
        progress_add_wait(text, left / speed + 0.5);
}

void progress_show(Progress *progress, unsigned done, const char *words)
{
    Reporter *reporter = progress->reporter;
    if (reporter == NULL || !reporter->is_due(reporter))
        return;
    Text text = {0};
    add_line(progress, done, words, &text);
    reporter->show(reporter, text.data);
    text_close(&text);
}

void progress_end(Progress *progress, unsigned done, const char *words)
{
    if (progress->reporter == NULL)
        return;
    Text text = {0};
    add_line(progress, done, words, &text);
    progress->reporter->end(progress->reporter, text.data);
    text_close(&text);
}
