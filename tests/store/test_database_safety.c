// Tests of the database under threads, other programs, full disks and kill -9: everything reported as stored is stored,
// exactly once.
#include "base/rng.h"
#include "store/db/database_internal.h"
#include "support/lab.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4 };

// --- Threads ---

enum { GAMES_A_THREAD = 100, CONTESTED = 50 };

typedef struct {
    Database *db;
    int64_t match, contested; // matches: of own numbers, and of numbers that all threads want
    int64_t number;
    unsigned won;
    Status status;
    Error error;
} Worker;

static void *add_games(void *argument)
{
    Worker *worker = argument;
    Error refused;
    for (int64_t i = 0; i < GAMES_A_THREAD && worker->status == STATUS_OK; i++) {
        worker->status = lab_add(worker->db, worker->match, i * WORKERS + worker->number, &worker->error);
        if (i < CONTESTED)
            worker->won += lab_add(worker->db, worker->contested, i, &refused) == STATUS_OK;
    }
    return NULL;
}

// Readers at the same time see whole games and no more than there are.
static bool look_at(void *context, const DatabaseGame *game)
{
    (void)context;
    assert_true(game->record->count >= 5);
    return true;
}

static void read_meanwhile(Database *db)
{
    DatabaseResults results;
    Error error = {0};
    for (int i = 0; i < 5; i++) {
        assert_done(database_each_game(db, NULL, look_at, NULL, &error), error);
        assert_done(database_results(db, NULL, &results, &error), error);
        assert_true(results.agent_count <= 2);
        database_results_close(&results);
    }
}

static void test_threads(void **state)
{
    (void)state;
    Database *db = lab_open();
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    int64_t match = lab_begin(db, "tictactoe", "own"), contested = lab_begin(db, "tictactoe", "contested");
    unsigned won = 0;
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (Worker){.db = db, .match = match, .contested = contested, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, add_games, &workers[i]), 0);
    }
    read_meanwhile(db);
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_done(workers[i].status, workers[i].error);
        won += workers[i].won;
    }
    assert_int_equal(won, CONTESTED);
    assert_int_equal(lab_check_match(db, match), WORKERS * GAMES_A_THREAD);
    assert_int_equal(lab_check_match(db, contested), CONTESTED);
    database_close(db);
}

// --- Programs ---

// What a child does; its exit status reports success. No test library: a child must not run the tests' own exit.
static int add_as_another_program(int64_t number)
{
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    DatabaseMatch match = {.rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1}, .spec = "shared"};
    int64_t id = 0;
    Error error = {0};
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    if (status == STATUS_OK)
        status = database_begin_match(db, &match, &id, &error);
    for (int64_t i = 0; i < 25 && status == STATUS_OK; i++)
        status = lab_add(db, id, i, &error);
    database_close(db);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "program %d: %s\n", (int)number, error.text);
    return status == STATUS_OK ? 0 : 1;
}

// All create the same database at once: one creates the tables, none fails.
static void test_programs(void **state)
{
    (void)state;
    int start[2];
    pid_t children[WORKERS];
    assert_int_equal(pipe(start), 0);
    for (int i = 0; i < WORKERS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            char byte;
            (void)close(start[1]);
            _exit(read(start[0], &byte, 1) == 0 ? add_as_another_program(i) : 2);
        }
    }
    (void)close(start[0]);
    (void)close(start[1]);
    int failures = 0;
    for (int i = 0; i < WORKERS; i++) {
        int result = -1;
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        failures += result != 0;
    }
    assert_int_equal(failures, 0);
    Database *db = lab_open();
    for (int64_t match = 1; match <= WORKERS; match++)
        assert_int_equal(lab_check_match(db, match), 25);
    database_close(db);
}

// --- Places that cannot be written ---

static void test_a_folder_that_cannot_be_written(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a");
    assert_done(lab_add(db, match, 0, &error), error);
    database_close(db);
    assert_int_equal(chmod(lab_path(path, ""), 0555), 0);
    assert_int_equal(chmod(lab_db(path, "krow.db"), 0444), 0);
    bool is_root = geteuid() == 0; // whom no mode stops
    assert_true(!is_root || seteuid(65534) == 0);
    Status old = database_open(lab_db(path, "krow.db"), &db, &error);
    Error of_new = {0};
    Status new = database_open(lab_path(path, "new.db"), &db, &of_new);
    assert_true(!is_root || seteuid(0) == 0);
    assert_int_equal(chmod(lab_path(path, ""), 0755), 0);
    assert_failed(old, STATUS_IO, error, "krow.db");
    assert_failed(new, STATUS_IO, of_new, "cannot open the database");
    assert_int_equal(chmod(lab_db(path, "krow.db"), 0644), 0);
    db = lab_open();
    assert_int_equal(lab_check_match(db, match), 1);
    database_close(db);
}

