// Tests of jobs and workers on the web board: reported as in the database, controlled, and while the database is not
// available.
#include "support/lab.h"
#include "support/web.h"

#include "base/clock.h"
#include "lab/jobs/jobs_view.h"
#include "web/lab/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 20, LEASE = 3600000 };

static char path[LAB_PATH_SIZE];
static const char spec[] = "game 9x9:k=5\nagents random adjacent adjacent:reach=2\nformat gauntlet\ngames 10\n";

static WebContext *opened(const char *db)
{
    WebContext *context = calloc(1, sizeof *context);
    Error error = {0};
    assert_non_null(context);
    context->db = db;
    assert_done(web_jobs_open(&context->jobs, db, &error), error);
    return context;
}

static void closed(WebContext *context)
{
    web_jobs_close(context->jobs);
    free(context);
}

// --- Content of the database ---

static int64_t submit_job(const char *text)
{
    static const char *const agents[] = {"random", "adjacent"};
    Database *db = lab_open();
    DatabaseRange all = {0, GAMES};
    DatabaseJob job = {.match = lab_begin(db, "9x9:k=5", "spec"),
                       .spec = text,
                       .openings = "",
                       .build = "this one",
                       .unit = 1,
                       .lease = LEASE};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_job(db, &job, &(DatabaseJobUnits){&all, 1, agents, 2}, &id, &error), error);
    database_close(db);
    return id;
}

static int64_t hire(const char *name, const char *words)
{
    Database *db = lab_open();
    DatabaseWorker worker = {.name = name, .slots = 3, .build = "this one", .words = words, .games = 7};
    Error error = {0};
    assert_done(database_add_worker(db, &worker, &worker.id, &error), error);
    assert_done(database_beat(db, &worker, NULL, 0, &error), error);
    database_close(db);
    return worker.id;
}

// Changes that other processes make.
static void sql(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void sql(const char *format, ...)
{
    char at[LAB_PATH_SIZE], text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)lab_sql(lab_db(at, "krow.db"), text);
}

// Units are of two games: four are done, one is held, one failed finally and four are left.
static void play_some(int64_t job, int64_t worker)
{
    long long now = (long long)clock_unix_ms();
    sql("UPDATE units SET state = 'done', finished = %lld WHERE job_id = %lld AND first_game < 8", now, (long long)job);
    sql("UPDATE units SET state = 'held', worker_id = %lld, token = 1, claimed = %lld, expires = %lld"
        " WHERE job_id = %lld AND first_game = 8",
        (long long)worker, now, now + LEASE, (long long)job);
    sql("UPDATE units SET state = 'aside', failures = 5, lost = 5, reason = 'no such engine' WHERE job_id = %lld"
        " AND first_game = 10",
        (long long)job);
}

// --- Asking ---

// Asks again until a number is what it should be: what is reported may be two seconds old.
static json_t *jobs_when(WebContext *context, const char *at, const char *text)
{
    for (;;) {
        json_t *jobs = web_get(context, "/jobs", NULL);
        char *found = json_dumps(web_at(jobs, at), JSON_ENCODE_ANY | JSON_COMPACT);
        bool is_there = found != NULL && strcmp(found, text) == 0;
        free(found);
        if (is_there)
            return jobs;
        json_decref(jobs);
        clock_sleep(0.05);
    }
}

static WebReply act(WebContext *context, int64_t job, const char *what)
{
    char at[64];
    (void)snprintf(at, sizeof at, "/jobs/%lld/%s", (long long)job, what);
    return web_ask(context, "POST", at, NULL, "{}");
}

static void expect_act(WebContext *context, int64_t job, const char *what, const char *state)
{
    WebReply reply = act(context, job, what);
    if (reply.status != 200)
        fail_msg("%s: %u %s", what, reply.status, web_text(reply.json, "error"));
    assert_int_equal(web_int(reply.json, "id"), job);
    assert_string_equal(web_text(reply.json, "state"), state);
    web_reply_close(&reply);
}

static void expect_refusal(WebContext *context, int64_t job, const char *what, unsigned status, const char *words)
{
    WebReply reply = act(context, job, what);
    assert_int_equal(reply.status, status);
    if (strstr(web_text(reply.json, "error"), words) == NULL)
        fail_msg("'%s' is not '%s'", web_text(reply.json, "error"), words);
    web_reply_close(&reply);
}

