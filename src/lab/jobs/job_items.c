// Submits jobs that consist of questions, and collects the answers in order.
#include "lab/jobs/job_items.h"

#include "lab/jobs/build_identity.h"
#include "lab/jobs/job_watch.h"

#include <string.h>

// Answers per read.
enum { READ_MOST = 2000 };

const JobItemKind *job_item_kind(JobKind kind)
{
    static const JobItemKind *const kinds[JOB_KINDS] = {[JOB_SOLVE] = &solve_items, [JOB_PAPER] = &paper_items};
    return kinds[kind];
}

Span job_spec_value(const char *spec, const char *key)
{
    Span rest = span_of(spec), line = {0}, word = {0};
    while (span_next_part(&rest, '\n', &line))
        if (span_next_part(&line, ' ', &word) && span_is(word, key))
            return line;
    return (Span){"", 0};
}

static bool take_state(void *context, const DatabaseJob *job)
{
    *(bool *)context = job->state == JOB_CANCELLED || job->aside > 0;
    return true;
}

// Retries questions that were set aside or cancelled.
static Status requeue(const JobItems *items, int64_t id, Error *error)
{
    bool is_left = false;
    Status status = database_look_at_job(items->db, id, take_state, &is_left, error);
    if (status == STATUS_OK && is_left)
        status = database_change_job(items->db, id, JOB_RETRY, error);
    return status == STATUS_FAILED ? STATUS_OK : status; // another process has changed the job
}

static Status submit(const JobItems *items, int64_t *id, Error *error)
{
    *id = 0;
    DatabaseRange all = {0, items->count};
    Status status = items->resumes ? database_find_same_job(items->db, &items->job, id, error) : STATUS_OK;
    if (status == STATUS_OK && *id != 0)
        return requeue(items, *id, error);
    return status == STATUS_OK
               ? database_add_job(items->db, &items->job, &(DatabaseJobUnits){&all, 1, NULL, 0}, id, error)
               : status;
}

typedef struct {
    const JobItems *items;
    JobWatch watch;
    JobVerifier verifier;
    JobVerification verification;
    const JobItemKind *kind;
    void *state; // of the kind, to compute answers here; NULL: not yet
    atomic_ullong alive;
    Progress progress;
    unsigned next;    // the next answer to report
    unsigned missing; // number missing before it
    bool skips;       // the job has ended: missing answers are skipped
    bool has_new;
    Status status; // of on_answer
    Error *error;
} Collecting;

static void report_answer(Collecting *collecting, const char *answer)
{
    collecting->status =
        collecting->items->on_answer(collecting->items->context, collecting->next++, answer, collecting->error);
    collecting->missing += answer == NULL;
}

static void report_missing(Collecting *collecting, unsigned end)
{
    while (collecting->next < end && collecting->status == STATUS_OK)
        report_answer(collecting, NULL);
}

static bool take_answer(void *context, unsigned number, const char *answer)
{
    Collecting *collecting = context;
    if (number >= collecting->items->count || (number > collecting->next && !collecting->skips))
        return false;
    report_missing(collecting, number);
    if (collecting->status == STATUS_OK)
        report_answer(collecting, answer);
    collecting->has_new = true;
    return collecting->status == STATUS_OK;
}

static Status collect(void *context, bool is_last, bool *is_enough, Error *error)
{
    Collecting *collecting = context;
    const JobItems *items = collecting->items;
    collecting->skips = is_last;
    collecting->error = error;
    Status status = STATUS_OK;
    // Answers that are not verified yet are not reported.
    bool is_early = collecting->watch.verifier != NULL && !is_last;
    while (status == STATUS_OK && !is_early && collecting->next < items->count) {
        collecting->has_new = false;
        DatabaseAnswerRange range = {collecting->watch.id, collecting->next, READ_MOST};
        status = database_each_answer_from(items->db, &range, take_answer, collecting, error);
        status = status == STATUS_OK ? collecting->status : status;
        if (!collecting->has_new)
            break;
    }
    progress_show(&collecting->progress, (unsigned)collecting->watch.done, "");
    *is_enough = collecting->next == items->count;
    return status;
}

