// Tests of verification in the database: draws, confirmations by others, quarantine, and what it makes invalid.
#include "store/db/jobs/database_verify.h"
#include "support/lab.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS = 64, LEASE = 3600000 };

static int64_t submit(Database *db)
{
    DatabaseRange all = {0, ITEMS};
    DatabaseJob job = {
        .work = JOB_SOLVE, .spec = "game", .openings = "", .build = "any", .unit = 1, .lease = LEASE, .verify = 0.25};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_job(db, &job, &(DatabaseJobUnits){&all, 1, NULL, 0}, &id, &error), error);
    return id;
}

static int64_t hire(Database *db, const char *label)
{
    DatabaseWorker worker = {.name = label, .label = label, .slots = 1, .build = "any"};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_worker(db, &worker, &id, &error), error);
    return id;
}

static DatabaseUnit claim(Database *db, int64_t worker, int64_t job)
{
    static uint64_t token;
    DatabaseClaim wanted = {.worker = worker, .job = job, .token = ++token, .most = 1};
    DatabaseUnit unit = {0};
    Error error = {0};
    assert_done(database_claim_unit(db, &wanted, &unit, &error), error);
    return unit;
}

static bool hand_in(Database *db, const DatabaseUnit *unit, const char *answer)
{
    const char *const answers[] = {answer};
    DatabaseUnitResult result = {.unit = *unit, .answers = answers, .count = 1};
    Error error = {0};
    assert_int_equal(unit->games, 1);
    assert_done(database_finish_unit(db, &result, NULL, NULL, &error), error);
    return result.was_accepted;
}

// Answers up to `most` units.
static unsigned answer(Database *db, int64_t worker, int64_t job, unsigned most)
{
    unsigned count = 0;
    for (DatabaseUnit unit; count < most && (unit = claim(db, worker, job)).id != 0; count++)
        assert_true(hand_in(db, &unit, "1 1"));
    return count;
}

static unsigned draw(Database *db, int64_t job, double share, uint64_t seed)
{
    Rng rng = rng_make(seed);
    unsigned drawn = 0;
    Error error = {0};
    assert_done(database_draw_units(db, job, share, &rng, &drawn, &error), error);
    return drawn;
}

static int64_t number(const char *text)
{
    char path[LAB_PATH_SIZE];
    return lab_sql(lab_db(path, "krow.db"), text);
}

static void quarantine(Database *db, const char *label)
{
    bool is_new = false;
    Error error = {0};
    assert_done(database_quarantine(db, label, "a test", &is_new, &error), error);
    assert_true(is_new);
}

static int64_t unsettled(Database *db, int64_t job)
{
    int64_t units = 0;
    Error error = {0};
    assert_done(database_count_unsettled(db, job, &units, &error), error);
    return units;
}

// Units escape independently of each other: ten false ones of all with the probability 0.75 to the power of ten.
static void test_sample(void **state)
{
    (void)state;
    enum { SEEDS = 200, FALSE_UNITS = 10 };
    Database *db = lab_open();
    int64_t job = submit(db), worker = hire(db, "one");
    assert_int_equal(answer(db, worker, job, ITEMS), ITEMS);
    int64_t chosen = 0, escaped = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        assert_int_equal(draw(db, job, 0.25, seed), ITEMS);
        assert_int_equal(draw(db, job, 0.25, seed), 0); // all were drawn
        chosen += number("SELECT count(*) FROM units WHERE verdict = 'pending'");
        escaped += number("SELECT count(*) FROM units WHERE verdict = 'pending' AND first_game < 10") == 0;
        (void)number("DELETE FROM units WHERE verifies IS NOT NULL");
        (void)number("UPDATE units SET verdict = NULL");
    }
    // Within four standard deviations of 3,200 and of 11.3.
    assert_in_range(chosen, 3200 - 196, 3200 + 196);
    assert_in_range(escaped, 1, 24);
    assert_int_equal(draw(db, job, 0, 1), ITEMS);
    assert_int_equal(unsettled(db, job), 0);
    database_close(db);
}

static void test_others_verify(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit(db), one = hire(db, "one"), same = hire(db, "one"), two = hire(db, "two"), next = 0;
    Error error = {0};
    assert_int_equal(answer(db, one, job, ITEMS), ITEMS);
    assert_done(database_close_jobs(db, &error), error);
    assert_int_equal(draw(db, job, 1, 1), ITEMS); // opens the job again
    assert_int_equal(unsettled(db, job), ITEMS);
    assert_int_equal(claim(db, one, job).id, 0);
    assert_int_equal(claim(db, same, job).id, 0);
    assert_done(database_next_job(db, same, 0, &next, &error), error);
    assert_int_equal(next, 0);
    assert_done(database_next_job(db, two, 0, &next, &error), error);
    assert_int_equal(next, job);
    DatabaseUnit unit = claim(db, two, job);
    assert_int_not_equal(unit.verifies, 0);
    DatabasePendingUnit pending = {0};
    assert_done(database_pending_unit(db, job, 0, &pending, &error), error);
    assert_int_equal(pending.id, 0);
    assert_true(hand_in(db, &unit, "2 2"));
    assert_done(database_pending_unit(db, job, 0, &pending, &error), error);
    assert_int_equal(pending.id, unit.verifies);
    assert_int_equal(pending.worker, one);
    assert_int_equal(number("SELECT count(*) FROM answers WHERE answer = '1 1'"), ITEMS);
    assert_done(database_agree(db, pending.id, &error), error);
    assert_int_equal(unsettled(db, job), ITEMS - 1);
    database_close(db);
}

