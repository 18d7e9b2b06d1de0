// Runs the checks of an engine, one after another, each with a process of its own.
#include "external/check/check_internal.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/memory.h"
#include "external/external_internal.h"

#include <stdlib.h>
#include <string.h>

const char *check_outcome_name(CheckOutcome outcome)
{
    static const char *const names[] = {"pass", "fail", "not supported", "skipped"};
    return names[outcome];
}

const char *check_protocol_name(CheckProtocol protocol)
{
    return protocol == CHECK_UGI ? "ugi" : "gomocup";
}

static const CheckKind *kinds_of(CheckProtocol protocol)
{
    return protocol == CHECK_UGI ? check_ugi : check_gomocup;
}

static unsigned count_kinds(const CheckKind *kinds)
{
    unsigned count = 0;
    while (kinds[count].name != NULL)
        count++;
    return count;
}

// --- Which checks ---

static bool is_listed(const char *list, const char *name)
{
    Span rest = span_of(list), part = {0};
    while (span_next_part(&rest, ',', &part))
        if (span_is(span_trim(part), name))
            return true;
    return false;
}

static Status check_names(const CheckOptions *options, CheckProtocol protocol, Error *error)
{
    Span rest = span_of(options->only != NULL ? options->only : ""), part = {0};
    while (span_next_part(&rest, ',', &part)) {
        const CheckKind *kind = kinds_of(protocol);
        while (kind->name != NULL && !span_is(span_trim(part), kind->name))
            kind++;
        if (kind->name == NULL)
            return error_set(error, STATUS_BAD_INPUT, "there is no check '%.*s' of %s; docs/check-engine.md lists them",
                             SPAN_PRINT(part), check_protocol_name(protocol));
    }
    return STATUS_OK;
}

// --- The protocol ---

static bool says_ugi(Span line)
{
    Span rest = line, first = {0};
    return span_is(line, "ugiok") ||
           (span_next_word(&rest, " ", &first) && (span_is(first, "id") || span_is(first, "option")));
}

// Sends `ugi`: an answer in UGI within the patience decides; a refusal, the end of the program, and silence mean
// Gomocup.
static CheckProtocol detect(const CheckOptions *options)
{
    static const double silence = 1;
    CheckResult result = {0};
    Check *check = memory_new(1, sizeof *check);
    *check = (Check){.options = options, .result = &result, .line_end = "\n"};
    CheckProtocol protocol = CHECK_GOMOCUP;
    Span line = {0};
    bool listens = check_start(check) && check_send(check, "ugi");
    while (listens && check_read(check, silence, &line) == CHECK_LINE) {
        protocol = says_ugi(line) ? CHECK_UGI : CHECK_GOMOCUP;
        listens = protocol == CHECK_GOMOCUP && !gomocup_is_refusal(line);
    }
    check_stop(check);
    free(check);
    text_close(&result.sent);
    text_close(&result.expected);
    text_close(&result.came);
    text_close(&result.lines);
    return protocol;
}

static Status choose_protocol(const CheckOptions *options, CheckProtocol *protocol, Error *error)
{
    const Rules *rules = &options->rules;
    *protocol = options->protocol;
    if (*protocol == CHECK_DETECT)
        *protocol = external_gomocup_can_say(rules) ? detect(options) : CHECK_UGI;
    if (*protocol == CHECK_GOMOCUP && !external_gomocup_can_say(rules))
        return error_set(error, STATUS_BAD_INPUT,
                         "the Gomocup protocol supports only five in a row without gravity, one stone per turn");
    return STATUS_OK;
}

// --- All of it ---

static void run_one(const CheckOptions *options, const CheckKind *kind, double pause, CheckResult *result)
{
    Check *check = memory_new(1, sizeof *check);
    double begin = clock_seconds();
    check->options = options;
    check->result = result;
    check->line_end = "\n";
    check->pause = pause;
    check->limit = options->time;
    game_init(&check->game, &options->rules);
    (void)kind->run(check);
    check_stop(check);
    result->seconds = clock_seconds() - begin;
    free(check);
}

static void run_all(const CheckOptions *options, const CheckKind *kinds, CheckReport *report)
{
    const char *gate = NULL; // that has failed
    double pause = 0;
    for (unsigned i = 0; kinds[i].name != NULL && !stop_is_raised(options->stop); i++) {
        if (options->only != NULL && !is_listed(options->only, kinds[i].name) && kinds[i].role == CHECK_PLAIN)
            continue;
        CheckResult *result = &report->results[report->count++];
        *result = (CheckResult){.name = kinds[i].name, .title = kinds[i].title};
        if (gate != NULL) {
            result->outcome = CHECK_SKIPPED;
            text_add(&result->came, "'%s' has failed", gate);
        } else {
            run_one(options, &kinds[i], pause, result);
        }
        if (result->sandbox_failed)
            return;
        if (kinds[i].role == CHECK_GATE && result->outcome != CHECK_PASSED)
            gate = kinds[i].name;
        if (kinds[i].role == CHECK_PACES && result->outcome == CHECK_FAILED)
            pause = CHECK_PAUSE;
        report->outcomes[result->outcome]++;
        if (options->publish != NULL)
            options->publish(options->context, result);
    }
}

Status check_run(const CheckOptions *options, CheckReport *report, Error *error)
{
    *report = (CheckReport){0};
    Status status = choose_protocol(options, &report->protocol, error);
    if (status == STATUS_OK)
        status = check_names(options, report->protocol, error);
    if (status != STATUS_OK)
        return status;
    const CheckKind *kinds = kinds_of(report->protocol);
    report->results = memory_new(count_kinds(kinds), sizeof *report->results);
    run_all(options, kinds, report);
    if (stop_is_raised(options->stop))
        return error_set(error, STATUS_FAILED, "interrupted");
    const CheckResult *last = &report->results[report->count - 1];
    if (report->count > 0 && last->sandbox_failed)
        return error_set(error, STATUS_FAILED,
                         "the sandbox could not start it (%s); --no-sandbox starts programs without one",
                         last->came.data);
    return STATUS_OK;
}

void check_close(CheckReport *report)
{
    for (unsigned i = 0; i < report->count; i++) {
        CheckResult *result = &report->results[i];
        text_close(&result->sent);
        text_close(&result->expected);
        text_close(&result->came);
        text_close(&result->lines);
    }
    free(report->results);
    *report = (CheckReport){0};
}
