// A thread that reads jobs and workers for the page, and changes jobs on request.
#include "web/lab/jobs_internal.h"

#include "base/clock.h"
#include "base/condition.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Seconds.
static const double look_pause = 1;     // least pause between two reads
static const double look_share = 4;     // and at least this many times the duration of the read
static const double retry_longest = 15; // longest pause between two tries to reach a lost database
static const double fresh = 2;          // greatest age of a reported result
static const double wanted_for = 10;    // how long reads continue after a request
static const double look_patience = 3;  // how long a request waits for a read,
static const double order_patience = 5; // and for a change
static const double stuck_after = 6;    // delay until listeners learn that the database does not answer
static const double close_patience = 2; // how long closing waits for the thread

struct WebJobs {
    const char *where; // the value of --db
    WebTopic *topic;

    // The thread's own.
    Database *db;
    unsigned tries; // to reach it that failed since the last success
    pthread_t thread;
    bool has_thread; // false without a database

    pthread_mutex_t lock; // of all members below
    pthread_cond_t changed;
    bool ends, has_ended; // the thread must end; it has ended
    JobOrder *orders;     // waiting, the oldest first
    double wanted;        // clock_seconds until which reads for requests continue
    double next;          // when the next read is due
    double looked;        // when the last one ended, or the requests stopped waiting for it; 0: never
    double began;         // when the current access to the database began, 0: none
    uint64_t looks;
    json_t *shown;               // last result, NULL: none yet
    int64_t at;                  // its time, as clock_unix_ms
    char error[ERROR_TEXT_SIZE]; // error of the last read, "": none
};

// --- Reports ---

// A copy for one reader, with the lock.
static json_t *jobs_json(const WebJobs *jobs)
{
    json_t *object = json_deep_copy(jobs->shown);
    (void)json_object_set_new(object, "at", web_number_json(jobs->at));
    (void)json_object_set_new(object, "error", jobs->error[0] != '\0' ? json_string(jobs->error) : json_null());
    return object;
}

// Informs all listeners that the database does not answer. Call with the lock.
static void report_silence(WebJobs *jobs)
{
    if (jobs->error[0] != '\0')
        return;
    (void)snprintf(jobs->error, sizeof jobs->error, "The database does not answer; trying again.");
    if (jobs->shown == NULL)
        (void)jobs_look(NULL, false, &jobs->shown, NULL);
    web_topic_send(jobs->topic, "jobs", "jobs", true, jobs_json(jobs));
}

void web_jobs_tick(WebJobs *jobs)
{
    WEB_LOCK(&jobs->lock);
    if (jobs->began > 0 && clock_seconds() - jobs->began > stuck_after)
        report_silence(jobs);
}

// Stores the result of a look (takes `seen`, NULL after a failure) and sends it to the listeners if it is new.
static void show(WebJobs *jobs, json_t *seen, const Error *error)
{
    WEB_LOCK(&jobs->lock);
    bool was_lost = jobs->error[0] != '\0', is_news = was_lost != (seen == NULL);
    jobs->error[0] = '\0';
    if (seen == NULL)
        (void)snprintf(jobs->error, sizeof jobs->error, "The database cannot be reached (%.400s); trying again.",
                       error->text);
    else
        jobs->at = clock_unix_ms();
    // After a failure, the previous result is still the best one.
    if (seen == NULL && jobs->shown == NULL)
        (void)jobs_look(NULL, false, &seen, NULL);
    if (seen != NULL) {
        is_news = is_news || !json_equal(seen, jobs->shown);
        json_decref(jobs->shown);
        jobs->shown = seen;
    }
    if (is_news)
        web_topic_send(jobs->topic, "jobs", "jobs", true, jobs_json(jobs));
    jobs->looks++;
    jobs->looked = clock_seconds();
    (void)pthread_cond_broadcast(&jobs->changed);
}

// --- The thread ---

static Status reach(WebJobs *jobs, Error *error)
{
    return jobs->db != NULL ? STATUS_OK : database_open_to_read(jobs->where, &jobs->db, error);
}

static void drop(WebJobs *jobs)
{
    database_close(jobs->db);
    jobs->db = NULL;
}

static double pause_after(const WebJobs *jobs, double took)
{
    double pause = look_pause > look_share * took ? look_pause : look_share * took;
    for (unsigned i = 1; i < jobs->tries && pause < retry_longest; i++)
        pause *= 2;
    return pause < retry_longest ? pause : retry_longest;
}