// --- Tests ---

static void test_nothing(void **state)
{
    (void)state;
    WebContext *context = opened("none");
    json_t *jobs = web_get(context, "/jobs", NULL);
    assert_int_equal(json_array_size(web_at(jobs, "jobs")) + json_array_size(web_at(jobs, "workers")), 0);
    assert_true(json_is_null(web_at(jobs, "engine")) && json_is_null(web_at(jobs, "error")));
    json_decref(jobs);
    expect_refusal(context, 1, "pause", 404, "The job does not exist.");
    WebListener listener;
    web_listen(&listener, context, "/jobs/events");
    web_hear(&listener, "\"jobs\":[]");
    web_listener_close(&listener);
    closed(context);
}

// A missing database file counts as empty, and reading does not create it.
static void test_no_file(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "none.db"));
    json_t *jobs = web_get(context, "/jobs", NULL);
    assert_int_equal(json_array_size(web_at(jobs, "jobs")), 0);
    assert_string_equal(web_text(jobs, "engine"), "SQLite");
    json_decref(jobs);
    expect_refusal(context, 1, "cancel", 404, "The job does not exist.");
    assert_int_not_equal(access(path, F_OK), 0);
    closed(context);
}

static void expect_job(const json_t *job, int64_t id)
{
    assert_int_equal(web_int(job, "id"), id);
    assert_string_equal(web_text(job, "state"), "open");
    assert_string_equal(web_text(job, "kind"), "match");
    assert_int_equal(web_int(job, "games"), GAMES);
    assert_int_equal(web_int(job, "done"), 8);
    assert_int_equal(web_int(job, "held"), 2);
    assert_int_equal(web_int(job, "aside"), 2);
    assert_int_equal(web_int(job, "left"), GAMES - 8 - 2);
    assert_int_equal(web_int(job, "failures"), 5);
    assert_string_equal(web_text(job, "reason"), "no such engine");
    assert_string_equal(web_text(job, "game"), "9x9:k=5");
    assert_string_equal(web_text(job, "agents.2"), "adjacent:reach=2");
    assert_true(web_int(job, "match") > 0);
    // Eight games in the time since submission, at most a minute.
    double speed = web_number(job, "games_per_second"), seconds = web_number(job, "seconds_left");
    assert_true(speed >= 8.0 / 60 && speed <= 8);
    assert_true(seconds > 10 / speed - 0.01 && seconds < 10 / speed + 0.01);
    assert_true(web_int(job, "ends") > web_int(job, "created"));
    assert_true(json_is_null(web_at(job, "finished")));
}

static void test_as_it_is(void **state)
{
    (void)state;
    int64_t gone = hire("gone", ""), dead = hire("dead", ""), alive = hire("alive", "refuses job 3: another build");
    int64_t first = submit_job(spec), second = submit_job("no event at all\n");
    play_some(first, alive);
    sql("UPDATE workers SET seen = seen - 120000 WHERE id = %lld", (long long)dead);
    sql("UPDATE workers SET ended = seen WHERE id = %lld", (long long)gone);
    WebContext *context = opened(lab_db(path, "krow.db"));
    json_t *jobs = web_get(context, "/jobs", NULL);
    assert_string_equal(web_text(jobs, "engine"), lab_is_postgres() ? "PostgreSQL" : "SQLite");
    assert_true(json_is_null(web_at(jobs, "error")) && json_is_false(web_at(jobs, "truncated")));
    // Those that go on in the order in which they are played.
    assert_int_equal(json_array_size(web_at(jobs, "jobs")), 2);
    expect_job(web_at(jobs, "jobs.0"), first);
    assert_int_equal(web_int(jobs, "jobs.1.id"), second);
    assert_true(json_is_null(web_at(jobs, "jobs.1.game")) && json_is_null(web_at(jobs, "jobs.1.agents")));
    assert_true(json_is_null(web_at(jobs, "jobs.1.seconds_left")) && json_is_null(web_at(jobs, "jobs.1.reason")));
    assert_int_equal(web_int(jobs, "total.left"), 10 + GAMES);
    double speed = web_number(jobs, "total.games_per_second"), seconds = web_number(jobs, "total.seconds_left");
    assert_true(speed == web_number(jobs, "jobs.0.games_per_second"));
    assert_true(seconds > 30 / speed - 0.01 && seconds < 30 / speed + 0.01);
    // Workers: those at work, those that were lost, those that said goodbye.
    assert_int_equal(json_array_size(web_at(jobs, "workers")), 3);
    assert_string_equal(web_text(jobs, "workers.0.name"), "alive");
    assert_string_equal(web_text(jobs, "workers.0.words"), "refuses job 3: another build");
    assert_true(json_is_true(web_at(jobs, "workers.0.is_alive")));
    assert_int_equal(web_int(jobs, "workers.0.held"), 2);
    assert_int_equal(web_int(jobs, "workers.0.slots"), 3);
    assert_int_equal(web_int(jobs, "workers.0.games"), 7);
    assert_string_equal(web_text(jobs, "workers.1.name"), "dead");
    assert_true(json_is_false(web_at(jobs, "workers.1.is_alive")) && json_is_null(web_at(jobs, "workers.1.ended")));
    assert_string_equal(web_text(jobs, "workers.2.name"), "gone");
    assert_true(web_int(jobs, "workers.2.ended") > 0);
    json_decref(jobs);
    closed(context);
}

