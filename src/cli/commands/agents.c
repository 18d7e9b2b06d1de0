// krow agents: the agents, their options and sources.
#include "agents/agent.h"
#include "cli/commands.h"
#include "view/json_view.h"

#include <float.h>

static const char *games_of(const AgentKind *kind)
{
    return kind->games != NULL ? kind->games : "every game";
}

static json_t *kind_to_json(const AgentKind *kind)
{
    json_t *options = json_array();
    static const char *const types[] = {"int", "real", "bool", "choice", "text", "text", "text"};
    OptionValues usual;
    options_defaults(agent_options(kind), &usual);
    const AgentOption *option = NULL;
    for (unsigned i = 0; (option = option_at(usual.list, i)) != NULL; i++)
        (void)json_array_append_new(options,
                                    view_option(option, &usual.value[i], types[option->type], "help", DBL_MAX));
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", kind->name, "summary", kind->summary, "source", kind->source,
                     "games", games_of(kind), "options", options);
}

static void print_option(const AgentOption *option)
{
    (void)printf("    %s=%s", option->name, option->fallback);
    if (option->type == OPTION_INT || option->type == OPTION_REAL)
        (void)printf("  (%s, %g to %g)", option_type_name(option->type), option->min, option->max);
    else if (option->type == OPTION_CHOICE)
        (void)printf("  (one of: %s)", option->choices);
    else
        (void)printf("  (%s)", option_type_name(option->type));
    (void)printf("\n        %s\n", option->help);
}

static void print_kind(const AgentKind *kind)
{
    (void)printf("%s: %s\n    plays %s; from %s\n", kind->name, kind->summary, games_of(kind), kind->source);
    for (const AgentOption *option = kind->options; option != NULL && option->name != NULL; option++)
        print_option(option);
}

// Search options are printed once below the list, and with a single agent.
static void print_search(const char *who)
{
    (void)printf("%s\n", who);
    for (const AgentOption *option = searching_options; option->name != NULL; option++)
        print_option(option);
}

static Status run(const void *options, Error *error)
{
    const CommandLine *args = options;
    const AgentKind *only = NULL;
    if (args->word_count > 0 && (only = agent_find(span_of(args->words[0]))) == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%s'", args->words[0]);
    json_t *list = args->json ? json_array() : NULL;
    for (int i = 0; i < agent_kind_count; i++) {
        if (only != NULL && agent_kinds[i] != only)
            continue;
        if (args->json)
            (void)json_array_append_new(list, kind_to_json(agent_kinds[i]));
        else
            print_kind(agent_kinds[i]);
    }
    if (args->json)
        return output_json(json_pack("{s:o}", "agents", list), error);
    if (only != NULL && only->rate != NULL)
        print_search("    options of its search:");
    if (only == NULL) {
        (void)printf("human: you, in 'krow play'\n\n");
        print_search("Every agent that rates cells also has the options of the search:");
        (void)printf("\nOptions are written after a colon: adjacent:reach=2,depth=4, exec:./program\n");
    }
    return STATUS_OK;
}

static const CliOption options[] = {OPTION_JSON, CLI_END(CommandLine)};

const Command command_agents = {
    .name = "agents",
    .words = "[AGENT]",
    .summary = "List the agents with their options and sources",
    .about = "An agent is written NAME or NAME:KEY=VALUE,KEY=VALUE.",
    .options = options,
    .run = run,
};
