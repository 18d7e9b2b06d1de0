// Tests of matches of the web board: played, watched, paused, resumed after a restart, and reported.
#include "support/lab.h"
#include "support/web.h"

#include "lab/match_run.h"
#include "web/lab/matches_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[LAB_PATH_SIZE];
static const AgentHost no_host = {0};

static WebContext *opened(const char *db)
{
    WebContext *context = calloc(1, sizeof *context);
    Error error = {0};
    assert_non_null(context);
    context->host = &no_host;
    context->db = db;
    assert_done(web_matches_open(&context->matches, context, &error), error);
    return context;
}

static void closed(WebContext *context)
{
    web_matches_close(context->matches);
    free(context);
}

// Waits until no match is played any more.
static void wait_for_all(WebMatches *matches)
{
    WEB_LOCK(&matches->lock);
    for (;;) {
        bool plays = false;
        for (WebMatch *at = matches->list; at != NULL; at = at->next)
            plays = plays || web_match_is_playing(at);
        if (!plays)
            break;
        (void)pthread_cond_wait(&matches->changed, &matches->lock);
    }
}

// Starts a match and returns its number.
static int64_t begin(WebContext *context, const char *body)
{
    WebReply reply = web_ask(context, "POST", "/matches", NULL, body);
    if (reply.status != 201)
        fail_msg("%s: %u %s", body, reply.status, json_string_value(json_object_get(reply.json, "error")));
    int64_t id = web_int(reply.json, "id");
    assert_string_equal(web_text(reply.json, "state"), "running");
    web_reply_close(&reply);
    return id;
}

static json_t *match_of(WebContext *context, int64_t id)
{
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld", (long long)id);
    return web_get(context, at, NULL);
}

static void expect_state(WebContext *context, int64_t id, const char *state)
{
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), state);
    json_decref(match);
}

static unsigned act(WebContext *context, int64_t id, const char *action)
{
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld/%s", (long long)id, action);
    WebReply reply = web_ask(context, "POST", at, NULL, "{}");
    unsigned status = reply.status;
    web_reply_close(&reply);
    return status;
}

// --- What is played ---

static const char small[] =
    "{\"game\": \"4x4:k=3\", \"agents\": [\"random\", \"adjacent\"], \"games\": 30, \"nodes\": 100,"
    " \"openings\": 3, \"seed\": 5, \"jobs\": 1}";

// The same match without a server.
static void play_plainly(MatchRun *lab, const MatchRunStore *store)
{
    Error error = {0};
    tournament_init(&lab->event);
    assert_done(tournament_read(
                    &lab->event,
                    span_of("game 4x4:k=3\nagents random adjacent\ngames 30\nnodes 100\nopenings 3\nseed 5\n"), &error),
                error);
    lab->jobs = 1;
    assert_done(match_run_open_event(lab, store, DATABASE_MATCH, &error), error);
    assert_done(match_run_play(lab, &error), error);
}

// A match from the page has the games and the numbers of the same match without it.
static void expect_same(const json_t *match)
{
    MatchRun lab = {0};
    play_plainly(&lab, &(MatchRunStore){.path = "none"});
    const HeadToHead *pair = &lab.results.pairs[0];
    assert_int_equal(web_int(match, "played"), 30);
    assert_int_equal(web_int(match, "total"), 30);
    for (int i = 0; i < 2; i++) {
        char at[32];
        (void)snprintf(at, sizeof at, "agents.%d", i);
        const json_t *agent = web_at(match, at);
        bool is_a = web_int(agent, "index") == 0;
        assert_string_equal(web_text(agent, "name"), is_a ? "random" : "adjacent");
        assert_int_equal(web_int(agent, "wins"), is_a ? pair->games.wins : pair->games.losses);
        assert_int_equal(web_int(agent, "draws"), pair->games.draws);
    }
    Estimate elo = stats_elo(pair);
    assert_true(web_number(match, "stats.elo") == elo.value);
    for (int i = 0; i < PAIR_KINDS; i++) {
        char at[32];
        (void)snprintf(at, sizeof at, "stats.pairs.%d", i);
        assert_int_equal(web_int(match, at), pair->pairs[i]);
    }
    match_run_close(&lab);
}

