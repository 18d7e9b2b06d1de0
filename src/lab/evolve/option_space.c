// Reads ranges of options, and writes the agents of points.
#include "lab/evolve/option_space.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const AgentOption *option)
{
    return option->type == OPTION_INT || option->type == OPTION_REAL;
}

// "c (0 to 100), depth (0 to 64)"; empty if the agent has no numbers.
static void list_numbers(OptionList list, Text *text)
{
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(list, i)) != NULL; i++)
        if (is_number(option))
            text_add(text, "%s%s (%g to %g)", text->length > 0 ? ", " : "", option->name, option->min, option->max);
}

static const AgentOption *find_option(OptionList list, Span name)
{
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(list, i)) != NULL; i++)
        if (span_is(name, option->name))
            return option;
    return NULL;
}

// One end of a range, checked with the option's own limits.
static Status read_end(const AgentOption *option, Span text, double *value, Error *error)
{
    Text item = {0};
    OptionValues values;
    const AgentOption alone[] = {*option, {0}};
    text_add(&item, "%s=", option->name);
    text_add_span(&item, text);
    Status status = options_parse((OptionList){alone, NULL}, (Span){item.data, item.length}, &values, error);
    *value = values.value[0].number;
    text_close(&item);
    return status;
}

static Status read_ends(OptionRange *range, Span text, Error *error)
{
    const AgentOption *option = range->option;
    size_t dots = 0;
    while (dots + 1 < text.length && memcmp(text.at + dots, "..", 2) != 0)
        dots++;
    if (dots + 1 >= text.length)
        return error_set(error, STATUS_BAD_INPUT, "option '%s': '%.*s' is not a range; write %s=%g..%g", option->name,
                         SPAN_PRINT(text), option->name, option->min, option->max);
    Status status = read_end(option, (Span){text.at, dots}, &range->low, error);
    if (status == STATUS_OK)
        status = read_end(option, (Span){text.at + dots + 2, text.length - dots - 2}, &range->high, error);
    if (status == STATUS_OK && range->low >= range->high)
        return error_set(error, STATUS_BAD_INPUT, "option '%s': the range %.*s is empty; write the smaller end first",
                         option->name, SPAN_PRINT(text));
    if (option->type == OPTION_REAL)
        range->decimals = (unsigned)fmin(fmax(ceil(3 - log10(range->high - range->low)), 0), 9);
    return status;
}

// An option that can have a range; NULL with an error if no option has this name.
static const AgentOption *find_number(OptionList list, Span name, Error *error)
{
    const AgentOption *option = find_option(list, name);
    if (option != NULL && is_number(option))
        return option;
    Text numbers = {0};
    list_numbers(list, &numbers);
    (void)error_set(error, STATUS_BAD_INPUT, "%s '%.*s'%s; numbers are: %s",
                    option == NULL ? "there is no option" : "option", SPAN_PRINT(name),
                    option == NULL ? "" : " is not a number", numbers.data);
    text_close(&numbers);
    return NULL;
}

static Status read_range(OptionSpace *space, OptionList list, Span item, Error *error)
{
    Span rest = item, name = {0};
    (void)span_next_part(&rest, '=', &name);
    const AgentOption *option = find_number(list, name, error);
    if (option == NULL)
        return STATUS_BAD_INPUT;
    for (unsigned i = 0; i < space->count; i++)
        if (space->ranges[i].option == option)
            return error_set(error, STATUS_BAD_INPUT, "option '%s' has two ranges", option->name);
    if (space->count == OPTIMISER_DIMENSIONS_MAX)
        return error_set(error, STATUS_BAD_INPUT, "at most %d options can have a range", OPTIMISER_DIMENSIONS_MAX);
    OptionRange *range = &space->ranges[space->count++];
    *range = (OptionRange){.option = option};
    return read_ends(range, rest, error);
}

static Status read_ranges(OptionSpace *space, const AgentKind *kind, const char *ranges, Error *error)
{
    Text numbers = {0};
    OptionList list = agent_options(kind);
    Span rest = span_of(ranges), item = {0};
    list_numbers(list, &numbers);
    Status status = STATUS_OK;
    if (numbers.length == 0)
        status = error_set(error, STATUS_BAD_INPUT, "the agent '%s' has no options that are numbers", kind->name);
    else if (span_trim(rest).length == 0)
        status = error_set(error, STATUS_BAD_INPUT, "no range is given; options of '%s' that are numbers: %s",
                           kind->name, numbers.data);
    else if (ranges[strlen(ranges) - 1] == ',')
        status = error_set(error, STATUS_BAD_INPUT, "nothing follows the last comma");
    text_close(&numbers);
    while (status == STATUS_OK && span_next_part(&rest, ',', &item))
        status = read_range(space, list, span_trim(item), error);
    return status;
}

