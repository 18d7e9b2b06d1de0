// A conversation with an engine: start, lines in both directions, time, and the notes for the report.
#include "external/check/check_internal.h"

#include "base/clock.h"
#include "base/limits.h"
#include "external/sandbox.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static const double exit_seconds = 1;    // to exit after END or quit
static const double slice_seconds = 0.1; // between two reads of the user's stop flag

// --- Notes ---

// Adds a text, shortened to a readable length, with unprintable bytes shown.
static void add_shown(Text *text, Span bytes)
{
    for (size_t i = 0; i < bytes.length; i++) {
        char c = bytes.at[i];
        if (text->length >= CHECK_TEXT_MAX) {
            text_add(text, "...");
            return;
        }
        if (c == '\r')
            text_add(text, "\\r");
        else if (c == '\n')
            text_add(text, i + 1 < bytes.length ? " | " : "");
        else
            text_add(text, "%c", c < ' ' || c > '~' ? '?' : c);
    }
}

static void note_line(Check *check, char direction, Span bytes)
{
    Text *lines = &check->result->lines;
    if (lines->length > CHECK_LINES_MAX)
        return;
    Text shown = {0};
    add_shown(&shown, bytes);
    text_add(lines, "%c %s\n", direction, shown.length > 0 ? shown.data : "");
    text_close(&shown);
}

void check_expect(Check *check, const char *format, ...)
{
    va_list arguments;
    check->result->expected.length = 0;
    va_start(arguments, format);
    text_add_list(&check->result->expected, format, arguments);
    va_end(arguments);
}

// The first result of a check counts.
__attribute__((format(printf, 3, 0))) static void finish(Check *check, CheckOutcome outcome, const char *format,
                                                         va_list arguments)
{
    CheckResult *result = check->result;
    if (result->outcome != CHECK_PASSED)
        return;
    result->outcome = outcome;
    text_add_list(&result->came, format, arguments);
}

#define FINISH(outcome)                                                                                                \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    finish(check, outcome, format, arguments);                                                                         \
    va_end(arguments);                                                                                                 \
    return false

bool check_fail(Check *check, const char *format, ...)
{
    FINISH(CHECK_FAILED);
}

bool check_unsupported(Check *check, const char *format, ...)
{
    FINISH(CHECK_UNSUPPORTED);
}

bool check_skip(Check *check, const char *format, ...)
{
    FINISH(CHECK_SKIPPED);
}

// --- Start and end ---

bool check_start(Check *check)
{
    Error error = {0};
    if (sandbox_start(check->options->engine, &check->process, &error) != STATUS_OK)
        return check_fail(check, "%s", error.text);
    check->sent_at = clock_seconds();
    return true;
}

void check_stop(Check *check)
{
    process_kill(&check->process);
}

// The program has ended or closed its output.
static bool fail_ended(Check *check)
{
    static const double last_seconds = 0.2;
    char how[PROCESS_TEXT_SIZE], last[PROCESS_TEXT_SIZE];
    process_end(&check->process, (Span){0}, last_seconds);
    process_describe_end(&check->process, how);
    process_last_words(&check->process, last);
    check->result->sandbox_failed = sandbox_has_failed(last);
    bool has_closed = check->process.forced && check->process.guard.breach == GUARD_WITHIN;
    return check_fail(check, "%s%s%s", has_closed ? "it closed its output" : how,
                      last[0] != '\0' ? "; its last words: " : "", last);
}

static bool fail_flood(Check *check)
{
    return check_fail(check, "a flood: a line of more than %d KiB, or more than %d MiB for one command",
                      PROCESS_LINE_MAX >> 10, PROCESS_TURN_MAX >> 20);
}

bool check_exit(Check *check)
{
    double deadline = check->sent_at + exit_seconds + check->options->tolerance;
    Span line = {0};
    ProcessResult result = PROCESS_OK;
    check_expect(check, "the program exits within %g s", exit_seconds);
    do
        result = process_read_line(&check->process, deadline, &line);
    while (result == PROCESS_OK && clock_seconds() < deadline);
    if (result == PROCESS_ENDED) {
        process_end(&check->process, (Span){0}, fmax(deadline - clock_seconds(), slice_seconds));
        char how[PROCESS_TEXT_SIZE];
        process_describe_end(&check->process, how);
        bool crashed = strstr(how, "signal") != NULL;
        return !check->process.forced && !crashed ? true : check_fail(check, "%s", crashed ? how : "it still runs");
    }
    return check_fail(check, "it still runs after %.1f s", clock_seconds() - check->sent_at);
}

