// Tests of pattern sets lent to agents: reading without creating a database, permanent learning, many threads at once.
#include "lab/learn/pattern_sets.h"
#include "support/lab.h"

#include <pthread.h>
#include <unistd.h>

static Pattern pattern_of(const char *text)
{
    Pattern pattern;
    Error error = {0};
    assert_done(pattern_parse(span_of(text), 1, &pattern, &error), error);
    return pattern;
}

typedef struct {
    unsigned count;
    int64_t last;
} Heard;

static bool hear(void *context, int64_t number, const Pattern *pattern)
{
    Heard *heard = context;
    assert_true(number > heard->last);
    assert_true(pattern_is_good(pattern));
    heard->last = number;
    heard->count++;
    return true;
}

static unsigned count(const AgentPatterns *lent, const char *set, const char *game, int64_t after)
{
    Heard heard = {.last = after};
    Rules rules = rules_of(game);
    Error error = {0};
    assert_done(lent->each(lent->context, &(AgentPatternRange){set, &rules, after}, hear, &heard, &error), error);
    return heard.count;
}

static bool learn(const AgentPatterns *lent, const char *set, const char *game, const char *text)
{
    Rules rules = rules_of(game);
    Pattern pattern = pattern_of(text);
    Error error = {0};
    bool kept = false;
    assert_done(lent->learn(lent->context, &(AgentLearned){set, &rules, &pattern}, &kept, &error), error);
    return kept;
}

static void test_lent(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    PatternSets sets, others;
    pattern_sets_open(&sets, lab_path(path, "krow.db"));
    const AgentPatterns *lent = pattern_sets_lent(&sets);
    assert_int_equal(count(lent, "a", "gomoku", 0), 0);
    assert_int_equal(access(path, F_OK), -1); // asking makes nothing
    assert_true(learn(lent, "a", "gomoku", ".xxxx."));
    assert_false(learn(lent, "a", "gomoku", "./x/x/x/x/."));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(count(lent, "a", "gomoku", 0), 1);
    assert_int_equal(count(lent, "a", "gomoku", 1), 0);
    assert_int_equal(count(lent, "b", "gomoku", 0), 0);
    assert_int_equal(count(lent, "a", "19x19:k=5", 0), 0);
    // Somebody else learns, and is heard.
    pattern_sets_open(&others, path);
    assert_int_equal(count(pattern_sets_lent(&others), "a", "gomoku", 0), 1);
    assert_true(learn(pattern_sets_lent(&others), "a", "gomoku", "x.xxx"));
    assert_int_equal(count(lent, "a", "gomoku", 1), 1);
    pattern_sets_close(&others);
    pattern_sets_close(&sets);
    // And it is there afterwards.
    pattern_sets_open(&sets, path);
    assert_int_equal(count(pattern_sets_lent(&sets), "a", "gomoku", 0), 2);
    pattern_sets_close(&sets);
}

static void test_refused(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    PatternSets sets;
    Error error = {0};
    Rules rules = rules_of("connect6");
    Pattern pattern = pattern_of(".xxxx.");
    bool kept = true;
    pattern_sets_open(&sets, lab_path(path, "krow.db"));
    const AgentPatterns *lent = pattern_sets_lent(&sets);
    assert_refused(lent->learn(lent->context, &(AgentLearned){"a", &rules, &pattern}, &kept, &error), error,
                   "games need one stone per turn");
    assert_false(kept);
    pattern_sets_close(&sets);
    pattern_sets_open(&sets, lab_path(path, "no/folder/krow.db"));
    rules = rules_of("gomoku");
    lent = pattern_sets_lent(&sets);
    assert_failed(lent->learn(lent->context, &(AgentLearned){"a", &rules, &pattern}, &kept, &error), STATUS_IO, error,
                  "cannot open");
    assert_int_equal(count(lent, "a", "gomoku", 0), 0);
    pattern_sets_close(&sets);
    pattern_sets_open(&sets, "none");
    assert_null(pattern_sets_lent(&sets));
    pattern_sets_close(&sets);
}

// --- Threads ---

enum { WORKERS = 4, ROUNDS = 16 };

typedef struct {
    const AgentPatterns *lent;
    unsigned number, kept, odd;
} Worker;

static bool hear_rising(void *context, int64_t number, const Pattern *pattern)
{
    int64_t *last = context;
    bool rising = number > *last && pattern->own > 0;
    *last = rising ? number : -1;
    return rising;
}

// Rows of own cells with a gap: none of the same length is a part of another of the same, but turned they meet.
static void *ask_and_learn(void *argument)
{
    Worker *worker = argument;
    static const Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    for (unsigned i = 0; i < ROUNDS; i++) {
        char code[] = "xxxxxxxxxxxxxxxxxx";
        int64_t last = 0;
        Pattern pattern;
        bool kept = false;
        code[1 + (i + worker->number) % ROUNDS] = '.';
        worker->odd += pattern_parse(span_of(code), 1, &pattern, NULL) != STATUS_OK;
        AgentLearned learned = {"a", &rules, &pattern};
        AgentPatternRange all = {"a", &rules, 0};
        worker->odd += worker->lent->learn(worker->lent->context, &learned, &kept, NULL) != STATUS_OK;
        worker->odd += worker->lent->each(worker->lent->context, &all, hear_rising, &last, NULL) != STATUS_OK;
        worker->odd += last <= 0;
        worker->kept += kept;
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    PatternSets sets;
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    unsigned kept = 0;
    pattern_sets_open(&sets, lab_path(path, "krow.db"));
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){.lent = pattern_sets_lent(&sets), .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, ask_and_learn, &workers[i]), 0);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].odd, 0);
        kept += workers[i].kept;
    }
    assert_int_equal(kept, ROUNDS / 2); // a gap and its mirror image are the same
    assert_int_equal(count(pattern_sets_lent(&sets), "a", "gomoku", 0), ROUNDS / 2);
    pattern_sets_close(&sets);
}

TEST_GROUP(pattern_sets)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_lent),
        LAB_TEST(test_refused),
        LAB_TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