static void test_a_match(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "krow.db"));
    int64_t id = begin(context, small);
    wait_for_all(context->matches);
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    assert_string_equal(web_text(match, "kind"), "match");
    assert_string_equal(web_text(match, "format"), "match");
    expect_same(match);
    assert_true(json_is_null(web_at(match, "table.0.0")));
    assert_true(web_number(match, "agents.0.rating") >= web_number(match, "agents.1.rating"));
    assert_true(web_number(match, "table.0.1.score") >= 0.5);
    assert_int_equal(json_array_size(web_at(match, "boards")), 0);
    assert_true(json_is_null(web_at(match, "sprt")) && json_is_null(web_at(match, "error")));
    json_decref(match);
    closed(context);

    // The match is stored: another process reports the same, and the games are in the library.
    context = opened(path);
    match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    expect_same(match);
    json_decref(match);
    json_t *list = web_get(context, "/matches", NULL);
    assert_int_equal(json_array_size(web_at(list, "running")), 0);
    assert_int_equal(web_int(list, "past.0.id"), id);
    assert_string_equal(web_text(list, "past.0.agents.1"), "adjacent");
    json_decref(list);
    char query[32];
    (void)snprintf(query, sizeof query, "match=%lld", (long long)id);
    list = web_get(context, "/games", query);
    assert_int_equal(web_int(list, "total"), 30);
    json_decref(list);
    closed(context);
}

static void test_a_tournament(void **state)
{
    (void)state;
    WebContext *context = opened("none");
    int64_t id = begin(context, "{\"game\": \"tictactoe\", \"agents\": [\"random\", \"adjacent\", \"perfect\"],"
                                " \"format\": \"roundrobin\", \"games\": 4, \"nodes\": 1000}");
    wait_for_all(context->matches);
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "kind"), "tournament");
    assert_int_equal(web_int(match, "played"), 12);
    assert_string_equal(web_text(match, "agents.0.name"), "perfect");
    assert_true(json_is_null(web_at(match, "stats")));
    // Every pair seen from both sides.
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            char at[32], other[32];
            (void)snprintf(at, sizeof at, "table.%d.%d", i, j);
            (void)snprintf(other, sizeof other, "table.%d.%d", j, i);
            if (i == j) {
                assert_true(json_is_null(web_at(match, at)));
                continue;
            }
            assert_int_equal(web_int(web_at(match, at), "wins"), web_int(web_at(match, other), "losses"));
            assert_int_equal(web_int(web_at(match, at), "wins") + web_int(web_at(match, at), "draws") +
                                 web_int(web_at(match, at), "losses"),
                             4);
        }
    json_decref(match);
    // Without a database it is in memory all the same.
    json_t *list = web_get(context, "/matches", NULL);
    assert_int_equal(web_int(list, "past.0.id"), id);
    json_decref(list);
    closed(context);
}

// A SPRT ends a match early, and is reported after the end of the program too.
static void test_sprt(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "krow.db"));
    int64_t id = begin(context, "{\"game\": \"connect4\", \"agents\": [\"windows\", \"random\"], \"games\": 20000,"
                                " \"nodes\": 10, \"sprt\": {\"elo0\": 0, \"elo1\": 50}}");
    wait_for_all(context->matches);
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    assert_string_equal(web_text(match, "sprt.state"), "H1");
    assert_true(web_number(match, "sprt.llr") >= web_number(match, "sprt.upper"));
    int64_t played = web_int(match, "played");
    assert_true(played < 20000);
    json_decref(match);
    closed(context);
    context = opened(path);
    match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    assert_string_equal(web_text(match, "sprt.state"), "H1");
    assert_int_equal(web_int(match, "played"), played);
    json_decref(match);
    closed(context);
}

// --- Pausing, ending, resuming ---

// Turns of a minute: nothing ends by itself while a test looks.
static const char *const slow_game =
    "{\"game\": \"gomoku20\", \"agents\": [\"engine:book=0\", \"engine:book=0,threads=2\"], \"time\": 60, \"games\": 2,"
    " \"openings\": 1, \"jobs\": 1}";