static void test_steering(void **state)
{
    (void)state;
    int64_t worker = hire("alive", ""), job = submit_job(spec);
    play_some(job, worker);
    WebContext *context = opened(lab_db(path, "krow.db"));
    json_decref(web_get(context, "/jobs", NULL));
    expect_act(context, job, "pause", "paused");
    // A request after a change sees the change, not the cached state.
    json_t *jobs = web_get(context, "/jobs", NULL);
    assert_string_equal(web_text(jobs, "jobs.0.state"), "paused");
    assert_true(json_is_null(web_at(jobs, "jobs.0.ends")));
    assert_int_equal(web_int(jobs, "total.left"), 0);
    json_decref(jobs);
    expect_refusal(context, job, "pause", 409, "cannot be paused");
    expect_act(context, job, "continue", "open");
    expect_refusal(context, job, "continue", 409, "The job is open: ");
    expect_act(context, job, "retry", "open"); // what was set aside, while the rest goes on
    expect_act(context, job, "cancel", "cancelled");
    expect_refusal(context, job, "cancel", 409, "cannot be cancelled");
    jobs = web_get(context, "/jobs", NULL);
    assert_true(web_int(jobs, "jobs.0.finished") > 0);
    assert_int_equal(web_int(jobs, "jobs.0.aside"), 0);
    json_decref(jobs);
    expect_act(context, job, "retry", "open");
    expect_refusal(context, job + 1, "pause", 404, "The job does not exist.");
    web_refused(context, "POST", "/jobs/one/pause", NULL, "{}", 404, "id");
    web_refused(context, "POST", "/jobs/1/pause", NULL, "{\"force\": true}", 400, "force");
    web_refused(context, "GET", "/jobs", "game=gomoku", NULL, 400, "game");
    closed(context);
}

// A listener receives what others do, and a job whose last game has come in is marked as done.
static void test_events(void **state)
{
    (void)state;
    int64_t job = submit_job(spec);
    WebContext *context = opened(lab_db(path, "krow.db"));
    WebListener listener;
    web_listen(&listener, context, "/jobs/events");
    web_hear(&listener, "event: jobs");
    web_hear(&listener, "\"state\":\"open\"");
    Database *db = lab_open();
    Error error = {0};
    assert_done(database_change_job(db, job, JOB_PAUSE, &error), error);
    database_close(db);
    web_hear(&listener, "\"state\":\"paused\"");
    expect_act(context, job, "continue", "open");
    web_listener_forget(&listener);
    web_hear(&listener, "\"state\":\"open\"");
    sql("UPDATE units SET state = 'done', finished = %lld", (long long)clock_unix_ms());
    web_hear(&listener, "\"state\":\"done\"");
    web_hear(&listener, "\"done\":20");
    web_listener_close(&listener);
    closed(context);
}

