// Options of agents, declared once: help texts, JSON, defaults and checks all come from the declaration.
#pragma once

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

// OPTION_INNER is a text that names another agent, OPTION_PATH one that names a file: code that takes agents from
// strangers must look at the first and refuse the second.
typedef enum { OPTION_INT, OPTION_REAL, OPTION_BOOL, OPTION_CHOICE, OPTION_TEXT, OPTION_INNER, OPTION_PATH } OptionType;

// One option. An agent's list ends with an entry whose name is NULL.
typedef struct {
    const char *name;
    OptionType type;
    const char *fallback; // the default, as a user would write it
    double min, max;      // limits of numbers, both included
    const char *choices;  // of OPTION_CHOICE: "all radius2 line2"
    const char *help;
} AgentOption;

enum { OPTIONS_MAX = 24, OPTION_TEXT_SIZE = 128 };

// What may be written for an agent: its own options, and those it shares with others. Either list may be NULL; no name
// stands in both.
typedef struct {
    const AgentOption *own, *shared;
} OptionList;

// The n-th option of both lists together, from 0; NULL after the last.
const AgentOption *option_at(OptionList list, unsigned n);

// The value of one option, by its type: number (INT, REAL, BOOL as 0 or 1), index of the choice, or text.
typedef struct {
    double number;
    unsigned choice;
    char text[OPTION_TEXT_SIZE];
} OptionValue;

typedef struct {
    OptionList list;
    uint32_t given; // a bit for each option that was written, in the order of the list
    OptionValue value[OPTIONS_MAX];
} OptionValues;

const char *option_type_name(OptionType type);

// All defaults. A declaration whose default does not pass its own check is a bug (asserted), and so is a name that is
// declared twice.
void options_defaults(OptionList list, OptionValues *values);

// Reads "key=value,key=value" over the defaults. The error names the key, its limits and what there is.
Status options_parse(OptionList list, Span text, OptionValues *values, Error *error);

// The value of an option by its name, which must be declared.
int64_t options_int(const OptionValues *values, const char *name);
double options_real(const OptionValues *values, const char *name);
bool options_bool(const OptionValues *values, const char *name);
unsigned options_choice(const OptionValues *values, const char *name);
const char *options_text(const OptionValues *values, const char *name);
