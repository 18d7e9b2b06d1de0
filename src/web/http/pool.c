// Threads that take jobs from two lanes in turn.
#include "web/http/pool.h"

#include "base/memory.h"
#include "web/http/lock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct Job Job;
struct Job {
    Job *next;
    void (*run)(void *context);
    void *context;
};

typedef struct {
    Job *first, **last;
    unsigned waiting, running;
} Lane;

struct WebPool {
    pthread_mutex_t lock; // of all members below
    pthread_cond_t changed;
    Lane lane[WEB_LANES];
    WebLane next; // the lane to take from first
    bool ends;
    unsigned limit;
    unsigned count; // of threads; constant after opening
    int niceness;
    pthread_t thread[];
};

// Takes the next job, from the lanes in turn; NULL if none may run now.
static Job *take(WebPool *pool, Lane **lane)
{
    for (unsigned i = 0; i < WEB_LANES; i++) {
        *lane = &pool->lane[(pool->next + i) % WEB_LANES];
        if ((*lane)->first == NULL || (pool->count > 1 && (*lane)->running >= pool->count - 1))
            continue;
        pool->next = (WebLane)((pool->next + i + 1) % WEB_LANES);
        Job *job = (*lane)->first;
        (*lane)->first = job->next;
        if (job->next == NULL)
            (*lane)->last = &(*lane)->first;
        (*lane)->waiting--;
        (*lane)->running++;
        return job;
    }
    return NULL;
}

static bool is_empty(const WebPool *pool)
{
    for (unsigned i = 0; i < WEB_LANES; i++)
        if (pool->lane[i].first != NULL)
            return false;
    return true;
}

static void *work(void *context)
{
    WebPool *pool = context;
    // On Linux each thread has its own niceness. A failure does no harm.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), pool->niceness);
    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        Lane *lane = NULL;
        Job *job = take(pool, &lane);
        if (job == NULL) {
            if (pool->ends && is_empty(pool))
                break;
            (void)pthread_cond_wait(&pool->changed, &pool->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&pool->lock);
        job->run(job->context);
        free(job);
        (void)pthread_mutex_lock(&pool->lock);
        lane->running--;
        (void)pthread_cond_broadcast(&pool->changed);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

// Signals are blocked for these threads; another one waits for them.
static bool start_all(WebPool *pool, unsigned threads)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    while (pool->count < threads && pthread_create(&pool->thread[pool->count], NULL, work, pool) == 0)
        pool->count++;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool->count == threads;
}

Status web_pool_open(WebPool **result, unsigned threads, int niceness, unsigned limit, Error *error)
{
    *result = NULL;
    WebPool *pool = memory_new(1, sizeof *pool + threads * sizeof pool->thread[0]);
    pool->niceness = niceness;
    pool->limit = limit;
    for (unsigned i = 0; i < WEB_LANES; i++)
        pool->lane[i].last = &pool->lane[i].first;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->changed, NULL);
    if (start_all(pool, threads)) {
        *result = pool;
        return STATUS_OK;
    }
    web_pool_close(pool);
    return error_set(error, STATUS_FAILED, "cannot start threads");
}

void web_pool_finish(WebPool *pool)
{
    if (pool == NULL)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    bool ends = pool->ends;
    pool->ends = true;
    (void)pthread_cond_broadcast(&pool->changed);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->count && !ends; i++)
        (void)pthread_join(pool->thread[i], NULL);
}

void web_pool_close(WebPool *pool)
{
    if (pool == NULL)
        return;
    web_pool_finish(pool);
    (void)pthread_cond_destroy(&pool->changed);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

bool web_pool_add(WebPool *pool, WebLane lane, void (*run)(void *context), void *context)
{
    if (pool == NULL)
        return false;
    Job *job = memory_new(1, sizeof *job);
    *job = (Job){.run = run, .context = context};
    (void)pthread_mutex_lock(&pool->lock);
    Lane *to = &pool->lane[lane];
    bool fits = !pool->ends && to->waiting < pool->limit;
    if (fits) {
        *to->last = job;
        to->last = &job->next;
        to->waiting++;
        (void)pthread_cond_signal(&pool->changed);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    if (!fits)
        free(job);
    return fits;
}

unsigned web_pool_waiting(WebPool *pool, WebLane lane)
{
    WEB_LOCK(&pool->lock);
    return pool->lane[lane].waiting;
}