// The last state stays visible with an error; the page recovers automatically.
static void test_lost_and_found(void **state)
{
    (void)state;
    int64_t job = submit_job(spec);
    WebContext *context = opened(lab_db(path, "krow.db"));
    json_decref(web_get(context, "/jobs", NULL));
    WebListener listener;
    web_listen(&listener, context, "/jobs/events");
    web_hear(&listener, "\"error\":null");
    web_listener_forget(&listener);
    sql("ALTER TABLE workers RENAME TO hidden");
    web_hear(&listener, "\"error\":\"The database cannot be reached (");
    web_hear(&listener, "\"state\":\"open\"");
    json_t *jobs = web_get(context, "/jobs", NULL);
    assert_int_equal(web_int(jobs, "jobs.0.id"), job);
    assert_true(web_int(jobs, "at") > 0);
    json_decref(jobs);
    web_listener_forget(&listener);
    sql("ALTER TABLE hidden RENAME TO workers");
    web_hear(&listener, "\"error\":null");
    json_decref(jobs_when(context, "error", "null"));
    web_listener_close(&listener);
    closed(context);
}

static void expect_unreachable(const char *db)
{
    WebContext *context = opened(db);
    WebReply reply = web_ask(context, "GET", "/jobs", NULL, NULL);
    assert_int_equal(reply.status, 503);
    assert_non_null(strstr(web_text(reply.json, "error"), "The database cannot be reached ("));
    web_reply_close(&reply);
    expect_refusal(context, 1, "pause", 503, "nothing was changed");
    WebListener listener;
    web_listen(&listener, context, "/jobs/events");
    web_hear(&listener, "\"error\":\"The database cannot be reached (");
    web_listener_close(&listener);
    closed(context);
}

static void test_unreachable(void **state)
{
    (void)state;
    char folder[LAB_PATH_SIZE], where[LAB_PATH_SIZE + 32];
    (void)snprintf(where, sizeof where, "host=%s dbname=krow", lab_path(folder, "missing"));
    expect_unreachable(where);
}

// An invalid database file is used once it has been replaced by a database.
static void test_made_later(void **state)
{
    (void)state;
    FILE *file = fopen(lab_path(path, "krow.db"), "w");
    assert_non_null(file);
    assert_true(fputs("this is something else, and long enough to be looked at as a file of some kind\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    WebContext *context = opened(path);
    WebListener listener;
    web_listen(&listener, context, "/jobs/events");
    web_hear(&listener, "cannot be reached");
    assert_int_equal(remove(path), 0);
    (void)submit_job(spec);
    web_hear(&listener, "\"state\":\"open\"");
    web_listener_close(&listener);
    closed(context);
}

static void test_speed(void **state)
{
    (void)state;
    const int64_t now = 1700000000000;
    DatabaseJob job = {.state = JOB_OPEN, .created = now - 600000, .games = 1000, .done = 300, .aside = 100};
    assert_true(job_speed(&job, now) == 0 && job_seconds_left(&job, now) < 0);
    job.recent = 120;
    assert_true(job_speed(&job, now) == 2 && job_seconds_left(&job, now) == 300);
    job.created = now - 10000; // younger than a minute
    assert_true(job_speed(&job, now) == 12 && job_seconds_left(&job, now) == 50);
    job.created = now + 5000; // by a clock that is ahead
    assert_true(job_speed(&job, now) == 120);
    job.state = JOB_PAUSED;
    assert_true(job_seconds_left(&job, now) < 0);
    job.done = 900;
    assert_true(job_seconds_left(&job, now) == 0);
    // A job that is no match, with words that are no UTF-8.
    job.work = JOB_SOLVE;
    job.title = "solve connect4";
    job.reason = "not \xff right";
    json_t *object = job_json(&job, now);
    assert_non_null(object);
    assert_string_equal(web_text(object, "kind"), "solve");
    assert_string_equal(web_text(object, "work"), "solve");
    assert_string_equal(web_text(object, "title"), "solve connect4");
    assert_true(json_is_null(web_at(object, "match")));
    assert_non_null(strstr(web_text(object, "reason"), "right"));
    json_decref(object);
}

TEST_GROUP(web_jobs)
{
    const struct CMUnitTest both[] = {LAB_TEST(test_as_it_is), LAB_TEST(test_steering), LAB_TEST(test_events),
                                      LAB_TEST(test_lost_and_found)};
    const struct CMUnitTest files[] = {LAB_TEST(test_nothing), LAB_TEST(test_no_file), LAB_TEST(test_unreachable),
                                       LAB_TEST(test_made_later), LAB_TEST(test_speed)};
    return LAB_RUN(both, files);
}
