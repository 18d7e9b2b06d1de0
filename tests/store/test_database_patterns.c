// Tests of learned patterns in the database: stored once, iterated, listed, deleted; by many threads and programs, and
// under kill -9.
#include "base/rng.h"
#include "store/db/database_internal.h"
#include "store/db/database_patterns.h"
#include "support/lab.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static Pattern pattern_of(const char *text, unsigned tier)
{
    Pattern pattern;
    Error error = {0};
    assert_done(pattern_parse(span_of(text), tier, &pattern, &error), error);
    return pattern;
}

static uint64_t learn(Database *db, const char *set, const char *game, const char *text, unsigned tier, int64_t moment)
{
    Rules rules = rules_of(game);
    Pattern pattern = pattern_of(text, tier);
    uint64_t kept = 99;
    Error error = {0};
    assert_done(database_learn_patterns(db, &(DatabaseLearned){set, &rules, &pattern, 1, moment}, &kept, &error),
                error);
    return kept;
}

// --- What a set holds ---

typedef struct {
    Text text;
    unsigned left; // patterns until the walk ends
} Reported;

static bool take_pattern(void *context, const DatabasePattern *stored)
{
    Reported *reported = context;
    char code[PATTERN_TEXT_SIZE];
    pattern_format(&stored->pattern, code);
    text_add(&reported->text, "%lld %u %lld %s\n", (long long)stored->number, stored->pattern.tier,
             (long long)stored->learned, code);
    return --reported->left > 0;
}

static void assert_told(Database *db, const char *set, const char *game, int64_t after, unsigned most,
                        const char *expected)
{
    Reported reported = {.left = most};
    Rules rules = rules_of(game);
    Error error = {0};
    text_add(&reported.text, "%s", "");
    assert_done(database_each_pattern(db, &(AgentPatternRange){set, &rules, after}, take_pattern, &reported, &error),
                error);
    assert_string_equal(reported.text.data, expected);
    text_close(&reported.text);
}

static void test_learned(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    assert_int_equal(learn(db, "a", "gomoku", ".xxxx.", 1, 1000), 1);
    assert_int_equal(learn(db, "a", "gomoku", ".xxx./--x--/--x--/--.--", 2, 2000), 1);
    assert_told(db, "a", "gomoku", 0, 9, "1 1 1000 .xxxx.\n2 2 2000 --.--/--x--/--x--/.xxx.\n");
    database_close(db);
    db = lab_open();
    assert_told(db, "a", "gomoku", 0, 1, "1 1 1000 .xxxx.\n"); // the walk ends where it is reported to
    assert_told(db, "a", "gomoku", 2, 9, "");
    assert_told(db, "b", "gomoku", 0, 9, "");
    assert_told(db, "a", "19x19:k=5", 0, 9, "");
    assert_done(database_check(db, &error), error);
    database_close(db);
}

// What a known one is equal to or a part of is passed over: as it is, moved, turned, within the same call; not in
// another set or for other rules, and not where the known one is the larger.
static void test_known_ones(void **state)
{
    (void)state;
    Database *db = lab_open();
    static const char *const redundant[] = {".xxxx.",  "./x/x/x/x/.",   ".-----/-x----/--x---/---x--/----x-/-----.",
                                            ".xxxx.x", "x.----/.xxxx.", "x------/-./-x/-x/-x/-x/-."};
    assert_int_equal(learn(db, "a", "gomoku", ".xxxx.", 1, 1), 1);
    for (size_t i = 0; i < sizeof redundant / sizeof redundant[0]; i++)
        if (i != 2) // a diagonal is another pattern
            assert_int_equal(learn(db, "a", "gomoku", redundant[i], 1, 1), 0);
    assert_int_equal(learn(db, "a", "gomoku", redundant[2], 1, 1), 1);
    assert_int_equal(learn(db, "b", "gomoku", ".xxxx.", 1, 1), 1);
    assert_int_equal(learn(db, "a", "13x13:k=5", ".xxxx.", 1, 1), 1);
    assert_int_equal(learn(db, "a", "gomoku", "xxxx", 1, 1), 1);   // a part of a known one
    assert_int_equal(learn(db, "a", "gomoku", "xxxx.x", 1, 1), 0); // and now this is known
    assert_int_equal(learn(db, "a", "gomoku", "xxx.x", 1, 1), 1);  // other marks
    database_close(db);
}

