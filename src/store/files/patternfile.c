// Reads and writes pattern files.
#include "store/files/patternfile.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status pattern_set_check_name(Span name, Error *error)
{
    if (book_name_is_good(name))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "invalid name of a pattern set '%.*s'; use letters, digits, - _ . and at most %d",
                     SPAN_PRINT(name), BOOK_NAME_SIZE - 1);
}

Status pattern_set_check_rules(const Rules *rules, Error *error)
{
    char game[RULES_TEXT_SIZE];
    if (pattern_suits(rules))
        return STATUS_OK;
    rules_format(rules, game);
    return error_set(error, STATUS_BAD_INPUT,
                     "patterns are not supported for %s: games need one stone per turn and no gravity", game);
}

void pattern_set_add(PatternSet *set, const Pattern *pattern)
{
    set->patterns = array_grow(set->patterns, &set->capacity, set->count + 1, sizeof *set->patterns);
    set->patterns[set->count++] = *pattern;
}

void pattern_set_close(PatternSet *set)
{
    free(set->patterns);
    *set = (PatternSet){0};
}

void patternfile_write(const PatternSet *set, Text *text)
{
    char game[RULES_TEXT_SIZE], code[PATTERN_TEXT_SIZE];
    rules_format(&set->rules, game);
    text_add(text, "# krow patterns\ngame %s\nset %s\npatterns %zu\n", game, set->name, set->count);
    for (size_t i = 0; i < set->count; i++) {
        pattern_format(&set->patterns[i], code);
        text_add(text, "%u %s\n", set->patterns[i].tier, code);
    }
}

// The keys in their order; the first is required, the others are optional.
static const char *const keys[] = {"game", "set", "patterns"};
enum { KEYS = sizeof keys / sizeof keys[0] };

typedef struct {
    PatternSet *set;
    size_t line;
    int next;         // index of the next key allowed; KEYS after a pattern
    int64_t promised; // number of patterns declared by the file, or -1
} Reader;

static Status read_name(PatternSet *set, Span value, Error *error)
{
    Status status = pattern_set_check_name(value, error);
    if (status == STATUS_OK)
        (void)snprintf(set->name, sizeof set->name, "%.*s", (int)value.length, value.at);
    return status;
}

static Status read_key(Reader *reader, Span key, Span value, Error *error)
{
    int found = reader->next;
    while (found < KEYS && !span_is(key, keys[found]))
        found++;
    if (found == KEYS || (reader->next == 0 && found > 0))
        return error_set(error, STATUS_BAD_INPUT, "expected %s, found '%.*s'",
                         reader->next == 0 ? "'game'" : "the tier of a pattern", SPAN_PRINT(key));
    reader->next = found + 1;
    if (found == 0) {
        Status status = rules_parse(value, &reader->set->rules, error);
        return status == STATUS_OK ? pattern_set_check_rules(&reader->set->rules, error) : status;
    }
    if (found == 1)
        return read_name(reader->set, value, error);
    return span_to_int(value, 0, INT32_MAX, &reader->promised)
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a number of patterns", SPAN_PRINT(value));
}

static Status read_pattern(Reader *reader, Span tier_word, Span code, Error *error)
{
    int64_t tier = 0;
    Pattern pattern;
    if (reader->next == 0)
        return error_set(error, STATUS_BAD_INPUT, "the line 'game' must come before the patterns");
    if (!span_to_int(tier_word, 0, PATTERN_TIER_MAX, &tier))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a tier from 0 to %d", SPAN_PRINT(tier_word),
                         PATTERN_TIER_MAX);
    reader->next = KEYS;
    Status status = pattern_parse(code, (unsigned)tier, &pattern, error);
    if (status == STATUS_OK)
        pattern_set_add(reader->set, &pattern);
    return status;
}

static Status read_line(Reader *reader, Span line, Error *error)
{
    Span word = {0};
    (void)span_next_word(&line, " \t", &word);
    bool is_number = strchr("0123456789+-", word.at[0]) != NULL && word.at[0] != '\0';
    line = span_trim(line);
    return is_number ? read_pattern(reader, word, line, error) : read_key(reader, word, line, error);
}

static Status read_lines(Reader *reader, Span text, Error *error)
{
    Span line = {0};
    while (span_next_part(&text, '\n', &line)) {
        reader->line++;
        line = span_trim(line);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        Status status = read_line(reader, line, error);
        if (status != STATUS_OK) {
            error_prefix(error, "line %zu: ", reader->line);
            return status;
        }
    }
    return STATUS_OK;
}

Status patternfile_read(Span text, PatternSet *set, Error *error)
{
    Reader reader = {.set = set, .promised = -1};
    (void)snprintf(set->name, sizeof set->name, "%s", PATTERNFILE_SET);
    Status status = read_lines(&reader, text, error);
    if (status != STATUS_OK)
        return status;
    if (reader.next == 0)
        return error_set(error, STATUS_BAD_INPUT, "not a pattern set: the line 'game' is missing");
    if (reader.promised >= 0 && (uint64_t)reader.promised != set->count)
        return error_set(error, STATUS_BAD_INPUT, "the pattern set is incomplete: it has %zu of %lld patterns",
                         set->count, (long long)reader.promised);
    return STATUS_OK;
}