static void test_pause_and_cancel(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "krow.db"));
    int64_t id = begin(context, slow_game);
    expect_state(context, id, "running");
    assert_int_equal(act(context, id, "go"), 409);
    assert_int_equal(act(context, id, "pause"), 200);
    expect_state(context, id, "paused");
    wait_for_all(context->matches);
    expect_state(context, id, "paused");
    assert_int_equal(act(context, id, "pause"), 409);
    assert_int_equal(act(context, id, "go"), 200);
    expect_state(context, id, "running");
    assert_int_equal(act(context, id, "cancel"), 200);
    wait_for_all(context->matches);
    expect_state(context, id, "cancelled");
    assert_int_equal(act(context, id, "go"), 409);
    assert_int_equal(act(context, id, "cancel"), 409);
    // One that is paused can be ended as well.
    int64_t other = begin(context, slow_game);
    assert_int_equal(act(context, other, "pause"), 200);
    assert_int_equal(act(context, other, "go"), 200); // also while it is still stopping
    assert_int_equal(act(context, other, "pause"), 200);
    wait_for_all(context->matches);
    assert_int_equal(act(context, other, "cancel"), 200);
    closed(context);
    context = opened(path);
    expect_state(context, id, "cancelled");
    expect_state(context, other, "cancelled");
    web_refused(context, "POST", "/matches/99/go", NULL, "{}", 404, "id");
    web_refused(context, "POST", "/matches/x/go", NULL, "{}", 404, "id");
    closed(context);
}

static void test_the_end_of_the_program(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "krow.db"));
    int64_t id = begin(context, slow_game);
    closed(context); // does not wait for the minute
    context = opened(path);
    expect_state(context, id, "paused");
    json_t *list = web_get(context, "/matches", NULL);
    assert_int_equal(web_int(list, "running.0.id"), id);
    assert_string_equal(web_text(list, "running.0.state"), "paused");
    json_decref(list);
    assert_int_equal(act(context, id, "go"), 200);
    expect_state(context, id, "running");
    assert_int_equal(act(context, id, "cancel"), 200);
    closed(context);
}

// An interrupted match is resumed and then equals an uninterrupted one.
static void test_resumed(void **state)
{
    (void)state;
    MatchRun lab = {.part = 8};
    play_plainly(&lab, &(MatchRunStore){.path = lab_path(path, "krow.db"), .origin = "web"});
    int64_t id = lab.match;
    assert_int_equal(lab.results.games, 8);
    match_run_close(&lab);
    WebContext *context = opened(path);
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "paused");
    assert_int_equal(web_int(match, "played"), 8);
    assert_int_equal(web_int(match, "openings"), 3);
    json_decref(match);
    assert_int_equal(act(context, id, "go"), 200);
    wait_for_all(context->matches);
    match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    expect_same(match);
    json_decref(match);
    closed(context);
    Database *db = NULL;
    Error error = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.match = id}), 30);
    database_close(db);
}

// Matches of other programs are shown live and not changed.
static void test_elsewhere(void **state)
{
    (void)state;
    MatchRun lab = {.part = 4};
    play_plainly(&lab, &(MatchRunStore){.path = lab_path(path, "krow.db")});
    int64_t id = lab.match;
    match_run_close(&lab);
    WebContext *context = opened(path);
    json_t *match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "elsewhere");
    assert_int_equal(web_int(match, "played"), 4);
    json_decref(match);
    assert_int_equal(act(context, id, "go"), 409);
    assert_int_equal(act(context, id, "cancel"), 409);
    lab = (MatchRun){.part = 30};
    play_plainly(&lab, &(MatchRunStore){.path = path, .repeat = MATCH_RESUME});
    assert_int_equal(lab.match, id);
    match_run_close(&lab);
    match = match_of(context, id);
    assert_string_equal(web_text(match, "state"), "done");
    expect_same(match);
    json_decref(match);
    closed(context);
}

