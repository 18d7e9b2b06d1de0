// A slot of a worker: claims units, plays them and submits the results.
#include "base/condition.h"
#include "base/memory.h"
#include "lab/workers/worker_internal.h"

#include "base/clock.h"
#include "store/db/jobs/unit_policy.h"

#include <stdio.h>
#include <sys/random.h>

// How often a worker that is about to end submits its results to a server that does not answer.
enum { LAST_TRIES = 3 };

static bool ends(const Slot *slot)
{
    return atomic_load(&slot->worker->ends);
}

static uint64_t new_token(void)
{
    uint64_t token = 0;
    if (getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token)
        token = rng_derive((uint64_t)clock_unix_ms(), (uint64_t)(clock_seconds() * 1e9));
    return token;
}

// The slots of all workers are not counted for every unit: it takes the longer the more there are.
static DatabaseClaim next_claim(const Slot *slot, int64_t job)
{
    const double recount = 30; // seconds
    Worker *worker = slot->worker;
    (void)pthread_mutex_lock(&worker->lock);
    unsigned slots = worker->all_slots;
    bool is_recent = slots > 0 && clock_seconds() - worker->counted < recount;
    (void)pthread_mutex_unlock(&worker->lock);
    bool is_known = job == slot->job.id && slot->pace > 0;
    // At least a pair of games, or one question.
    unsigned least = job == slot->job.id && slot->job.items != NULL ? 1 : 2;
    return (DatabaseClaim){.worker = worker->id,
                           .job = job,
                           .token = new_token(),
                           .most = unit_most(is_known ? slot->pace : 0, unit_seconds(slots), least),
                           .slots = is_recent ? slots : 0};
}

// Stores the claimed unit, or none.
static void set_unit(Slot *slot, const DatabaseUnit *unit, const DatabaseClaim *claim)
{
    Worker *worker = slot->worker;
    (void)pthread_mutex_lock(&worker->lock);
    slot->unit = *unit;
    if (unit->id != 0 && claim->slots == 0 && unit->slots > 0) {
        worker->all_slots = unit->slots;
        worker->counted = clock_seconds();
    }
    atomic_store(&slot->turns, 0);
    atomic_store(&slot->stop, ends(slot));
    (void)pthread_mutex_unlock(&worker->lock);
}

static bool is_refused(const Worker *worker, int64_t job)
{
    for (size_t i = 0; i < worker->refused_count; i++)
        if (worker->refused[i] == job)
            return true;
    return false;
}

static void refuse(Worker *worker, int64_t job, const Error *error)
{
    (void)pthread_mutex_lock(&worker->lock);
    if (!is_refused(worker, job)) {
        worker->refused = memory_resize(worker->refused, worker->refused_count + 1, sizeof *worker->refused);
        worker->refused[worker->refused_count++] = job;
        (void)snprintf(worker->words, sizeof worker->words, "job %lld refused: %.400s", (long long)job, error->text);
        reporter_note(worker->options->reporter, "krow worker: %s", worker->words);
    }
    (void)pthread_mutex_unlock(&worker->lock);
}

// STATUS_OK without a unit: none was open, or this worker cannot play the job.
static Status try_job(Slot *slot, int64_t job, Error *error)
{
    Worker *worker = slot->worker;
    if (job != slot->job.id) {
        worker_job_close(&slot->job);
        slot->pace = 0;
        JobWorld world = {worker->signature, &worker->options->host, &slot->stop, &slot->turns, &worker->engines};
        (void)pthread_mutex_lock(&worker->lock);
        atomic_store(&slot->stop, ends(slot));
        (void)pthread_mutex_unlock(&worker->lock);
        Status status = worker_job_open(&slot->job, worker->db, job, &world, error);
        if (status == STATUS_IO || status == STATUS_NO_MEMORY || status == STATUS_INTERRUPTED)
            return status;
        if (status != STATUS_OK) {
            refuse(worker, job, error);
            return STATUS_OK;
        }
    }
    DatabaseClaim claim = next_claim(slot, job);
    DatabaseUnit unit = {0};
    Status status = database_claim_unit(worker->db, &claim, &unit, error);
    if (status == STATUS_OK && unit.id != 0)
        set_unit(slot, &unit, &claim);
    return status;
}

