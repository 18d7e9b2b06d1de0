// krow check-engine: tests whether an engine is ready for a tournament.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output/check_text.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *protocol, *game, *only; // NULL: not given
    double time, tolerance, patience;
    bool verbose;
} CheckArgs;

static Status read_protocol(const char *name, CheckProtocol *protocol, Error *error)
{
    *protocol = CHECK_DETECT;
    if (name == NULL)
        return STATUS_OK;
    if (strcmp(name, "gomocup") == 0)
        *protocol = CHECK_GOMOCUP;
    else if (strcmp(name, "ugi") == 0)
        *protocol = CHECK_UGI;
    else
        return error_set(error, STATUS_BAD_INPUT, "--protocol: '%s' is neither gomocup nor ugi", name);
    return STATUS_OK;
}

// The program and its sandbox, from exec:COMMAND.
static Status read_engine(const CheckArgs *args, Sandboxed *engine, Error *error)
{
    static const char prefix[] = "exec:";
    const char *text = args->line.words[0];
    if (strncmp(text, prefix, strlen(prefix)) != 0)
        return error_set(error, STATUS_BAD_INPUT, "'%s' is not exec:COMMAND, such as 'exec:./engine'", text);
    Words command = {0};
    Text plain = {0};
    AgentSettings settings = {0};
    Status status = agent_settings_take(&settings, span_of(text + strlen(prefix)), &plain, error);
    SandboxSettings sandbox = sandbox_settings_of(&settings);
    if (status == STATUS_OK)
        status = words_split((Span){plain.data, plain.length}, &command, error);
    if (status == STATUS_OK && command.count == 0)
        status = error_set(error, STATUS_BAD_INPUT, "exec: needs a command, such as 'exec:./engine'");
    if (status == STATUS_OK)
        status = sandbox_prepare(&command, &sandbox, !args->line.host.no_sandbox, engine, error);
    words_close(&command);
    text_close(&plain);
    agent_settings_close(&settings);
    return status;
}

static void publish(void *context, const CheckResult *result)
{
    const CheckArgs *args = context;
    bool tells = !args->line.quiet || result->outcome == CHECK_FAILED;
    if (!args->line.json && tells)
        check_print(result, args->verbose, stdout);
}

static void print_protections(const CheckArgs *args, const Sandboxed *engine)
{
    Protection list[PROTECTIONS_MAX];
    if (!args->line.json)
        check_print_protections(list, sandbox_protections(engine, list), args->line.quiet, stdout);
}

static json_t *json_of(const CheckArgs *args, const Sandboxed *engine, const CheckReport *report)
{
    Protection list[PROTECTIONS_MAX];
    json_t *json = check_json(args->line.words[0], report);
    check_add_protections(json, list, sandbox_protections(engine, list));
    return json;
}

static Status report_all(const CheckArgs *args, const Sandboxed *engine, const CheckReport *report, Error *error)
{
    Status status = STATUS_OK;
    if (args->line.json)
        status = output_json(json_of(args, engine, report), error);
    else
        check_print_summary(report, stdout);
    unsigned failed = report->outcomes[CHECK_FAILED], all = report->count;
    if (status == STATUS_OK && failed > 0)
        return error_set(error, STATUS_FAILED, "the engine is not ready: %u of %u checks failed", failed, all);
    if (status == STATUS_OK && !check_is_ready(report))
        return error_set(error, STATUS_FAILED, "%u of %u checks were skipped", report->outcomes[CHECK_SKIPPED], all);
    return status;
}

static Status run(const void *options, Error *error)
{
    const CheckArgs *args = options;
    CheckArgs copy = *args;
    Sandboxed engine = {0};
    CheckReport report = {0};
    CheckOptions how = {.engine = &engine,
                        .time = args->time,
                        .tolerance = args->tolerance,
                        .patience = args->patience,
                        .only = args->only,
                        .stop = interrupt_catch(),
                        .publish = publish,
                        .context = &copy};
    Status status = read_protocol(args->protocol, &how.protocol, error);
    if (status == STATUS_OK)
        status = rules_parse(span_of(args->game != NULL ? args->game : "gomoku"), &how.rules, error);
    if (status == STATUS_OK)
        status = read_engine(args, &engine, error);
    if (status == STATUS_OK)
        print_protections(args, &engine);
    if (status == STATUS_OK)
        status = check_run(&how, &report, error);
    if (status == STATUS_OK)
        status = report_all(args, &engine, &report, error);
    check_close(&report);
    sandbox_close(&engine);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(CheckArgs, protocol, "protocol", CLI_TEXT, "NAME",
               "gomocup or ugi (default: the engine's answer decides)"),
    CLI_OPTION(CheckArgs, game, "game", CLI_TEXT, "GAME", "Game of most checks (default gomoku)"),
    CLI_OPTION(CheckArgs, time, "time", CLI_SECONDS, "SECONDS", "Time limit of most turns (default 0.5)",
               .fallback = "0.5"),
    CLI_OPTION(CheckArgs, tolerance, "tolerance", CLI_SECONDS, "SECONDS",
               "Accept a move that is late by at most SECONDS (default 0.1)", .fallback = "0.1"),
    CLI_OPTION(CheckArgs, patience, "patience", CLI_SECONDS, "SECONDS",
               "Wait SECONDS beyond a limit before an engine counts as silent (default 10)", .fallback = "10"),
    CLI_OPTION(CheckArgs, only, "only", CLI_TEXT, "NAMES", "Only these checks, separated by commas"),
    CLI_OPTION(CheckArgs, verbose, "verbose", CLI_FLAG, NULL, "Print every line sent and received"),
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    CLI_OPTION(CheckArgs, line.quiet, "quiet", CLI_FLAG, NULL,
               "Print only checks that failed, protections that are missing, and the result", .letter = 'q'),
    CLI_END(CheckArgs),
};

const Command command_check_engine = {
    .name = "check-engine",
    .words = "exec:COMMAND",
    .summary = "Test whether an engine is ready for a tournament",
    .about = "Holds scripted conversations with an engine in the Gomocup protocol or UGI and looks for known traps: "
             "INFO at unexpected times, commands during a search, full boards, very short and exhausted time, memory, "
             "the end of the program. Each check starts the engine anew, in the sandbox of other engines. The exit "
             "status is 0 if the engine is ready, 1 if it is not, 2 for a wrong call. Engines need not support "
             "everything: 'not supported' is no failure.\n\nExample:\n  krow check-engine 'exec:./pbrain-mine' "
             "--protocol gomocup --time 1",
    .options = options,
    .run = run,
};
