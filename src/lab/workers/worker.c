// The main loop of a worker: starts its slots, sends heartbeats and restores connections.
#include "base/condition.h"
#include "base/memory.h"
#include "lab/workers/worker_internal.h"

#include "base/clock.h"
#include "base/rng.h"
#include "lab/books.h"
#include "lab/jobs/build_identity.h"
#include "store/db/jobs/unit_policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double poll_seconds = 0.2;

// All slots use one connection: the first that restores it ends the pauses of the others.
static void pause_until(Worker *worker, unsigned tries, const atomic_bool *stop)
{
    unsigned before = atomic_load(&worker->revivals);
    Rng rng = rng_make((uint64_t)(clock_seconds() * 1e9));
    double end = clock_seconds() + unit_retry_seconds(tries, (double)rng_below(&rng, 1000) / 1000);
    while (clock_seconds() < end && !atomic_load(stop) && atomic_load(&worker->revivals) == before)
        clock_sleep(0.05);
}

bool worker_pause(Worker *worker, const Error *error, unsigned *tries)
{
    if (*tries == 0 && !worker->options->quiet)
        reporter_note(worker->options->reporter, "krow worker: %s; trying again", error->text);
    pause_until(worker, (*tries)++, &worker->ends);
    return !atomic_load(&worker->ends);
}

void worker_resume(Worker *worker, unsigned *tries)
{
    if (*tries > 0)
        (void)atomic_fetch_add(&worker->revivals, 1);
    *tries = 0;
}

static double beat_interval(Worker *worker)
{
    double shortest = INFINITY;
    (void)pthread_mutex_lock(&worker->lock);
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (worker->slots[i].unit.id != 0)
            shortest = fmin(shortest, (double)worker->slots[i].unit.lease / 1000);
    (void)pthread_mutex_unlock(&worker->lock);
    return unit_beat_seconds(shortest);
}

static size_t collect_beats(Worker *worker, DatabaseBeat *beats)
{
    size_t count = 0;
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (worker->slots[i].unit.id != 0)
            beats[count++] =
                (DatabaseBeat){.unit = worker->slots[i].unit, .progress = atomic_load(&worker->slots[i].turns)};
    return count;
}

// Stops the slot that holds the lost unit. A slot may have submitted it meanwhile, and hold another one.
static void stop_lost(Worker *worker, const DatabaseBeat *beat)
{
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (worker->slots[i].unit.id == beat->unit.id && worker->slots[i].unit.token == beat->unit.token)
            atomic_store(&worker->slots[i].stop, true);
}

static Status beat(Worker *worker, DatabaseBeat *beats, Error *error)
{
    char words[ERROR_TEXT_SIZE];
    (void)pthread_mutex_lock(&worker->lock);
    size_t count = collect_beats(worker, beats);
    (void)snprintf(words, sizeof words, "%s", worker->words);
    (void)pthread_mutex_unlock(&worker->lock);
    DatabaseWorker about = {.id = worker->id, .games = (int64_t)atomic_load(&worker->games), .words = words};
    Status status = database_beat(worker->db, &about, beats, count, error);
    (void)pthread_mutex_lock(&worker->lock);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (beats[i].is_lost)
            stop_lost(worker, &beats[i]);
    (void)pthread_mutex_unlock(&worker->lock);
    return status;
}

static void wake_slots(Worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
    (void)pthread_cond_broadcast(&worker->woken);
    (void)pthread_mutex_unlock(&worker->lock);
}

static bool are_all_idle(const Worker *worker)
{
    for (unsigned i = 0; i < worker->slot_count; i++)
        if (!atomic_load(&worker->slots[i].is_idle))
            return false;
    return true;
}

// STATUS_FAILED with the reason if the worker is in quarantine.
static Status check_quarantine(Worker *worker, Error *error)
{
    char reason[ERROR_TEXT_SIZE];
    bool found = false;
    Status status = database_is_quarantined(worker->db, worker->label, reason, &found, error);
    if (status != STATUS_OK || !found)
        return status;
    return error_set(error, STATUS_FAILED,
                     "the worker '%s' is in quarantine and gets no work: %.300s; 'krow jobs release %s' lifts it",
                     worker->label, reason, worker->label);
}

