// Plays games in several threads. They start in order and finish in any order; a finished game is published after all
// earlier ones.
#include "match/runner.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/process/process.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

// The largest number of finished games that wait to be published; workers wait before they exceed it.
enum { WAITING_MAX = 256 };

static const double STOP_PERIOD = 0.02; // seconds between two reads of the user's stop flag

typedef struct {
    const RunnerConfig *config;
    const RunnerSink *sink;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned next;       // the next game to start
    unsigned to_publish; // the next game to publish
    Duel *waiting[WAITING_MAX];
    bool enough;      // the sink has ended the match
    atomic_bool stop; // polled by games in progress: raised by the user or at the end of the match
    Status status;
    Error error;
} Runner;

typedef struct {
    Runner *runner;
    unsigned slot; // from 0, for the watch
    Agent *agents; // opened by this worker, for each agent of the match
    bool *is_open;
} Worker;

static void fail(Runner *runner, Status status, const Error *error)
{
    if (runner->status == STATUS_OK) {
        runner->status = status;
        runner->error = *error;
    }
    atomic_store(&runner->stop, true);
}

static bool user_stops(const Runner *runner)
{
    return runner->config->stop != NULL && atomic_load(runner->config->stop);
}

static bool was_played(const Runner *runner, unsigned number)
{
    return runner->sink->is_played != NULL && runner->sink->is_played(runner->sink->context, number);
}

static unsigned end_of(const Runner *runner)
{
    return runner->config->to > 0 ? runner->config->to : schedule_games(&runner->config->schedule);
}

// Publishes finished games in order, and wakes the workers that wait for that. Called with the lock.
static void publish(Runner *runner)
{
    unsigned games = end_of(runner), before = runner->to_publish;
    while (runner->to_publish < games && !runner->enough) {
        if (was_played(runner, runner->to_publish)) {
            runner->to_publish++;
            continue;
        }
        Duel **place = &runner->waiting[runner->to_publish % WAITING_MAX];
        if (*place == NULL)
            break;
        assert((*place)->number == runner->to_publish);
        if (runner->sink->published != NULL && runner->sink->published(runner->sink->context, *place)) {
            runner->enough = true;
            atomic_store(&runner->stop, true);
        }
        free(*place);
        *place = NULL;
        runner->to_publish++;
    }
    // Only after a change: waiting workers call this too, and would keep each other awake.
    if (runner->to_publish != before)
        (void)pthread_cond_broadcast(&runner->changed);
}

// The next game to play; false if there is none.
static bool take_number(Runner *runner, unsigned *number)
{
    unsigned games = end_of(runner);
    (void)pthread_mutex_lock(&runner->lock);
    for (;;) {
        // Checked again after every wait: other workers may have advanced to a game that was played before.
        while (runner->next < games && was_played(runner, runner->next))
            runner->next++;
        publish(runner);
        if (runner->next < runner->to_publish + WAITING_MAX || atomic_load(&runner->stop))
            break;
        condition_wait(&runner->changed, &runner->lock, INFINITY);
    }
    bool more = runner->next < games && !atomic_load(&runner->stop) && !user_stops(runner);
    if (more)
        *number = runner->next++;
    (void)pthread_mutex_unlock(&runner->lock);
    return more;
}

// Takes ownership of a finished duel.
static void hand_in(Runner *runner, Duel *duel)
{
    (void)pthread_mutex_lock(&runner->lock);
    if (duel->reason == REASON_STOPPED || runner->enough) {
        free(duel);
    } else {
        Error error = {0};
        Status status =
            runner->sink->finished != NULL ? runner->sink->finished(runner->sink->context, duel, &error) : STATUS_OK;
        if (status != STATUS_OK) {
            fail(runner, status, &error);
            free(duel);
        } else {
            runner->waiting[duel->number % WAITING_MAX] = duel;
            publish(runner);
        }
    }
    (void)pthread_mutex_unlock(&runner->lock);
}

// Provides an agent for a game. krow's own agents are opened again, so that nothing carries over from this worker's
// last game. External engines keep running and receive the start of a new game.
static Status agent_for(Worker *worker, unsigned which, Agent **agent, Error *error)
{
    const RunnerConfig *config = worker->runner->config;
    *agent = &worker->agents[which];
    if (worker->is_open[which] && (*agent)->kind->takes_command) {
        agent_new_game(*agent);
        return STATUS_OK;
    }
    if (worker->is_open[which])
        agent_close(*agent);
    worker->is_open[which] = false;
    Status status = agent_open_with(*agent, span_of(config->agents[which]), &config->rules, &config->host, error);
    worker->is_open[which] = status == STATUS_OK;
    return status;
}

static bool is_foreign(const char *name)
{
    Span rest = span_of(name), head = {0};
    (void)span_next_part(&rest, ':', &head);
    const AgentKind *kind = agent_find(head);
    return kind != NULL && kind->takes_command;
}

