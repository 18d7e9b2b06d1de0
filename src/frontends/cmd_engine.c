// krow engine: an engine for someone else's manager.
#include "frontends/commands.h"
#include "frontends/engine_core.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The manager has said quit and gives a second, and a search does not heed its flag.
static void leave_now(void)
{
    _exit(0);
}

static Status find_protocol(const char *name, const EngineProtocol **protocol, Error *error)
{
    static const EngineProtocol *const protocols[] = {&engine_gomocup, &engine_ugi};
    *protocol = NULL;
    for (size_t i = 0; name != NULL && i < sizeof protocols / sizeof protocols[0]; i++)
        if (strcmp(name, protocols[i]->name) == 0)
            *protocol = protocols[i];
    if (name != NULL && *protocol == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--protocol: '%s' is neither gomocup nor ugi", name);
    return STATUS_OK;
}

// A name that no agent has is told now, on stderr, rather than to a manager that may not show it. Which games the agent
// plays is seen when a game begins.
static Status check_agent(const char *text, Error *error)
{
    Span rest = span_of(text), name = {0};
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "best") && agent_find(name) == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%.*s'; 'krow agents' lists them",
                         SPAN_PRINT(name));
    return STATUS_OK;
}

static Status run(const Args *args, Error *error)
{
    EngineCoreConfig config = {.input = STDIN_FILENO, .output = STDOUT_FILENO, .abandon = leave_now};
    Status status = find_protocol(args->protocol, &config.protocol, error);
    if (status == STATUS_OK && args->agent != NULL)
        status = check_agent(args->agent, error);
    if (status != STATUS_OK)
        return status;
    Engine *engine = malloc(sizeof *engine);
    if (engine == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for an engine");
    engine_init(engine, agent_open_with);
    engine->agent_host = args->host;
    engine->budget = args->budget;
    engine->ponders = args->ponders;
    engine_set_seed(engine, args_seed(args));
    if (args->agent != NULL && engine_set_agent(engine, span_of(args->agent)) != STATUS_OK)
        status = error_set(error, STATUS_NO_MEMORY, "no memory for the name of an agent");
    if (status == STATUS_OK)
        status = engine_core_run(engine, &config, error);
    engine_close(engine);
    free(engine);
    return status;
}

static const struct argp_option options[] = {
    OPTION_PROTOCOL, OPTION_AGENT, OPTION_TIME,  OPTION_NODES,      OPTION_DEPTH,
    OPTION_PONDER,   OPTION_SEED,  OPTION_BOOKS, OPTION_NO_SANDBOX, {0},
};

const Command command_engine = {
    .name = "engine",
    .words = "",
    .summary = "Be an engine for someone else's manager",
    .about =
        "Speaks the Gomocup protocol (five in a row) or UGI (every game) on standard input and output; without "
        "--protocol the first line decides: 'ugi' is UGI. --time, --nodes and --depth limit a turn where the manager "
        "sets no limit. Without --agent the strongest agent answers.\n\n"
        "Example:\n  printf 'START 15\\nBEGIN\\nEND\\n' | krow engine",
    .options = options,
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