static void test_quarantine(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit(db), one = hire(db, "one"), two = hire(db, "two");
    uint64_t games = 0;
    bool was_there = false;
    Error error = {0};
    assert_int_equal(answer(db, one, job, 10), 10);
    assert_int_equal(answer(db, two, job, 5), 5);
    assert_int_equal(draw(db, job, 1, 1), 15);
    // "two" confirms one unit of "one"; "one" confirms all of "two".
    DatabaseUnit check = claim(db, two, job);
    assert_true(hand_in(db, &check, "1 1"));
    assert_done(database_agree(db, check.verifies, &error), error);
    for (unsigned i = 0; i < 5; i++) {
        DatabaseUnit other = {0};
        do // its open questions first
            other = claim(db, one, job);
        while (other.verifies == 0 && hand_in(db, &other, "1 1"));
        assert_true(hand_in(db, &other, "1 1"));
        assert_done(database_agree(db, other.verifies, &error), error);
    }
    int64_t done = number("SELECT count(*) FROM units WHERE state = 'done' AND worker_id = 1 AND verifies IS NULL");
    DatabaseUnit held = claim(db, one, job);
    quarantine(db, "one");
    if (held.id != 0)
        assert_false(hand_in(db, &held, "1 1"));
    assert_int_equal(claim(db, one, job).id, 0);
    assert_done(database_invalidate(db, job, &games, &error), error);
    assert_int_equal(games, done - 1); // but what was confirmed stays
    assert_int_equal(number("SELECT count(*) FROM answers"), 6);
    assert_int_equal(number("SELECT count(*) FROM units WHERE verdict = 'again'"), 5);
    assert_done(database_invalidate(db, job, &games, &error), error);
    assert_int_equal(games, 0);
    assert_int_equal(draw(db, job, 0, 1), 5); // these are drawn whatever the share
    assert_int_equal(unsettled(db, job), 5);
    assert_int_equal(answer(db, two, job, ITEMS), ITEMS - 6);
    assert_done(database_lift_quarantine(db, "one", &was_there, &error), error);
    assert_true(was_there);
    assert_int_not_equal(claim(db, one, job).verifies, 0);
    database_close(db);
}

// A worker is known by its number: its label may have characters that cannot be shown or typed, or be missing.
static void test_strange_labels(void **state)
{
    (void)state;
    Database *db = lab_open();
    const char *const labels[] = {"\x1b]0;x\x07", "", NULL};
    int64_t job = submit(db);
    for (unsigned i = 0; i < 3; i++) {
        char label[DATABASE_LABEL_SIZE];
        bool is_new = false;
        Error error = {0};
        DatabaseWorker worker = {.name = "somebody", .label = labels[i], .slots = 1, .build = "any"};
        assert_done(database_add_worker(db, &worker, &worker.id, &error), error);
        assert_int_equal(answer(db, worker.id, job, 1), 1);
        assert_done(database_quarantine_worker(db, worker.id, "a test", label, &is_new, &error), error);
        assert_true(is_new);
        assert_null(strchr(label, '\x1b'));
        assert_int_equal(claim(db, worker.id, job).id, 0);
    }
    database_close(db);
}

// Without a worker that could verify, the unit is pending for the program that submitted the job.
static void test_take_over(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit(db), one = hire(db, "one"), two = 0;
    DatabasePendingUnit pending = {0};
    Error error = {0};
    assert_int_equal(answer(db, one, job, 1), 1);
    assert_int_equal(draw(db, job, 1, 1), 1);
    two = hire(db, "two");
    assert_done(database_take_over_units(db, job, &error), error);
    assert_done(database_pending_unit(db, job, 0, &pending, &error), error);
    assert_int_equal(pending.id, 0);
    assert_done(database_end_worker(db, two, &error), error);
    assert_done(database_take_over_units(db, job, &error), error);
    assert_done(database_pending_unit(db, job, 0, &pending, &error), error);
    assert_int_not_equal(pending.id, 0);
    // Its results are not all there: it is handed out again.
    assert_done(database_redo_unit(db, job, &pending, &error), error);
    assert_int_equal(number("SELECT count(*) FROM answers"), 0);
    assert_int_equal(answer(db, one, job, ITEMS), ITEMS);
    database_close(db);
}

TEST_GROUP(database_verify)
{
    const struct CMUnitTest both[] = {
        LAB_TEST(test_sample),         LAB_TEST(test_others_verify), LAB_TEST(test_quarantine),
        LAB_TEST(test_strange_labels), LAB_TEST(test_take_over),
    };
    return lab_run_tests("verification", both, sizeof both / sizeof both[0], NULL, 0);
}
