// Options of agents: parsing, checking and reading values.
#include "agents/options.h"

#include <assert.h>
#include <string.h>

const char *option_type_name(OptionType type)
{
    static const char *const names[] = {
        [OPTION_INT] = "whole number", [OPTION_REAL] = "number", [OPTION_BOOL] = "0 or 1", [OPTION_CHOICE] = "choice",
        [OPTION_TEXT] = "text",        [OPTION_INNER] = "text",  [OPTION_PATH] = "text",
    };
    return names[type];
}

static bool find_choice(const char *choices, Span word, unsigned *index)
{
    Span rest = span_of(choices), choice = {0};
    for (*index = 0; span_next_word(&rest, " ", &choice); (*index)++)
        if (spans_equal(choice, word))
            return true;
    return false;
}

static Status bad_number(const AgentOption *option, Span text, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "option '%s': '%.*s' is not a %s from %g to %g", option->name,
                     SPAN_PRINT(text), option_type_name(option->type), option->min, option->max);
}

static Status parse_value(const AgentOption *option, Span text, OptionValue *value, Error *error)
{
    int64_t whole = 0;
    switch (option->type) {
    case OPTION_INT:
        if (!span_to_int(text, (int64_t)option->min, (int64_t)option->max, &whole))
            return bad_number(option, text, error);
        value->number = (double)whole;
        return STATUS_OK;
    case OPTION_REAL:
        if (!span_to_real(text, &value->number) || value->number < option->min || value->number > option->max)
            return bad_number(option, text, error);
        return STATUS_OK;
    case OPTION_BOOL:
        if (!span_to_int(text, 0, 1, &whole))
            return error_set(error, STATUS_BAD_INPUT, "option '%s': '%.*s' is neither 0 nor 1", option->name,
                             SPAN_PRINT(text));
        value->number = (double)whole;
        return STATUS_OK;
    case OPTION_CHOICE:
        if (!find_choice(option->choices, text, &value->choice))
            return error_set(error, STATUS_BAD_INPUT, "option '%s': '%.*s' is none of: %s", option->name,
                             SPAN_PRINT(text), option->choices);
        return STATUS_OK;
    case OPTION_TEXT:
    case OPTION_INNER:
    case OPTION_PATH:
        if (text.length >= OPTION_TEXT_SIZE)
            return error_set(error, STATUS_BAD_INPUT, "option '%s': the text is longer than %d characters",
                             option->name, OPTION_TEXT_SIZE - 1);
        memcpy(value->text, text.at, text.length);
        value->text[text.length] = '\0';
        return STATUS_OK;
    }
    return STATUS_BAD_INPUT;
}

const AgentOption *option_at(OptionList list, unsigned n)
{
    const AgentOption *const lists[] = {list.own, list.shared};
    for (unsigned i = 0; i < 2; i++)
        for (const AgentOption *option = lists[i]; option != NULL && option->name != NULL; option++)
            if (n-- == 0)
                return option;
    return NULL;
}

static int find_option(OptionList list, Span name)
{
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(list, i)) != NULL; i++)
        if (span_is(name, option->name))
            return (int)i;
    return -1;
}

bool options_have(OptionList list, Span name)
{
    return find_option(list, name) >= 0;
}

void options_defaults(OptionList list, OptionValues *values)
{
    *values = (OptionValues){.list = list};
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(list, i)) != NULL; i++) {
        assert(i < OPTIONS_MAX && find_option(list, span_of(option->name)) == (int)i);
        Status status = parse_value(option, span_of(option->fallback), &values->value[i], NULL);
        assert(status == STATUS_OK);
        (void)status;
    }
}

static Status unknown_option(OptionList list, Span name, Error *error)
{
    Text known = {0};
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(list, i)) != NULL; i++)
        text_add(&known, "%s%s", i > 0 ? ", " : "", option->name);
    Status status = error_set(error, STATUS_BAD_INPUT, "there is no option '%.*s'; there %s", SPAN_PRINT(name),
                              known.length == 0 ? "are none" : "is: ");
    if (error != NULL && known.length > 0)
        strncat(error->text, known.data, sizeof error->text - strlen(error->text) - 1);
    text_close(&known);
    return status;
}

Status options_parse(OptionList list, Span text, OptionValues *values, Error *error)
{
    options_defaults(list, values);
    uint32_t *seen = &values->given;
    Span item = {0};
    // span_next_part drops the separator, so a trailing comma is checked here.
    if (text.length > 0 && text.at[text.length - 1] == ',')
        return error_set(error, STATUS_BAD_INPUT, "nothing follows the last comma of the options");
    while (span_next_part(&text, ',', &item)) {
        Span value = item, name = {0};
        (void)span_next_part(&value, '=', &name);
        int i = find_option(list, name);
        if (i < 0)
            return unknown_option(list, name, error);
        const AgentOption *option = option_at(list, (unsigned)i);
        if (name.length == item.length)
            return error_set(error, STATUS_BAD_INPUT, "option '%.*s' has no value; write %.*s=%s", SPAN_PRINT(name),
                             SPAN_PRINT(name), option->fallback);
        if (*seen & 1u << i)
            return error_set(error, STATUS_BAD_INPUT, "option '%s' is given twice", option->name);
        *seen |= 1u << i;
        Status status = parse_value(option, value, &values->value[i], error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static const OptionValue *value_of(const OptionValues *values, const char *name)
{
    int i = find_option(values->list, span_of(name));
    assert(i >= 0);
    return &values->value[i];
}

int64_t options_int(const OptionValues *values, const char *name)
{
    return (int64_t)value_of(values, name)->number;
}

double options_real(const OptionValues *values, const char *name)
{
    return value_of(values, name)->number;
}

bool options_bool(const OptionValues *values, const char *name)
{
    return value_of(values, name)->number != 0;
}

unsigned options_choice(const OptionValues *values, const char *name)
{
    return value_of(values, name)->choice;
}

const char *options_text(const OptionValues *values, const char *name)
{
    return value_of(values, name)->text;
}
