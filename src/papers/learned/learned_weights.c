// Learned weights: the formula, and the text format.
#include "papers/learned/learned_weights.h"

#include "base/file.h"
#include "engine/eval/weights.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 1 << 20 };

// --- The formula ---

static void set(LearnedWeights *weights, const Rules *rules, const char *name, double value)
{
    char other[FEATURES_NAME_SIZE];
    for (unsigned i = 0; i < features_count(rules->k); i++) {
        features_name(i, rules->k, other);
        for (unsigned stage = 0; stage < FEATURES_STAGES && strcmp(name, other) == 0; stage++)
            weights->of[stage][i] = (float)value;
    }
}

void learned_formula(LearnedWeights *weights, const Rules *rules)
{
    char name[FEATURES_NAME_SIZE];
    *weights = (LearnedWeights){0};
    for (unsigned n = 1; n < rules->k; n++) {
        double square = 2.0 * n * n / rules->k / rules->k;
        (void)snprintf(name, sizeof name, "own%u", n);
        set(weights, rules, name, square);
        (void)snprintf(name, sizeof name, "opposing%u", n);
        set(weights, rules, name, -square);
    }
    for (unsigned n = 1; n <= FEATURES_THREATS; n++) {
        (void)snprintf(name, sizeof name, "threats_opposing%u", n);
        set(weights, rules, name, -6.0 * n);
    }
    set(weights, rules, "winning", 4);
    set(weights, rules, "within", 10);
    set(weights, rules, "centre", 0.5);
}

bool learned_find(LearnedWeights *weights, const Rules *rules)
{
    for (unsigned i = 0; i < learned_texts_count; i++)
        if (learned_parse(weights, learned_texts[i], rules, NULL) == STATUS_OK)
            return true;
    learned_formula(weights, rules);
    return false;
}

Status learned_read(LearnedWeights *weights, const char *path, const Rules *rules, Error *error)
{
    if (path[0] == '\0') {
        (void)learned_find(weights, rules);
        return STATUS_OK;
    }
    if (strcmp(path, "none") == 0) {
        learned_formula(weights, rules);
        return STATUS_OK;
    }
    Text text = {0};
    Status status = file_read(path, FILE_MAX, &text, error);
    if (status == STATUS_OK)
        status = learned_parse(weights, (Span){text.data, text.length}, rules, error);
    text_close(&text);
    return status;
}

// --- Text ---

static Status read_weight(LearnedWeights *weights, Span rest, const Rules *rules, Error *error)
{
    Span stage_word = {0}, name = {0}, value_word = {0};
    int64_t stage = 0;
    double value = 0;
    char other[FEATURES_NAME_SIZE];
    (void)span_next_word(&rest, " \t", &stage_word);
    (void)span_next_word(&rest, " \t", &name);
    (void)span_next_word(&rest, " \t", &value_word);
    if (!span_to_int(stage_word, 0, FEATURES_STAGES - 1, &stage))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no stage from 0 to %d", SPAN_PRINT(stage_word),
                         FEATURES_STAGES - 1);
    if (!span_to_real(value_word, &value))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no number", SPAN_PRINT(value_word));
    for (unsigned i = 0; i < features_count(rules->k); i++) {
        features_name(i, rules->k, other);
        if (!span_is(name, other))
            continue;
        weights->of[stage][i] = (float)value;
        return STATUS_OK;
    }
    return error_set(error, STATUS_BAD_INPUT, "unknown feature '%.*s'", SPAN_PRINT(name));
}

static Status read_version(LearnedWeights *weights, Span value, Error *error)
{
    int64_t version = 0;
    if (!span_to_int(value, 1, LEARNED_VERSION, &version))
        return error_set(error, STATUS_BAD_INPUT, "unknown version '%.*s'", SPAN_PRINT(value));
    weights->windows = version == 1 ? GENERALISED_CONTIGUOUS : GENERALISED_EXTENDED;
    return STATUS_OK;
}

static Status read_line(LearnedWeights *weights, Span line, const Rules *rules, bool *has_family, Error *error)
{
    char family[WEIGHTS_FAMILY_SIZE];
    Span key = {0};
    (void)span_next_word(&line, " \t", &key);
    Span value = span_trim(line);
    if (span_is(key, "weight"))
        return *has_family ? read_weight(weights, value, rules, error)
                           : error_set(error, STATUS_BAD_INPUT, "a weight before the family");
    if (span_is(key, "source"))
        return STATUS_OK;
    if (span_is(key, "version"))
        return read_version(weights, value, error);
    if (!span_is(key, "family"))
        return error_set(error, STATUS_BAD_INPUT, "unknown word '%.*s'", SPAN_PRINT(key));
    weights_family(rules, family);
    *has_family = span_is(value, family);
    return *has_family ? STATUS_OK
                       : error_set(error, STATUS_BAD_INPUT, "these weights are for '%.*s', but the game has %s",
                                   SPAN_PRINT(value), family);
}

Status learned_parse(LearnedWeights *weights, Span text, const Rules *rules, Error *error)
{
    Span line = {0};
    bool has_family = false;
    Status status = STATUS_OK;
    *weights = (LearnedWeights){0};
    for (unsigned number = 1; status == STATUS_OK && span_next_part(&text, '\n', &line); number++) {
        line = span_trim(line);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        Error reason = {0};
        status = read_line(weights, line, rules, &has_family, &reason);
        if (status != STATUS_OK)
            return error_set(error, status, "line %u: %s", number, reason.text);
    }
    return has_family ? STATUS_OK : error_set(error, STATUS_BAD_INPUT, "learned weights without a family");
}

void learned_format(const LearnedWeights *weights, const Rules *rules, Span source, Text *text)
{
    char family[WEIGHTS_FAMILY_SIZE], name[FEATURES_NAME_SIZE];
    Span line = {0};
    weights_family(rules, family);
    text_add(text, "# krow learned weights\nversion %d\nfamily %s\n", LEARNED_VERSION, family);
    while (span_next_part(&source, '\n', &line))
        text_add(text, "source %.*s\n", (int)line.length, line.at);
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++) {
        for (unsigned i = 0; i < features_count(rules->k); i++) {
            features_name(i, rules->k, name);
            if (weights->of[stage][i] != 0)
                text_add(text, "weight %u %s %.5g\n", stage, name, (double)weights->of[stage][i]);
        }
    }
}
