// Verifies the workers of a job: compares results that were computed twice, and decides who is right.
#include "lab/jobs/job_verify.h"

#include "base/clock.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void job_verification_close(JobVerification *verification)
{
    free(verification->quarantined);
    *verification = (JobVerification){0};
}

void job_verification_note(const JobVerification *verification, const char *things, Reporter *reporter)
{
    if (verification->varies)
        reporter_note(
            reporter,
            "--verify: these %s were not computed again, since they depend on more than the job, such as times, "
            "threads, external engines, or the books and patterns of the database.",
            things);
    else
        reporter_note(reporter, "--verify %g: %llu %s were computed again with the same result.", verification->share,
                      (unsigned long long)verification->checked, things);
}

void job_verify_begin(JobVerifier *verifier)
{
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        seed = rng_derive((uint64_t)clock_unix_ms(), (uint64_t)(clock_seconds() * 1e9));
    verifier->rng = rng_make(seed);
    verifier->found->share = verifier->share;
}

// --- Quarantine ---

static void note_quarantine(JobVerifier *verifier, const char *label, const char *reason)
{
    JobVerification *found = verifier->found;
    size_t n = found->quarantined_count++;
    found->quarantined = memory_resize(found->quarantined, n + 1, sizeof *found->quarantined);
    (void)snprintf(found->quarantined[n].label, sizeof found->quarantined[n].label, "%s", label);
    (void)snprintf(found->quarantined[n].reason, sizeof found->quarantined[n].reason, "%s", reason);
    reporter_note(verifier->reporter, "The worker '%s' is in quarantine: %s. 'krow jobs release %s' lifts it.", label,
                  reason, label);
}

Status job_verify_blame(JobVerifier *verifier, int64_t worker, const char *reason, Error *error)
{
    bool is_new = false;
    char label[DATABASE_LABEL_SIZE] = "";
    if (worker == 0) {
        reporter_note(verifier->reporter, "A worker that is not known submitted a false result: %s.", reason);
        return STATUS_OK;
    }
    Status status = database_quarantine_worker(verifier->db, worker, reason, label, &is_new, error);
    if (status == STATUS_OK && is_new)
        note_quarantine(verifier, label, reason);
    return status;
}

// --- Comparing ---

// A result that a second worker computed.
typedef struct {
    unsigned number;
    char *answer; // owned
    int64_t worker;
} Check;

typedef struct {
    Check *list; // owned; in the order of the numbers
    size_t count, capacity;
} Checks;

static bool take_check(void *context, unsigned number, const char *answer, int64_t worker)
{
    Checks *checks = context;
    checks->list = array_grow(checks->list, &checks->capacity, checks->count + 1, sizeof *checks->list);
    checks->list[checks->count++] = (Check){.number = number, .answer = memory_copy_text(answer), .worker = worker};
    return true;
}

static void close_checks(Checks *checks)
{
    for (size_t i = 0; i < checks->count; i++)
        free(checks->list[i].answer);
    free(checks->list);
}

// The two results of a number. Without `check` no worker could compute it again.
typedef struct {
    const DatabasePendingUnit *unit;
    unsigned number;
    const char *stored;
    const Check *check;
} Dispute;

static bool agree(const JobVerifier *verifier, const char *a, const char *b)
{
    return verifier->agrees(verifier->context, a, b);
}

static Status compute(JobVerifier *verifier, unsigned number, Text *text, Error *error)
{
    bool is_done = false;
    Status status = verifier->compute(verifier->context, number, text, &is_done, error);
    text_add_span(text, (Span){"", 0}); // terminated
    return status == STATUS_OK && !is_done ? error_set(error, STATUS_INTERRUPTED, "interrupted") : status;
}

static Status blame(JobVerifier *verifier, int64_t worker, const Dispute *dispute, const char *claim, const char *own,
                    Error *error)
{
    char reason[ERROR_TEXT_SIZE];
    (void)snprintf(reason, sizeof reason, "%s %u of job %lld was submitted as '%.60s', but is '%.60s'", verifier->thing,
                   dispute->number + 1, (long long)verifier->job, claim, own);
    return job_verify_blame(verifier, worker, reason, error);
}

