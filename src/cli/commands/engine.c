// krow engine: runs krow as an engine under another match manager.
#include "cli/commands.h"
#include "protocols/engine_core.h"

#include <string.h>
#include <unistd.h>

typedef struct {
    CommandLine line;
    const char *protocol, *agent; // NULL: not given
    bool ponders, suggests;
    uint64_t seed;
    Budget budget;
} EngineArgs;

// The manager has sent quit and waits one second, and a search ignores its stop flag.
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

// Reports an unknown agent on stderr at once, since a manager may not show errors. Whether the agent supports the rules
// is checked when a game begins.
static Status check_agent(const char *text, Error *error)
{
    Span rest = span_of(text), name = {0};
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "best") && agent_find(name) == NULL)
        return error_set(error, STATUS_BAD_INPUT, "there is no agent '%.*s'; 'krow agents' lists them",
                         SPAN_PRINT(name));
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const EngineArgs *args = options;
    EngineCoreConfig config = {.input = STDIN_FILENO, .output = STDOUT_FILENO, .abandon = leave_now};
    Status status = find_protocol(args->protocol, &config.protocol, error);
    if (status == STATUS_OK && args->agent != NULL)
        status = check_agent(args->agent, error);
    if (status != STATUS_OK)
        return status;
    Engine engine;
    engine_init(&engine, agent_open_with);
    engine.agent_host = args->line.host;
    engine.budget = args->budget;
    engine.ponders = args->ponders;
    engine.suggests = args->suggests;
    engine_set_seed(&engine, args->seed);
    if (args->agent != NULL)
        engine_set_agent(&engine, span_of(args->agent));
    status = engine_core_run(&engine, &config, error);
    engine_close(&engine);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(EngineArgs, protocol, "protocol", CLI_TEXT, "NAME",
               "gomocup or ugi (default: the first line of input decides)"),
    OPTION_AGENT(EngineArgs),
    CLI_OPTION(EngineArgs, ponders, "ponder", CLI_FLAG, NULL, "Also search in the opponent's time"),
    CLI_OPTION(EngineArgs, suggests, "suggest", CLI_FLAG, NULL,
               "Suggest stones (Gomocup): the manager plays them with PLAY, or others"),
    OPTIONS_OF_TURNS(EngineArgs),
    CLI_END(EngineArgs),
};

const Command command_engine = {
    .name = "engine",
    .summary = "Run krow as an engine under another match manager",
    .about = "Speaks the Gomocup protocol (five in a row) or UGI (every game) on standard input and output; without "
             "--protocol the first line decides: 'ugi' is UGI. --time, --nodes and --depth limit a turn where the "
             "manager sets no limit. Without --agent the strongest agent answers.\n\nExample:\n  printf 'START "
             "15\\nBEGIN\\nEND\\n' | krow engine",
    .options = options,
    .run = run,
};