static void look(WebJobs *jobs)
{
    Error error = {0};
    json_t *seen = NULL;
    double began = clock_seconds();
    Status status = reach(jobs, &error);
    if (status == STATUS_OK)
        status = jobs_look(jobs->db, true, &seen, &error);
    jobs->tries = status == STATUS_OK ? 0 : jobs->tries + 1;
    if (status != STATUS_OK)
        drop(jobs);
    show(jobs, seen, &error);
    WEB_LOCK(&jobs->lock);
    jobs->next = clock_seconds() + pause_after(jobs, clock_seconds() - began);
}

static void free_order(JobOrder *order)
{
    json_decref(order->job);
    free(order);
}

static void carry_out(WebJobs *jobs, JobOrder *order)
{
    if (reach(jobs, &order->error) == STATUS_OK)
        jobs_change(jobs->db, order);
    else {
        order->http = 503;
        error_prefix(&order->error, "The database cannot be reached, and nothing was changed: ");
    }
    if (order->http == 503)
        drop(jobs);
    (void)pthread_mutex_lock(&jobs->lock);
    bool is_abandoned = order->is_abandoned;
    order->state = ORDER_DONE;
    jobs->looked = 0; // earlier results are outdated
    (void)pthread_cond_broadcast(&jobs->changed);
    (void)pthread_mutex_unlock(&jobs->lock);
    if (is_abandoned)
        free_order(order);
    look(jobs); // sends the change to all listeners
}

static bool is_wanted(const WebJobs *jobs, double now)
{
    return now < jobs->wanted || web_topic_listeners(jobs->topic) > 0;
}

// Sleeps until there is something to do, with the lock. Takes a due order off the list.
static JobOrder *wait_for_work(WebJobs *jobs)
{
    for (;;) {
        double now = clock_seconds();
        bool wanted = is_wanted(jobs, now);
        JobOrder *order = jobs->orders;
        if (order != NULL) {
            jobs->orders = order->next;
            order->state = ORDER_RUNS;
        }
        // Without listeners, closes an open connection.
        if (order != NULL || jobs->ends || (wanted ? now >= jobs->next : jobs->db != NULL))
            return order;
        condition_wait(&jobs->changed, &jobs->lock, wanted ? jobs->next : INFINITY);
    }
}