static void test_many_at_once(void **state)
{
    (void)state;
    Database *db = lab_open();
    Rules rules = rules_of("gomoku");
    Error error = {0};
    Pattern patterns[] = {pattern_of("xx.xx", 1), pattern_of("x.xxx", 1), pattern_of("xxx.x", 1),
                          pattern_of("xx.xx.x", 2), pattern_of("xxxxx", 0)};
    uint64_t kept = 0;
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"a", &rules, patterns, 5, 7}, &kept, &error), error);
    assert_int_equal(kept, 3); // the third is the second turned, the fourth has the first in it
    assert_told(db, "a", "gomoku", 0, 9, "1 1 7 xx.xx\n2 1 7 x.xxx\n3 0 7 xxxxx\n");
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"a", &rules, patterns, 5, 8}, &kept, &error), error);
    assert_int_equal(kept, 0);
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"a", &rules, NULL, 0, 8}, &kept, &error), error);
    database_close(db);
}

static void test_refused(void **state)
{
    (void)state;
    Database *db = lab_open();
    Pattern pattern = pattern_of(".xxxx.", 1);
    uint64_t kept = 99;
    Error error = {0};
    static const char *const games[] = {"connect4", "connect6"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        Rules rules = rules_of(games[i]);
        assert_refused(database_learn_patterns(db, &(DatabaseLearned){"a", &rules, &pattern, 1, 1}, &kept, &error),
                       error, "games need one stone per turn");
        assert_int_equal(kept, 0);
    }
    Rules rules = rules_of("gomoku");
    assert_refused(database_learn_patterns(db, &(DatabaseLearned){"a b", &rules, &pattern, 1, 1}, &kept, &error), error,
                   "invalid name of a pattern set 'a b'");
    assert_refused(database_learn_patterns(db, &(DatabaseLearned){"", &rules, &pattern, 1, 1}, &kept, &error), error,
                   "invalid name of a pattern set");
    database_close(db);
}

// Columns with values that krow never writes.
static void test_damaged(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE patterns SET tier = 21",
        "UPDATE patterns SET tier = -1",
        "UPDATE patterns SET tier = 1, code = 'xy'",
    };
    char path[LAB_PATH_SIZE];
    Rules rules = rules_of("gomoku");
    Error error = {0};
    Database *db = lab_open();
    (void)learn(db, "a", "gomoku", ".xxxx.", 1, 1);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        Reported reported = {.left = 9};
        Pattern pattern = pattern_of("xxx", 1);
        uint64_t kept = 0;
        (void)lab_sql(lab_db(path, "krow.db"), changes[i]);
        assert_failed(database_each_pattern(db, &(AgentPatternRange){"a", &rules, 0}, take_pattern, &reported, &error),
                      STATUS_FAILED, error, "pattern 1 of the database is damaged");
        assert_int_equal(reported.text.length, 0);
        assert_failed(database_learn_patterns(db, &(DatabaseLearned){"a", &rules, &pattern, 1, 1}, &kept, &error),
                      STATUS_FAILED, error, "damaged");
    }
    database_close(db);
}

// --- Sets ---

static bool take_set(void *context, const DatabasePatternSet *set)
{
    Reported *reported = context;
    char game[RULES_TEXT_SIZE];
    rules_format(&set->rules, game);
    text_add(&reported->text, "%s %s %llu (%llu %llu %llu) %lld\n", game, set->name, (unsigned long long)set->count,
             (unsigned long long)set->of_tier[0], (unsigned long long)set->of_tier[1],
             (unsigned long long)set->of_tier[20], (long long)set->learned);
    return --reported->left > 0;
}

static void assert_sets(Database *db, unsigned most, const char *expected)
{
    Reported reported = {.left = most};
    Error error = {0};
    text_add(&reported.text, "%s", "");
    assert_done(database_each_pattern_set(db, take_set, &reported, &error), error);
    assert_string_equal(reported.text.data, expected);
    text_close(&reported.text);
}

