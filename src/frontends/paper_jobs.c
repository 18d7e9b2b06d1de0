// Pieces of work given out in order to as many threads as there are jobs.
#include "frontends/paper_internal.h"

#include "frontends/interrupt.h"

#include <pthread.h>

enum { JOBS_MAX = 256 };

// What the threads share.
typedef struct {
    const PaperJobs *jobs;
    pthread_mutex_t lock; // of all that follows
    unsigned next, finished;
    Progress progress;
    Status status; // the first that went wrong
    Error error;
} Work;

// The number of the next piece, or how many there are if none is left to do.
static unsigned take(Work *work)
{
    (void)pthread_mutex_lock(&work->lock);
    bool over = work->status != STATUS_OK || atomic_load(interrupt_flag());
    unsigned number = over ? work->jobs->count : work->next;
    work->next += number < work->jobs->count;
    (void)pthread_mutex_unlock(&work->lock);
    return number;
}

static void tell(Work *work, bool is_done)
{
    (void)pthread_mutex_lock(&work->lock);
    work->finished += is_done;
    progress_show(&work->progress, work->finished, "");
    (void)pthread_mutex_unlock(&work->lock);
}

static void give_up(Work *work, Status status, const Error *error)
{
    (void)pthread_mutex_lock(&work->lock);
    if (work->status == STATUS_OK)
        work->error = *error;
    work->status = work->status == STATUS_OK ? status : work->status;
    (void)pthread_mutex_unlock(&work->lock);
}

static void *run_worker(void *context)
{
    Work *work = context;
    const PaperJobs *jobs = work->jobs;
    Error error = {0};
    void *worker = NULL;
    Status status = jobs->open(jobs->context, &worker, &error);
    for (unsigned i = 0; status == STATUS_OK && (i = take(work)) < jobs->count;) {
        bool is_done = false;
        status = jobs->run(jobs->context, worker, i, &is_done, &error);
        tell(work, is_done);
    }
    if (status != STATUS_OK)
        give_up(work, status, &error);
    jobs->close(worker);
    return NULL;
}

// This thread works too; others that cannot be started are not missed but for the time they would save.
static void run_workers(Work *work, unsigned jobs)
{
    pthread_t threads[JOBS_MAX];
    unsigned count = 0;
    while (count + 1 < jobs && count + 1 < work->jobs->count && count < JOBS_MAX &&
           pthread_create(&threads[count], NULL, run_worker, work) == 0)
        count++;
    (void)run_worker(work);
    for (unsigned i = 0; i < count; i++)
        (void)pthread_join(threads[i], NULL);
}

static void tell_alive(void *context, const Decision *so_far)
{
    (void)so_far;
    (void)atomic_fetch_add_explicit((atomic_ullong *)context, 1, memory_order_relaxed);
}

void paper_watch_agent(AgentTask *task, const PaperTask *paper)
{
    if (paper->alive == NULL)
        return;
    task->progress = tell_alive;
    task->progress_context = paper->alive;
}

Status paper_run_jobs(const PaperJobs *jobs, const Args *args, Error *error)
{
    Work work = {.jobs = jobs};
    if (args->workers)
        return paper_jobs_by_workers(jobs, args, error);
    if (pthread_mutex_init(&work.lock, NULL) != 0)
        return error_set(error, STATUS_NO_MEMORY, "no memory for threads");
    progress_begin(&work.progress, jobs->count, 0, args->quiet);
    work.progress.things = jobs->things;
    run_workers(&work, args->jobs);
    progress_end(&work.progress, work.finished, "");
    (void)pthread_mutex_destroy(&work.lock);
    return work.status == STATUS_OK ? STATUS_OK : error_set(error, work.status, "%s", work.error.text);
}

void paper_close_jobs(PaperJobs *jobs)
{
    if (jobs->end != NULL)
        jobs->end(jobs->context);
    *jobs = (PaperJobs){0};
}

Status paper_measure_jobs(PaperOpen *open, const PaperTrial *trial, const Args *args, PaperFigures *figures,
                          Error *error)
{
    PaperJobs jobs = {0};
    PaperTask task = {.stop = interrupt_flag()};
    Status status = open(&jobs, trial, args, &task, error);
    if (status == STATUS_OK)
        status = paper_run_jobs(&jobs, args, error);
    if (status == STATUS_OK)
        status = jobs.report(jobs.context, figures, error);
    paper_close_jobs(&jobs);
    return status == STATUS_OK && atomic_load(interrupt_flag()) ? STATUS_INTERRUPTED : status;
}
