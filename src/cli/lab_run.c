// Matches and tournaments of the command line.
#include "cli/lab_run.h"

#include "base/file.h"
#include "cli/interrupt.h"
#include "lab/report.h"

#include <stdio.h>
#include <string.h>

// A value with the name of its option in front of an error.
static Status check(Status status, const char *option, Error *error)
{
    if (status != STATUS_OK)
        error_prefix(error, "--%s: ", option);
    return status;
}

// An option that has the syntax of a line of a match file.
static Status apply_line(Tournament *event, const char *key, const char *value, Error *error)
{
    Text line = {0};
    if (value == NULL)
        return STATUS_OK;
    text_add(&line, "%s %s", key, value);
    Status status = strchr(value, '\n') == NULL ? tournament_read(event, (Span){line.data, line.length}, error)
                                                : error_set(error, STATUS_BAD_INPUT, "the value has a line end");
    text_close(&line);
    // The line is no line of a file.
    static const char place[] = "line 1: ";
    if (status != STATUS_OK && error != NULL && strncmp(error->text, place, sizeof place - 1) == 0)
        memmove(error->text, error->text + sizeof place - 1, strlen(error->text) - sizeof place + 2);
    return check(status, key, error);
}

// Options that are keys of a match file.
static Status apply_texts(Tournament *event, const LabOptions *options, Error *error)
{
    const char *const lines[][2] = {{"openings", options->openings}, {"order", options->order},
                                    {"clock", options->clock},       {"resign", options->resign},
                                    {"draw", options->draw},         {"sprt", options->sprt}};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < sizeof lines / sizeof lines[0] && status == STATUS_OK; i++)
        status = apply_line(event, lines[i][0], lines[i][1], error);
    return status;
}

static void apply_numbers(Tournament *event, const LabOptions *options)
{
    if (options->games > 0)
        event->games = options->games;
    if (options->start > 0)
        event->start = options->start;
    if (options->budget.seconds > 0)
        event->limits.turn_seconds = options->budget.seconds;
    if (options->budget.nodes > 0)
        event->limits.nodes = options->budget.nodes;
    if (options->budget.depth > 0)
        event->limits.depth = options->budget.depth;
    if (options->turns > 0)
        event->limits.max_turns = options->turns;
    if (options->has_seed)
        event->seed = options->seed;
}

Status lab_apply(MatchRun *run, const CommandLine *line, const LabOptions *options, Error *error)
{
    Tournament *event = &run->event;
    if (options->resumes && options->again)
        return error_set(error, STATUS_BAD_INPUT, "--resume and --again exclude each other");
    Status status = STATUS_OK;
    if (options->game != NULL) {
        status = rules_parse(span_of(options->game), &event->rules, error);
        event->has_rules = true;
    }
    if (status == STATUS_OK)
        status = apply_texts(event, options, error);
    apply_numbers(event, options);
    run->has_sprt = event->has_sprt;
    run->sprt = event->sprt;
    run->host = line->host;
    run->jobs = options->jobs > 0 ? options->jobs : 1;
    run->reporter = line->reporter;
    run->by_workers = options->workers.is_used;
    run->verify = options->workers.how.verify;
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
    if (!workers->is_used && workers->how.verify > 0)
        return error_set(error, STATUS_BAD_INPUT, "--verify needs --workers");
    return STATUS_OK;
}

const CliOption lab_command_options[] = {
    OPTION_DB,
    CLI_OPTION(LabArgs, report, "report", CLI_TEXT, "FILE", "Write an HTML report with tables and plots"),
    CLI_OPTION(LabArgs, pgn, "pgn", CLI_TEXT, "FILE", "Write the results as PGN, for rating programs"),
    CLI_OPTION(LabArgs, sgf, "sgf", CLI_TEXT, "FILE", "Write the games as SGF"),
    CLI_OPTION(LabArgs, log, "log", CLI_TEXT, "FILE", "Append what krow and exec: programs say to each other to FILE"),
    CLI_OPTION(LabArgs, lab.order, "order", CLI_TEXT, "ORDER", "Order of the openings: sequential (default) or random"),
    CLI_OPTION(LabArgs, lab.start, "start", CLI_WHOLE, "N", "Begin with opening number N", .min = 1, .max = 1000000),
    CLI_OPTION(LabArgs, lab.resign, "resign", CLI_TEXT, "TURNS,SCORE",
               "A side loses after TURNS turns in which both players give its opponent at least SCORE"),
    CLI_OPTION(LabArgs, lab.draw, "draw", CLI_TEXT, "TURNS,SCORE[,FROM]",
               "A draw after TURNS turns in which both players give at most SCORE to either side, from turn FROM on"),
    OPTION_NO_SANDBOX,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_ROWS(LabArgs, lab, lab_options),
    {0},
};

// Before the first game, not after the last one.
static Status check_files(const LabArgs *args, Error *error)
{
    const char *const files[] = {args->report, args->pgn, args->sgf};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < sizeof files / sizeof files[0] && status == STATUS_OK; i++)
        if (files[i] != NULL)
            status = file_check_writable(files[i], error);
    if (status == STATUS_OK && args->log != NULL && args->lab.workers.is_used)
        status = error_set(error, STATUS_BAD_INPUT, "--log: engines of workers are not logged here");
    return status;
}

static Status open_run(const LabCommand *command, MatchRun *run, const LabArgs *args, EngineLog *log, Error *error)
{
    Status status = check_files(args, error);
    if (status == STATUS_OK)
        status = command->prepare(run, args, error);
    if (status == STATUS_OK)
        status = lab_apply(run, &args->line, &args->lab, error);
    if (status == STATUS_OK && args->log != NULL)
        status = engine_log_open(log, args->log, error);
    if (status == STATUS_OK && args->log != NULL)
        run->host.log = &log->lent;
    run->keeps_sgf = args->sgf != NULL;
    run->notes_games = true;
    return status == STATUS_OK ? lab_open(run, &args->line, &args->lab, command->kind, error) : status;
}

static Status play_command(const LabCommand *command, MatchRun *run, const LabArgs *args, EngineLog *log, Error *error)
{
    Status status = open_run(command, run, args, log, error);
    if (status != STATUS_OK)
        return status;
    status = lab_play(run, &args->lab.workers.how, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = command->report(run, args, error);
    if (reported == STATUS_OK && args->sgf != NULL)
        reported = report_sgf(run, args->sgf, error);
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
    EngineLog log = {0};
    Status status = play_command(command, &run, args, &log, error);
    match_run_close(&run);
    Status closed = engine_log_close(&log, status == STATUS_OK ? error : NULL);
    return status == STATUS_OK ? closed : status;
}

Status lab_read_file(Tournament *event, const char *path, Error *error)
{
    enum { EVENT_FILE_MAX = 1 << 20 };
    Text text = {0};
    Status status = file_read(path, EVENT_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = tournament_read(event, (Span){text.data, text.length}, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}