static Status judge(Collecting *collecting, Error *error)
{
    const JobWatch *watch = &collecting->watch;
    if (watch->state == JOB_CANCELLED && collecting->next < collecting->items->count)
        return job_watch_cancelled(watch, error);
    collecting->error = error;
    report_missing(collecting, collecting->items->count);
    if (collecting->status == STATUS_OK && collecting->missing > 0)
        return job_watch_set_aside(watch, collecting->missing, collecting->items->things, error);
    return collecting->status;
}

// --- Verification ---

typedef struct {
    unsigned number;
    Text *text;
    bool is_found;
} Wanted;

static bool take_stored(void *context, unsigned number, const char *answer)
{
    Wanted *wanted = context;
    wanted->is_found = number == wanted->number;
    if (wanted->is_found)
        text_add(wanted->text, "%s", answer);
    return false;
}

static Status read_stored(void *context, unsigned number, Text *text, bool *is_found, Error *error)
{
    Collecting *collecting = context;
    Wanted wanted = {.number = number, .text = text};
    DatabaseAnswerRange range = {collecting->watch.id, number, 1};
    Status status = database_each_answer_from(collecting->items->db, &range, take_stored, &wanted, error);
    *is_found = wanted.is_found;
    return status;
}

static Status compute(void *context, unsigned number, Text *text, bool *is_done, Error *error)
{
    static const AllowList no_engines = {0};
    Collecting *collecting = context;
    const JobItems *items = collecting->items;
    Status status = STATUS_OK;
    if (collecting->state == NULL) {
        JobWorld world = {build_signature(), &items->host, items->stop, &collecting->alive, &no_engines};
        status = collecting->kind->open(&collecting->state, &items->job, &world, error);
    }
    return status == STATUS_OK ? collecting->kind->answer(collecting->state, number, text, is_done, error) : status;
}

static bool agrees(void *context, const char *a, const char *b)
{
    const Collecting *collecting = context;
    return collecting->kind->agrees != NULL ? collecting->kind->agrees(&collecting->items->job, a, b)
                                            : strcmp(a, b) == 0;
}

static void begin_verification(Collecting *collecting)
{
    const JobItems *items = collecting->items;
    if (items->job.verify <= 0)
        return;
    collecting->kind = job_item_kind(items->job.work);
    collecting->verification.varies = items->varies;
    collecting->verifier = (JobVerifier){.db = items->db,
                                         .job = collecting->watch.id,
                                         .share = items->varies ? 0 : items->job.verify,
                                         .thing = items->thing,
                                         .reporter = items->reporter,
                                         .found = &collecting->verification,
                                         .context = collecting,
                                         .stored = read_stored,
                                         .compute = compute,
                                         .agrees = agrees};
    job_verify_begin(&collecting->verifier);
    collecting->watch.verifier = &collecting->verifier;
}

static void end_verification(Collecting *collecting)
{
    if (collecting->watch.verifier != NULL)
        job_verification_note(&collecting->verification, collecting->items->things, collecting->items->reporter);
    if (collecting->state != NULL)
        collecting->kind->close(collecting->state);
    job_verification_close(&collecting->verification);
}

Status job_items_run(const JobItems *items, Error *error)
{
    Collecting collecting = {.items = items};
    JobWatch *watch = &collecting.watch;
    *watch = (JobWatch){.db = items->db,
                        .stop = items->stop,
                        .reporter = items->reporter,
                        .counts = true,
                        .collect = collect,
                        .context = &collecting,
                        .state = JOB_DONE};
    Status status = items->count > 0 ? submit(items, &watch->id, error) : STATUS_OK;
    if (status != STATUS_OK || items->count == 0 || items->submit_only)
        return status;
    progress_begin(&collecting.progress, items->hides_progress ? NULL : items->reporter, items->count, 0);
    collecting.progress.things = items->things;
    begin_verification(&collecting);
    status = job_watch(watch, error);
    progress_end(&collecting.progress, (unsigned)watch->done, "");
    if (status == STATUS_OK)
        status = judge(&collecting, error);
    end_verification(&collecting);
    return status;
}
