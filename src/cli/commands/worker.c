// krow worker: does the jobs of a database.
#include "lab/workers/worker.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "store/db/jobs/database_verify.h"

#include <string.h>

typedef struct {
    CommandLine line;
    WorkerOptions worker;
} WorkerArgs;

static Status run(const void *options, Error *error)
{
    const WorkerArgs *args = options;
    WorkerOptions worker = args->worker;
    worker.db = args->line.db;
    worker.host = args->line.host;
    worker.reporter = args->line.reporter;
    if (worker.name != NULL && (worker.name[0] == '\0' || strlen(worker.name) >= DATABASE_LABEL_SIZE))
        return error_set(error, STATUS_BAD_INPUT, "--name: '%.40s' is empty or longer than %d characters", worker.name,
                         DATABASE_LABEL_SIZE - 1);
    worker.stop = interrupt_catch();
    interrupt_catch_terminate();
    return worker_run(&worker, error);
}

static const CliOption worker_options[] = {
    CLI_OPTION(WorkerArgs, line.db, "db", CLI_DATABASE, "URL", "Database to use, such as postgresql://host/krow"),
    CLI_OPTION(WorkerArgs, worker.slots, "jobs", CLI_WHOLE, "J", "Number of games played at the same time", .min = 1,
               .max = 256, .fallback = "1"),
    CLI_OPTION(WorkerArgs, worker.engines, "engines", CLI_TEXT, "FILE",
               "Engines that jobs may name as exec:@NAME: a name and a command per line"),
    CLI_OPTION(WorkerArgs, worker.name, "name", CLI_TEXT, "NAME",
               "Name of the worker in lists and in quarantine (default: that of the machine)"),
    CLI_OPTION(WorkerArgs, worker.idle, "idle", CLI_SECONDS, "SECONDS", "Exit after SECONDS without work"),
    OPTION_NO_SANDBOX,
    CLI_OPTION(WorkerArgs, worker.quiet, "quiet", CLI_FLAG, NULL, "Print no progress and no messages", .letter = 'q'),
    CLI_END(WorkerArgs),
};

const Command command_worker = {
    .name = "worker",
    .summary = "Do the jobs of a database",
    .about =
        "Plays games of 'krow match', 'krow tournament', 'krow tune' and 'krow reproduce' with --workers, searches and "
        "solves positions of 'krow reproduce' and 'krow solve --stdin', until it is stopped. SIGTERM or Ctrl-C submits "
        "finished work and returns the rest. Jobs for a build that plays differently are refused. A lost connection is "
        "retried.\n\nExample:\n  krow worker --db postgresql://krow@lab/krow --jobs 8",
    .options = worker_options,
    .run = run,
};