// --- Sending ---

bool check_send_bytes(Check *check, const char *bytes)
{
    CheckResult *result = check->result;
    if (result->outcome != CHECK_PASSED)
        return false;
    if (check->fresh && !check_wait(check, check->pause))
        return false;
    if (check->fresh)
        result->sent.length = 0;
    check->fresh = false;
    if (result->sent.length > 0 && result->sent.length < CHECK_TEXT_MAX)
        text_add(&result->sent, " | ");
    if (result->sent.length < CHECK_TEXT_MAX)
        add_shown(&result->sent, span_of(bytes));
    note_line(check, '>', span_of(bytes));
    process_next_turn(&check->process);
    check->sent_at = clock_seconds();
    ProcessResult sent = process_write(&check->process, span_of(bytes), check->sent_at + check->options->patience);
    if (sent == PROCESS_OK)
        return true;
    if (sent == PROCESS_ENDED)
        return fail_ended(check);
    return sent == PROCESS_FLOOD ? fail_flood(check) : check_fail(check, "it does not read its input");
}

bool check_send(Check *check, const char *format, ...)
{
    Text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    text_add(&text, "%s", check->line_end);
    bool sent = check_send_bytes(check, text.data);
    text_close(&text);
    return sent;
}

// --- Receiving ---

CheckRead check_read(Check *check, double seconds, Span *line)
{
    if (check->result->outcome != CHECK_PASSED)
        return CHECK_BROKEN;
    double deadline = clock_seconds() + seconds;
    ProcessResult result = PROCESS_LATE;
    while (result == PROCESS_LATE) {
        double now = clock_seconds();
        if (stop_is_raised(check->options->stop)) {
            (void)check_skip(check, "interrupted");
            return CHECK_BROKEN;
        }
        result = process_read_line(&check->process, fmin(deadline, now + slice_seconds), line);
        if (result == PROCESS_LATE && now >= deadline)
            return CHECK_LATE;
    }
    if (result == PROCESS_OK) {
        *line = span_trim(*line);
        note_line(check, '<', *line);
        check->taken = clock_seconds() - check->sent_at;
        check->fresh = true;
        return CHECK_LINE;
    }
    (void)(result == PROCESS_ENDED ? fail_ended(check) : fail_flood(check));
    return CHECK_BROKEN;
}

bool check_wait(Check *check, double seconds)
{
    double end = clock_seconds() + seconds;
    while (clock_seconds() < end) {
        if (stop_is_raised(check->options->stop))
            return check_skip(check, "interrupted");
        clock_sleep(fmin(slice_seconds, fmax(end - clock_seconds(), 0)));
    }
    return true;
}

bool check_early_line(Check *check, double seconds, bool (*is_remark)(Span line), Span *line)
{
    double end = clock_seconds() + seconds;
    CheckRead read = CHECK_LINE;
    do
        read = check_read(check, fmax(end - clock_seconds(), 0), line);
    while (read == CHECK_LINE && is_remark(*line));
    return read == CHECK_LINE;
}

// Two searches that end directly after a line, although an undisturbed one takes much longer, are no accident.
bool check_undisturbed(Check *check, bool (*search)(Check *check, double disturb, double *taken))
{
    static const double shares[] = {0.25, 0.45};
    static const double reaction = 0.1, least = 0.3;
    double alone = 0, taken = 0;
    unsigned ended = 0;
    if (!search(check, 0, &alone))
        return false;
    for (int i = 0; i < 2; i++) {
        double disturb = fmax(alone * shares[i], 0.02);
        if (!search(check, disturb, &taken))
            return false;
        ended += alone >= least && taken >= disturb && taken - disturb < reaction && taken < 0.7 * alone;
    }
    check_expect(check, "a search that input does not end");
    return ended < 2 ||
           check_fail(check, "an answer after %.2f s, at once after the line; undisturbed after %.2f s", taken, alone);
}

bool check_time(Check *check)
{
    if (!check->judges || check->taken <= check->limit + check->options->tolerance)
        return true;
    check_expect(check, "a move within %g s", check->limit);
    return check_fail(check, "a move after %.2f s", check->taken);
}
