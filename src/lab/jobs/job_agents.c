// Checks which agents a job may name, and resolves engine names with the worker's own list of allowed commands.
#include "lab/jobs/job_agents.h"

#include "base/file.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER_MAX = 4, LIST_MAX = 1 << 20 };

#define ENGINE_PREFIX "exec:@"

// The name of an engine, or NULL for another kind of agent.
static const char *engine_name(const char *agent)
{
    size_t length = strlen(ENGINE_PREFIX);
    return strncmp(agent, ENGINE_PREFIX, length) == 0 ? agent + length : NULL;
}

// What an agent is checked for.
typedef struct {
    unsigned depth; // of agents within agents
    bool varies;    // its play depends on more than seed and nodes
} AgentCheck;

static Status check(Span text, AgentCheck *about, Error *error);

// The inner text has + for a comma, as in agent_open_inner.
static Status check_inner(const char *text, AgentCheck *about, Error *error)
{
    char commas[OPTION_TEXT_SIZE];
    (void)snprintf(commas, sizeof commas, "%s", text);
    for (char *plus = commas; (plus = strchr(plus, '+')) != NULL;)
        *plus = ',';
    about->depth++;
    Status status = check(span_of(commas), about, error);
    about->depth--;
    return status;
}

// Every option type needs a decision here: the compiler reports missing ones.
static Status check_option(const AgentKind *kind, const OptionValues *values, unsigned number, AgentCheck *about,
                           Error *error)
{
    const AgentOption *option = option_at(values->list, number);
    const OptionValue *value = &values->value[number];
    bool is_given = (values->given >> number & 1) != 0;
    switch (option->type) {
    case OPTION_INT:
        about->varies = about->varies || (strcmp(option->name, "threads") == 0 && value->number > 1);
        return STATUS_OK;
    case OPTION_REAL:
        about->varies = about->varies || (strcmp(option->name, "time") == 0 && value->number > 0);
        return STATUS_OK;
    case OPTION_CHOICE:
    case OPTION_TEXT:
        return STATUS_OK;
    case OPTION_BOOL:
        if (strcmp(option->name, "learn") == 0 && value->number > 0)
            return error_set(error, STATUS_BAD_INPUT,
                             "workers do not support '%s' with learn: its play would depend on the order of games",
                             kind->name);
        return STATUS_OK;
    case OPTION_INNER:
        return value->text[0] != '\0' ? check_inner(value->text, about, error) : STATUS_OK;
    case OPTION_PATH:
        break;
    }
    return is_given
               ? error_set(error, STATUS_BAD_INPUT, "workers do not support the option '%s' of '%s': it names a file",
                           option->name, kind->name)
               : STATUS_OK;
}

