// Tests of updates: what a client computes from them is always the state of the server.
#include "base/rng.h"
#include "support/check.h"
#include "support/web.h"
#include "support/web_bench.h"

#include <stdlib.h>
#include <string.h>

static WebBench bench;
static char session_path[80];

static int open_bench(void **state)
{
    (void)state;
    web_bench_open(&bench, 0);
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    web_bench_close(&bench);
    return 0;
}

static json_t *create(const char *body)
{
    json_t *state = NULL;
    assert_int_equal(web_bench_ask(&bench, "POST", "/api/v1/sessions", body, &state), 201);
    (void)snprintf(session_path, sizeof session_path, "/sessions/%s", json_string_value(json_object_get(state, "id")));
    return state;
}

// A change by a client that has the state of version `known`; NULL if it is refused. To be released.
static json_t *act(const char *action, json_int_t known, const char *body)
{
    char path[160];
    json_t *answer = NULL;
    (void)snprintf(path, sizeof path, "/api/v1%s/%s?known=%d", session_path, action, (int)known);
    if (web_bench_ask(&bench, "POST", path, body, &answer) == 200)
        return answer;
    json_decref(answer);
    return NULL;
}

static json_int_t version_of(const json_t *state)
{
    return json_integer_value(json_object_get(state, "version"));
}

static void merge_node(json_t *nodes, json_t *node)
{
    json_t *other = NULL;
    size_t i = 0;
    json_array_foreach(nodes, i, other) if (json_equal(json_object_get(other, "id"), json_object_get(node, "id")))
    {
        (void)json_array_set(nodes, i, node);
        return;
    }
    (void)json_array_append(nodes, node);
}

// What a client has after an answer or event. The cells and rows of the position follow from the nodes.
static void apply(json_t *state, json_t *news)
{
    json_t *nodes = json_incref(json_object_get(state, "nodes")), *node = NULL;
    size_t i = 0;
    bool is_update = json_object_get(news, "base") != NULL;
    if (is_update)
        assert_int_equal(json_integer_value(json_object_get(news, "base")), version_of(state));
    if (!is_update)
        (void)json_object_clear(state);
    (void)json_object_update(state, news);
    if (is_update) {
        json_array_foreach(json_object_get(news, "nodes"), i, node) merge_node(nodes, node);
        (void)json_object_set(state, "nodes", nodes);
        (void)json_object_del(state, "base");
    }
    json_decref(nodes);
    (void)json_object_del(state, "path");
    (void)json_object_del(state, "rows");
}

static void assert_current(const json_t *state)
{
    char path[100];
    json_t *now = NULL;
    (void)snprintf(path, sizeof path, "/api/v1%s", session_path);
    assert_int_equal(web_bench_ask(&bench, "GET", path, NULL, &now), 200);
    (void)json_object_del(now, "path");
    (void)json_object_del(now, "rows");
    if (!json_equal(now, state)) {
        char *expected = json_dumps(now, JSON_SORT_KEYS), *had = json_dumps(state, JSON_SORT_KEYS);
        print_message("state  %s\nclient %s\n", expected, had);
        free(expected);
        free(had);
        fail();
    }
    json_decref(now);
}

static json_t *act_at_random(Rng *rng, const json_t *state, json_int_t known)
{
    static const char *const actions[] = {"play", "play",    "play",   "undo",   "redo",
                                          "goto", "comment", "delete", "promote"};
    const char *action = actions[rng_below(rng, sizeof actions / sizeof actions[0])];
    const json_t *nodes = json_object_get(state, "nodes");
    size_t count = json_array_size(nodes);
    const json_t *node = count > 0 ? json_array_get(nodes, rng_below(rng, (uint32_t)count)) : NULL;
    int id = (int)json_integer_value(json_object_get(node, "id"));
    char body[80] = "{}";
    if (strcmp(action, "play") == 0)
        (void)snprintf(body, sizeof body, "{\"cell\": \"%c%u\"}", (char)('a' + rng_below(rng, 6)),
                       1 + (unsigned)rng_below(rng, 6));
    else if (strcmp(action, "comment") == 0)
        (void)snprintf(body, sizeof body, "{\"node\": %d, \"text\": \"%u\"}", id, (unsigned)rng_below(rng, 3));
    else if (strcmp(action, "undo") != 0 && strcmp(action, "redo") != 0)
        (void)snprintf(body, sizeof body, "{\"node\": %d}", id);
    return act(action, known, body);
}

static void test_answers(void **unused)
{
    (void)unused;
    json_t *state = create("{\"game\": \"6x6:k=5,p=2,q=1\"}");
    (void)json_object_del(state, "path");
    (void)json_object_del(state, "rows");
    Rng rng = rng_make(1);
    unsigned updates = 0;
    for (int i = 0; i < 300; i++) {
        json_t *answer = act_at_random(&rng, state, version_of(state));
        if (answer == NULL)
            continue;
        updates += json_object_get(answer, "base") != NULL;
        apply(state, answer);
        json_decref(answer);
        assert_current(state);
    }
    assert_true(updates > 100);
    // A client with an older version, or none, receives the whole state.
    json_t *answer = act("comment", version_of(state) - 1, "{\"text\": \"old\"}");
    assert_null(json_object_get(answer, "base"));
    assert_non_null(json_object_get(answer, "rows"));
    json_decref(answer);
    answer = act("comment", version_of(state) + 1, "{\"text\": \"now\"}");
    assert_int_equal(json_integer_value(json_object_get(answer, "base")), version_of(state) + 1);
    json_decref(answer);
    assert_null(act("comment", -2, "{\"text\": \"wrong\"}"));
    json_decref(state);
}

