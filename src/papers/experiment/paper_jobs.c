// Pieces of work, distributed in order to the threads of --jobs.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <pthread.h>
#include <stdlib.h>

enum { JOBS_MAX = 256 };

// Shared by the threads.
typedef struct {
    PaperWork *work;
    void **workers;       // one per thread; NULL: not opened yet
    bool *is_done;        // pieces of an earlier run
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
    PaperWork *work = threads->work;
    if (atomic_load(work->task.stop))
        return false;
    if (threads->is_done[number])
        return true;
    Error error = {0};
    bool is_done = false;
    void **worker = &threads->workers[thread];
    Status status = *worker == NULL ? work->pieces->open(work, worker, &error) : STATUS_OK;
    if (status == STATUS_OK)
        status = work->pieces->run(work, *worker, (unsigned)number, &is_done, &error);
    (void)pthread_mutex_lock(&threads->lock);
    if (status == STATUS_OK && is_done)
        status = paper_save_piece(work, (unsigned)number, &error);
    (void)pthread_mutex_unlock(&threads->lock);
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

static Status run_here(PaperWork *work, Error *error)
{
    const ExperimentOptions *options = work->options;
    unsigned count = options->jobs < 1 ? 1 : options->jobs < JOBS_MAX ? options->jobs : JOBS_MAX;
    PaperThreads threads = {
        .work = work, .workers = memory_new(count, sizeof *threads.workers), .lock = PTHREAD_MUTEX_INITIALIZER};
    threads.is_done = memory_new((size_t)work->count + 1, sizeof *threads.is_done);
    threads.status = paper_read_saved(work, threads.is_done, &threads.finished, &threads.error);
    progress_begin(&threads.progress, options->reporter, work->count, threads.finished);
    threads.progress.things = work->pieces->things;
    if (threads.status == STATUS_OK)
        (void)parallel_for(count, work->count, run_piece, &threads);
    progress_end(&threads.progress, threads.finished, "");
    for (unsigned i = 0; i < count; i++)
        work->pieces->close(threads.workers[i]);
    free(threads.workers);
    free(threads.is_done);
    return threads.status == STATUS_OK ? STATUS_OK : error_set(error, threads.status, "%s", threads.error.text);
}

Status paper_open_work(const PaperWork *start, PaperWork **work, Error *error)
{
    PaperWork *opened = *work = memory_new(1, start->pieces->size);
    *opened = *start;
    Status status = rules_parse(span_of(start->trial->game), &opened->rules, error);
    return status == STATUS_OK ? start->pieces->begin(opened, error) : status;
}

void paper_close_work(PaperWork *work)
{
    if (work != NULL)
        work->pieces->end(work);
    free(work);
}

Status paper_measure_pieces(const PaperPieces *pieces, const PaperTrial *trial, const ExperimentOptions *options,
                            PaperFigures *figures, Error *error)
{
    PaperWork start = {.pieces = pieces, .trial = trial, .options = options, .task = {.stop = options->stop}};
    PaperWork *work = NULL;
    Status status = paper_open_work(&start, &work, error);
    if (status == STATUS_OK)
        status = options->workers ? paper_pieces_by_workers(work, error) : run_here(work, error);
    if (status == STATUS_OK)
        pieces->report(work, figures);
    paper_close_work(work);
    return status == STATUS_OK && atomic_load(options->stop) ? STATUS_INTERRUPTED : status;
}
