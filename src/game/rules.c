// Rules as text, their limits and the presets.
#include "game/rules.h"

#include <stdio.h>

const RulesPreset rules_presets[] = {
    {"tictactoe", "3x3:k=3", "three in a row on nine cells"},
    {"connect4", "7x6:k=4,gravity", "Connect Four: stones fall, four in a row win"},
    {"connect5", "13x13:k=5", "five in a row on 13x13 (Kulev and Wu)"},
    {"gomoku", "15x15:k=5", "free-style Gomoku: five or more in a row win"},
    {"gomoku19", "19x19:k=5", "free-style Gomoku on 19x19"},
    {"gomoku20", "20x20:k=5", "free-style Gomoku on 20x20 (Gomocup)"},
    {"standard", "15x15:k=5,exact", "standard Gomoku: exactly five in a row win"},
    {"connect6", "19x19:k=6,p=2,q=1", "Connect6: one stone, then two a turn, six in a row win"},
};

const int rules_preset_count = (int)(sizeof rules_presets / sizeof rules_presets[0]);

Status rules_check(const Rules *rules, Error *error)
{
    int width = rules->width, height = rules->height, cells = width * height;
    int longest = width > height ? width : height;
    if (width < 1 || width > RULES_SIDE_MAX || height < 1 || height > RULES_SIDE_MAX)
        return error_set(error, STATUS_BAD_INPUT, "the board is %dx%d, but each side must be 1 to %d", width, height,
                         RULES_SIDE_MAX);
    if (rules->k < 1)
        return error_set(error, STATUS_BAD_INPUT, "k is 0, but a row needs at least one stone");
    if (rules->k > longest)
        return error_set(error, STATUS_BAD_INPUT, "k is %d, but the board is only %d long. Choose %d or less", rules->k,
                         longest, longest);
    if (rules->p < 1 || rules->p > cells)
        return error_set(error, STATUS_BAD_INPUT, "p is %d, but a turn has 1 to %d stones on a board of %d cells",
                         rules->p, cells, cells);
    if (rules->q < 1 || rules->q > cells)
        return error_set(error, STATUS_BAD_INPUT,
                         "q is %d, but the first turn has 1 to %d stones on a board of %d cells", rules->q, cells,
                         cells);
    return STATUS_OK;
}

// The position of a word in a specification, counted from 1, for messages.
static int place_of(Span whole, Span word)
{
    return (int)(word.at - whole.at) + 1;
}

static Status bad_word(Span whole, Span word, const char *expected, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "game '%.*s', character %d: '%.*s' is not %s", SPAN_PRINT(whole),
                     place_of(whole, word), SPAN_PRINT(word), expected);
}

// Parses a side of the board. Zero is accepted so that rules_check can report it.
static bool parse_side(Span word, uint8_t *side)
{
    int64_t number = 0;
    if (!span_to_int(word, 0, UINT8_MAX, &number))
        return false;
    *side = (uint8_t)number;
    return true;
}

static Status parse_size(Span whole, Span size, Rules *rules, Error *error)
{
    Span rest = size, width = {0}, height = {0};
    (void)span_next_part(&rest, 'x', &width);
    height = rest;
    if (width.length == size.length)
        return bad_word(whole, size, "a preset (see 'krow games') nor a board such as 15x15", error);
    if (!parse_side(width, &rules->width))
        return bad_word(whole, width, "a number of columns from 1 to 64", error);
    if (!parse_side(height, &rules->height))
        return bad_word(whole, height, "a number of rows from 1 to 64", error);
    return STATUS_OK;
}