// Who differs from two equal computations of this process is wrong.
static Status decide(JobVerifier *verifier, const Dispute *dispute, bool *is_false, Error *error)
{
    Text own = {0}, again = {0};
    const Check *check = dispute->check;
    Status status = compute(verifier, dispute->number, &own, error);
    bool is_good = status == STATUS_OK && agree(verifier, dispute->stored, own.data);
    bool is_good_check = status == STATUS_OK && (check == NULL || agree(verifier, check->answer, own.data));
    if (status == STATUS_OK && !(is_good && is_good_check)) {
        *is_false = true;
        status = compute(verifier, dispute->number, &again, error);
        if (status == STATUS_OK && !agree(verifier, own.data, again.data))
            status = error_set(error, STATUS_FAILED,
                               "%s %u cannot be verified: this program computed it twice, with different results",
                               verifier->thing, dispute->number + 1);
        if (status == STATUS_OK && !is_good)
            status = blame(verifier, dispute->unit->worker, dispute, dispute->stored, own.data, error);
        if (status == STATUS_OK && !is_good_check)
            status = blame(verifier, check->worker, dispute, check->answer, own.data, error);
    }
    text_close(&own);
    text_close(&again);
    return status;
}

// What the comparison of a unit finds: whether all is well so far, a result is missing, such as a damaged game that was
// deleted, or one is false.
typedef enum { UNIT_AGREES, UNIT_LACKS, UNIT_IS_FALSE } Verdict;

static Status compare_number(JobVerifier *verifier, const DatabasePendingUnit *unit, unsigned number,
                             const Check *check, Verdict *verdict, Error *error)
{
    Text stored = {0};
    bool is_found = false, is_false = false;
    Status status = verifier->stored(verifier->context, number, &stored, &is_found, error);
    Dispute dispute = {unit, number, stored.data, check};
    if (status == STATUS_OK && is_found && (check == NULL || !agree(verifier, stored.data, check->answer)))
        status = decide(verifier, &dispute, &is_false, error);
    // Quarantine makes the unit invalid, or what a worker in quarantine has confirmed; an unknown worker has none.
    bool is_known = unit->worker != 0 && (check == NULL || check->worker != 0);
    *verdict = !is_found || (is_false && !is_known) ? UNIT_LACKS : is_false ? UNIT_IS_FALSE : UNIT_AGREES;
    text_close(&stored);
    return status;
}

static Status compare_unit(JobVerifier *verifier, const DatabasePendingUnit *unit, Verdict *verdict, Error *error)
{
    Checks checks = {0};
    size_t next = 0;
    Status status = database_each_check(verifier->db, unit->id, take_check, &checks, error);
    for (unsigned i = 0; i < unit->games && status == STATUS_OK && *verdict == UNIT_AGREES; i++) {
        unsigned number = unit->first + i;
        while (next < checks.count && checks.list[next].number < number)
            next++;
        bool has_check = next < checks.count && checks.list[next].number == number;
        status = compare_number(verifier, unit, number, has_check ? &checks.list[next] : NULL, verdict, error);
    }
    close_checks(&checks);
    if (status != STATUS_OK || *verdict == UNIT_IS_FALSE)
        return status;
    if (*verdict == UNIT_LACKS)
        return database_redo_unit(verifier->db, verifier->job, unit, error);
    verifier->found->checked += unit->games;
    return database_agree(verifier->db, unit->id, error);
}

static Status compare_units(JobVerifier *verifier, bool *is_any_false, Error *error)
{
    DatabasePendingUnit unit = {0};
    Status status = database_pending_unit(verifier->db, verifier->job, 0, &unit, error);
    while (status == STATUS_OK && unit.id != 0) {
        Verdict verdict = UNIT_AGREES;
        status = compare_unit(verifier, &unit, &verdict, error);
        *is_any_false = *is_any_false || verdict != UNIT_AGREES;
        if (status == STATUS_OK)
            status = database_pending_unit(verifier->db, verifier->job, unit.id, &unit, error);
    }
    return status;
}

Status job_verify_step(JobVerifier *verifier, bool *is_settled, Error *error)
{
    JobVerification *found = verifier->found;
    uint64_t discarded = 0;
    unsigned drawn = 0;
    bool is_false = false;
    int64_t unsettled = 0;
    *is_settled = false;
    Status status = database_invalidate(verifier->db, verifier->job, &discarded, error);
    if (status == STATUS_OK && discarded > 0) {
        found->discarded += discarded;
        reporter_note(verifier->reporter, "%llu %s%s of workers in quarantine %s computed again.",
                      (unsigned long long)discarded, verifier->thing, discarded == 1 ? "" : "s",
                      discarded == 1 ? "is" : "are");
    }
    do
        if (status == STATUS_OK)
            status = database_draw_units(verifier->db, verifier->job, verifier->share, &verifier->rng, &drawn, error);
    while (status == STATUS_OK && drawn > 0);
    if (status == STATUS_OK)
        status = database_take_over_units(verifier->db, verifier->job, error);
    if (status == STATUS_OK)
        status = compare_units(verifier, &is_false, error);
    if (status == STATUS_OK)
        status = database_count_unsettled(verifier->db, verifier->job, &unsettled, error);
    *is_settled = status == STATUS_OK && unsettled == 0 && discarded == 0 && !is_false;
    return status;
}
