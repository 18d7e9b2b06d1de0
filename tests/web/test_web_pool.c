// Tests of the thread pool and its queues, and of the stop flags of requests that think.
#include "base/clock.h"
#include "support/check.h"
#include "web/http/connections.h"
#include "web/http/pool.h"
#include "web/http/stops.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

enum { JOBS = 50 };

static const unsigned one[WEB_LANES] = {1, 1, 1, 1}, two[WEB_LANES] = {2, 2, 2, 2};

// Jobs that wait until they are released and record the order in which they started.
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_open;
    unsigned started;
    int order[JOBS];
} Gate;

typedef struct {
    Gate *gate;
    int number;
} Job;

static void begin(void *context)
{
    Job *job = context;
    Gate *gate = job->gate;
    (void)pthread_mutex_lock(&gate->lock);
    gate->order[gate->started++] = job->number;
    (void)pthread_cond_broadcast(&gate->changed);
    while (!gate->is_open)
        (void)pthread_cond_wait(&gate->changed, &gate->lock);
    (void)pthread_mutex_unlock(&gate->lock);
}

static void wait_for(Gate *gate, unsigned started)
{
    (void)pthread_mutex_lock(&gate->lock);
    while (gate->started < started)
        (void)pthread_cond_wait(&gate->changed, &gate->lock);
    (void)pthread_mutex_unlock(&gate->lock);
}

static void let_go(Gate *gate)
{
    (void)pthread_mutex_lock(&gate->lock);
    gate->is_open = true;
    (void)pthread_cond_broadcast(&gate->changed);
    (void)pthread_mutex_unlock(&gate->lock);
}

static void gate_open(Gate *gate, Job jobs[JOBS])
{
    *gate = (Gate){0};
    (void)pthread_mutex_init(&gate->lock, NULL);
    (void)pthread_cond_init(&gate->changed, NULL);
    for (int i = 0; i < JOBS; i++)
        jobs[i] = (Job){gate, i};
}

