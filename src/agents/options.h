// Options of agents, declared once for help texts, JSON, defaults and checks.
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// OPTION_INNER names another agent, OPTION_PATH a file. Code that accepts agents from untrusted sources must check the
// former and refuse the latter.
typedef enum { OPTION_INT, OPTION_REAL, OPTION_BOOL, OPTION_CHOICE, OPTION_TEXT, OPTION_INNER, OPTION_PATH } OptionType;

// One option. An agent's list ends with an entry whose name is NULL.
typedef struct {
    const char *name;
    OptionType type;
    const char *fallback; // the default as text
    double min, max;      // inclusive limits of numbers
    const char *choices;  // of OPTION_CHOICE: "all radius2 line2"
    const char *help;
} AgentOption;

enum { OPTIONS_MAX = 24, OPTION_TEXT_SIZE = 128 };

// The options of an agent: its own and shared ones. Either list may be NULL; no name is in both.
typedef struct {
    const AgentOption *own, *shared;
} OptionList;

// Option n of both lists, from 0; NULL after the last.
const AgentOption *option_at(OptionList list, unsigned n);

// The value of one option, by its type: number (INT, REAL, BOOL as 0 or 1), index of the choice, or text.
typedef struct {
    double number;
    unsigned choice;
    char text[OPTION_TEXT_SIZE];
} OptionValue;

typedef struct {
    OptionList list;
    uint32_t given; // a bit for each option that was given, in list order
    OptionValue value[OPTIONS_MAX];
} OptionValues;

// Whether there is an option of this name.
bool options_have(OptionList list, Span name);

const char *option_type_name(OptionType type);

// Sets all defaults. An invalid default and a duplicate name are bugs (asserted).
void options_defaults(OptionList list, OptionValues *values);

// Parses "key=value,key=value" on top of the defaults. The error names the key, its limits and the valid keys.
Status options_parse(OptionList list, Span text, OptionValues *values, Error *error);

// The value of a declared option.
int64_t options_int(const OptionValues *values, const char *name);
double options_real(const OptionValues *values, const char *name);
bool options_bool(const OptionValues *values, const char *name);
unsigned options_choice(const OptionValues *values, const char *name);
const char *options_text(const OptionValues *values, const char *name);