static Status check(Span text, AgentCheck *about, Error *error)
{
    Span arguments = span_trim(text), name = {0};
    (void)span_next_part(&arguments, ':', &name);
    const AgentKind *kind = agent_find(name);
    if (kind == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%.*s'", SPAN_PRINT(name));
    if (kind->takes_command)
        return error_set(error, STATUS_BAD_INPUT,
                         "workers do not accept commands; name an engine of their list: " ENGINE_PREFIX "NAME");
    if (about->depth > INNER_MAX)
        return error_set(error, STATUS_BAD_INPUT, "agents are nested too deeply (at most %d levels)", INNER_MAX);
    AgentConfig *config = memory_new(1, sizeof *config);
    Text command = {0};
    Status status = agent_read_arguments(kind, arguments, config, &command, error);
    // Books and patterns of the database may change between two games.
    about->varies = about->varies || config->settings.seconds > 0 || config->settings.clock > 0 ||
                    span_is(name, "book") || span_is(name, "patterns");
    const OptionValues *values = &config->options;
    for (unsigned i = 0; status == STATUS_OK && option_at(values->list, i) != NULL; i++)
        status = check_option(kind, values, i, about, error);
    agent_settings_close(&config->settings);
    text_close(&command);
    free(config);
    return status;
}

// Whether a job may name this agent, independently of a worker's list.
static Status check_agent(const char *agent, bool *varies, Error *error)
{
    const char *engine = engine_name(agent);
    AgentCheck about = {.varies = engine != NULL};
    Status status = engine != NULL && engine[0] != '\0' ? STATUS_OK : check(span_of(agent), &about, error);
    *varies = about.varies;
    return status;
}

bool job_agent_is_repeatable(const char *agent)
{
    bool varies = false;
    return check_agent(agent, &varies, NULL) == STATUS_OK && !varies;
}

bool job_event_is_repeatable(const Tournament *event)
{
    const DuelLimits *limits = &event->limits;
    bool is_good = limits->turn_seconds <= 0 && limits->clock_seconds <= 0;
    for (unsigned i = 0; i < event->agent_count && is_good; i++)
        is_good = job_agent_is_repeatable(event->agents[i]);
    return is_good;
}

// Assumes that engines support every game: only a worker that has them can check.
Status job_event_check(const Tournament *event, const AgentHost *host, Error *error)
{
    static char stand_in[] = "random";
    bool varies = false;
    Status status = STATUS_OK;
    Tournament shown = *event;
    shown.agents = memory_new(event->agent_count, sizeof *shown.agents);
    for (unsigned i = 0; i < event->agent_count && status == STATUS_OK; i++) {
        status = check_agent(event->agents[i], &varies, error);
        shown.agents[i] = engine_name(event->agents[i]) != NULL ? stand_in : event->agents[i];
    }
    if (status == STATUS_OK)
        status = tournament_check(&shown, host, error);
    free(shown.agents);
    return status;
}

static const AllowedEngine *find_engine(const AllowList *list, Span name)
{
    for (unsigned i = 0; i < list->count; i++)
        if (span_is(name, list->list[i].name))
            return &list->list[i];
    return NULL;
}

static Status parse_list(AllowList *list, Span text, Error *error)
{
    Span line = {0}, name = {0};
    Status status = STATUS_OK;
    for (int number = 1; status == STATUS_OK && span_next_part(&text, '\n', &line); number++) {
        Span rest = span_trim(line);
        if (!span_next_word(&rest, " \t", &name) || name.at[0] == '#')
            continue;
        Span command = span_trim(rest);
        if (command.length == 0)
            status = error_set(error, STATUS_BAD_INPUT, "line %d: '%.*s' has no command", number, SPAN_PRINT(name));
        else if (find_engine(list, name) != NULL)
            status = error_set(error, STATUS_BAD_INPUT, "line %d: '%.*s' is repeated", number, SPAN_PRINT(name));
        if (status != STATUS_OK)
            break;
        list->list = memory_resize(list->list, list->count + 1, sizeof *list->list);
        list->list[list->count++] =
            (AllowedEngine){memory_copy(name.at, name.length), memory_copy(command.at, command.length)};
    }
    return status;
}

Status allow_list_read(AllowList *list, const char *path, Error *error)
{
    Text text = {0};
    Status status = file_read(path, LIST_MAX, &text, error);
    if (status == STATUS_OK) {
        status = parse_list(list, (Span){text.data, text.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}

void allow_list_close(AllowList *list)
{
    for (unsigned i = 0; i < list->count; i++) {
        free(list->list[i].name);
        free(list->list[i].command);
    }
    free(list->list);
    *list = (AllowList){0};
}

Status job_agent_resolve(const AllowList *list, const char *agent, char **resolved, Error *error)
{
    bool varies = false;
    *resolved = NULL;
    Status status = check_agent(agent, &varies, error);
    if (status != STATUS_OK)
        return status;
    const char *name = engine_name(agent);
    const AllowedEngine *engine = name != NULL ? find_engine(list, span_of(name)) : NULL;
    if (name != NULL && engine == NULL)
        return error_set(error, STATUS_FAILED, "the engine '%s' is not in this worker's list (--engines)", name);
    Text text = {0};
    text_add(&text, "%s%s", engine != NULL ? "exec:" : "", engine != NULL ? engine->command : agent);
    *resolved = text.data;
    return STATUS_OK;
}
