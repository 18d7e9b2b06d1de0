#include "frontends/lab_args.h"

#include "frontends/interrupt.h"
#include "frontends/lab_workers.h"

#include <stdio.h>
#include <stdlib.h>
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

Status lab_read_args(Lab *lab, const Args *args, Error *error)
{
    Event *event = &lab->event;
    Status status = STATUS_OK;
    if (args->game != NULL) {
        status = rules_parse(span_of(args->game), &event->rules, error);
        event->has_rules = true;
    }
    if (args->games > 0)
        event->games = args->games;
    if (status == STATUS_OK && args->openings != NULL) {
        char line[4096];
        int length = snprintf(line, sizeof line, "openings %s", args->openings);
        status = length > 0 && (size_t)length < sizeof line
                     ? event_read(event, span_of(line), error)
                     : error_set(error, STATUS_BAD_INPUT, "--openings: the name is too long");
    }
    if (args->has_time)
        event->limits.turn_seconds = args->budget.seconds;
    if (status == STATUS_OK && args->clock != NULL) {
        status = event_parse_clock(span_of(args->clock), &event->limits, error);
        if (status != STATUS_OK)
            error_prefix(error, "--clock: ");
    }
    if (args->budget.nodes > 0)
        event->limits.nodes = args->budget.nodes;
    if (args->budget.depth > 0)
        event->limits.depth = args->budget.depth;
    if (args->turns > 0)
        event->limits.max_turns = args->turns;
    if (args->has_seed)
        event->seed = args->seed;
    if (status == STATUS_OK && args->sprt != NULL) {
        lab->has_sprt = true;
        status = parse_sprt(args->sprt, &lab->sprt, error);
    }
    lab->host = args->host;
    lab->jobs = args->jobs > 0 ? args->jobs : 1;
    lab->quiet = args->quiet;
    lab->by_workers = args->workers;
    return status == STATUS_OK ? lab_check_workers(args, error) : status;
}

Status lab_open(Lab *lab, const Args *args, DatabaseKind kind, Error *error)
{
    interrupt_catch();
    lab->stop = interrupt_flag();
    LabStore store = {.path = args->db, .resumes = args->resumes};
    return lab_open_event(lab, &store, kind, error);
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

Status lab_run_as_asked(Lab *lab, const Args *args, Error *error)
{
    LabWorkers how = {.unit = args->unit, .lease = args->lease};
    return !lab->by_workers ? lab_run(lab, error)
           : args->puts_up  ? lab_put_up(lab, &how, error)
                            : lab_run_by_workers(lab, &how, error);
}

Status lab_check_workers(const Args *args, Error *error)
{
    if (args->workers && args->db != NULL && strcmp(args->db, "none") == 0)
        return error_set(error, STATUS_BAD_INPUT, "--workers needs a database, and --db says none");
    return STATUS_OK;
}

static Status play_command(const LabCommand *command, Lab *lab, const Args *args, Error *error)
{
    Status status = command->prepare(lab, args, error);
    if (status == STATUS_OK)
        status = lab_read_args(lab, args, error);
    if (status == STATUS_OK)
        status = lab_open(lab, args, command->kind, error);
    if (status != STATUS_OK)
        return status;
    status = lab_run_as_asked(lab, args, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    Status reported = command->report(lab, args, error);
    if (status == STATUS_OK)
        return reported;
    return error_set(error, STATUS_FAILED, "%s",
                     lab->by_workers   ? LAB_WORKERS_GO_ON
                     : lab->db != NULL ? command->interrupted
                                       : "interrupted; nothing is kept");
}

Status lab_command(const LabCommand *command, const Args *args, Error *error)
{
    Lab *lab = calloc(1, sizeof *lab);
    if (lab == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a match");
    Status status = play_command(command, lab, args, error);
    lab_close(lab);
    free(lab);
    return status;
}
