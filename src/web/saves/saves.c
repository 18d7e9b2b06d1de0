// The queue of games to save, and the thread that stores them. A failure is reported once, and tried again later.
#include "web/saves/saves_internal.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/memory.h"
#include "lab/books.h"
#include "store/paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double retry_pause = 10; // seconds

struct WebSaves {
    WebContext *context;
    bool is_on;
    char *folder; // owned; NULL: none
    pthread_t thread;

    // The thread's own.
    Database *db;
    bool has_failed; // since the last success

    pthread_mutex_t lock; // of all members below
    pthread_cond_t changed;
    bool ends;
    SaveJob *first, **last;
};

void save_job_close(SaveJob *job)
{
    record_close(&job->save.record);
    free(job);
}

WebSaves *web_saves_open(WebContext *context)
{
    WebSaves *saves = memory_new(1, sizeof *saves);
    saves->context = context;
    saves->last = &saves->first;
    (void)pthread_mutex_init(&saves->lock, NULL);
    condition_init(&saves->changed);
    return saves;
}

Status web_saves_folder(unsigned port, Text *folder, Error *error)
{
    char name[40];
    (void)snprintf(name, sizeof name, "saves/%u", port);
    return path_of(PATH_STATE, name, folder, error);
}

bool web_saves_is_on(const WebSaves *saves)
{
    return saves != NULL && saves->is_on;
}

// --- The queue ---

static void add_job(void *context, SaveJob *job)
{
    WebSaves *saves = context;
    WEB_LOCK(&saves->lock);
    *saves->last = job;
    saves->last = &job->next;
    (void)pthread_cond_signal(&saves->changed);
}

void web_saves_put(WebSaves *saves, WebSave *save)
{
    if (!web_saves_is_on(saves)) {
        record_close(&save->record);
        return;
    }
    Error error = {0};
    if (saves->folder != NULL && saves_file_write(saves->folder, save, &error) != STATUS_OK)
        (void)fprintf(stderr, "A finished game is not in a file yet: %s\n", error.text);
    SaveJob *job = memory_new(1, sizeof *job);
    job->save = *save;
    save->record = (GameRecord){0};
    add_job(saves, job);
}

void web_saves_review(WebSaves *saves, int64_t id, GameRecord *record)
{
    if (!web_saves_is_on(saves)) {
        record_close(record);
        return;
    }
    SaveJob *job = memory_new(1, sizeof *job);
    job->reviewed = id;
    job->save.record = *record;
    *record = (GameRecord){0};
    add_job(saves, job);
}

// --- The thread ---

static Status store_job(WebSaves *saves, const SaveJob *job, Error *error)
{
    const WebSave *save = &job->save;
    int64_t id = 0;
    bool is_stored = false;
    Status status = saves->db != NULL ? STATUS_OK : database_open(saves->context->db, &saves->db, error);
    if (status == STATUS_OK && job->reviewed != 0)
        return database_save_review(saves->db, job->reviewed, &save->record, &is_stored, error);
    const DatabaseSavedGame game = {save->key, save->started, save->ended, &save->record};
    if (status == STATUS_OK)
        status = database_save_game(saves->db, &game, &id, error);
    if (status == STATUS_OK && save->done != NULL)
        save->done(saves->context, save->owner, id);
    return status;
}

// Whether a later job saves the same game; its file is then that of the later one.
static bool is_followed(const SaveJob *job)
{
    for (const SaveJob *at = job->next; at != NULL; at = at->next)
        if (job->reviewed == 0 && strcmp(at->save.key, job->save.key) == 0)
            return true;
    return false;
}

// Removes the first job, which is stored. No other thread removes jobs.
static void drop_first(WebSaves *saves)
{
    WEB_LOCK(&saves->lock);
    SaveJob *job = saves->first;
    if (saves->folder != NULL && job->reviewed == 0 && !is_followed(job))
        saves_file_remove(saves->folder, job->save.key);
    saves->first = job->next;
    if (saves->first == NULL)
        saves->last = &saves->first;
    save_job_close(job);
}

static void report(WebSaves *saves, const Error *error)
{
    if (!saves->has_failed)
        (void)fprintf(stderr, "Finished games cannot be saved now, and are tried again: %s\n", error->text);
    saves->has_failed = true;
}

// The next job; NULL at the end. After a failure, waits before the next try.
static const SaveJob *next_job(WebSaves *saves)
{
    WEB_LOCK(&saves->lock);
    double until = clock_seconds() + retry_pause;
    while (!saves->ends && (saves->first == NULL || (saves->has_failed && clock_seconds() < until)))
        condition_wait(&saves->changed, &saves->lock, saves->has_failed ? until : INFINITY);
    return saves->ends && saves->has_failed ? NULL : saves->first;
}

static void *work(void *context)
{
    WebSaves *saves = context;
    for (const SaveJob *job = NULL; (job = next_job(saves)) != NULL;) {
        Error error = {0};
        if (store_job(saves, job, &error) == STATUS_OK) {
            saves->has_failed = false;
            drop_first(saves);
        } else {
            report(saves, &error);
        }
    }
    database_close(saves->db);
    return NULL;
}

Status web_saves_start(WebSaves *saves, const char *folder, Error *error)
{
    if (database_is_none(saves->context->db))
        return STATUS_OK;
    Status status = folder != NULL ? saves_files_read(folder, add_job, saves, error) : STATUS_OK;
    saves->folder = folder != NULL && status == STATUS_OK ? memory_copy_text(folder) : NULL;
    if (pthread_create(&saves->thread, NULL, work, saves) != 0)
        return error_set(error, STATUS_FAILED, "cannot start a thread");
    saves->is_on = true;
    return status;
}

void web_saves_close(WebSaves *saves)
{
    if (saves == NULL)
        return;
    (void)pthread_mutex_lock(&saves->lock);
    saves->ends = true;
    (void)pthread_cond_signal(&saves->changed);
    (void)pthread_mutex_unlock(&saves->lock);
    if (saves->is_on)
        (void)pthread_join(saves->thread, NULL);
    while (saves->first != NULL) {
        SaveJob *job = saves->first;
        saves->first = job->next;
        save_job_close(job);
    }
    free(saves->folder);
    (void)pthread_cond_destroy(&saves->changed);
    (void)pthread_mutex_destroy(&saves->lock);
    free(saves);
}