static void test_sets(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    assert_sets(db, 9, "");
    (void)learn(db, "b", "gomoku", ".xxxx.", 1, 5);
    (void)learn(db, "a", "gomoku", "xxxxx", 0, 9);
    (void)learn(db, "a", "gomoku", ".xxxx.", 1, 3);
    (void)learn(db, "a", "gomoku", "x.xxx", 1, 4);
    (void)learn(db, "a", "gomoku", "x-x/...", 20, 4);
    (void)learn(db, "b", "tictactoe", ".xx.", 1, 2);
    const char *all = "15x15:k=5 a 4 (1 2 1) 9\n15x15:k=5 b 1 (0 1 0) 5\n3x3:k=3 b 1 (0 1 0) 2\n";
    assert_sets(db, 9, all);
    assert_sets(db, 1, "15x15:k=5 a 4 (1 2 1) 9\n");
    (void)lab_sql(lab_db(path, "krow.db"), "UPDATE patterns SET tier = 21 WHERE tier = 20");
    Reported reported = {.left = 9};
    Error error = {0};
    assert_failed(database_each_pattern_set(db, take_set, &reported, &error), STATUS_FAILED, error, "of tier 21");
    (void)lab_sql(path, "UPDATE patterns SET tier = 20, game = 'x'");
    assert_failed(database_each_pattern_set(db, take_set, &reported, &error), STATUS_FAILED, error, "for 'x'");
    database_close(db);
}

// --- Forgetting ---

static uint64_t forget(Database *db, const char *set, const char *game, int64_t number, int tier)
{
    Rules rules = rules_of(game);
    uint64_t forgotten = 99;
    Error error = {0};
    DatabaseForget which = {set, &rules, {number, tier}};
    assert_done(database_forget_patterns(db, &which, &forgotten, &error), error);
    return forgotten;
}

static void test_forgotten(void **state)
{
    (void)state;
    Database *db = lab_open();
    (void)learn(db, "a", "gomoku", "xxxxx", 0, 1);
    (void)learn(db, "a", "gomoku", ".xxxx.", 1, 1);
    (void)learn(db, "a", "gomoku", "x.xxx", 1, 1);
    (void)learn(db, "a", "gomoku", "x.x.x", 2, 1);
    (void)learn(db, "b", "gomoku", "xxxxx", 0, 1);
    (void)learn(db, "a", "3x3:k=3", "xxx", 0, 1);
    assert_int_equal(forget(db, "b", "gomoku", 2, -1), 0); // a number of another set
    assert_int_equal(forget(db, "a", "gomoku", 2, -1), 1);
    assert_int_equal(forget(db, "a", "gomoku", 2, -1), 0);
    assert_int_equal(forget(db, "a", "gomoku", 0, 1), 1);
    assert_told(db, "a", "gomoku", 0, 9, "1 0 1 xxxxx\n4 2 1 x.x.x\n");
    assert_int_equal(forget(db, "a", "gomoku", 0, -1), 2);
    assert_sets(db, 9, "15x15:k=5 b 1 (1 0 0) 1\n3x3:k=3 a 1 (1 0 0) 1\n");
    // Numbers are not given again, also when the last one is gone: a reader that knows it finds what comes later.
    assert_int_equal(forget(db, "a", "3x3:k=3", 6, -1), 1);
    (void)learn(db, "a", "3x3:k=3", "x.x", 1, 1);
    assert_told(db, "a", "3x3:k=3", 6, 9, "7 1 1 x.x\n");
    database_close(db);
}

// --- Other versions and places ---

static void test_no_database(void **state)
{
    (void)state;
    assert_told(NULL, "a", "gomoku", 0, 9, "");
    assert_sets(NULL, 9, "");
}

