// Tests of topics and their listeners.
#include "support/check.h"
#include "web/http/stream.h"

#include <pthread.h>
#include <string.h>

typedef struct {
    unsigned sleeps, wakes;
} Listener;

static void count_sleep(void *context)
{
    ((Listener *)context)->sleeps++;
}

static void count_wake(void *context)
{
    ((Listener *)context)->wakes++;
}

static WebStream *listen_to(WebTopic *topic, Listener *listener)
{
    return web_stream_open(topic, (WebSleeper){listener, count_sleep, count_wake}, false);
}

// All there is to read, a few bytes at a time.
static void assert_reads(WebStream *stream, const char *expected)
{
    char all[4096] = "";
    size_t length = 0;
    ssize_t count = 0;
    while ((count = web_stream_read(stream, all + length, 7)) > 0)
        length += (size_t)count;
    all[length] = '\0';
    assert_string_equal(all, expected);
}

static void send_number(WebTopic *topic, const char *event, const char *key, bool keeps, int number)
{
    web_topic_send(topic, event, key, keeps, json_pack("[i]", number));
}

static void test_messages(void **state)
{
    (void)state;
    WebTopic *topic = web_topic_open();

    send_number(topic, "state", "state", true, 1);
    send_number(topic, "state", "state", true, 2);
    send_number(topic, "noise", "noise", false, 3);
    Listener listener = {0};
    WebStream *stream = listen_to(topic, &listener);
    assert_int_equal(web_topic_listeners(topic), 1);
    // The newest of what is kept, and nothing that was sent before.
    assert_reads(stream, "retry: 1000\n\nevent: state\ndata: [2]\n\n");
    assert_int_equal(listener.sleeps, 1);
    // A late reader misses what was replaced.
    send_number(topic, "state", "state", true, 4);
    send_number(topic, "board", "board 1", true, 5);
    send_number(topic, "board", "board 2", true, 6);
    send_number(topic, "state", "state", true, 7);
    assert_int_equal(listener.wakes, 1); // once after each sleep
    assert_reads(stream, "event: board\ndata: [5]\n\nevent: board\ndata: [6]\n\nevent: state\ndata: [7]\n\n");
    web_stream_beat(stream);
    assert_int_equal(listener.wakes, 2);
    assert_reads(stream, ":\n\n");
    web_topic_forget(topic, "board 1");
    web_topic_forget(topic, "nothing");
    Listener late = {0};
    WebStream *other = listen_to(topic, &late);
    assert_reads(other, "retry: 1000\n\nevent: board\ndata: [6]\n\nevent: state\ndata: [7]\n\n");
    web_stream_end(other);
    char byte = 0;
    assert_int_equal(web_stream_read(other, &byte, 1), -1);
    web_stream_close(other);
    assert_int_equal(web_topic_listeners(topic), 1);
    web_topic_end(topic);
    assert_int_equal(web_stream_read(stream, &byte, 1), -1);
    web_topic_release(topic); // the stream still has it
    web_stream_close(stream);
    web_stream_close(NULL);
    web_topic_release(NULL);
}

// A message that is being sent is completed even if a newer one arrives.
static void test_not_in_the_middle(void **state)
{
    (void)state;
    WebTopic *topic = web_topic_open();

    Listener listener = {0};
    WebStream *stream = listen_to(topic, &listener);
    assert_reads(stream, "retry: 1000\n\n");
    send_number(topic, "state", "state", true, 1);
    char bytes[8] = "";
    assert_int_equal(web_stream_read(stream, bytes, 5), 5);
    assert_string_equal(bytes, "event");
    send_number(topic, "state", "state", true, 2);
    assert_reads(stream, ": state\ndata: [1]\n\nevent: state\ndata: [2]\n\n");
    web_stream_close(stream);
    web_topic_release(topic);
}

// With any number of keys, the queue of a listener that does not read stays small.
static void test_many_keys(void **state)
{
    (void)state;
    WebTopic *topic = web_topic_open();

    Listener listener = {0};
    WebStream *stream = listen_to(topic, &listener);
    for (int i = 0; i < 1000; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "key %d", i);
        send_number(topic, "n", key, true, i);
    }
    size_t length = 0;
    ssize_t count = 0;
    char bytes[64];
    while ((count = web_stream_read(stream, bytes, sizeof bytes)) > 0)
        length += (size_t)count;
    assert_in_range(length, 100, 4000);
    web_stream_close(stream);
    web_topic_release(topic);
}

static void *send_many(void *context)
{
    for (int i = 0; i < 2000; i++)
        send_number(context, "state", i % 2 == 0 ? "even" : "odd", true, i);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    WebTopic *topic = web_topic_open();

    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, send_many, topic), 0);
    for (int i = 0; i < 200; i++) {
        Listener listener = {0};
        WebStream *stream = listen_to(topic, &listener);
        char bytes[100];
        while (web_stream_read(stream, bytes, sizeof bytes) > 0)
            continue;
        web_stream_close(stream);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(web_topic_listeners(topic), 0);
    web_topic_release(topic);
}

TEST_GROUP(web_stream)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages), cmocka_unit_test(test_not_in_the_middle),
                                       cmocka_unit_test(test_many_keys), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
