// Threads that take jobs from the queue of their lane.
#include "web/http/pool.h"

#include "base/memory.h"
#include "web/http/lock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct Item Item;
struct Item {
    Item *next;
    WebJob job;
};

typedef struct {
    WebPool *pool;
    pthread_cond_t changed;
    Item *first, **last; // that wait
    unsigned waiting;
    unsigned threads;
    uint64_t *running; // the keys of jobs that run, one for each thread; owned
} Lane;

struct WebPool {
    pthread_mutex_t lock; // of all members below
    Lane lane[WEB_LANES];
    bool ends;
    unsigned limit;
    unsigned started; // threads; constant after opening
    int niceness;
    pthread_t thread[];
};

// The arguments of a thread.
typedef struct {
    Lane *lane;
    unsigned number; // within the lane
} Place;

static bool is_running(const Lane *lane, uint64_t key)
{
    for (unsigned i = 0; i < lane->threads && key != 0; i++)
        if (lane->running[i] == key)
            return true;
    return false;
}

// Takes the first job whose key has no running one; NULL if none may run now.
static Item *take(Lane *lane)
{
    for (Item **at = &lane->first; *at != NULL; at = &(*at)->next) {
        Item *item = *at;
        if (is_running(lane, item->job.key))
            continue;
        *at = item->next;
        if (lane->last == &item->next)
            lane->last = at;
        lane->waiting--;
        return item;
    }
    return NULL;
}

static void *work(void *context)
{
    Place place = *(Place *)context;
    free(context);
    Lane *lane = place.lane;
    WebPool *pool = lane->pool;
    // On Linux each thread has its own niceness. A failure does no harm.
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), pool->niceness);
    (void)pthread_mutex_lock(&pool->lock);
    for (;;) {
        Item *item = take(lane);
        if (item == NULL) {
            if (pool->ends && lane->first == NULL)
                break;
            (void)pthread_cond_wait(&lane->changed, &pool->lock);
            continue;
        }
        lane->running[place.number] = item->job.key;
        (void)pthread_mutex_unlock(&pool->lock);
        item->job.run(item->job.context);
        free(item);
        (void)pthread_mutex_lock(&pool->lock);
        lane->running[place.number] = 0;
        (void)pthread_cond_broadcast(&lane->changed); // jobs of the same key may run now
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_lane(WebPool *pool, Lane *lane)
{
    for (unsigned i = 0; i < lane->threads; i++) {
        Place *place = memory_new(1, sizeof *place);
        *place = (Place){lane, i};
        if (pthread_create(&pool->thread[pool->started], NULL, work, place) != 0) {
            free(place);
            return false;
        }
        pool->started++;
    }
    return true;
}

// Signals are blocked for these threads; another one waits for them.
static bool start_all(WebPool *pool)
{
    sigset_t all, before;
    bool is_done = true;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned i = 0; i < WEB_LANES && is_done; i++)
        is_done = start_lane(pool, &pool->lane[i]);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_done;
}

Status web_pool_open(WebPool **result, const unsigned threads[WEB_LANES], int niceness, unsigned limit, Error *error)
{
    *result = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < WEB_LANES; i++)
        count += threads[i];
    WebPool *pool = memory_new(1, sizeof *pool + count * sizeof pool->thread[0]);
    pool->niceness = niceness;
    pool->limit = limit;
    for (unsigned i = 0; i < WEB_LANES; i++) {
        Lane *lane = &pool->lane[i];
        *lane = (Lane){.pool = pool, .last = &lane->first, .threads = threads[i]};
        lane->running = memory_new(threads[i], sizeof lane->running[0]);
        (void)pthread_cond_init(&lane->changed, NULL);
    }
    (void)pthread_mutex_init(&pool->lock, NULL);
    if (start_all(pool)) {
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
    for (unsigned i = 0; i < WEB_LANES; i++)
        (void)pthread_cond_broadcast(&pool->lane[i].changed);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started && !ends; i++)
        (void)pthread_join(pool->thread[i], NULL);
}

void web_pool_close(WebPool *pool)
{
    if (pool == NULL)
        return;
    web_pool_finish(pool);
    for (unsigned i = 0; i < WEB_LANES; i++) {
        free(pool->lane[i].running);
        (void)pthread_cond_destroy(&pool->lane[i].changed);
    }
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

static unsigned waiting_of(const Lane *lane, uint64_t key)
{
    unsigned count = 0;
    for (const Item *item = lane->first; item != NULL && key != 0; item = item->next)
        count += item->job.key == key;
    return count;
}

bool web_pool_add(WebPool *pool, WebLane lane, WebJob job)
{
    if (pool == NULL)
        return false;
    Item *item = memory_new(1, sizeof *item);
    *item = (Item){.job = job};
    (void)pthread_mutex_lock(&pool->lock);
    Lane *to = &pool->lane[lane];
    bool fits =
        !pool->ends && to->threads > 0 && to->waiting < pool->limit && waiting_of(to, job.key) < WEB_KEY_WAITING;
    if (fits) {
        *to->last = item;
        to->last = &item->next;
        to->waiting++;
        (void)pthread_cond_signal(&to->changed);
    }
    (void)pthread_mutex_unlock(&pool->lock);
    if (!fits)
        free(item);
    return fits;
}

unsigned web_pool_waiting(WebPool *pool, WebLane lane)
{
    WEB_LOCK(&pool->lock);
    return pool->lane[lane].waiting;
}

// FNV-1a, 64 bits (Fowler, Noll, Vo).
uint64_t web_pool_key(const char *text)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    for (const char *at = text; *at != '\0'; at++)
        key = (key ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return key != 0 ? key : 1;
}