// Ends with STATUS_FAILED if the worker was put in quarantine.
static Status supervise(Worker *worker, DatabaseBeat *beats, Error *failure)
{
    double last_beat = 0, last_work = clock_seconds();
    unsigned tries = 0;
    while (!atomic_load(worker->options->stop)) {
        Error error = {0};
        bool was_notified = false;
        double now = clock_seconds();
        Status status = database_wait(worker->db, poll_seconds, &was_notified, &error);
        if (status == STATUS_OK && now - last_beat >= beat_interval(worker)) {
            status = beat(worker, beats, &error);
            last_beat = now;
            if (status == STATUS_OK && check_quarantine(worker, failure) == STATUS_FAILED)
                return STATUS_FAILED;
        }
        if (was_notified)
            wake_slots(worker);
        if (!are_all_idle(worker))
            last_work = now;
        if (worker->options->idle > 0 && now - last_work > worker->options->idle)
            break;
        // The slots report lost connections.
        if (status != STATUS_OK)
            pause_until(worker, tries++, worker->options->stop);
        else
            worker_resume(worker, &tries);
    }
    return STATUS_OK;
}

static Status run_slots(Worker *worker, Error *error)
{
    DatabaseBeat *beats = memory_new(worker->slot_count, sizeof *beats);
    unsigned started = 0;
    Status status = STATUS_OK;
    for (; started < worker->slot_count; started++)
        if (pthread_create(&worker->slots[started].thread, NULL, worker_slot, &worker->slots[started]) != 0)
            break;
    if (started == worker->slot_count)
        status = supervise(worker, beats, error);
    atomic_store(&worker->ends, true);
    // Under the lock, so that no slot lowers its flag after this.
    (void)pthread_mutex_lock(&worker->lock);
    for (unsigned i = 0; i < started; i++)
        atomic_store(&worker->slots[i].stop, true);
    (void)pthread_mutex_unlock(&worker->lock);
    wake_slots(worker);
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(worker->slots[i].thread, NULL);
    free(beats);
    return started == worker->slot_count ? status : error_set(error, STATUS_FAILED, "cannot start a thread");
}

static Status introduce(Worker *worker, Error *error)
{
    char name[DATABASE_LABEL_SIZE + 32], build[64];
    (void)gethostname(worker->label, sizeof worker->label - 1);
    if (worker->options->name != NULL)
        (void)snprintf(worker->label, sizeof worker->label, "%s", worker->options->name);
    (void)snprintf(name, sizeof name, "%s:%ld", worker->label, (long)getpid());
    (void)snprintf(build, sizeof build, "krow " KROW_VERSION ", signature %016llx",
                   (unsigned long long)worker->signature);
    DatabaseWorker about = {.name = name, .label = worker->label, .slots = worker->slot_count, .build = build};
    Status status = check_quarantine(worker, error);
    if (status == STATUS_OK)
        status = database_listen(worker->db, "krow_jobs", error);
    if (status == STATUS_OK)
        status = database_add_worker(worker->db, &about, &worker->id, error);
    if (status == STATUS_OK && !worker->options->quiet)
        reporter_note(worker->options->reporter, "krow worker: %s connected to '%s' with %u slot%s; %s", name,
                      database_path(worker->db), worker->slot_count, worker->slot_count == 1 ? "" : "s", build);
    return status;
}

static Status open_worker(Worker *worker, Error *error)
{
    const WorkerOptions *options = worker->options;
    Status status = options->engines != NULL ? allow_list_read(&worker->engines, options->engines, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = database_for("workers", options->db, OPEN_TO_WRITE, &worker->db, error);
    if (status != STATUS_OK)
        return status;
    worker->signature = build_signature();
    worker->slot_count = options->slots;
    worker->slots = memory_new(options->slots, sizeof *worker->slots);
    for (unsigned i = 0; i < worker->slot_count; i++)
        worker->slots[i].worker = worker;
    return introduce(worker, error);
}

static void close_worker(Worker *worker)
{
    if (worker->id != 0) {
        DatabaseWorker about = {.id = worker->id, .games = (int64_t)atomic_load(&worker->games), .words = ""};
        (void)database_beat(worker->db, &about, NULL, 0, NULL);
        (void)database_end_worker(worker->db, worker->id, NULL);
    }
    free(worker->slots);
    free(worker->refused);
    allow_list_close(&worker->engines);
    database_close(worker->db);
    (void)pthread_cond_destroy(&worker->woken);
    (void)pthread_mutex_destroy(&worker->lock);
}

Status worker_run(const WorkerOptions *options, Error *error)
{
    Worker worker = {.options = options};
    (void)pthread_mutex_init(&worker.lock, NULL);
    condition_init(&worker.woken);
    Status status = open_worker(&worker, error);
    if (status == STATUS_OK)
        status = run_slots(&worker, error);
    if (status == STATUS_OK && !options->quiet)
        reporter_note(options->reporter, "krow worker: ended after %llu %s",
                      (unsigned long long)atomic_load(&worker.games),
                      worker.has_answered ? "games and answers" : "games");
    close_worker(&worker);
    return status;
}