// A database of version 3 is migrated: its games remain, and patterns can be stored.
static void test_from_version_3(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_done(database_connect(lab_db(path, "krow.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 3, &error), error);
    int64_t match = lab_begin_old(path, "tictactoe", "old");
    lab_lend_columns(path, true);
    for (int i = 0; i < 5; i++)
        assert_done(lab_add_counted(db, match, i, &error), error);
    database_close(db);
    lab_lend_columns(path, false);
    assert_int_equal(lab_version(path), 3);
    assert_int_equal(lab_has_table(path, "patterns"), false);
    db = lab_open();
    assert_int_equal(lab_check_match(db, match), 5);
    (void)learn(db, "a", "gomoku", ".xxxx.", 1, 1);
    assert_told(db, "a", "gomoku", 0, 9, "1 1 1 .xxxx.\n");
    assert_done(database_check(db, &error), error);
    database_close(db);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM game_counts"), 15);
}

// The sink may use the database.
static bool learn_more(void *context, const DatabasePattern *stored)
{
    Database *db = context;
    if (stored->pattern.tier < 3)
        assert_int_equal(learn(db, "a", "gomoku", stored->pattern.tier == 1 ? "xxxx" : "x", 3, 1), 1);
    return true;
}

static void test_learning_while_walking(void **state)
{
    (void)state;
    Database *db = lab_open();
    Rules rules = rules_of("gomoku");
    Error error = {0};
    (void)learn(db, "a", "gomoku", ".xxxx.", 1, 1);
    (void)learn(db, "a", "gomoku", "x..x", 2, 1);
    assert_done(database_each_pattern(db, &(AgentPatternRange){"a", &rules, 0}, learn_more, db, &error), error);
    assert_told(db, "a", "gomoku", 2, 9, "3 3 1 xxxx\n4 3 1 x\n");
    database_close(db);
}

// --- Many patterns ---

// Pattern number i of a sequence in which none is a part of another: ten own cells in a line of twenty, as the bits of
// i say, and their opposites in the row above; the first and the last column are marked so that no picture fits
// another. Uses no test library, for children.
enum { BITS = 12 };

static void numbered(uint64_t i, Pattern *pattern)
{
    char text[2 * BITS + 16];
    size_t length = 0;
    text[length++] = 'x';
    for (int bit = 0; bit < BITS; bit++)
        text[length++] = (i >> bit & 1) != 0 ? 'x' : '.';
    length += (size_t)snprintf(text + length, sizeof text - length, "x/.");
    for (int bit = 0; bit < BITS; bit++)
        text[length++] = (i >> bit & 1) != 0 ? '.' : 'x';
    length += (size_t)snprintf(text + length, sizeof text - length, "xx");
    if (pattern_parse((Span){text, length}, 3, pattern, NULL) != STATUS_OK)
        abort();
}

static Status learn_numbered(Database *db, uint64_t i, uint64_t *kept, Error *error)
{
    static const Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    Pattern pattern;
    numbered(i, &pattern);
    return database_learn_patterns(db, &(DatabaseLearned){"many", &rules, &pattern, 1, (int64_t)i + 1}, kept, error);
}

typedef struct {
    bool seen[1 << BITS];
    unsigned count;
    int64_t last;
} Seen;

// Each stored pattern is the one of its moment, whole, and there once.
static bool check_numbered(void *context, const DatabasePattern *stored)
{
    Seen *seen = context;
    Pattern pattern, canonical;
    assert_true(stored->learned >= 1 && stored->learned <= 1 << BITS);
    assert_true(stored->number > seen->last);
    numbered((uint64_t)stored->learned - 1, &pattern);
    pattern_canonical(&pattern, &canonical);
    assert_true(pattern_equal(&canonical, &stored->pattern));
    assert_false(seen->seen[stored->learned - 1]);
    seen->seen[stored->learned - 1] = true;
    seen->last = stored->number;
    seen->count++;
    return true;
}

static unsigned check_all(Database *db, Seen *seen)
{
    Rules rules = rules_of("gomoku");
    Error error = {0};
    *seen = (Seen){0};
    assert_done(database_check(db, &error), error);
    assert_done(database_each_pattern(db, &(AgentPatternRange){"many", &rules, 0}, check_numbered, seen, &error),
                error);
    return seen->count;
}

// --- Threads and programs ---

enum { WORKERS = 4, OWN = 20, SHARED = 20 };

// Learns patterns of this worker only and patterns of all workers; returns the number stored.
static Status work(Database *db, unsigned worker, uint64_t *total, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < OWN && status == STATUS_OK; i++) {
        uint64_t kept = 0;
        status = learn_numbered(db, worker * OWN + i, &kept, error);
        *total += kept;
        if (status == STATUS_OK)
            status = learn_numbered(db, WORKERS * OWN + (i + worker) % SHARED, &kept, error);
        *total += kept;
    }
    return status;
}

// All that were to be learned are there, each once.
static void check_work(Database *db, uint64_t total)
{
    Seen seen;
    assert_int_equal(check_all(db, &seen), WORKERS * OWN + SHARED);
    for (unsigned i = 0; i < WORKERS * OWN + SHARED; i++)
        assert_true(seen.seen[i]);
    assert_int_equal(total, WORKERS * OWN + SHARED);
}

typedef struct {
    Database *db;
    unsigned number;
    uint64_t total;
    Status status;
    Error error;
} Worker;

static void *work_in_thread(void *argument)
{
    Worker *worker = argument;
    worker->status = work(worker->db, worker->number, &worker->total, &worker->error);
    return NULL;
}

// Two of them with a database of their own on the same file.
static void test_threads(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    uint64_t total = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){.db = i % 2 == 0 ? db : other, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, work_in_thread, &workers[i]), 0);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_done(workers[i].status, workers[i].error);
        total += workers[i].total;
    }
    check_work(db, total);
    database_close(db);
    database_close(other);
}