// One of k=K, p=P, q=Q, gravity, exact. `seen` has a bit for each that came before.
static Status parse_item(Span whole, Span item, unsigned *seen, Rules *rules, Error *error)
{
    Span rest = item, key = {0};
    (void)span_next_part(&rest, '=', &key);
    bool has_value = key.length < item.length;
    static const char *const names[] = {"k", "p", "q", "gravity", "exact"};
    unsigned which = 0;
    while (which < 5 && !span_is(key, names[which]))
        which++;
    if (which == 5 || (which >= 3 && has_value))
        return bad_word(whole, item, "one of k=K, p=P, q=Q, gravity, exact", error);
    if (*seen & 1u << which)
        return error_set(error, STATUS_BAD_INPUT, "game '%.*s', character %d: '%s' is given twice", SPAN_PRINT(whole),
                         place_of(whole, item), names[which]);
    *seen |= 1u << which;
    if (which >= 3) {
        *(which == 3 ? &rules->gravity : &rules->exact) = true;
        return STATUS_OK;
    }
    int64_t number = 0;
    if (!has_value || !span_to_int(rest, 0, INT64_MAX, &number))
        return error_set(error, STATUS_BAD_INPUT,
                         "game '%.*s', character %d: '%.*s' needs a whole number, such as %s=%d", SPAN_PRINT(whole),
                         place_of(whole, item), SPAN_PRINT(item), names[which], which == 0 ? 5 : 1);
    // Numbers too large for the fields are rejected here with the messages of rules_check.
    int longest = rules->width > rules->height ? rules->width : rules->height;
    if (which == 0 && number > UINT8_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "game '%.*s': k is %lld, but the board is only %d long. Choose %d or less", SPAN_PRINT(whole),
                         (long long)number, longest, longest);
    if (which != 0 && number > UINT16_MAX)
        return error_set(error, STATUS_BAD_INPUT, "game '%.*s': %s is %lld, but the board has %u cells",
                         SPAN_PRINT(whole), names[which], (long long)number, rules_cells(rules));
    if (which == 0)
        rules->k = (uint8_t)number;
    else
        *(which == 1 ? &rules->p : &rules->q) = (uint16_t)number;
    return STATUS_OK;
}

static const RulesPreset *find_preset(Span name)
{
    for (int i = 0; i < rules_preset_count; i++)
        if (span_is_ignoring_case(name, rules_presets[i].name))
            return &rules_presets[i];
    return NULL;
}

Status rules_parse(Span text, Rules *rules, Error *error)
{
    Span whole = span_trim(text);
    if (whole.length == 0)
        return error_set(error, STATUS_BAD_INPUT, "no game is given; 'krow games' lists the presets");
    const RulesPreset *preset = find_preset(whole);
    if (preset != NULL)
        whole = span_of(preset->text);

    Rules result = {.p = 1, .q = 1};
    Span rest = whole, size = {0}, item = {0};
    (void)span_next_part(&rest, ':', &size);
    Status status = parse_size(whole, size, &result, error);
    unsigned seen = 0;
    // span_next_part drops the separator, so a trailing comma is checked here.
    if (status == STATUS_OK && whole.at[whole.length - 1] == ',')
        status = error_set(error, STATUS_BAD_INPUT, "game '%.*s', character %d: nothing follows the last comma",
                           SPAN_PRINT(whole), (int)whole.length);
    while (status == STATUS_OK && span_next_part(&rest, ',', &item))
        status = parse_item(whole, item, &seen, &result, error);
    if (status != STATUS_OK)
        return status;
    if (!(seen & 1u))
        return error_set(error, STATUS_BAD_INPUT, "game '%.*s' does not say k, the stones in a row; write %.*s:k=5",
                         SPAN_PRINT(whole), SPAN_PRINT(size));
    status = rules_check(&result, error);
    if (status != STATUS_OK) {
        error_prefix(error, "game '%.*s': ", SPAN_PRINT(whole));
        return status;
    }
    *rules = result;
    return STATUS_OK;
}

void rules_format(const Rules *rules, char text[RULES_TEXT_SIZE])
{
    char turn[32] = "";
    if (rules->p != 1 || rules->q != 1)
        (void)snprintf(turn, sizeof turn, ",p=%d,q=%d", rules->p, rules->q);
    (void)snprintf(text, RULES_TEXT_SIZE, "%dx%d:k=%d%s%s%s", rules->width, rules->height, rules->k, turn,
                   rules->gravity ? ",gravity" : "", rules->exact ? ",exact" : "");
}

bool rules_equal(const Rules *a, const Rules *b)
{
    return a->width == b->width && a->height == b->height && a->k == b->k && a->p == b->p && a->q == b->q &&
           a->gravity == b->gravity && a->exact == b->exact;
}
