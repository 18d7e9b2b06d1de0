// Watches the connections of requests that think. A thread sleeps in poll until one of them is closed.
#include "web/http/stops.h"

#include "base/memory.h"
#include "web/http/lock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct WebStops {
    pthread_t thread;
    int wake; // eventfd: the list has changed
    pthread_mutex_t lock;
    WebStop *first;
    unsigned count;
    uint64_t last; // number
    bool ends, is_over;
};

// What the thread watches now.
typedef struct {
    struct pollfd *events;
    uint64_t *numbers; // of the requests; a descriptor may be used again at any time
    size_t events_capacity, numbers_capacity;
    nfds_t count;
} Watched;

static void collect(WebStops *stops, Watched *watched)
{
    size_t most = stops->count + 1;
    watched->events = array_grow(watched->events, &watched->events_capacity, most, sizeof watched->events[0]);
    watched->numbers = array_grow(watched->numbers, &watched->numbers_capacity, most, sizeof watched->numbers[0]);
    watched->events[0] = (struct pollfd){.fd = stops->wake, .events = POLLIN};
    watched->count = 1;
    for (WebStop *stop = stops->first; stop != NULL; stop = stop->next) {
        if (stop->fd < 0 || atomic_load(&stop->is_raised))
            continue;
        // Not POLLIN: a client may already send its next request.
        watched->events[watched->count] = (struct pollfd){.fd = stop->fd, .events = POLLRDHUP};
        watched->numbers[watched->count++] = stop->number;
    }
}

static void raise_closed(WebStops *stops, const Watched *watched)
{
    for (nfds_t i = 1; i < watched->count; i++)
        for (WebStop *stop = stops->first; watched->events[i].revents != 0 && stop != NULL; stop = stop->next)
            if (stop->number == watched->numbers[i])
                atomic_store(&stop->is_raised, true);
}

static void *watch(void *context)
{
    WebStops *stops = context;
    Watched watched = {0};
    (void)pthread_mutex_lock(&stops->lock);
    while (!stops->is_over) {
        collect(stops, &watched);
        (void)pthread_mutex_unlock(&stops->lock);
        int ready = poll(watched.events, watched.count, -1);
        eventfd_t value = 0;
        if (ready > 0 && watched.events[0].revents != 0)
            (void)eventfd_read(stops->wake, &value);
        (void)pthread_mutex_lock(&stops->lock);
        if (ready > 0)
            raise_closed(stops, &watched);
    }
    (void)pthread_mutex_unlock(&stops->lock);
    free(watched.events);
    free(watched.numbers);
    return NULL;
}

Status web_stops_open(WebStops **result, Error *error)
{
    WebStops *stops = memory_new(1, sizeof *stops);
    sigset_t all, before;
    *result = NULL;
    (void)pthread_mutex_init(&stops->lock, NULL);
    stops->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    int reason = stops->wake < 0 ? errno : pthread_create(&stops->thread, NULL, watch, stops);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (reason == 0) {
        *result = stops;
        return STATUS_OK;
    }
    if (stops->wake >= 0)
        (void)close(stops->wake);
    (void)pthread_mutex_destroy(&stops->lock);
    free(stops);
    return error_set(error, STATUS_FAILED, "cannot start threads: %s", strerror(reason));
}

void web_stops_close(WebStops *stops)
{
    if (stops == NULL)
        return;
    (void)pthread_mutex_lock(&stops->lock);
    stops->is_over = true;
    (void)pthread_mutex_unlock(&stops->lock);
    (void)eventfd_write(stops->wake, 1);
    (void)pthread_join(stops->thread, NULL);
    (void)close(stops->wake);
    (void)pthread_mutex_destroy(&stops->lock);
    free(stops);
}

void web_stops_add(WebStops *stops, WebStop *stop, int fd, uint64_t key)
{
    (void)pthread_mutex_lock(&stops->lock);
    stop->fd = fd;
    stop->key = key;
    stop->number = ++stops->last;
    stop->next = stops->first;
    atomic_store(&stop->is_raised, stops->ends);
    stops->first = stop;
    stops->count++;
    (void)pthread_mutex_unlock(&stops->lock);
    (void)eventfd_write(stops->wake, 1);
}

void web_stops_remove(WebStops *stops, WebStop *stop)
{
    WEB_LOCK(&stops->lock);
    for (WebStop **at = &stops->first; *at != NULL; at = &(*at)->next)
        if (*at == stop) {
            *at = stop->next;
            stops->count--;
            return;
        }
}

void web_stops_raise(WebStops *stops, uint64_t key)
{
    if (stops == NULL)
        return;
    WEB_LOCK(&stops->lock);
    for (WebStop *stop = stops->first; stop != NULL; stop = stop->next)
        if (stop->key == key)
            atomic_store(&stop->is_raised, true);
}

void web_stops_end(WebStops *stops)
{
    WEB_LOCK(&stops->lock);
    stops->ends = true;
    for (WebStop *stop = stops->first; stop != NULL; stop = stop->next)
        atomic_store(&stop->is_raised, true);
}
