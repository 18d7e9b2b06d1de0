// Pieces of a paper's trial that workers do: positions to search, and games whose turns agents decide. A worker looks
// up the trial in its own papers, so that the database has only names and numbers.
#include "base/memory.h"
#include "lab/jobs/build_identity.h"
#include "lab/jobs/job_items.h"
#include "papers/experiment/paper_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ExperimentOptions options;
    const PaperTrial *trial;
    PaperWork *work;
    void *worker;
} Pieces;

static Status find_trial(Pieces *pieces, const char *spec, Error *error)
{
    PaperPlace place;
    int64_t number = 0, seed = 0;
    Status status = paper_find(papers(), paper_count(), job_spec_value(spec, "table"), &place, error);
    if (status != STATUS_OK)
        return status;
    const PaperTable *table = place.table;
    Span scale = job_spec_value(spec, "scale");
    bool good = table != NULL && span_to_int(job_spec_value(spec, "trial"), 1, INT32_MAX, &number) &&
                span_to_real(scale, &pieces->options.scale) && pieces->options.scale > 0 &&
                span_to_int(job_spec_value(spec, "seed"), INT64_MIN, INT64_MAX, &seed);
    for (int64_t i = 0; good && i < number; i++)
        good = table->trials[i].measure != NULL;
    if (!good)
        return error_set(error, STATUS_BAD_INPUT, "the job does not name a known trial of a paper");
    pieces->trial = &table->trials[number - 1];
    pieces->options.seed = (uint64_t)seed;
    return STATUS_OK;
}

static Status open_pieces(void **state, const DatabaseJob *job, const JobWorld *world, Error *error)
{
    Pieces *pieces = *state = memory_new(1, sizeof *pieces);
    pieces->options.host = *world->host;
    Rules rules;
    Status status = find_trial(pieces, job->spec, error);
    if (status == STATUS_OK)
        status = rules_parse(span_of(pieces->trial->game), &rules, error);
    if (status == STATUS_OK)
        status = build_check(world->signature, &rules, job->build, error);
    if (status != STATUS_OK)
        return status;
    PaperWork start = {.pieces = pieces->trial->measure->pieces,
                       .trial = pieces->trial,
                       .options = &pieces->options,
                       .task = {world->stop, world->alive}};
    if (start.pieces == NULL)
        return error_set(error, STATUS_BAD_INPUT, "the trial has no pieces that workers can do");
    status = paper_open_work(&start, &pieces->work, error);
    return status == STATUS_OK ? start.pieces->open(pieces->work, &pieces->worker, error) : status;
}

static unsigned count_pieces(const void *state)
{
    return ((const Pieces *)state)->work->count;
}

static Status do_piece(void *state, unsigned number, Text *answer, bool *is_done, Error *error)
{
    Pieces *pieces = state;
    PaperWork *work = pieces->work;
    Status status = work->pieces->run(work, pieces->worker, number, is_done, error);
    if (status == STATUS_OK && *is_done)
        work->pieces->write(work, number, answer);
    return status;
}

static void close_pieces(void *state)
{
    Pieces *pieces = state;
    if (pieces == NULL)
        return;
    if (pieces->work != NULL)
        pieces->work->pieces->close(pieces->worker);
    paper_close_work(pieces->work);
    free(pieces);
}

// All but the times.
static bool answers_agree(const DatabaseJob *job, const char *a, const char *b)
{
    Pieces pieces = {0};
    if (find_trial(&pieces, job->spec, NULL) != STATUS_OK || pieces.trial == NULL)
        return false;
    Span rest[2] = {span_of(a), span_of(b)}, words[2];
    for (unsigned i = 0;; i++) {
        bool has_a = span_next_word(&rest[0], " ", &words[0]), has_b = span_next_word(&rest[1], " ", &words[1]);
        if (!has_a || !has_b)
            return has_a == has_b;
        if (!pieces.trial->measure->pieces->is_time(i) &&
            (words[0].length != words[1].length || memcmp(words[0].at, words[1].at, words[0].length) != 0))
            return false;
    }
}

const JobItemKind paper_items = {open_pieces, count_pieces, do_piece, close_pieces, answers_agree};

static const double lease_seconds = 600; // long, since some agents report no progress before a search ends

static Status take_piece(void *context, unsigned number, const char *answer, Error *error)
{
    PaperWork *work = context;
    if (answer == NULL || work->pieces->read(work, number, span_of(answer)))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "cannot read the result of piece %u: %.100s", number + 1, answer);
}

static bool is_repeatable(const PaperTrial *trial)
{
    bool is_good = trial->limits.turn_seconds <= 0 && trial->limits.clock_seconds <= 0;
    for (unsigned i = 0; trial->agents[i] != NULL && is_good; i++)
        is_good = job_agent_is_repeatable(trial->agents[i]);
    for (unsigned i = 0; i < paper_asked(trial) && is_good; i++)
        is_good = job_agent_is_repeatable(trial->asked[i]);
    return is_good;
}

static Status ask(PaperWork *work, const char *spec, Error *error)
{
    const ExperimentOptions *options = work->options;
    char build[BUILD_IDENTITY_SIZE], title[PAPER_TITLE_SIZE];
    (void)paper_title(work->trial, title);
    build_identity(build_signature(), &work->rules, build);
    JobItems items = {
        .job = {.work = JOB_PAPER,
                .title = title,
                .spec = spec,
                .openings = "",
                .build = build,
                .unit = options->workers_how.unit,
                .verify = options->workers_how.verify,
                .lease =
                    (int64_t)((options->workers_how.lease > 0 ? options->workers_how.lease : lease_seconds) * 1000)},
        .count = work->count,
        .things = work->pieces->things,
        .thing = "piece",
        .varies = !is_repeatable(work->trial),
        .host = options->host,
        .resumes = paper_resumes(options),
        .submit_only = options->workers_how.submit_only,
        .stop = options->stop,
        .reporter = options->reporter,
        .on_answer = take_piece,
        .context = work,
    };
    Status status = database_open(options->db, &items.db, error);
    if (status == STATUS_OK)
        status = job_items_run(&items, error);
    database_close(items.db);
    return status == STATUS_INTERRUPTED ? STATUS_OK : status;
}

Status paper_pieces_by_workers(PaperWork *work, Error *error)
{
    Text spec = {0};
    if (work->trial->table == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--workers: the trial belongs to no paper that workers know");
    text_add(&spec, "table %s\ntrial %u\nscale %.17g\nseed %lld\n", work->trial->table, work->trial->number,
             work->options->scale, (long long)work->options->seed);
    Status status = ask(work, spec.data, error);
    text_close(&spec);
    return status;
}