// Runs in a child process; the exit status is the number of stored patterns, or 255.
static int work_as_another_program(unsigned number)
{
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    uint64_t total = 0;
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    if (status == STATUS_OK)
        status = work(db, number, &total, &error);
    database_close(db);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "program %u: %s\n", number, error.text);
    return status == STATUS_OK ? (int)total : 255;
}

static void test_programs(void **state)
{
    (void)state;
    int start[2];
    pid_t children[WORKERS];
    uint64_t total = 0;
    assert_int_equal(pipe(start), 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            char byte;
            (void)close(start[1]);
            _exit(read(start[0], &byte, 1) == 0 ? work_as_another_program(i) : 255);
        }
    }
    (void)close(start[0]);
    (void)close(start[1]); // all begin now, with making the database
    for (unsigned i = 0; i < WORKERS; i++) {
        int result = -1;
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_true(WIFEXITED(result) && WEXITSTATUS(result) != 255);
        total += (uint64_t)WEXITSTATUS(result);
    }
    Database *db = lab_open();
    check_work(db, total);
    database_close(db);
}

// --- kill -9 ---

// Kills that are wanted; on slow machines there are more, until there was something to lose.
enum { KILLS = 10 };

// Seconds until a program is killed: up to 80 ms, and longer with those that come after the wanted ones.
static double kill_delay(int64_t kills, Rng *rng)
{
    int64_t more = kills - lab_kills(KILLS);
    return (double)rng_below(rng, 80000) / 1e6 * (double)(more < 0 ? 1 : 2 + more);
}

// A child that goes on with the sequence and reports each number after it was kept; every other time many at once.
static int learn_until_killed(int report, void *context)
{
    static const Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    const int64_t *stored = context;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    Pattern patterns[10];
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    for (int64_t i = *stored; status == STATUS_OK && i + 10 <= 1 << BITS; i++) {
        uint64_t kept = 0;
        status = learn_numbered(db, (uint64_t)i, &kept, &error);
        if (status == STATUS_OK && (kept != 1 || write(report, &i, sizeof i) != sizeof i))
            return 2;
        for (int64_t j = 0; j < 10; j++) // again, with nine that are known: nothing is added
            numbered((uint64_t)(i < j ? i : i - j), &patterns[j]);
        if (status == STATUS_OK)
            status =
                database_learn_patterns(db, &(DatabaseLearned){"many", &rules, patterns, 10, i + 1}, &kept, &error);
        if (status == STATUS_OK && kept != 0)
            return 3;
    }
    if (status == STATUS_OK)
        (void)pause(); // for the end, which is near
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}