// An agent in the database that cannot be chosen over HTTP.
static void test_agents_are_checked_again(void **state)
{
    (void)state;
    Error error = {0};
    Database *db = NULL;
    int64_t id = 0;
    assert_done(database_open(lab_path(path, "krow.db"), &db, &error), error);
    DatabaseMatch match = {.rules = rules_of("tictactoe"),
                           .spec = "game 3x3:k=3\nagent random\nagent exec:true\nformat "
                                   "roundrobin\ngames 2\nseed 1\n",
                           .origin = "web"};
    assert_done(database_begin_match(db, &match, &id, &error), error);
    database_close(db);
    WebContext *context = opened(path);
    expect_state(context, id, "paused");
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld/go", (long long)id);
    WebReply reply = web_ask(context, "POST", at, NULL, "{}");
    assert_int_equal(reply.status, 403);
    assert_non_null(strstr(web_text(reply.json, "error"), "not available on the web board"));
    web_reply_close(&reply);
    expect_state(context, id, "paused");
    closed(context);
}

// Openings that krow would not generate again, so the missing games are unknown.
static void test_openings_of_another_kind(void **state)
{
    (void)state;
    Error error = {0};
    Database *db = NULL;
    int64_t id = 0;
    assert_done(database_open(lab_path(path, "krow.db"), &db, &error), error);
    DatabaseMatch match = {.rules = rules_of("4x4:k=3"),
                           .spec = "game 4x4:k=3\nagent random\nagent adjacent\nformat roundrobin\ngames 4\n"
                                   "openings 2 0123456789abcdef\nnodes 10\nseed 1\n",
                           .origin = "web"};
    assert_done(database_begin_match(db, &match, &id, &error), error);
    database_close(db);
    WebContext *context = opened(path);
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld/go", (long long)id);
    web_refused(context, "POST", at, NULL, "{}", 409, NULL);
    expect_state(context, id, "paused");
    closed(context);
}

// --- Refused requests ---

