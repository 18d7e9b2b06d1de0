// Pieces of work given out in order to as many threads as there are jobs.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <pthread.h>
#include <stdlib.h>

enum { JOBS_MAX = 256 };

// What the threads share.
typedef struct {
    const PaperJobs *jobs;
    const atomic_bool *stop;
    void **workers;       // one per thread; NULL: not opened yet
    pthread_mutex_t lock; // of all that follows
    unsigned finished;
    Progress progress;
    Status status; // the first failure
    Error error;
} PaperThreads;

static void report(PaperThreads *threads, bool is_done, Status status, const Error *error)
{
    (void)pthread_mutex_lock(&threads->lock);
    threads->finished += is_done;
    progress_show(&threads->progress, threads->finished, "");
    if (status != STATUS_OK && threads->status == STATUS_OK) {
        threads->status = status;
        threads->error = *error;
    }
    (void)pthread_mutex_unlock(&threads->lock);
}

static bool run_piece(void *context, unsigned thread, uint64_t number)
{
    PaperThreads *threads = context;
    const PaperJobs *jobs = threads->jobs;
    if (atomic_load(threads->stop))
        return false;
    Error error = {0};
    bool is_done = false;
    void **worker = &threads->workers[thread];
    Status status = *worker == NULL ? jobs->open(jobs->context, worker, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = jobs->run(jobs->context, *worker, (unsigned)number, &is_done, &error);
    report(threads, is_done, status, &error);
    return status == STATUS_OK;
}

static void count_progress(void *context, const Decision *so_far)
{
    (void)so_far;
    (void)atomic_fetch_add_explicit((atomic_ullong *)context, 1, memory_order_relaxed);
}

void paper_watch_agent(AgentTask *task, const PaperTask *paper)
{
    if (paper->alive == NULL)
        return;
    task->progress = count_progress;
    task->progress_context = paper->alive;
}

Status paper_run_jobs(const PaperJobs *jobs, const ExperimentOptions *options, Error *error)
{
    if (options->workers)
        return paper_jobs_by_workers(jobs, options, error);
    unsigned count = options->jobs < 1 ? 1 : options->jobs < JOBS_MAX ? options->jobs : JOBS_MAX;
    PaperThreads threads = {.jobs = jobs,
                            .stop = options->stop,
                            .workers = memory_new(count, sizeof *threads.workers),
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    progress_begin(&threads.progress, options->reporter, jobs->count, 0);
    threads.progress.things = jobs->things;
    (void)parallel_for(count, jobs->count, run_piece, &threads);
    progress_end(&threads.progress, threads.finished, "");
    for (unsigned i = 0; i < count; i++)
        jobs->close(threads.workers[i]);
    free(threads.workers);
    return threads.status == STATUS_OK ? STATUS_OK : error_set(error, threads.status, "%s", threads.error.text);
}

void paper_close_jobs(PaperJobs *jobs)
{
    if (jobs->end != NULL)
        jobs->end(jobs->context);
    *jobs = (PaperJobs){0};
}

Status paper_measure_jobs(PaperOpen *open, const PaperTrial *trial, const ExperimentOptions *options,
                          PaperFigures *figures, Error *error)
{
    PaperJobs jobs = {0};
    PaperTask task = {.stop = options->stop};
    Status status = open(&jobs, trial, options, &task, error);
    if (status == STATUS_OK)
        status = paper_run_jobs(&jobs, options, error);
    if (status == STATUS_OK)
        jobs.report(jobs.context, figures);
    paper_close_jobs(&jobs);
    return status == STATUS_OK && atomic_load(options->stop) ? STATUS_INTERRUPTED : status;
}