static double number_of(const OptionValues *values, const AgentOption *option)
{
    return option->type == OPTION_INT ? (double)options_int(values, option->name) : options_real(values, option->name);
}

static void take_start(OptionSpace *space, const OptionValues *values)
{
    OptionValues defaults;
    options_defaults(values->list, &defaults);
    for (unsigned d = 0; d < space->count; d++) {
        space->ranges[d].start = number_of(values, space->ranges[d].option);
        space->ranges[d].fallback = number_of(&defaults, space->ranges[d].option);
    }
}

// The agent without the options of the ranges.
static void strip(OptionSpace *space, Span name, Span arguments)
{
    Text text = {0};
    Span item = {0};
    char before = ':';
    text_add_span(&text, name);
    while (span_next_part(&arguments, ',', &item)) {
        Span rest = item, option = {0};
        (void)span_next_part(&rest, '=', &option);
        bool is_free = true;
        for (unsigned d = 0; d < space->count; d++)
            is_free = is_free && !span_is(option, space->ranges[d].option->name);
        if (!is_free)
            continue;
        text_add(&text, "%c", before);
        text_add_span(&text, item);
        before = ',';
    }
    space->agent = text.data;
}

static Status open_agent(OptionSpace *space, const char *agent, const char *ranges, AgentConfig *config, Error *error)
{
    Span arguments = span_trim(span_of(agent)), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    if (kind == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%.*s'; 'krow agents' lists them",
                         SPAN_PRINT(name));
    if (kind->takes_command)
        return error_set(error, STATUS_BAD_INPUT, "the agent '%s' has no options that are numbers", kind->name);
    Status status = agent_read_arguments(kind, arguments, config, NULL, error);
    if (status == STATUS_OK && config->settings.name[0] != '\0')
        status = error_set(error, STATUS_BAD_INPUT, "a name is not supported here; players are named by their options");
    if (status != STATUS_OK) {
        error_prefix(error, "agent '%s': ", agent);
        return status;
    }
    status = read_ranges(space, kind, ranges, error);
    if (status != STATUS_OK)
        error_prefix(error, "--options: ");
    if (status != STATUS_OK)
        return status;
    take_start(space, &config->options);
    strip(space, name, arguments);
    space->start = memory_copy_text(agent);
    return STATUS_OK;
}

Status option_space_open(OptionSpace *space, const char *agent, const char *ranges, Error *error)
{
    AgentConfig *config = memory_new(1, sizeof *config);
    *space = (OptionSpace){0};
    Status status = open_agent(space, agent, ranges, config, error);
    agent_settings_close(&config->settings);
    free(config);
    return status;
}

void option_space_close(OptionSpace *space)
{
    free(space->agent);
    free(space->start);
    *space = (OptionSpace){0};
}

void option_space_plan(const OptionSpace *space, OptimiserPlan *plan)
{
    plan->dimensions = space->count;
    for (unsigned d = 0; d < space->count; d++) {
        const OptionRange *range = &space->ranges[d];
        double width = range->high - range->low;
        plan->step[d] = range->option->type == OPTION_INT ? 1 / width : 0;
        plan->start.at[d] = fmin(fmax((range->start - range->low) / width, 0), 1);
    }
}

double option_space_value(const OptionSpace *space, unsigned d, const OptimiserPoint *point)
{
    const OptionRange *range = &space->ranges[d];
    double value = range->low + point->at[d] * (range->high - range->low), scale = pow(10, range->decimals);
    return fmin(fmax(round(value * scale) / scale, range->low), range->high);
}

void option_space_add_values(const OptionSpace *space, const OptimiserPoint *point, Text *text)
{
    for (unsigned d = 0; d < space->count; d++)
        text_add(text, "%s%s=%.12g", d > 0 ? "," : "", space->ranges[d].option->name,
                 option_space_value(space, d, point));
}

void option_space_add_agent(const OptionSpace *space, const OptimiserPoint *point, Text *text)
{
    text_add(text, "%s%c", space->agent, strchr(space->agent, ':') != NULL ? ',' : ':');
    option_space_add_values(space, point, text);
}

bool option_space_is_default(const OptionSpace *space, const OptimiserPoint *point)
{
    bool same = true;
    for (unsigned d = 0; d < space->count; d++)
        same = same && option_space_value(space, d, point) == space->ranges[d].fallback;
    return same;
}

bool option_space_is_start(const OptionSpace *space, const OptimiserPoint *point)
{
    bool same = true;
    for (unsigned d = 0; d < space->count; d++)
        same = same && option_space_value(space, d, point) == space->ranges[d].start;
    return same;
}
