// Tests of the thread pool and its queues.
#include "support/check.h"
#include "web/http/pool.h"

#include <pthread.h>
#include <stdatomic.h>

enum { JOBS = 50 };

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
    assert_int_equal(web_pool_open(&pool, 1, 0, 3, NULL), STATUS_OK);
    assert_true(web_pool_add(pool, WEB_LANE_TURNS, begin, &jobs[0]));
    wait_for(&gate, 1);
    for (int i = 1; i <= 3; i++)
        assert_true(web_pool_add(pool, WEB_LANE_TURNS, begin, &jobs[i]));
    assert_false(web_pool_add(pool, WEB_LANE_TURNS, begin, &jobs[4])); // three wait already
    assert_int_equal(web_pool_waiting(pool, WEB_LANE_TURNS), 3);
    let_go(&gate);
    web_pool_finish(pool); // runs those that wait
    assert_int_equal(gate.started, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(gate.order[i], i);
    assert_false(web_pool_add(pool, WEB_LANE_TURNS, begin, &jobs[5]));
    web_pool_close(pool);
    web_pool_close(NULL);
    assert_false(web_pool_add(NULL, WEB_LANE_TURNS, begin, &jobs[5]));
}

// Long work of one lane never takes the last thread from the other.
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
        assert_int_equal(web_pool_open(&pool, 3, 5, 100, NULL), STATUS_OK);
        for (int i = 0; i < 10; i++)
            assert_true(web_pool_add(pool, (WebLane)lane, begin, &slow_jobs[i]));
        wait_for(&slow, 2);
        for (int i = 0; i < 10; i++)
            assert_true(web_pool_add(pool, (WebLane)(1 - lane), begin, &quick_jobs[i]));
        wait_for(&quick, 10);
        assert_int_equal(slow.started, 2);
        let_go(&slow);
        web_pool_close(pool);
        assert_int_equal(slow.started, 10);
    }
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
        (void)web_pool_add(round->pool, WEB_LANE_LONG, go_round, round);
}

static void test_turns(void **state)
{
    (void)state;
    Round rounds[5];
    Gate gate;
    Job jobs[JOBS];
    WebPool *pool = NULL;
    gate_open(&gate, jobs);
    assert_int_equal(web_pool_open(&pool, 1, 0, 100, NULL), STATUS_OK);
    assert_true(web_pool_add(pool, WEB_LANE_TURNS, begin, &jobs[0]));
    for (int i = 0; i < 5; i++) {
        rounds[i] = (Round){.pool = pool};
        assert_true(web_pool_add(pool, WEB_LANE_LONG, go_round, &rounds[i]));
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order_and_limit), cmocka_unit_test(test_lanes),
                                       cmocka_unit_test(test_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
