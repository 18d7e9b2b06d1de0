// Matches and tournaments of the command line.
#include "cli/lab_run.h"

#include "base/file.h"
#include "cli/interrupt.h"

#include <stdio.h>
#include <string.h>

static Status parse_sprt(const char *text, Sprt *sprt, Error *error)
{
    Span rest = span_of(text), low = {0};
    (void)span_next_part(&rest, ',', &low);
    *sprt = (Sprt){.alpha = 0.05, .beta = 0.05};
    if (!span_to_real(low, &sprt->nelo0) || !span_to_real(rest, &sprt->nelo1) || !sprt_is_valid(sprt))
        return error_set(error, STATUS_BAD_INPUT, "--sprt: '%s' is not E0,E1 with E0 below E1, such as 0,10", text);
    return STATUS_OK;
}

Status lab_apply(MatchRun *run, const CommandLine *line, const LabOptions *options, Error *error)
{
    Tournament *event = &run->event;
    Status status = STATUS_OK;
    if (options->resumes && options->again)
        return error_set(error, STATUS_BAD_INPUT, "--resume and --again exclude each other");
    if (options->game != NULL) {
        status = rules_parse(span_of(options->game), &event->rules, error);
        event->has_rules = true;
    }
    if (options->games > 0)
        event->games = options->games;
    if (status == STATUS_OK && options->openings != NULL) {
        char text[4096];
        int length = snprintf(text, sizeof text, "openings %s", options->openings);
        status = length > 0 && (size_t)length < sizeof text
                     ? tournament_read(event, span_of(text), error)
                     : error_set(error, STATUS_BAD_INPUT, "--openings: the name is too long");
    }
    if (options->budget.seconds > 0)
        event->limits.turn_seconds = options->budget.seconds;
    if (status == STATUS_OK && options->clock != NULL) {
        status = tournament_parse_clock(span_of(options->clock), &event->limits, error);
        if (status != STATUS_OK)
            error_prefix(error, "--clock: ");
    }
    if (options->budget.nodes > 0)
        event->limits.nodes = options->budget.nodes;
    if (options->budget.depth > 0)
        event->limits.depth = options->budget.depth;
    if (options->turns > 0)
        event->limits.max_turns = options->turns;
    if (options->has_seed)
        event->seed = options->seed;
    if (status == STATUS_OK && options->sprt != NULL) {
        run->has_sprt = true;
        status = parse_sprt(options->sprt, &run->sprt, error);
    }
    run->host = line->host;
    run->jobs = options->jobs > 0 ? options->jobs : 1;
    run->reporter = line->reporter;
    run->by_workers = options->workers.is_used;
    return status == STATUS_OK ? lab_check_workers(&options->workers, line->db, error) : status;
}

static MatchRepeat lab_repeat(const LabOptions *options)
{
    return options->resumes ? MATCH_RESUME : options->again ? MATCH_AGAIN : MATCH_ONCE;
}

Status lab_open(MatchRun *run, const CommandLine *line, const LabOptions *options, DatabaseKind kind, Error *error)
{
    run->stop = interrupt_catch();
    MatchRunStore store = {.path = line->db, .repeat = lab_repeat(options)};
    return match_run_open_event(run, &store, kind, error);
}

static bool take_last(void *context, const DatabaseMatch *match)
{
    *(int64_t *)context = match->id;
    return true;
}

Status lab_find_match(Database *db, const char *text, int64_t *id, Error *error)
{
    if (text == NULL || span_to_int(span_of(text), 1, INT64_MAX, id))
        return STATUS_OK;
    if (strcmp(text, "last") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--match: '%s' is neither a number nor 'last'", text);
    Status status = database_each_match(db, take_last, id, error);
    if (status == STATUS_OK && *id == 0)
        status = error_set(error, STATUS_FAILED, "the database holds no match");
    return status;
}

Status lab_check_workers(const WorkersOption *workers, const char *db, Error *error)
{
    if (workers->is_used && db != NULL && strcmp(db, "none") == 0)
        return error_set(error, STATUS_BAD_INPUT, "--workers needs a database; --db none is not supported");
    return STATUS_OK;
}

const CliOption lab_command_options[] = {
    OPTION_DB,
    CLI_OPTION(LabArgs, report, "report", CLI_TEXT, "FILE", "Write an HTML report with tables and plots"),
    CLI_OPTION(LabArgs, pgn, "pgn", CLI_TEXT, "FILE", "Write the results as PGN, for rating programs"),
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_ROWS(LabArgs, lab, lab_options),
    {0},
};

// Before the first game, not after the last one.
static Status check_files(const LabArgs *args, Error *error)
{
    const char *const files[] = {args->report, args->pgn};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < 2 && status == STATUS_OK; i++)
        if (files[i] != NULL)
            status = file_check_writable(files[i], error);
    return status;
}

static Status play_command(const LabCommand *command, MatchRun *run, const LabArgs *args, Error *error)
{
    Status status = check_files(args, error);
    if (status == STATUS_OK)
        status = command->prepare(run, args, error);
    if (status == STATUS_OK)
        status = lab_apply(run, &args->line, &args->lab, error);
    if (status == STATUS_OK)
        status = lab_open(run, &args->line, &args->lab, command->kind, error);
    if (status != STATUS_OK)
        return status;
    status = lab_play(run, &args->lab.workers.how, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = command->report(run, args, error);
    if (status == STATUS_OK)
        return reported;
    return error_set(error, STATUS_FAILED, "%s",
                     run->by_workers   ? LAB_WORKERS_CONTINUE
                     : run->db != NULL ? command->interrupted
                                       : "interrupted; nothing is stored");
}

Status lab_command(const LabCommand *command, const LabArgs *args, Error *error)
{
    MatchRun run = {0};
    Status status = play_command(command, &run, args, error);
    match_run_close(&run);
    return status;
}