// Tries all jobs, the current one first.
static Status find_work(Slot *slot, Error *error)
{
    Worker *worker = slot->worker;
    int64_t job = 0;
    slot->is_late = false;
    Status status = slot->job.id != 0 ? try_job(slot, slot->job.id, error) : STATUS_OK;
    while (status == STATUS_OK && slot->unit.id == 0) {
        status = database_next_job(worker->db, worker->id, job, &job, error);
        if (status != STATUS_OK || job == 0)
            break;
        (void)pthread_mutex_lock(&worker->lock);
        bool is_other = !is_refused(worker, job);
        (void)pthread_mutex_unlock(&worker->lock);
        slot->is_late = slot->is_late || is_other;
        if (is_other)
            status = try_job(slot, job, error);
    }
    if (status == STATUS_OK && slot->unit.id == 0 && !slot->is_late)
        status = database_close_jobs(worker->db, error);
    return status;
}

static void wait_for_work(Slot *slot)
{
    if (slot->is_late) {
        Rng rng = rng_make(new_token());
        clock_sleep(unit_late_seconds(slot->lates++, (double)rng_below(&rng, 1000) / 1000));
        return;
    }
    double until = clock_seconds() + UNIT_IDLE_SECONDS;
    (void)pthread_mutex_lock(&slot->worker->lock);
    atomic_store(&slot->is_idle, true);
    if (!ends(slot))
        condition_wait(&slot->worker->woken, &slot->worker->lock, until);
    (void)pthread_mutex_unlock(&slot->worker->lock);
}

static Status do_unit(Slot *slot, Error *error)
{
    double begun = clock_seconds();
    Status status = slot->job.items != NULL ? worker_answer_unit(slot, error) : worker_play_unit(slot, error);
    double seconds = clock_seconds() - begun;
    size_t done = slot->played.count + slot->answers.count;
    if (status == STATUS_OK && seconds > 0 && done == slot->unit.games)
        slot->pace = (double)done / seconds;
    return status;
}

// Submits the result until the server has received it, or the unit is lost. A worker that ends claims no new unit.
static void hand_in(Slot *slot, const char *failure)
{
    DatabaseUnitResult result = {.unit = slot->unit, .failure = failure};
    if (slot->job.items != NULL || slot->unit.verifies != 0) {
        result.answers = (const char *const *)slot->answers.list;
        result.count = slot->answers.count;
    } else {
        result.games = slot->played.games;
        result.count = slot->played.count;
    }
    DatabaseClaim claim = next_claim(slot, slot->job.id);
    DatabaseUnit next = {0};
    Error error = {0};
    Status status = STATUS_OK;
    for (unsigned tries = 0, last = 0; last < LAST_TRIES;) {
        next = (DatabaseUnit){0};
        status = database_finish_unit(slot->worker->db, &result, ends(slot) ? NULL : &claim, &next, &error);
        if (status != STATUS_IO)
            worker_resume(slot->worker, &tries);
        if (status == STATUS_OK)
            break;
        if (status == STATUS_IO) {
            claim.was_asked = true;
            if (!worker_pause(slot->worker, &error, &tries)) {
                last++;
                clock_sleep(0.2);
            }
        } else if (result.count > 0) { // the games cannot be stored: reports a failure instead
            result.count = 0;
            result.failure = error.text;
        } else {
            break;
        }
    }
    if (status == STATUS_OK && result.was_accepted)
        (void)atomic_fetch_add(&slot->worker->games, result.count);
    if (slot->job.items != NULL)
        atomic_store(&slot->worker->has_answered, true);
    if (!slot->worker->options->quiet && status != STATUS_OK)
        reporter_note(slot->worker->options->reporter, "krow worker: cannot submit a unit: %s", error.text);
    else if (!slot->worker->options->quiet && !result.was_accepted)
        reporter_note(slot->worker->options->reporter,
                      "krow worker: the %s from %u on of job %lld were reassigned to another worker",
                      slot->job.items != NULL ? "questions" : "games", result.unit.first, (long long)result.unit.job);
    worker_forget_done(slot);
    set_unit(slot, &next, &claim);
}

static void work(Slot *slot)
{
    unsigned tries = 0;
    while (!ends(slot)) {
        Error error = {0};
        if (slot->unit.id == 0) {
            Status status = find_work(slot, &error);
            if (status != STATUS_OK) {
                (void)worker_pause(slot->worker, &error, &tries);
                continue;
            }
            worker_resume(slot->worker, &tries);
            if (slot->unit.id == 0) {
                wait_for_work(slot);
                continue;
            }
        }
        slot->lates = 0;
        atomic_store(&slot->is_idle, false);
        Status status = do_unit(slot, &error);
        hand_in(slot, status == STATUS_OK ? NULL : error.text);
    }
    if (slot->unit.id != 0) // claimed while the worker was ending
        hand_in(slot, NULL);
}

void *worker_slot(void *context)
{
    Slot *slot = context;
    work(slot);
    worker_close_done(slot);
    worker_job_close(&slot->job);
    return NULL;
}
