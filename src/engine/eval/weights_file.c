// The text format of weights: reading and writing.
#include "engine/eval/weights_internal.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { FILE_MAX = 4 << 20, CODE_DIGITS = 4 };

// --- Families ---

void weights_family(const Rules *rules, char text[WEIGHTS_FAMILY_SIZE])
{
    char p[16] = "";
    if (rules->p != 1)
        (void)snprintf(p, sizeof p, ",p=%u", rules->p);
    (void)snprintf(text, WEIGHTS_FAMILY_SIZE, "k=%u%s%s%s", rules->k, p, rules->gravity ? ",gravity" : "",
                   rules->exact ? ",exact" : "");
}

bool weights_is_for(Span text, const char *family)
{
    Span line = {0}, key = {0};
    while (span_next_part(&text, '\n', &line)) {
        (void)span_next_word(&line, " \t", &key);
        if (span_is(key, "family"))
            return span_is(span_trim(line), family);
    }
    return false;
}

// --- Writing ---

static void add_codes(const Weights *weights, const Weights *formula, Text *text)
{
    unsigned code = 0;
    do {
        unsigned number = weights_unordered(code);
        if (weights->code[number] != formula->code[number])
            text_add(text, "code %04x %d\n", code, weights->code[number]);
        code = weights_next_code(code);
    } while (code != 0);
}

static void add_moves(const Weights *weights, const Weights *formula, Text *text)
{
    unsigned code = 0;
    do {
        unsigned number = weights_unordered(code);
        const WeightsMove *move = &weights->move[number], *usual = &formula->move[number];
        if (move->own != usual->own || move->block != usual->block)
            text_add(text, "move %04x %d %d\n", code, move->own, move->block);
        code = weights_next_code(code);
    } while (code != 0);
}

// Writes the kinds of cells of one side.
static void add_kinds(Text *text, unsigned bits)
{
    for (unsigned kind = 0; kind < WEIGHTS_KINDS; kind++)
        if ((bits >> kind & 1) != 0)
            text_add(text, "%u", kind);
    if (bits == 0)
        text_add(text, "-");
}

static void add_situations(const Weights *weights, const Weights *formula, Text *text)
{
    unsigned side = (1 << WEIGHTS_KINDS) - 1;
    for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++) {
        if (weights->situation[i] == formula->situation[i])
            continue;
        text_add(text, "situation ");
        add_kinds(text, i & side);
        text_add(text, "/");
        add_kinds(text, i >> WEIGHTS_KINDS);
        text_add(text, " %d\n", weights->situation[i]);
    }
}

void weights_format(const Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span source,
                    Text *text)
{
    char family[WEIGHTS_FAMILY_SIZE];
    Span line = {0};
    Weights formula;
    weights_formula(&formula, line_patterns);
    weights_family(rules, family);
    text_add(text, "# krow weights\nversion %d\nfamily %s\nshapes %u\n", WEIGHTS_VERSION, family, line_patterns->count);
    while (span_next_part(&source, '\n', &line))
        text_add(text, "source %.*s\n", SPAN_PRINT(line));
    add_codes(weights, &formula, text);
    add_situations(weights, &formula, text);
    add_moves(weights, &formula, text);
}

// --- Reading ---

// The header keys, in their order.
static const char *const heads[] = {"version", "family", "shapes"};
enum { HEADS = sizeof heads / sizeof heads[0] };

typedef struct {
    Weights *weights;
    const LinePatterns *line_patterns;
    const Rules *rules;
    unsigned head; // index of the next header key
    bool has_code[WEIGHTS_CODES], has_move[WEIGHTS_CODES], has_situation[WEIGHTS_SITUATIONS];
} Reader;

static Status read_family(const Reader *reader, Span value, Error *error)
{
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(reader->rules, family);
    return span_is(value, family)
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "weights for the family '%.*s', but this game is of the family %s",
                           SPAN_PRINT(value), family);
}

static Status read_head(Reader *reader, Span key, Span value, Error *error)
{
    int64_t number = 0;
    if (!span_is(key, heads[reader->head]))
        return error_set(error, STATUS_BAD_INPUT, "expected '%s', found '%.*s'", heads[reader->head], SPAN_PRINT(key));
    reader->head++;
    if (reader->head == 2)
        return read_family(reader, value, error);
    if (!span_to_int(value, 0, INT32_MAX, &number))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not a number", SPAN_PRINT(value));
    if (reader->head == 1 && number != WEIGHTS_VERSION)
        return error_set(error, STATUS_BAD_INPUT, "unsupported version %lld of the file format", (long long)number);
    if (reader->head == 3 && number != reader->line_patterns->count)
        return error_set(error, STATUS_BAD_INPUT, "weights for %lld line patterns, but this game has %u",
                         (long long)number, reader->line_patterns->count);
    return STATUS_OK;
}

// Four digits, non-increasing.
static bool read_digits(Span word, unsigned *code)
{
    *code = 0;
    if (word.length != CODE_DIGITS)
        return false;
    for (size_t i = 0; i < word.length; i++) {
        const char *digits = "0123456789abcdef", *digit = memchr(digits, word.at[i], LINE_PATTERNS_MAX);
        if (digit == NULL || (i > 0 && (unsigned)(digit - digits) > (*code & 15)))
            return false;
        *code = *code << 4 | (unsigned)(digit - digits);
    }
    return true;
}

static Status once(bool *has, Error *error)
{
    if (*has)
        return error_set(error, STATUS_BAD_INPUT, "duplicate entry");
    *has = true;
    return STATUS_OK;
}