// --- Events ---

static void ignore(void *context)
{
    (void)context;
}

static WebStream *listen_to(const char *query)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/events", session_path);
    WebReply reply = web_ask(&bench.context, "GET", path, query, NULL);
    assert_int_equal(reply.status, 200);
    WebStream *stream = web_stream_open(reply.topic, (WebSleeper){NULL, ignore, ignore}, reply.takes_updates);
    web_reply_close(&reply);
    return stream;
}

// Applies all events that wait; returns the number of updates among them. `state` NULL: the first event sets it.
static unsigned hear(WebStream *stream, json_t **state)
{
    Text text = {0};
    char bytes[4096];
    ssize_t count = 0;
    unsigned updates = 0;
    while ((count = web_stream_read(stream, bytes, sizeof bytes)) > 0)
        text_add_span(&text, (Span){bytes, (size_t)count});
    for (char *at = text.data; at != NULL && (at = strstr(at, "event: ")) != NULL; at++) {
        bool is_update = strncmp(at, "event: update\n", 14) == 0;
        json_t *news = json_loads(strstr(at, "data: ") + 6, JSON_DISABLE_EOF_CHECK, NULL);
        assert_non_null(news);
        if (*state == NULL) {
            assert_false(is_update);
            *state = json_object();
        }
        if (version_of(news) > version_of(*state))
            apply(*state, news);
        updates += is_update;
        json_decref(news);
    }
    text_close(&text);
    return updates;
}

static void play(const char *cell)
{
    char body[40];
    (void)snprintf(body, sizeof body, "{\"cell\": \"%s\"}", cell);
    json_decref(act("play", 0, body));
}

static void assert_hears(WebStream *stream, json_t **state, unsigned updates)
{
    assert_int_equal(hear(stream, state), updates);
    assert_current(*state);
}

static void test_events(void **unused)
{
    (void)unused;
    json_decref(create("{\"game\": \"gomoku\", \"moves\": \"h8 i9\"}"));
    WebStream *first = listen_to("updates=1");
    json_t *here = NULL, *there = NULL, *plain = NULL;
    assert_hears(first, &here, 0);
    play("g7");
    play("g8");
    assert_hears(first, &here, 2);
    // A later listener begins with the present state. Then nothing is lost if stones are played before it reads.
    WebStream *second = listen_to("updates=1");
    play("g9");
    assert_hears(second, &there, 1);
    assert_hears(first, &here, 1);
    // A deleted stone needs a whole state.
    json_decref(act("delete", 0, "{\"node\": 5}"));
    assert_hears(first, &here, 0);
    // Without `updates`, every change is a whole state, of which a slow listener receives the newest.
    WebStream *third = listen_to(NULL);
    play("j5");
    play("j6");
    assert_hears(third, &plain, 0);
    assert_hears(first, &here, 2);
    assert_hears(second, &there, 2);
    play("j7");
    assert_hears(third, &plain, 0);
    assert_hears(first, &here, 1);
    web_stream_close(first);
    web_stream_close(second);
    web_stream_close(third);
    json_decref(here);
    json_decref(there);
    json_decref(plain);
    WebReply reply = web_ask(&bench.context, "GET", session_path, NULL, NULL);
    web_reply_close(&reply);
}

// More updates than a topic keeps: later listeners begin with a newer state.
static void test_many(void **unused)
{
    (void)unused;
    json_decref(create("{\"game\": \"19x19:k=19\"}"));
    json_t *here = NULL, *there = NULL;
    WebStream *first = listen_to("updates=1");
    for (unsigned i = 0; i < 3 * WEB_UPDATES_MAX; i++) {
        char cell[8];
        (void)snprintf(cell, sizeof cell, "%c%u", (char)('a' + i % 19), 1 + i / 19);
        play(cell);
        (void)hear(first, &here);
    }
    assert_current(here);
    // A listener that joins the topic without a request receives the kept state and the updates after it.
    WebSession *session = web_session_enter(bench.context.sessions, session_path + strlen("/sessions/"));
    WebTopic *topic = web_topic_hold(session->topic);
    web_session_leave(session);
    WebStream *second = web_stream_open(topic, (WebSleeper){NULL, ignore, ignore}, true);
    web_topic_release(topic);
    assert_in_range(hear(second, &there), 1, WEB_UPDATES_MAX);
    assert_current(there);
    web_stream_close(first);
    web_stream_close(second);
    json_decref(here);
    json_decref(there);
}

#define ALONE(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)

TEST_GROUP(web_updates)
{
    const struct CMUnitTest tests[] = {ALONE(test_answers), ALONE(test_events), ALONE(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
