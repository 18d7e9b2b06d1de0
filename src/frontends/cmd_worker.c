// krow worker: does what others have put into a database.
#include "frontends/commands.h"
#include "frontends/worker.h"

static Status run(const Args *args, Error *error)
{
    WorkerOptions options = {.db = args->db,
                             .slots = args->jobs > 0 ? args->jobs : 1,
                             .engines = args->engines,
                             .idle = args->idle,
                             .host = args->host,
                             .quiet = args->quiet};
    return worker_run(&options, error);
}

static const struct argp_option options[] = {
    {"db", ARG_DB, "URL", 0, "The database, such as postgresql://host/krow", 0},
    OPTION_JOBS,
    {"engines", ARG_ENGINES, "FILE", 0, "Engines that jobs may name as exec:@NAME: a name and a command a line", 0},
    {"idle", ARG_IDLE, "SECONDS", 0, "End when there was nothing to do for so long", 0},
    OPTION_NO_SANDBOX,
    OPTION_QUIET,
    {0},
};

const Command command_worker = {
    .name = "worker",
    .words = "",
    .summary = "Do work that others put into a database",
    .about =
        "Plays games of 'krow match', 'krow tournament', 'krow tune' and 'krow reproduce' with --workers, searches "
        "and solves positions of 'krow reproduce' and 'krow solve --stdin', until it is ended; SIGTERM or "
        "Ctrl-C hands in what is finished and returns the rest. Jobs for a build that plays differently are "
        "refused. A lost connection is tried again.\n\n"
        "Example:\n  krow worker --db postgresql://krow@lab/krow --jobs 8",
    .options = options,
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
