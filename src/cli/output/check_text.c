// The results of krow check-engine as text and JSON.
#include "cli/output/check_text.h"

static const char *text_or_empty(const Text *text)
{
    return text->length > 0 ? text->data : "";
}

static void print_field(const char *name, const Text *text, FILE *out)
{
    if (text->length > 0)
        (void)fprintf(out, "%15s%-9s %s\n", "", name, text->data);
}

// Every line of the conversation, indented.
static void print_lines(const Text *lines, FILE *out)
{
    Span rest = {lines->data, lines->length}, line = {0};
    while (span_next_part(&rest, '\n', &line))
        (void)fprintf(out, "%15s%.*s\n", "", (int)line.length, line.at);
}

void check_print(const CheckResult *result, bool verbose, FILE *out)
{
    (void)fprintf(out, "%-14s %-17s %s", check_outcome_name(result->outcome), result->name, result->title);
    if (result->outcome == CHECK_SKIPPED)
        (void)fprintf(out, " (%s)", text_or_empty(&result->came));
    (void)fprintf(out, "\n");
    if (result->outcome == CHECK_FAILED || result->outcome == CHECK_UNSUPPORTED) {
        print_field("sent", &result->sent, out);
        print_field("expected", &result->expected, out);
        print_field("came", &result->came, out);
    }
    if (verbose)
        print_lines(&result->lines, out);
    (void)fflush(out);
}

void check_print_protections(const Protection *list, unsigned count, bool only_missing, FILE *out)
{
    for (unsigned i = 0; i < count; i++)
        if (!only_missing || list[i].state == PROTECTION_MISSING)
            (void)fprintf(out, "%-14s %-17s %s\n", protection_state_name(list[i].state), list[i].name, list[i].detail);
}

bool check_is_ready(const CheckReport *report)
{
    return report->outcomes[CHECK_FAILED] == 0 && report->outcomes[CHECK_SKIPPED] == 0;
}

void check_print_summary(const CheckReport *report, FILE *out)
{
    const unsigned *counts = report->outcomes;
    (void)fprintf(out, "%u passed, %u failed, %u not supported", counts[CHECK_PASSED], counts[CHECK_FAILED],
                  counts[CHECK_UNSUPPORTED]);
    if (counts[CHECK_SKIPPED] > 0)
        (void)fprintf(out, ", %u skipped", counts[CHECK_SKIPPED]);
    (void)fprintf(out, ": %s\n", check_is_ready(report) ? "ready" : "not ready");
}

static json_t *lines_json(const Text *lines)
{
    json_t *array = json_array();
    Span rest = {lines->data, lines->length}, line = {0};
    while (span_next_part(&rest, '\n', &line))
        (void)json_array_append_new(array, json_stringn(line.at, line.length));
    return array;
}

static json_t *result_json(const CheckResult *result)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:o}", "name", result->name, "title", result->title,
                     "outcome", check_outcome_name(result->outcome), "sent", text_or_empty(&result->sent), "expected",
                     text_or_empty(&result->expected), "came", text_or_empty(&result->came), "ms",
                     result->seconds * 1000, "lines", lines_json(&result->lines));
}

json_t *check_json(const char *engine, const CheckReport *report)
{
    json_t *checks = json_array();
    const unsigned *counts = report->outcomes;
    for (unsigned i = 0; i < report->count; i++)
        (void)json_array_append_new(checks, result_json(&report->results[i]));
    return json_pack("{s:s, s:s, s:b, s:i, s:i, s:i, s:i, s:o}", "engine", engine, "protocol",
                     check_protocol_name(report->protocol), "ready", check_is_ready(report), "passed",
                     (int)counts[CHECK_PASSED], "failed", (int)counts[CHECK_FAILED], "unsupported",
                     (int)counts[CHECK_UNSUPPORTED], "skipped", (int)counts[CHECK_SKIPPED], "checks", checks);
}

void check_add_protections(json_t *object, const Protection *list, unsigned count)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < count; i++)
        (void)json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "name", list[i].name, "state",
                                                     protection_state_name(list[i].state), "detail", list[i].detail));
    (void)json_object_set_new(object, "protections", array);
}
