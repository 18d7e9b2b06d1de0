// The server of a simulated fleet, a heap, and quantities per second.
#include "base/memory.h"
#include "fleet/fleet_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- The heap ---

static bool is_before(const HeapEntry *a, const HeapEntry *b)
{
    return a->key < b->key || (a->key == b->key && a->order < b->order);
}

void heap_push(Heap *heap, HeapEntry entry)
{
    heap->list = array_grow(heap->list, &heap->capacity, heap->count + 1, sizeof *heap->list);
    entry.order = heap->pushed++;
    size_t at = heap->count++;
    for (; at > 0 && is_before(&entry, &heap->list[(at - 1) / 2]); at = (at - 1) / 2)
        heap->list[at] = heap->list[(at - 1) / 2];
    heap->list[at] = entry;
}

HeapEntry heap_pop(Heap *heap)
{
    assert(heap->count > 0);
    HeapEntry top = heap->list[0], last = heap->list[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && is_before(&heap->list[child + 1], &heap->list[child]))
            child++;
        if (!is_before(&heap->list[child], &last))
            break;
        heap->list[at] = heap->list[child];
        at = child;
    }
    heap->list[at] = last;
    return top;
}

void heap_close(Heap *heap)
{
    free(heap->list);
}

// --- Counts ---

static double within(double from, double to, size_t second)
{
    return fmin(to, (double)second + 1) - fmax(from, (double)second);
}

void seconds_add(Seconds *seconds, double from, double to, double each)
{
    if ((size_t)to >= seconds->count) {
        size_t count = 2 * ((size_t)to + 64);
        seconds->list = memory_resize(seconds->list, count, sizeof *seconds->list);
        memset(seconds->list + seconds->count, 0, (count - seconds->count) * sizeof *seconds->list);
        seconds->count = count;
    }
    for (size_t second = (size_t)from; second <= (size_t)to; second++)
        seconds->list[second] += each * within(from, to, second);
}

double seconds_between(const Seconds *seconds, double from, double to)
{
    double sum = 0;
    for (size_t second = (size_t)from; second < seconds->count && (double)second < to; second++)
        sum += seconds->list[second] * within(from, to, second);
    return sum;
}

void seconds_close(Seconds *seconds)
{
    free(seconds->list);
}

// --- The server ---

void server_open(Server *server, double cores, double flush, size_t most)
{
    *server = (Server){.cores = cores, .flush = flush, .flush_end = INFINITY, .most = most};
    server->waiting = memory_new(most, sizeof *server->waiting);
    server->flushing = memory_new(most, sizeof *server->flushing);
}

void server_close(Server *server)
{
    heap_close(&server->tasks);
    free(server->waiting);
    free(server->flushing);
    seconds_close(&server->cores_busy);
}

// The speed of each task: a whole core, or an equal share of all cores.
static double pace(const Server *server)
{
    return (double)server->tasks.count <= server->cores ? 1 : server->cores / (double)server->tasks.count;
}

void server_compute(Server *server, uint32_t who, uint64_t stamp, double seconds)
{
    heap_push(&server->tasks, (HeapEntry){.key = server->virtual + seconds, .who = who, .stamp = stamp});
}

// A flush covers all operations that arrived before it started; later ones wait for the next flush.
static void begin_flush(Server *server)
{
    uint32_t *taken = server->flushing;
    server->flushing = server->waiting;
    server->flushing_count = server->waiting_count;
    server->waiting = taken;
    server->waiting_count = 0;
    server->flush_end = server->flushing_count > 0 ? server->now + server->flush : INFINITY;
    server->disk_seconds += server->flushing_count > 0 ? server->flush : 0;
}

void server_flush(Server *server, uint32_t who)
{
    assert(server->waiting_count < server->most);
    server->waiting[server->waiting_count++] = who;
    if (isinf(server->flush_end) && server->flushing_count == 0)
        begin_flush(server);
}

double server_next(const Server *server)
{
    double end = server->now + (heap_key(&server->tasks) - server->virtual) / pace(server);
    if (server->tasks.count == 0)
        end = INFINITY;
    end = end < server->now ? server->now : end; // rounding error
    return end < server->flush_end ? end : server->flush_end;
}

void server_go(Server *server, double to)
{
    assert(to >= server->now);
    if (server->tasks.count > 0) {
        double cores = fmin((double)server->tasks.count, server->cores);
        server->cpu_seconds += cores * (to - server->now);
        seconds_add(&server->cores_busy, server->now, to, cores);
        server->virtual += (to - server->now) * pace(server);
    }
    server->now = to;
}

uint32_t server_computed(Server *server, uint64_t *stamp)
{
    // One nanosecond: shorter than any task, larger than the rounding error of hours.
    const double nearly = 1e-9;
    if (server->tasks.count == 0 || server->tasks.list[0].key > server->virtual + nearly)
        return SERVER_NOBODY;
    HeapEntry ended = heap_pop(&server->tasks);
    *stamp = ended.stamp;
    return ended.who;
}

uint32_t server_flushed(Server *server)
{
    if (server->now < server->flush_end && !isinf(server->flush_end))
        return SERVER_NOBODY;
    if (server->flushing_count > 0) {
        server->flush_end = server->now; // the other operations of this flush complete at once
        return server->flushing[--server->flushing_count];
    }
    if (!isinf(server->flush_end))
        begin_flush(server);
    return SERVER_NOBODY;
}

void server_crash(Server *server, uint32_t kept)
{
    Heap tasks = server->tasks;
    server->tasks = (Heap){0};
    for (size_t i = 0; i < tasks.count; i++)
        if (tasks.list[i].who >= kept)
            heap_push(&server->tasks, tasks.list[i]);
    heap_close(&tasks);
    server->waiting_count = server->flushing_count = 0;
    server->flush_end = INFINITY;
}
