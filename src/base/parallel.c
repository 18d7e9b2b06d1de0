// A parallel loop.
#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct {
    ParallelItem *run;
    void *context;
    uint64_t count;
    _Atomic uint64_t next;
    atomic_bool is_ended;
} Loop;

typedef struct {
    Loop *loop;
    unsigned number;
    pthread_t thread;
} LoopThread;

static void *work(void *context)
{
    LoopThread *thread = context;
    Loop *loop = thread->loop;
    while (!atomic_load(&loop->is_ended)) {
        uint64_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->count)
            break;
        if (!loop->run(loop->context, thread->number, item))
            atomic_store(&loop->is_ended, true);
    }
    return NULL;
}

bool parallel_for(unsigned threads, uint64_t count, ParallelItem *run, void *context)
{
    Loop loop = {.run = run, .context = context, .count = count};
    if (threads > count)
        threads = (unsigned)count;
    if (threads < 1)
        threads = 1;
    LoopThread *list = memory_new(threads, sizeof *list);
    unsigned started = 1;
    list[0] = (LoopThread){.loop = &loop};
    for (; started < threads; started++) {
        list[started] = (LoopThread){.loop = &loop, .number = started};
        if (pthread_create(&list[started].thread, NULL, work, &list[started]) != 0)
            break;
    }
    (void)work(&list[0]);
    for (unsigned i = 1; i < started; i++)
        (void)pthread_join(list[i].thread, NULL);
    free(list);
    return !atomic_load(&loop.is_ended);
}