static void test_refused(void **state)
{
    (void)state;
    WebContext *context = opened("none");
    static const struct {
        const char *body;
        unsigned status;
        const char *field;
    } bad[] = {
        {"{}", 400, "game"},
        {"{\"game\": \"gomoku\"}", 400, "agents"},
        {"{\"game\": \"chess\", \"agents\": [\"random\", \"random\"]}", 400, "game"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\"]}", 400, "agents"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", 7]}", 400, "agents"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"missing\"]}", 400, "agents"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"exec:sh\"]}", 403, "agents"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\\nseed 3\"]}", 400, "agents"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\", \"random\"], \"format\": \"match\"}", 400,
         "format"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"format\": \"swiss\"}", 400, "format"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"games\": 0}", 400, "games"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\", \"random\"], \"games\": 20000}", 400, "games"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"time\": 1e9}", 400, "time"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"jobs\": 1000}", 400, "jobs"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"openings\": \"/etc/passwd\"}", 400,
         "openings"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"sprt\": {\"elo0\": 5, \"elo1\": 5}}", 400,
         "sprt"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\", \"random\"], \"sprt\": {\"elo0\": 0, \"elo1\": "
         "5}}",
         400, "sprt"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"clock\": {\"seconds\": 0}}", 400, "seconds"},
        {"{\"game\": \"gomoku\", \"agents\": [\"random\", \"random\"], \"db\": \"x\"}", 400, "db"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        web_refused(context, "POST", "/matches", NULL, bad[i].body, bad[i].status, bad[i].field);
    json_t *list = web_get(context, "/matches", NULL);
    assert_int_equal(json_array_size(web_at(list, "running")) + json_array_size(web_at(list, "past")), 0);
    assert_true(web_int(list, "limits.running") >= 1 && web_int(list, "limits.jobs") >= 1);
    json_decref(list);
    closed(context);
}

static void test_too_many_at_once(void **state)
{
    (void)state;
    WebContext *context = opened("none");
    int64_t first = begin(context, slow_game);
    (void)begin(context, slow_game);
    web_refused(context, "POST", "/matches", NULL, slow_game, 429, NULL);
    assert_int_equal(act(context, first, "cancel"), 200);
    int64_t third = begin(context, slow_game);
    assert_true(third != first);
    closed(context);
}

// --- Watching ---

// A listener gets the match as it is, the boards in play, and what becomes of it.
static void test_events(void **state)
{
    (void)state;
    WebContext *context = opened("none");
    int64_t id = begin(context, slow_game);
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld/events", (long long)id);
    WebListener listener;
    web_listen(&listener, context, at);
    web_hear(&listener, "event: match");
    web_hear(&listener, "\"state\":\"running\"");
    web_hear(&listener, "event: board");
    web_hear(&listener, "\"first\":\"engine");
    // The board is also in the match itself, and who plays there.
    json_t *match = match_of(context, id);
    assert_int_equal(json_array_size(web_at(match, "boards")), 1);
    assert_int_equal(json_array_size(web_at(match, "boards.0.rows")), 20);
    assert_true(web_int(match, "boards.0.stones") >= 1);
    assert_int_equal(json_array_size(web_at(match, "now")), 1);
    json_decref(match);
    assert_int_equal(act(context, id, "cancel"), 200);
    web_hear(&listener, "\"state\":\"cancelled\"");
    web_listener_close(&listener);
    closed(context);
}

// --- Files ---

static void expect_export(WebContext *context, const char *at, const char *format, const char *words)
{
    char query[32];
    (void)snprintf(query, sizeof query, "format=%s", format);
    WebReply reply = web_ask(context, "GET", at, query, NULL);
    assert_int_equal(reply.status, 200);
    assert_non_null(reply.text.data);
    assert_non_null(strstr(reply.text.data, words));
    assert_non_null(strstr(reply.name, format));
    web_reply_close(&reply);
}

static void test_export(void **state)
{
    (void)state;
    WebContext *context = opened(lab_path(path, "krow.db"));
    int64_t id = begin(context, small);
    wait_for_all(context->matches);
    char at[64];
    (void)snprintf(at, sizeof at, "/matches/%lld/export", (long long)id);
    expect_export(context, at, "json", "\"elo\"");
    expect_export(context, at, "pgn", "[White \"adjacent\"]");
    expect_export(context, at, "html", "<h1>");
    expect_export(context, at, "sgf", "(;");
    web_refused(context, "GET", at, "format=exe", NULL, 400, "format");
    web_refused(context, "GET", "/matches/77/export", "format=json", NULL, 404, "id");
    closed(context);
    context = opened("none");
    id = begin(context, small);
    wait_for_all(context->matches);
    (void)snprintf(at, sizeof at, "/matches/%lld/export", (long long)id);
    expect_export(context, at, "json", "\"elo\"");
    web_refused(context, "GET", at, "format=sgf", NULL, 409, "format");
    closed(context);
}

// More matches than are kept in memory, asked for by several threads at once.
static void *ask_around(void *context)
{
    for (int i = 0; i < 200; i++) {
        char at[32];
        (void)snprintf(at, sizeof at, "/matches/%d", 1 + i % 60);
        WebReply reply = web_ask(context, "GET", at, NULL, NULL);
        if (reply.status != 200)
            return context;
        web_reply_close(&reply);
    }
    return NULL;
}

static void test_many_matches(void **state)
{
    (void)state;
    Database *db = NULL;
    Error error = {0};
    assert_done(database_open(lab_path(path, "krow.db"), &db, &error), error);
    for (int i = 0; i < 60; i++) {
        int64_t id = lab_begin(db, "tictactoe", "game 3x3:k=3\nagent one\nagent two\nformat roundrobin\ngames 9\n");
        for (int64_t j = 0; j < 3; j++)
            assert_done(lab_add(db, id, j, &error), error);
    }
    database_close(db);
    WebContext *context = opened(path);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_around, context), 0);
    for (int i = 0; i < 3; i++) {
        void *failed = NULL;
        (void)pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    json_t *list = web_get(context, "/matches", NULL);
    assert_int_equal(json_array_size(web_at(list, "running")), 60);
    assert_int_equal(web_int(list, "running.0.id"), 60);
    json_decref(list);
    closed(context);
}

TEST_GROUP(web_matches)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_a_match),
        LAB_TEST(test_a_tournament),
        LAB_TEST(test_sprt),
        LAB_TEST(test_pause_and_cancel),
        LAB_TEST(test_the_end_of_the_program),
        LAB_TEST(test_resumed),
        LAB_TEST(test_elsewhere),
        LAB_TEST(test_agents_are_checked_again),
        LAB_TEST(test_openings_of_another_kind),
        LAB_TEST(test_refused),
        LAB_TEST(test_too_many_at_once),
        LAB_TEST(test_events),
        LAB_TEST(test_export),
        LAB_TEST(test_many_matches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
