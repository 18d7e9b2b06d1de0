// The threads of the gravity solver. All search for the answer to the same question over one table, and the first one
// stops the others. They avoid each other by deferring moves that another thread is searching (T. Kerrigan's
// simplification of ABDADA); otherwise threads would do the same work most of the time.
#include "base/memory.h"
#include "solver/gravity/gravity_solver_internal.h"

#include <stdlib.h>

bool gravity_search_poll(GravitySearch *search)
{
    uint64_t left = search->node_limit > search->nodes ? search->node_limit - search->nodes : 0;
    if (search->alive != NULL)
        (void)atomic_fetch_add_explicit(search->alive, 1, memory_order_relaxed);
    search->countdown = left < GRAVITY_POLL ? (uint32_t)left : GRAVITY_POLL;
    search->stopped = search->stopped || left == 0 || atomic_load_explicit(search->halt, memory_order_relaxed) ||
                      limits_expired(search->limits);
    return search->stopped;
}

// Answers a question in one thread; the first answer counts.
static void answer(GravityCrew *crew, GravitySearch *search)
{
    search->stopped = false;
    if (gravity_search_poll(search))
        return;
    int score = crew->engine->probe(search, &crew->position, crew->alpha);
    if (search->stopped || atomic_exchange(&crew->answered, true))
        return;
    crew->score = score;
    atomic_store_explicit(&crew->halt, true, memory_order_relaxed);
}

static void *helper_run(void *argument)
{
    GravityHelper *helper = argument;
    GravityCrew *crew = helper->crew;
    pthread_mutex_lock(&crew->mutex);
    for (uint64_t round = 0;;) {
        while (crew->round == round && !crew->quit)
            pthread_cond_wait(&crew->begin, &crew->mutex);
        if (crew->quit)
            break;
        round = crew->round;
        pthread_mutex_unlock(&crew->mutex);
        answer(crew, &helper->search);
        pthread_mutex_lock(&crew->mutex);
        if (--crew->at_work == 0)
            pthread_cond_signal(&crew->end);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

Status gravity_threads_open(GravityCrew *crew, const GravityEngine *engine, const GravitySearch *first,
                            unsigned threads, Error *error)
{
    *crew = (GravityCrew){.engine = engine, .first = *first};
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->begin, NULL);
    pthread_cond_init(&crew->end, NULL);
    crew->first.halt = &crew->halt;
    crew->opened = true;
    if (threads <= 1)
        return STATUS_OK;
    crew->busy = memory_new(GRAVITY_BUSY, sizeof *crew->busy);
    crew->helpers = memory_new(threads - 1, sizeof *crew->helpers);
    crew->first.busy = crew->busy;
    for (; crew->helper_count < threads - 1; crew->helper_count++) {
        GravityHelper *helper = &crew->helpers[crew->helper_count];
        *helper = (GravityHelper){.crew = crew, .search = crew->first};
        if (pthread_create(&helper->thread, NULL, helper_run, helper) != 0)
            return error_set(error, STATUS_FAILED, "thread %u of %u could not be started", crew->helper_count + 2,
                             threads);
    }
    return STATUS_OK;
}

void gravity_threads_close(GravityCrew *crew)
{
    if (!crew->opened)
        return;
    pthread_mutex_lock(&crew->mutex);
    crew->quit = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->mutex);
    for (unsigned i = 0; i < crew->helper_count; i++)
        pthread_join(crew->helpers[i].thread, NULL);
    pthread_cond_destroy(&crew->end);
    pthread_cond_destroy(&crew->begin);
    pthread_mutex_destroy(&crew->mutex);
    free(crew->helpers);
    free(crew->busy);
    *crew = (GravityCrew){0};
}

uint64_t gravity_threads_nodes(const GravityCrew *crew)
{
    uint64_t nodes = crew->first.nodes;
    for (unsigned i = 0; i < crew->helper_count; i++)
        nodes += crew->helpers[i].search.nodes;
    return nodes;
}

static void set_limits(GravitySearch *search, const GravityQuestion *question, uint64_t nodes)
{
    search->limits = question->limits;
    search->alive = question->alive;
    search->node_limit = nodes == UINT64_MAX ? nodes : search->nodes + nodes;
}

// Starts all helpers. The crew's lock is held.
static void begin_round(GravityCrew *crew, const GravityQuestion *question, uint64_t nodes)
{
    for (unsigned i = 0; i < crew->helper_count; i++)
        set_limits(&crew->helpers[i].search, question, nodes);
    crew->at_work = crew->helper_count;
    crew->round++;
    pthread_cond_broadcast(&crew->begin);
}

// Searches with all threads; the question has been set.
static void answer_together(GravityCrew *crew, const GravityQuestion *question, uint64_t nodes)
{
    pthread_mutex_lock(&crew->mutex);
    begin_round(crew, question, nodes);
    pthread_mutex_unlock(&crew->mutex);
    answer(crew, &crew->first);
    pthread_mutex_lock(&crew->mutex);
    while (crew->at_work > 0)
        pthread_cond_wait(&crew->end, &crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
}

bool gravity_threads_ask(GravityCrew *crew, const GravityQuestion *question, int *score)
{
    bool together = crew->helper_count > 0 && !question->alone;
    uint64_t nodes = question->nodes;
    if (together && nodes != UINT64_MAX)
        nodes /= crew->helper_count + 1;
    crew->position = question->position;
    crew->alpha = question->alpha;
    atomic_store_explicit(&crew->answered, false, memory_order_relaxed);
    atomic_store_explicit(&crew->halt, false, memory_order_relaxed);
    set_limits(&crew->first, question, nodes);
    if (together)
        answer_together(crew, question, nodes);
    else
        answer(crew, &crew->first);
    *score = crew->score;
    return atomic_load_explicit(&crew->answered, memory_order_relaxed);
}