static Status play_game(Worker *worker, Duel *duel, Error *error)
{
    const RunnerConfig *config = worker->runner->config;
    ScheduledGame game = schedule_game(&config->schedule, duel->number);
    duel->agents[0] = game.reversed ? game.b : game.a;
    duel->agents[1] = game.reversed ? game.a : game.b;
    duel->opening = game.opening;
    duel->seed = rng_derive(config->seed, duel->number);
    game_init(&duel->game, &config->rules);
    Status status = STATUS_OK;
    if (config->openings != NULL && config->openings->count > 0)
        status = opening_play(&config->openings->list[game.opening], &duel->game, error);
    Agent *agents[2] = {NULL, NULL};
    for (unsigned side = 0; side < 2 && status == STATUS_OK; side++) {
        status = agent_for(worker, duel->agents[side], &agents[side], error);
        // A program that could be started at the beginning of the match and now fails loses the game.
        if (status != STATUS_OK && is_foreign(config->agents[duel->agents[side]])) {
            duel_forfeit(duel, (Side)side, FAULT_CRASH, error->text);
            return STATUS_OK;
        }
    }
    if (status == STATUS_OK)
        duel_play(duel, &(DuelSetup){.agents = {agents[0], agents[1]},
                                     .limits = &config->limits,
                                     .stop = &worker->runner->stop,
                                     .watch = config->watch,
                                     .slot = worker->slot});
    return status;
}

static void play_games(Worker *worker)
{
    Runner *runner = worker->runner;
    unsigned number = 0;
    while (take_number(runner, &number)) {
        Error error = {0};
        Duel *duel = memory_new(1, sizeof *duel);
        duel->number = number;
        Status status = play_game(worker, duel, &error);
        if (status == STATUS_OK) {
            hand_in(runner, duel);
        } else {
            free(duel);
            (void)pthread_mutex_lock(&runner->lock);
            fail(runner, status, &error);
            (void)pthread_cond_broadcast(&runner->changed);
            (void)pthread_mutex_unlock(&runner->lock);
        }
    }
}

static bool work(void *context, unsigned thread, uint64_t item)
{
    (void)thread;
    Runner *runner = context;
    unsigned agents = runner->config->schedule.agents;
    sigset_t before;
    Worker worker = {.runner = runner, .slot = (unsigned)item};
    worker.agents = memory_new(agents, sizeof *worker.agents);
    worker.is_open = memory_new(agents, sizeof *worker.is_open);
    process_quiet_begin(&before);
    play_games(&worker);
    for (unsigned i = 0; i < agents; i++)
        if (worker.is_open[i])
            agent_close(&worker.agents[i]);
    process_quiet_end(&before);
    free(worker.agents);
    free(worker.is_open);
    return true;
}

// Games poll one flag; this thread copies the user's stop flag to it.
static void *watch(void *context)
{
    Runner *runner = context;
    (void)pthread_mutex_lock(&runner->lock);
    while (!atomic_load(&runner->stop)) {
        if (user_stops(runner))
            atomic_store(&runner->stop, true);
        condition_wait(&runner->changed, &runner->lock, clock_seconds() + STOP_PERIOD);
    }
    (void)pthread_cond_broadcast(&runner->changed);
    (void)pthread_mutex_unlock(&runner->lock);
    return NULL;
}

static void run_workers(Runner *runner)
{
    pthread_t watcher;
    bool watched = pthread_create(&watcher, NULL, watch, runner) == 0;
    (void)parallel_for(runner->config->jobs, runner->config->jobs, work, runner);
    atomic_store(&runner->stop, true);
    (void)pthread_mutex_lock(&runner->lock);
    (void)pthread_cond_broadcast(&runner->changed);
    (void)pthread_mutex_unlock(&runner->lock);
    if (watched)
        (void)pthread_join(watcher, NULL);
}

Status runner_run(const RunnerConfig *config, const RunnerSink *sink, Error *error)
{
    assert(config->jobs >= 1 && config->schedule.agents >= 2 && config->schedule.games >= 1);
    assert(config->from <= config->to && config->to <= schedule_games(&config->schedule));
    Runner *runner = memory_new(1, sizeof *runner);
    runner->config = config;
    runner->sink = sink;
    runner->next = runner->to_publish = config->from;
    (void)pthread_mutex_init(&runner->lock, NULL);
    condition_init(&runner->changed);
    run_workers(runner);
    Status status = runner->status;
    if (status != STATUS_OK)
        (void)error_set(error, status, "%s", runner->error.text);
    else if (user_stops(runner))
        status = error_set(error, STATUS_INTERRUPTED, "interrupted");
    for (unsigned i = 0; i < WAITING_MAX; i++)
        free(runner->waiting[i]);
    (void)pthread_cond_destroy(&runner->changed);
    (void)pthread_mutex_destroy(&runner->lock);
    free(runner);
    return status;
}