static void test_order_and_limit(void **state)
{
    (void)state;
    Gate gate;
    Job jobs[JOBS];
    WebPool *pool = NULL;
    gate_open(&gate, jobs);
    assert_int_equal(web_pool_open(&pool, one, 0, 3, NULL), STATUS_OK);
    assert_true(web_pool_add(pool, WEB_LANE_TURNS, (WebJob){begin, &jobs[0], 0}));
    wait_for(&gate, 1);
    for (int i = 1; i <= 3; i++)
        assert_true(web_pool_add(pool, WEB_LANE_TURNS, (WebJob){begin, &jobs[i], 0}));
    assert_false(web_pool_add(pool, WEB_LANE_TURNS, (WebJob){begin, &jobs[4], 0})); // three wait already
    assert_int_equal(web_pool_waiting(pool, WEB_LANE_TURNS), 3);
    let_go(&gate);
    web_pool_finish(pool); // runs those that wait
    assert_int_equal(gate.started, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(gate.order[i], i);
    assert_false(web_pool_add(pool, WEB_LANE_TURNS, (WebJob){begin, &jobs[5], 0}));
    web_pool_close(pool);
    web_pool_close(NULL);
    assert_false(web_pool_add(NULL, WEB_LANE_TURNS, (WebJob){begin, &jobs[5], 0}));
}

// Long work of one lane never takes a thread from another.
static void test_lanes(void **state)
{
    (void)state;
    for (int lane = 0; lane < WEB_LANES; lane++) {
        Gate slow, quick;
        Job slow_jobs[JOBS], quick_jobs[JOBS];
        WebPool *pool = NULL;
        gate_open(&slow, slow_jobs);
        gate_open(&quick, quick_jobs);
        quick.is_open = true;
        assert_int_equal(web_pool_open(&pool, two, 5, 100, NULL), STATUS_OK);
        for (int i = 0; i < 10; i++)
            assert_true(web_pool_add(pool, (WebLane)lane, (WebJob){begin, &slow_jobs[i], 0}));
        wait_for(&slow, 2);
        for (int other = 0, i = 0; other < WEB_LANES; other++)
            for (int j = 0; j < 10 && other != lane; j++)
                assert_true(web_pool_add(pool, (WebLane)other, (WebJob){begin, &quick_jobs[i++], 0}));
        wait_for(&quick, 10 * (WEB_LANES - 1));
        assert_int_equal(slow.started, 2);
        let_go(&slow);
        web_pool_close(pool);
        assert_int_equal(slow.started, 10);
    }
}

// Jobs of one key run one after another, pass others that wait, and only a few of them may wait.
static void test_keys(void **state)
{
    (void)state;
    Gate mine, others;
    Job my_jobs[JOBS], other_jobs[JOBS];
    WebPool *pool = NULL;
    uint64_t key = web_pool_key("a session");
    gate_open(&mine, my_jobs);
    gate_open(&others, other_jobs);
    others.is_open = true;
    assert_int_equal(web_pool_open(&pool, two, 0, 100, NULL), STATUS_OK);
    assert_true(web_pool_add(pool, WEB_LANE_PROOFS, (WebJob){begin, &my_jobs[0], key}));
    wait_for(&mine, 1);
    for (int i = 1; i <= WEB_KEY_WAITING; i++)
        assert_true(web_pool_add(pool, WEB_LANE_PROOFS, (WebJob){begin, &my_jobs[i], key}));
    assert_false(web_pool_add(pool, WEB_LANE_PROOFS, (WebJob){begin, &my_jobs[9], key}));
    for (int i = 0; i < 10; i++)
        assert_true(
            web_pool_add(pool, WEB_LANE_PROOFS, (WebJob){begin, &other_jobs[i], web_pool_key("") + (uint64_t)i}));
    wait_for(&others, 10);
    assert_int_equal(mine.started, 1); // the second thread passes the other three
    let_go(&mine);
    web_pool_close(pool);
    assert_int_equal(mine.started, 1 + WEB_KEY_WAITING);
    for (int i = 0; i <= WEB_KEY_WAITING; i++)
        assert_int_equal(mine.order[i], i);
    assert_int_not_equal(web_pool_key("a"), web_pool_key("b"));
}

static void wait_for_flag(const WebStop *stop)
{
    while (!atomic_load(&stop->is_raised))
        (void)sched_yield();
}

static void test_stops(void **state)
{
    (void)state;
    WebStops *stops = NULL;
    WebStop client = {0}, kept = {0}, session = {0}, late = {0};
    int ends[2], other[2];
    assert_int_equal(web_stops_open(&stops, NULL), STATUS_OK);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, other), 0);
    web_stops_add(stops, &client, ends[0], 1);
    web_stops_add(stops, &kept, other[0], 2);
    web_stops_add(stops, &session, -1, 3);
    // The next request on the connection is no end.
    assert_int_equal(write(ends[1], "GET", 3), 3);
    assert_int_equal(write(other[1], "GET", 3), 3);
    (void)close(ends[1]);
    wait_for_flag(&client);
    web_stops_raise(stops, 3);
    assert_true(atomic_load(&session.is_raised));
    assert_false(atomic_load(&kept.is_raised));
    web_stops_raise(NULL, 3);
    web_stops_remove(stops, &client);
    web_stops_remove(stops, &session);
    web_stops_end(stops);
    assert_true(atomic_load(&kept.is_raised));
    web_stops_add(stops, &late, -1, 4);
    assert_true(atomic_load(&late.is_raised));
    web_stops_remove(stops, &late);
    web_stops_remove(stops, &kept);
    web_stops_close(stops);
    web_stops_close(NULL);
    (void)close(ends[0]);
    (void)close(other[0]);
    (void)close(other[1]);
}

static struct sockaddr_in address_of(const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, text, &address.sin_addr), 1);
    return address;
}

static bool is_shut(int fd)
{
    char byte = 0;
    return recv(fd, &byte, 1, MSG_DONTWAIT) == 0;
}