// Reads a code; `has` marks those that were read.
static Status read_code(const Reader *reader, Span *rest, bool *has, unsigned *number, Error *error)
{
    Span word = {0};
    unsigned code = 0;
    (void)span_next_word(rest, " \t", &word);
    if (!read_digits(word, &code))
        return error_set(error, STATUS_BAD_INPUT,
                         "'%.*s' is no code: four digits from 0 to f, none larger than the one before it",
                         SPAN_PRINT(word));
    if (code >> 12 >= reader->line_patterns->count)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' has an unknown line pattern; there are %u", SPAN_PRINT(word),
                         reader->line_patterns->count);
    *number = weights_unordered(code);
    return once(&has[*number], error);
}

static Status read_value(Span *rest, int limit, int16_t *value, Error *error)
{
    Span word = {0};
    int64_t number = 0;
    (void)span_next_word(rest, " \t", &word);
    if (!span_to_int(word, -limit, limit, &number))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no value from %d to %d", SPAN_PRINT(word), -limit, limit);
    *value = (int16_t)number;
    return STATUS_OK;
}

static Status read_code_line(Reader *reader, Span *rest, Error *error)
{
    unsigned number = 0;
    Status status = read_code(reader, rest, reader->has_code, &number, error);
    return status == STATUS_OK ? read_value(rest, WEIGHTS_VALUE_MAX, &reader->weights->code[number], error) : status;
}

static Status read_move_line(Reader *reader, Span *rest, Error *error)
{
    unsigned number = 0;
    Status status = read_code(reader, rest, reader->has_move, &number, error);
    if (status == STATUS_OK)
        status = read_value(rest, WEIGHTS_MOVE_MAX, &reader->weights->move[number].own, error);
    return status == STATUS_OK ? read_value(rest, WEIGHTS_MOVE_MAX, &reader->weights->move[number].block, error)
                               : status;
}

// Kinds of one side: rising digits, or - for none.
static bool read_kinds(Span word, unsigned *bits)
{
    *bits = 0;
    if (span_is(word, "-"))
        return true;
    for (size_t i = 0; i < word.length; i++) {
        unsigned kind = (unsigned)(unsigned char)word.at[i] - '0';
        if (kind >= WEIGHTS_KINDS || *bits >> kind != 0)
            return false;
        *bits |= 1u << kind;
    }
    return word.length > 0;
}

static Status read_situation_line(Reader *reader, Span *rest, Error *error)
{
    Span word = {0}, own = {0};
    unsigned first = 0, second = 0;
    (void)span_next_word(rest, " \t", &word);
    Span other = word;
    if (!span_next_part(&other, '/', &own) || !read_kinds(own, &first) || !read_kinds(other, &second))
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no situation such as 45/3 or -/-", SPAN_PRINT(word));
    unsigned number = first | second << WEIGHTS_KINDS;
    Status status = once(&reader->has_situation[number], error);
    return status == STATUS_OK ? read_value(rest, WEIGHTS_VALUE_MAX, &reader->weights->situation[number], error)
                               : status;
}

static Status read_weight(Reader *reader, Span key, Span rest, Error *error)
{
    Status status = STATUS_OK;
    if (span_is(key, "source"))
        return STATUS_OK;
    if (span_is(key, "code"))
        status = read_code_line(reader, &rest, error);
    else if (span_is(key, "situation"))
        status = read_situation_line(reader, &rest, error);
    else if (span_is(key, "move"))
        status = read_move_line(reader, &rest, error);
    else
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is neither source nor code nor situation nor move",
                         SPAN_PRINT(key));
    rest = span_trim(rest);
    if (status == STATUS_OK && rest.length > 0)
        status = error_set(error, STATUS_BAD_INPUT, "unexpected text '%.*s'", SPAN_PRINT(rest));
    return status;
}

static Status read_line(Reader *reader, Span line, Error *error)
{
    Span key = {0};
    (void)span_next_word(&line, " \t", &key);
    line = span_trim(line);
    return reader->head < HEADS ? read_head(reader, key, line, error) : read_weight(reader, key, line, error);
}

static Status read_lines(Reader *reader, Span text, Error *error)
{
    Span line = {0};
    for (size_t number = 1; span_next_part(&text, '\n', &line); number++) {
        line = span_trim(line);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        Status status = read_line(reader, line, error);
        if (status != STATUS_OK) {
            error_prefix(error, "line %zu: ", number);
            return status;
        }
    }
    return STATUS_OK;
}

Status weights_parse(Weights *weights, const LinePatterns *line_patterns, const Rules *rules, Span text, Error *error)
{
    Reader reader = {.weights = weights, .line_patterns = line_patterns, .rules = rules};
    weights_formula(weights, line_patterns);
    Status status = read_lines(&reader, text, error);
    if (status == STATUS_OK && reader.head < HEADS)
        status = error_set(error, STATUS_BAD_INPUT, "not a weights file: '%s' is missing", heads[reader.head]);
    return status;
}

// --- By name ---

static Status read_file(Weights *weights, const LinePatterns *line_patterns, const char *path, const Rules *rules,
                        Error *error)
{
    Text text = {0};
    Status status = file_read(path, FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = weights_parse(weights, line_patterns, rules, (Span){text.data, text.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}

Status weights_read(Weights *weights, const char *name, const Rules *rules, Error *error)
{
    LinePatterns line_patterns = {0};
    Status status = line_patterns_open(&line_patterns, rules, error);
    if (status != STATUS_OK)
        return status;
    if (name[0] == '\0')
        (void)weights_find(weights, &line_patterns, rules);
    else if (strcmp(name, "none") == 0)
        weights_formula(weights, &line_patterns);
    else
        status = read_file(weights, &line_patterns, name, rules, error);
    line_patterns_close(&line_patterns);
    return status;
}