static void test_kills(void **state)
{
    (void)state;
    static Seen seen;
    Rng rng = rng_make(22);
    int64_t stored = 0;
    for (int64_t i = 0; i < lab_kills(KILLS) || stored == 0; i++) {
        if (i % 10 == 0) { // a new one now and then: kills while it is made, and checks stay short
            lab_remove_db("krow.db");
            stored = 0;
        }
        int64_t last = lab_kill(learn_until_killed, &stored, kill_delay(i, &rng));
        Database *db = lab_open();
        int64_t now = check_all(db, &seen);
        for (int64_t j = 0; j < now; j++)
            assert_true(seen.seen[j]); // all before the last one
        assert_true(now >= stored && now > last);
        assert_true(last == -1 || now <= last + 2); // kept, but killed before it was reported
        stored = now;
        database_close(db);
    }
}

// Many patterns in one transaction: all are stored or none.
static int learn_many_until_killed(int report, void *context)
{
    static const Rules rules = {.width = 15, .height = 15, .k = 5, .p = 1, .q = 1};
    static Pattern patterns[100];
    int64_t first = *(const int64_t *)context;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    for (; status == STATUS_OK && first + 100 <= 1 << BITS; first += 100) {
        uint64_t kept = 0;
        for (int64_t i = 0; i < 100; i++)
            numbered((uint64_t)(first + i), &patterns[i]);
        status = database_learn_patterns(db, &(DatabaseLearned){"many", &rules, patterns, 100, 1}, &kept, &error);
        int64_t number = first + 100;
        if (status == STATUS_OK && (kept != 100 || write(report, &number, sizeof number) != sizeof number))
            return 2;
    }
    if (status == STATUS_OK)
        (void)pause();
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}

static void test_kills_of_imports(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Rng rng = rng_make(23);
    int64_t stored = 0;
    for (int64_t i = 0; i < lab_kills(KILLS) || stored == 0; i++) {
        if (i % 10 == 0) {
            lab_remove_db("krow.db");
            stored = 0;
        }
        int64_t last = lab_kill(learn_many_until_killed, &stored, kill_delay(i, &rng));
        database_close(lab_open());
        int64_t now = lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM patterns");
        assert_int_equal(now % 100, 0);
        assert_true(now >= stored && now >= last);
        assert_true(last == -1 || now <= last + 100);
        stored = now;
    }
}

// Patterns that do not fit leave no trace, and when there is room again the same connection goes on.
static void test_a_full_database(void **state)
{
    (void)state;
    static Pattern patterns[400];
    Database *db = lab_open();
    Rules rules = rules_of("gomoku");
    Error error = {0};
    uint64_t kept = 99;
    for (uint64_t i = 0; i < 400; i++)
        numbered(i, &patterns[i]);
    assert_done(learn_numbered(db, 0, &kept, &error), error);
    Query limit = query_prepare(db, "PRAGMA max_page_count = 36");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    assert_failed(database_learn_patterns(db, &(DatabaseLearned){"many", &rules, patterns, 400, 1}, &kept, &error),
                  STATUS_IO, error, "full");
    assert_int_equal(kept, 0);
    Seen seen;
    assert_int_equal(check_all(db, &seen), 1);
    limit = query_prepare(db, "PRAGMA max_page_count = 100000");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"many", &rules, patterns, 400, 1}, &kept, &error),
                error);
    assert_int_equal(kept, 399);
    database_close(db);
}

TEST_GROUP(database_patterns)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_learned),        LAB_TEST(test_known_ones),
        LAB_TEST(test_many_at_once),   LAB_TEST(test_refused),
        LAB_TEST(test_damaged),        LAB_TEST(test_sets),
        LAB_TEST(test_forgotten),      LAB_TEST(test_no_database),
        LAB_TEST(test_from_version_3), LAB_TEST(test_learning_while_walking),
        LAB_TEST(test_threads),        LAB_TEST(test_programs),
        LAB_TEST(test_kills),          LAB_TEST(test_kills_of_imports),
    };
    const struct CMUnitTest files[] = {LAB_TEST(test_a_full_database)};
    return LAB_RUN(tests, files);
}
