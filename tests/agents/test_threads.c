// Tests of many concurrent games: agents share nothing, so threads with their own boards and agents play the same games
// as a single thread. Also run under the thread sanitizer.
#include "base/clock.h"
#include "game/perft.h"
#include "support/check.h"
#include "support/play.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4 };

static const char *const games[] = {"connect4", "8x8:k=5", "7x7:k=5,p=2,q=1", "6x6:k=3,exact"};

typedef struct {
    atomic_bool *quiet; // never raised: games that must repeat
    atomic_bool *stop;  // raised by another thread: games that must only end well
    uint64_t key;       // of all games of the first kind
    unsigned games;
    Error error;
    Status status;
} Worker;

static Status play_one(Worker *worker, const AgentKind *kind, const char *rules, uint64_t seed, const atomic_bool *stop,
                       uint64_t *key)
{
    Game game;
    Rules parsed = {0};
    Status status = rules_parse(span_of(rules), &parsed, &worker->error);
    if (status != STATUS_OK || !agent_plays_alone(kind, &parsed))
        return status;
    game_init(&game, &parsed);
    status = play_to_the_end(&game, kind, seed, stop, &worker->error);
    for (unsigned i = 0; key != NULL && i < game.played; i++)
        *key = rng_derive(*key, game.stones[i]);
    worker->games++;
    return status;
}

static Status play_round(Worker *worker, uint64_t seed, const atomic_bool *stop, uint64_t *key)
{
    Status status = STATUS_OK;
    for (int k = 0; k < agent_kind_count; k++)
        for (size_t g = 0; status == STATUS_OK && g < sizeof games / sizeof games[0]; g++)
            status = play_one(worker, agent_kinds[k], games[g], seed, stop, key);
    return status;
}

static void *work(void *argument)
{
    Worker *worker = argument;
    worker->status = play_round(worker, 1, worker->quiet, &worker->key);
    // Until the other thread says so; the games under way are played to their end with the flag raised.
    for (uint64_t seed = 2; worker->status == STATUS_OK && !atomic_load(worker->stop); seed++)
        worker->status = play_round(worker, seed, worker->stop, NULL);
    return NULL;
}

static void *raise_the_flag(void *argument)
{
    clock_sleep(0.1);
    atomic_store((atomic_bool *)argument, true);
    return NULL;
}

static void test_games_in_threads(void **state)
{
    (void)state;
    atomic_bool quiet = false, stop = false;
    int count = (int)test_count(THREADS, 2);
    Worker workers[THREADS], alone = {.quiet = &quiet, .stop = &stop};
    pthread_t threads[THREADS], raiser;
    for (int i = 0; i < count; i++) {
        workers[i] = (Worker){.quiet = &quiet, .stop = &stop};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    assert_int_equal(pthread_create(&raiser, NULL, raise_the_flag, &stop), 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(pthread_join(raiser, NULL), 0);
    // Under sanitizers, where a round takes seconds, the threads are compared with each other alone.
    if (test_count(1, 0) > 0)
        assert_done(play_round(&alone, 1, &quiet, &alone.key), alone.error);
    const Worker *expected = test_count(1, 0) > 0 ? &alone : &workers[0];
    for (int i = 0; i < count; i++) {
        assert_done(workers[i].status, workers[i].error);
        assert_true(workers[i].games >= expected->games || expected == &workers[0]);
        assert_true(workers[i].games > 0 && workers[i].key == expected->key);
    }
}

static void *count_sequences(void *argument)
{
    Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    Board board;
    static _Thread_local Perft perft;
    board_init(&board, &rules);
    return perft_run(&board, PERFT_DEPTH_MAX, argument, &perft) ? NULL : argument;
}

// A count that would never end: it comes back because of the flag, and says so.
static void test_a_count_that_is_stopped(void **state)
{
    (void)state;
    atomic_bool stop = false;
    pthread_t thread;
    void *stopped = NULL;
    assert_int_equal(pthread_create(&thread, NULL, count_sequences, &stop), 0);
    (void)raise_the_flag(&stop);
    assert_int_equal(pthread_join(thread, &stopped), 0);
    assert_ptr_equal(stopped, &stop);
}

TEST_GROUP(threads)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games_in_threads),
        cmocka_unit_test(test_a_count_that_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