// The database itself may not grow any more: a failed game leaves no trace, and when there is room again the same
// connection goes on.
static void test_a_full_database(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a"), added = 0;
    Query limit = query_prepare(db, "PRAGMA max_page_count = 40");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    while (lab_add(db, match, added, &error) == STATUS_OK)
        added++;
    assert_failed(error.status, STATUS_IO, error, "full");
    assert_true(added > 10);
    assert_int_equal(lab_check_match(db, match), added);
    limit = query_prepare(db, "PRAGMA max_page_count = 100000");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    for (int i = 0; i < 100; i++)
        assert_done(lab_add(db, match, added++, &error), error);
    assert_int_equal(lab_check_match(db, match), added);
    database_close(db);
}

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// No file may become longer than `bytes`: opening fails, or some game. Then there is room again.
static void fill_a_disk_of(rlim_t bytes)
{
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    DatabaseMatch begun = {.rules = rules_of("tictactoe"), .spec = "a"};
    Error error = {0};
    int64_t match = 0, added = 0;
    lab_remove_db("krow.db");
    limit_files(bytes);
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    if (status == STATUS_OK)
        status = database_begin_match(db, &begun, &match, &error);
    while (status == STATUS_OK && added < 100) {
        status = lab_add(db, match, added, &error);
        added += status == STATUS_OK;
    }
    limit_files(RLIM_INFINITY);
    if (status != STATUS_OK)
        assert_int_equal(status, STATUS_IO);
    // Even the connection to which it happened goes on, if there is one; another one sees the same.
    if (match != 0) {
        assert_int_equal(lab_check_match(db, match), added);
        assert_done(lab_add(db, match, added++, &error), error);
    }
    database_close(db);
    db = lab_open();
    assert_int_equal(match != 0 ? lab_check_match(db, match) : 0, added);
    database_close(db);
}

static void test_a_full_disk(void **state)
{
    (void)state;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    for (rlim_t bytes = 0; bytes < 400000; bytes += bytes < 100000 ? 2500 : 30000)
        fill_a_disk_of(bytes);
    (void)signal(SIGXFSZ, old);
}

// --- kill -9 ---

// A child that goes on with the match, or begins it, and reports each number after the game was stored.
static bool count_score(void *context, const DatabaseScore *score)
{
    (void)score;
    ++*(int64_t *)context;
    return true;
}

static int add_until_killed(int report, void *context)
{
    (void)context;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    DatabaseMatch match = {.rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1}, .spec = "killed"};
    int64_t id = 0, count = 0;
    Error error = {0};
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    if (status == STATUS_OK)
        status = database_find_match(db, match.spec, &id, &error);
    if (status == STATUS_OK && id == 0)
        status = database_begin_match(db, &match, &id, &error);
    if (status == STATUS_OK)
        status = database_each_score(db, id, count_score, &count, &error);
    for (int64_t number = count; status == STATUS_OK; number++) {
        status = lab_add_counted(db, id, number, &error);
        if (status == STATUS_OK && write(report, &number, sizeof number) != sizeof number)
            return 2;
    }
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}

static void test_kills(void **state)
{
    (void)state;
    Rng rng = rng_make(20);
    int64_t kills = lab_kills(10), stored = 0, total = 0;
    for (int64_t i = 0; i < kills || total == 0; i++) { // on slow machines until there was something to lose
        double most = 0.08 + (double)i / 500;
        if (i % 10 == 0) { // a new one now and then: kills while it is made, and checks stay short
            lab_remove_db("krow.db");
            stored = 0;
        }
        int64_t last = lab_kill(add_until_killed, NULL, most * rng_below(&rng, 1000) / 1000);
        Database *db = lab_open();
        int64_t match = 0;
        Error error = {0};
        assert_done(database_find_match(db, "killed", &match, &error), error);
        int64_t now = match != 0 ? lab_check_match(db, match) : 0;
        // Every game with all that was counted in it.
        Query odd = query_prepare(db, "SELECT count(*) FROM games g WHERE (SELECT count(*) FROM game_counts c"
                                      " WHERE c.game_id = g.id) <> 3");
        assert_true(query_row(&odd));
        assert_int_equal(query_int(&odd, 0), 0);
        assert_done(query_end(&odd, &error), error);
        assert_true(now >= stored && now > last);
        assert_true(last == -1 || now <= last + 2); // stored, but killed before it was reported
        total += now - stored;
        stored = now;
        database_close(db);
    }
}

TEST_GROUP(database_safety)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_threads),
        LAB_TEST(test_programs),
        LAB_TEST(test_kills),
    };
    const struct CMUnitTest files[] = {
        LAB_TEST(test_a_folder_that_cannot_be_written),
        LAB_TEST(test_a_full_database),
        LAB_TEST(test_a_full_disk),
    };
    return LAB_RUN(tests, files);
}