// Connections without a request end at a deadline; the number of others is limited beyond this machine.
static void test_connections(void **state)
{
    (void)state;
    WebConnections all;
    struct sockaddr_in here = address_of("127.0.0.1"), there = address_of("192.0.2.1"), third = address_of("192.0.2.2");
    const struct sockaddr *local = (const struct sockaddr *)&here, *far = (const struct sockaddr *)&there;
    int ends[3][2];
    WebConnection *kept[3];
    web_connections_open(&all);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]), 0);
        kept[i] = web_connections_add(&all, ends[i][0], local);
    }
    web_connections_begin(&all, kept[1]); // asks
    web_connections_begin(&all, kept[2]); // has asked
    web_connections_end(&all, kept[2]);
    double now = clock_seconds();
    web_connections_tick(&all, now + 9);
    assert_false(is_shut(ends[0][1]));
    web_connections_tick(&all, now + 11);
    assert_true(is_shut(ends[0][1]));
    assert_false(is_shut(ends[2][1]));
    web_connections_tick(&all, now + 31);
    assert_true(is_shut(ends[2][1]));
    assert_false(is_shut(ends[1][1]));
    for (int i = 0; i < WEB_ADDRESS_CONNECTIONS; i++) {
        assert_true(web_connections_admit(&all, far));
        (void)web_connections_add(&all, -1, far);
    }
    assert_false(web_connections_admit(&all, far));
    assert_true(web_connections_admit(&all, (const struct sockaddr *)&third));
    assert_true(web_connections_admit(&all, local));
    WebConnection *slow = NULL;
    for (int i = 0; i < WEB_ADDRESS_SLOW_REQUESTS; i++) {
        slow = all.first;
        for (int j = 0; j < i; j++)
            slow = slow->next;
        assert_true(web_connections_wait(&all, slow));
    }
    assert_false(web_connections_wait(&all, slow->next));
    web_connections_end(&all, slow);
    assert_true(web_connections_wait(&all, slow->next));
    web_connections_close(&all);
    for (int i = 0; i < 3; i++) {
        (void)close(ends[i][0]);
        (void)close(ends[i][1]);
    }
}

// A crowded server drops the oldest connection without a request for each new one.
static void test_crowd(void **state)
{
    (void)state;
    WebConnections all;
    int ends[2];
    web_connections_open(&all);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    WebConnection *asks = web_connections_add(&all, -1, NULL);
    web_connections_begin(&all, asks);
    (void)web_connections_add(&all, ends[0], NULL);
    for (unsigned i = 0; i < WEB_CONNECTIONS_CROWDED - 2; i++)
        (void)web_connections_add(&all, -1, NULL);
    struct sockaddr_in here = address_of("127.0.0.1");
    assert_true(web_connections_admit(&all, (const struct sockaddr *)&here));
    assert_true(is_shut(ends[1]));
    web_connections_close(&all);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

// A client that repeatedly adds small jobs takes turns with the others.
typedef struct {
    WebPool *pool;
    atomic_int rounds;
    atomic_bool stop;
} Round;

static void go_round(void *context)
{
    Round *round = context;
    (void)atomic_fetch_add(&round->rounds, 1);
    if (!atomic_load(&round->stop))
        (void)web_pool_add(round->pool, WEB_LANE_LONG, (WebJob){go_round, round, 0});
}

static void test_turns(void **state)
{
    (void)state;
    Round rounds[5];
    Gate gate;
    Job jobs[JOBS];
    WebPool *pool = NULL;
    gate_open(&gate, jobs);
    assert_int_equal(web_pool_open(&pool, one, 0, 100, NULL), STATUS_OK);
    assert_true(web_pool_add(pool, WEB_LANE_TURNS, (WebJob){begin, &jobs[0], 0}));
    for (int i = 0; i < 5; i++) {
        rounds[i] = (Round){.pool = pool};
        assert_true(web_pool_add(pool, WEB_LANE_LONG, (WebJob){go_round, &rounds[i], 0}));
    }
    let_go(&gate); // all of them wait
    while (atomic_load(&rounds[0].rounds) < 1000)
        continue;
    for (int i = 0; i < 5; i++)
        atomic_store(&rounds[i].stop, true);
    web_pool_close(pool);
    for (int i = 1; i < 5; i++)
        assert_in_range(atomic_load(&rounds[i].rounds), atomic_load(&rounds[0].rounds) - 2,
                        atomic_load(&rounds[0].rounds) + 2);
}

TEST_GROUP(web_pool)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_and_limit),
                                       cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_stops),
                                       cmocka_unit_test(test_connections),
                                       cmocka_unit_test(test_crowd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