static void *watch(void *context)
{
    WebJobs *jobs = context;
    for (;;) {
        (void)pthread_mutex_lock(&jobs->lock);
        jobs->began = 0;
        JobOrder *order = wait_for_work(jobs);
        bool ends = jobs->ends, wanted = is_wanted(jobs, clock_seconds());
        jobs->began = clock_seconds();
        (void)pthread_mutex_unlock(&jobs->lock);
        if (order != NULL)
            carry_out(jobs, order);
        else if (ends)
            break;
        else if (wanted)
            look(jobs);
        else
            drop(jobs);
    }
    drop(jobs);
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->has_ended = true;
    (void)pthread_cond_broadcast(&jobs->changed);
    (void)pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

// --- Requests ---

// Waits for a fresh result, a failure or the time limit, with the lock.
static void wait_for_look(WebJobs *jobs)
{
    double now = clock_seconds(), end = now + look_patience;
    jobs->wanted = now + wanted_for;
    bool is_lost = jobs->error[0] != '\0';
    if (!jobs->has_thread || (jobs->looked > 0 && now - jobs->looked < (is_lost ? retry_longest : fresh)))
        return;
    uint64_t looks = jobs->looks;
    jobs->next = now;
    (void)pthread_cond_broadcast(&jobs->changed);
    while (jobs->looks == looks && clock_seconds() < end && !jobs->ends)
        condition_wait(&jobs->changed, &jobs->lock, end);
    if (jobs->looks != looks)
        return;
    jobs->looked = clock_seconds(); // other requests need not wait as well
    report_silence(jobs);
}

static Status get_jobs(WebCall *call)
{
    WebJobs *jobs = call->context->jobs;
    WEB_LOCK(&jobs->lock);
    wait_for_look(jobs);
    if (jobs->shown == NULL || (jobs->at == 0 && jobs->error[0] != '\0'))
        return web_fail(call, 503, NULL, "%s", jobs->error);
    call->reply->json = jobs_json(jobs);
    return STATUS_OK;
}

static Status get_events(WebCall *call)
{
    WebJobs *jobs = call->context->jobs;
    WEB_LOCK(&jobs->lock);
    wait_for_look(jobs); // the first request needs the current state
    call->reply->topic = web_topic_hold(jobs->topic);
    return STATUS_OK;
}

// --- Changes of jobs ---

// Takes back an order that has not begun.
static void withdraw(WebJobs *jobs, const JobOrder *order)
{
    JobOrder **at = &jobs->orders;
    while (*at != order)
        at = &(*at)->next;
    *at = order->next;
}

// Queues the order and waits for its outcome. After the time limit it belongs to the thread, or it will never begin.
static bool give_order(WebJobs *jobs, JobOrder *order)
{
    double end = clock_seconds() + order_patience;
    (void)pthread_mutex_lock(&jobs->lock);
    JobOrder **at = &jobs->orders;
    while (*at != NULL)
        at = &(*at)->next;
    *at = order;
    jobs->wanted = end + wanted_for;
    (void)pthread_cond_broadcast(&jobs->changed);
    while (order->state != ORDER_DONE && clock_seconds() < end)
        condition_wait(&jobs->changed, &jobs->lock, end);
    bool is_done = order->state == ORDER_DONE, was_begun = order->state == ORDER_RUNS;
    if (was_begun)
        order->is_abandoned = true;
    else if (!is_done)
        withdraw(jobs, order);
    (void)pthread_mutex_unlock(&jobs->lock);
    if (!is_done && !was_begun) {
        order->http = 503;
        (void)error_set(&order->error, STATUS_IO, "The database does not answer. Nothing was changed.");
    }
    return !was_begun;
}

static Status post_change(WebCall *call)
{
    int64_t id = web_path_id(call);
    if (id == 0 || !call->context->jobs->has_thread)
        return web_fail(call, 404, "id", "The job does not exist.");
    JobOrder *order = memory_new(1, sizeof *order);
    order->id = id;
    order->change = (JobChange)call->route->change;
    if (!give_order(call->context->jobs, order))
        return web_fail(call, 503, NULL, "The database does not answer. The job may still change.");
    Status status = STATUS_OK;
    if (order->http == 0)
        call->reply->json = json_incref(order->job);
    else
        status = web_fail(call, order->http, order->http == 404 ? "id" : NULL, "%s", order->error.text);
    free_order(order);
    return status;
}

const WebRoute web_jobs_routes[] = {
    {"GET", "/jobs", get_jobs, WEB_SLOW, "Jobs and workers: how far, how fast, when it will be done", .names = ""},
    {"GET", "/jobs/events", get_events, WEB_SLOW, "The same as events", .names = ""},
    {"POST", "/jobs/{id}/pause", post_change, WEB_SLOW, "Pauses a job: no more of it is given out", .names = "",
     .change = JOB_PAUSE},
    {"POST", "/jobs/{id}/continue", post_change, WEB_SLOW, "Continues a paused job", .names = "",
     .change = JOB_CONTINUE},
    {"POST", "/jobs/{id}/cancel", post_change, WEB_SLOW, "Ends a job; what is finished stays", .names = "",
     .change = JOB_CANCEL},
    {"POST", "/jobs/{id}/retry", post_change, WEB_SLOW, "Requeues what was set aside or cancelled", .names = "",
     .change = JOB_RETRY},
    {0},
};

// --- Opening and closing ---

static Status start(WebJobs *jobs, Error *error)
{
    jobs->topic = web_topic_open();
    if (jobs->where == NULL || strcmp(jobs->where, "none") != 0) {
        jobs->has_thread = pthread_create(&jobs->thread, NULL, watch, jobs) == 0;
        return jobs->has_thread ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "cannot start a thread for jobs");
    }
    (void)jobs_look(NULL, false, &jobs->shown, NULL);
    web_topic_send(jobs->topic, "jobs", "jobs", true, jobs_json(jobs));
    return STATUS_OK;
}

Status web_jobs_open(WebJobs **result, const char *db, Error *error)
{
    *result = NULL;
    WebJobs *jobs = memory_new(1, sizeof *jobs);
    jobs->where = db;
    condition_init(&jobs->changed);
    (void)pthread_mutex_init(&jobs->lock, NULL);
    Status status = start(jobs, error);
    if (status == STATUS_OK)
        *result = jobs;
    else
        web_jobs_close(jobs);
    return status;
}

void web_jobs_close(WebJobs *jobs)
{
    if (jobs == NULL)
        return;
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->ends = true;
    (void)pthread_cond_broadcast(&jobs->changed);
    double end = clock_seconds() + close_patience;
    while (jobs->has_thread && !jobs->has_ended && clock_seconds() < end)
        condition_wait(&jobs->changed, &jobs->lock, end);
    bool is_stuck = jobs->has_thread && !jobs->has_ended;
    (void)pthread_mutex_unlock(&jobs->lock);
    // A thread that waits for an unreachable server keeps its memory; the program ends without it.
    if (is_stuck) {
        (void)pthread_detach(jobs->thread);
        return;
    }
    if (jobs->has_thread)
        (void)pthread_join(jobs->thread, NULL);
    json_decref(jobs->shown);
    web_topic_release(jobs->topic);
    (void)pthread_cond_destroy(&jobs->changed);
    (void)pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}
