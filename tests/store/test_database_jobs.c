// Tests of jobs and units: every game is stored exactly once, even if workers are lost. The tests end leases explicitly
// instead of waiting.
#include "store/db/jobs/database_jobs.h"
#include "support/lab.h"

#include <stdio.h>
#include <string.h>

enum { GAMES = 20, LEASE = 3600000 };

static int64_t submit_job(Database *db, unsigned games, unsigned unit)
{
    static const char *const agents[] = {"random", "adjacent"};
    DatabaseRange all = {0, games};
    DatabaseJob job = {.match = lab_begin(db, "tictactoe", "spec"),
                       .spec = "game tictactoe\n",
                       .openings = "",
                       .build = "this one",
                       .unit = unit,
                       .lease = LEASE};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_job(db, &job, &(DatabaseJobUnits){&all, 1, agents, 2}, &id, &error), error);
    assert_true(id > 0);
    return id;
}

static int64_t hire(Database *db)
{
    DatabaseWorker worker = {.name = "somebody", .slots = 1, .build = "this one"};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_worker(db, &worker, &id, &error), error);
    return id;
}

static DatabaseUnit claim(Database *db, int64_t worker, int64_t job, uint64_t token)
{
    DatabaseClaim wanted = {.worker = worker, .job = job, .token = token, .most = 4};
    DatabaseUnit unit = {0};
    Error error = {0};
    assert_done(database_claim_unit(db, &wanted, &unit, &error), error);
    return unit;
}

// Submits the first `count` games; returns whether they were accepted.
static bool hand_in(Database *db, int64_t match, const DatabaseUnit *unit, unsigned count, const char *failure,
                    const DatabaseClaim *next_claim, DatabaseUnit *next)
{
    GameRecord records[GAMES] = {0};
    DatabaseGame games[GAMES] = {0};
    for (unsigned i = 0; i < count; i++) {
        lab_record(&records[i], unit->first + i);
        games[i] = (DatabaseGame){.match = match,
                                  .number = unit->first + i,
                                  .seed = unit->first + i,
                                  .first = "random",
                                  .second = "adjacent",
                                  .record = &records[i]};
    }
    DatabaseUnitResult result = {.unit = *unit, .games = games, .count = count, .failure = failure};
    Error error = {0};
    assert_done(database_finish_unit(db, &result, next_claim, next, &error), error);
    for (unsigned i = 0; i < count; i++)
        record_close(&records[i]);
    return result.was_accepted;
}

typedef struct {
    DatabaseJob job;
    char reason[100];
} Seen;

static bool take(void *context, const DatabaseJob *job)
{
    Seen *seen = context;
    seen->job = *job;
    (void)snprintf(seen->reason, sizeof seen->reason, "%s", job->reason != NULL ? job->reason : "");
    return true;
}

static Seen see(Database *db, int64_t id)
{
    Seen seen = {0};
    Error error = {0};
    assert_done(database_read_job(db, id, take, &seen, &error), error);
    assert_int_equal(seen.job.id, id);
    return seen;
}

static void sql(const char *text)
{
    char path[LAB_PATH_SIZE];
    (void)lab_sql(lab_db(path, "krow.db"), text);
}

static void beat(Database *db, int64_t worker, DatabaseBeat *beats, size_t count)
{
    DatabaseWorker about = {.id = worker, .words = ""};
    Error error = {0};
    assert_done(database_beat(db, &about, beats, count, &error), error);
}

static void change(Database *db, int64_t job, JobChange what)
{
    Error error = {0};
    assert_done(database_change_job(db, job, what, &error), error);
}

static void test_every_game_once(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, GAMES, 0), worker = hire(db), match = see(db, job).job.match;
    bool seen[GAMES] = {0};
    unsigned count = 0, units = 0;
    DatabaseUnit unit = claim(db, worker, job, 1), next = {0};
    for (uint64_t token = 2; unit.id != 0; token++, units++) {
        assert_true(unit.games >= 1 && unit.games <= 4 && unit.first + unit.games <= GAMES);
        for (unsigned i = unit.first; i < unit.first + unit.games; i++, count++) {
            assert_false(seen[i]);
            seen[i] = true;
        }
        DatabaseClaim wanted = {.worker = worker, .job = job, .token = token, .most = 4};
        assert_true(hand_in(db, match, &unit, unit.games, NULL, &wanted, &next));
        unit = next;
    }
    assert_int_equal(count, GAMES);
    Error error = {0};
    assert_int_equal(see(db, job).job.state, JOB_OPEN);
    assert_done(database_close_jobs(db, &error), error);
    Seen end = see(db, job);
    assert_int_equal(end.job.state, JOB_DONE);
    assert_int_equal(end.job.done, GAMES);
    assert_int_equal(end.job.units, units);
    assert_int_equal(lab_check_match(db, match), GAMES);
    database_close(db);
}

static void test_late_results(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 2, 1), slow = hire(db), quick = hire(db), match = see(db, job).job.match;
    DatabaseUnit lost = claim(db, slow, job, 1);
    assert_int_equal(lost.games, 2);
    assert_int_equal(claim(db, quick, job, 2).id, 0);
    sql("UPDATE units SET expires = 0");
    beat(db, quick, NULL, 0);
    DatabaseUnit taken = claim(db, quick, job, 3);
    assert_int_equal(taken.id, lost.id);
    assert_false(hand_in(db, match, &lost, 2, NULL, NULL, NULL));
    assert_int_equal(lab_count(db, &(DatabaseFilter){.match = match}), 0);
    assert_true(hand_in(db, match, &taken, 2, NULL, NULL, NULL));
    // Repeated as after a lost reply: no fault, and nothing is stored twice.
    assert_true(hand_in(db, match, &taken, 2, NULL, NULL, NULL));
    assert_false(hand_in(db, match, &lost, 2, NULL, NULL, NULL));
    assert_int_equal(lab_check_match(db, match), 2);
    assert_int_equal(see(db, job).job.failures, 1);
    assert_string_equal(see(db, job).reason, "lost by worker somebody");
    database_close(db);
}

static void test_idle_worker_loses_its_lease(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 2, 1), worker = hire(db);
    DatabaseBeat beats[1] = {{.unit = claim(db, worker, job, 1), .progress = 5}};
    sql("UPDATE units SET expires = 0");
    beat(db, worker, beats, 1); // turns were played: it lasts longer
    assert_false(beats[0].is_lost);
    sql("UPDATE units SET expires = 0");
    beat(db, worker, beats, 1); // none since: the beat itself takes it away
    beat(db, worker, beats, 1);
    assert_true(beats[0].is_lost);
    database_close(db);
}

static void test_lost_answer(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, GAMES, 0), worker = hire(db);
    DatabaseUnit first = claim(db, worker, job, 1);
    DatabaseClaim again = {.worker = worker, .job = job, .token = 1, .most = 4, .was_asked = true};
    DatabaseUnit unit = {0};
    Error error = {0};
    assert_done(database_claim_unit(db, &again, &unit, &error), error);
    assert_int_equal(unit.id, first.id);
    assert_int_equal(unit.first, first.first);
    assert_int_equal(see(db, job).job.held, first.games);
    database_close(db);
}

static void test_part_is_kept(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 6, 3), worker = hire(db), match = see(db, job).job.match;
    // Cut into ranges of two at first, so three pairs at once are only asked for.
    DatabaseUnit unit = claim(db, worker, job, 1);
    assert_int_equal(unit.games, 2);
    assert_true(hand_in(db, match, &unit, 1, NULL, NULL, NULL));
    Seen seen = see(db, job);
    assert_int_equal(seen.job.done, 1);
    assert_int_equal(seen.job.games, 6);
    assert_int_equal(seen.job.failures, 0);
    unit = claim(db, worker, job, 2);
    assert_int_equal(unit.first, 1);
    assert_true(hand_in(db, match, &unit, 0, NULL, NULL, NULL)); // returned whole
    assert_int_equal(claim(db, worker, job, 3).first, 1);
    database_close(db);
}

static void test_set_aside(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 4, 1), worker = hire(db), match = see(db, job).job.match;
    Error error = {0};
    unsigned failures = 0;
    uint64_t token = 1;
    for (DatabaseUnit unit; (unit = claim(db, worker, job, token++)).id != 0; failures++) {
        if (unit.first > 0) {
            assert_true(hand_in(db, match, &unit, 2, NULL, NULL, NULL));
            break;
        }
        assert_true(hand_in(db, match, &unit, 0, "no such engine", NULL, NULL));
    }
    assert_int_equal(failures, 5);
    assert_done(database_close_jobs(db, &error), error);
    Seen seen = see(db, job);
    assert_int_equal(seen.job.state, JOB_DONE);
    assert_int_equal(seen.job.done, 2);
    assert_int_equal(seen.job.aside, 2);
    assert_string_equal(seen.reason, "no such engine");
    change(db, job, JOB_RETRY);
    assert_int_equal(see(db, job).job.state, JOB_OPEN);
    DatabaseUnit unit = claim(db, worker, job, token);
    assert_true(hand_in(db, match, &unit, 2, NULL, NULL, NULL));
    assert_int_equal(lab_check_match(db, match), 4);
    assert_int_not_equal(database_change_job(db, job, JOB_RETRY, &error), STATUS_OK);
    database_close(db);
}

// A unit that was lost is cut into pairs: that is one failure, not one for each pair.
static void test_failures_are_counted_once(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 640, 5), worker = hire(db), match = see(db, job).job.match;
    sql("UPDATE units SET state = 'dropped' WHERE first_game > 0");
    DatabaseUnit unit = claim(db, worker, job, 1);
    assert_int_equal(unit.games, 10);
    sql("UPDATE units SET expires = 0");
    beat(db, worker, NULL, 0);
    for (uint64_t token = 2; token < 5; token++) {
        unit = claim(db, worker, job, token);
        assert_int_equal(unit.games, 2);
        assert_true(hand_in(db, match, &unit, 2, NULL, NULL, NULL));
    }
    assert_int_equal(see(db, job).job.failures, 1);
    // One that fails after its first game is one more, and stays one when it is tried again.
    unit = claim(db, worker, job, 5);
    assert_true(hand_in(db, match, &unit, 1, "no such engine", NULL, NULL));
    assert_int_equal(see(db, job).job.failures, 2);
    change(db, job, JOB_CANCEL);
    change(db, job, JOB_RETRY);
    assert_int_equal(see(db, job).job.failures, 2);
    database_close(db);
}

static void test_steering(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 8, 1), worker = hire(db), match = see(db, job).job.match;
    Error error = {0};
    DatabaseUnit held = claim(db, worker, job, 1);
    change(db, job, JOB_PAUSE);
    assert_int_equal(claim(db, worker, job, 2).id, 0);
    int64_t id = 0;
    assert_done(database_next_job(db, 0, 0, &id, &error), error);
    assert_int_equal(id, 0);
    assert_int_not_equal(database_change_job(db, job, JOB_PAUSE, &error), STATUS_OK);
    assert_non_null(strstr(error.text, "cannot be paused"));
    change(db, job, JOB_CONTINUE);
    assert_done(database_next_job(db, 0, 0, &id, &error), error);
    assert_int_equal(id, job);
    assert_true(hand_in(db, match, &held, 2, NULL, NULL, NULL));
    held = claim(db, worker, job, 3);
    change(db, job, JOB_CANCEL);
    assert_false(hand_in(db, match, &held, 2, NULL, NULL, NULL));
    DatabaseBeat beats[1] = {{.unit = held, .progress = 5}};
    beat(db, worker, beats, 1);
    assert_true(beats[0].is_lost);
    assert_int_equal(see(db, job).job.state, JOB_CANCELLED);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.match = match}), 2);
    change(db, job, JOB_RETRY);
    for (uint64_t token = 4; (held = claim(db, worker, job, token)).id != 0; token++)
        assert_true(hand_in(db, match, &held, held.games, NULL, NULL, NULL));
    assert_int_equal(lab_check_match(db, match), 8);
    database_close(db);
}

static void test_one_job_a_match(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 2, 0), other = 0;
    DatabaseJob again = {.match = see(db, job).job.match, .spec = "", .openings = "", .build = "", .lease = LEASE};
    DatabaseRange all = {0, 2};
    Error error = {0};
    assert_int_equal(database_add_job(db, &again, &(DatabaseJobUnits){&all, 1, NULL, 0}, &other, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "unfinished job"));
    assert_done(database_find_job(db, again.match, &other, &error), error);
    assert_int_equal(other, job);
    database_close(db);
}

// Units are large while much is left, and small towards the end.
static void test_sizes(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 6400, 0), worker = hire(db);
    DatabaseClaim wanted = {.worker = worker, .job = job, .token = 1, .most = 50};
    DatabaseUnit unit = {0};
    Error error = {0};
    assert_done(database_claim_unit(db, &wanted, &unit, &error), error);
    assert_int_equal(unit.games, 50);
    sql("UPDATE units SET state = 'dropped' WHERE first_game > 100");
    wanted.token = 2;
    assert_done(database_claim_unit(db, &wanted, &unit, &error), error);
    assert_true(unit.games < 40);
    database_close(db);
}

// --- Questions that are no games ---

static int64_t submit_questions(Database *db, unsigned count, unsigned unit, const char *spec)
{
    DatabaseRange all = {0, count};
    DatabaseJob job = {.work = JOB_SOLVE,
                       .title = "solve tictactoe",
                       .spec = spec,
                       .openings = "a1\n\n",
                       .build = "this one",
                       .unit = unit,
                       .lease = LEASE};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_add_job(db, &job, &(DatabaseJobUnits){&all, 1, NULL, 0}, &id, &error), error);
    return id;
}

// Answers are the numbers of the questions and a word that identifies the attempt.
static bool hand_in_answers(Database *db, const DatabaseUnit *unit, unsigned count, const char *failure,
                            const char *word)
{
    char texts[GAMES][40];
    const char *answers[GAMES];
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(texts[i], sizeof texts[i], "%u %s", unit->first + i, word);
        answers[i] = texts[i];
    }
    DatabaseUnitResult result = {.unit = *unit, .answers = answers, .count = count, .failure = failure};
    Error error = {0};
    assert_done(database_finish_unit(db, &result, NULL, NULL, &error), error);
    return result.was_accepted;
}

typedef struct {
    unsigned count, numbers[GAMES];
    char answers[GAMES][40];
} Answers;

static bool take_answer(void *context, unsigned number, const char *answer)
{
    Answers *answers = context;
    answers->numbers[answers->count] = number;
    (void)snprintf(answers->answers[answers->count++], sizeof answers->answers[0], "%s", answer);
    return true;
}

static Answers answers_of(Database *db, int64_t job, unsigned from, unsigned most)
{
    Answers answers = {0};
    Error error = {0};
    assert_done(database_each_answer_from(db, &(DatabaseAnswerRange){job, from, most}, take_answer, &answers, &error),
                error);
    return answers;
}

static void test_every_question_once(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_questions(db, GAMES, 3, "spec"), other = submit_questions(db, 1, 0, "spec"), worker = hire(db);
    uint64_t token = 1;
    for (DatabaseUnit unit; (unit = claim(db, worker, job, token++)).id != 0;) {
        assert_int_equal(unit.games, 1); // as they were cut at first
        assert_true(hand_in_answers(db, &unit, unit.games, NULL, "found"));
        // Once more, as after an answer that was lost.
        assert_true(hand_in_answers(db, &unit, unit.games, NULL, "again"));
    }
    Answers all = answers_of(db, job, 0, GAMES);
    assert_int_equal(all.count, GAMES);
    for (unsigned i = 0; i < GAMES; i++) {
        char text[40];
        (void)snprintf(text, sizeof text, "%u found", i);
        assert_int_equal(all.numbers[i], i);
        assert_string_equal(all.answers[i], text);
    }
    Answers some = answers_of(db, job, 5, 2);
    assert_int_equal(some.count, 2);
    assert_int_equal(some.numbers[0], 5);
    assert_int_equal(answers_of(db, other, 0, GAMES).count, 0);
    Error error = {0};
    assert_done(database_close_jobs(db, &error), error);
    Seen seen = see(db, job);
    assert_int_equal(seen.job.state, JOB_DONE);
    assert_int_equal(seen.job.work, JOB_SOLVE);
    assert_int_equal(seen.job.match, 0);
    assert_int_equal(seen.job.done, GAMES);
    assert_int_equal(see(db, other).job.state, JOB_OPEN);
    database_close(db);
}

static void test_late_answers(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_questions(db, 1, 0, "spec"), slow = hire(db), quick = hire(db);
    DatabaseUnit lost = claim(db, slow, job, 1);
    sql("UPDATE units SET expires = 0");
    beat(db, quick, NULL, 0);
    DatabaseUnit taken = claim(db, quick, job, 2);
    assert_int_equal(taken.id, lost.id);
    assert_false(hand_in_answers(db, &lost, 1, NULL, "late"));
    assert_int_equal(answers_of(db, job, 0, GAMES).count, 0);
    assert_true(hand_in_answers(db, &taken, 1, NULL, "good"));
    assert_false(hand_in_answers(db, &lost, 1, NULL, "late"));
    assert_string_equal(answers_of(db, job, 0, GAMES).answers[0], "0 good");
    database_close(db);
}

// One question fails in the middle of a unit: those before are kept, those behind are answered by themselves.
static void test_a_question_set_aside(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_questions(db, 640, 6, "spec"), worker = hire(db);
    sql("UPDATE units SET state = 'dropped' WHERE first_game > 10"); // the first eleven are one range
    Error error = {0};
    unsigned failures = 0;
    uint64_t token = 1;
    for (DatabaseUnit unit; (unit = claim(db, worker, job, token)).id != 0; token++) {
        assert_true(unit.games == (token == 1 ? 6 : 1) || unit.first > 3);
        bool fails = unit.first <= 3 && unit.first + unit.games > 3;
        failures += fails;
        assert_true(hand_in_answers(db, &unit, fails ? 3 - unit.first : unit.games, fails ? "too hard" : NULL, ""));
    }
    assert_int_equal(failures, 5);
    assert_done(database_close_jobs(db, &error), error);
    Seen seen = see(db, job);
    assert_int_equal(seen.job.aside, 1);
    assert_int_equal(seen.job.done, 10);
    assert_string_equal(seen.reason, "too hard");
    Answers answers = answers_of(db, job, 0, GAMES);
    assert_int_equal(answers.count, 10);
    assert_int_equal(answers.numbers[2], 2);
    assert_int_equal(answers.numbers[3], 4);
    change(db, job, JOB_RETRY);
    assert_int_equal(claim(db, worker, job, token).first, 3);
    database_close(db);
}

static bool take_texts(void *context, const DatabaseJob *job)
{
    assert_string_equal(job->title, "solve tictactoe");
    *(bool *)context = job->openings != NULL;
    if (job->openings != NULL)
        assert_string_equal(job->openings, "a1\n\n");
    return true;
}

static void test_the_same_job_is_found(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    bool has_openings = false;
    DatabaseJob like = {.work = JOB_SOLVE, .spec = "one", .openings = "a1\n\n", .build = "this one"};
    int64_t first = submit_questions(db, 2, 0, "one"), other = submit_questions(db, 2, 0, "other"), id = 0;
    assert_done(database_find_same_job(db, &like, &id, &error), error);
    assert_int_equal(id, first);
    int64_t newest = submit_questions(db, 2, 0, "one");
    change(db, newest, JOB_CANCEL);
    assert_done(database_find_same_job(db, &like, &id, &error), error);
    assert_int_equal(id, newest);
    for (int i = 0; i < 4; i++) {
        DatabaseJob different = like;
        different.work = i == 0 ? JOB_PAPER : JOB_SOLVE;
        different.spec = i == 1 ? "ones" : "one";
        different.openings = i == 2 ? "a1\n" : different.openings;
        different.build = i == 3 ? "another" : different.build;
        assert_done(database_find_same_job(db, &different, &id, &error), error);
        assert_int_equal(id, 0);
    }
    assert_done(database_read_job(db, other, take_texts, &has_openings, &error), error);
    assert_true(has_openings);
    assert_done(database_look_at_job(db, other, take_texts, &has_openings, &error), error);
    assert_false(has_openings);
    database_close(db);
}

static int64_t open_units(void)
{
    char path[LAB_PATH_SIZE];
    return lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM units WHERE state = 'open'");
}

// Where slots are many the open units become more, so that no slot finds all of them locked; no game is lost by that.
static void test_open_units_are_split(void **state)
{
    (void)state;
    enum { MANY = 2600 };
    Database *db = lab_open();
    DatabaseWorker fleet = {.name = "many", .slots = 400, .build = "this one"};
    int64_t job = submit_job(db, MANY, 0), worker = 0;
    bool seen[MANY] = {0};
    unsigned count = 0;
    int64_t first_open = open_units(), most_open = 0;
    Error error = {0};
    assert_done(database_add_worker(db, &fleet, &worker, &error), error);
    for (uint64_t token = 1;; token++) {
        DatabaseClaim wanted = {.worker = worker, .job = job, .token = token, .most = 4, .slots = token % 2 ? 0 : 400};
        DatabaseUnit unit = {0};
        assert_done(database_claim_unit(db, &wanted, &unit, &error), error);
        if (unit.id == 0)
            break;
        assert_int_equal(unit.slots, 400); // counted, or as it was said
        for (unsigned i = unit.first; i < unit.first + unit.games; i++, count++) {
            assert_true(i < MANY && !seen[i]);
            seen[i] = true;
        }
        if (token < 10 && open_units() > most_open)
            most_open = open_units();
    }
    assert_int_equal(count, MANY);
    assert_true(most_open > first_open);
    database_close(db);
}

static void test_state_alone(void **state)
{
    (void)state;
    Database *db = lab_open();
    int64_t job = submit_job(db, 2, 0);
    JobState found_state = JOB_DONE;
    bool found = false;
    Error error = {0};
    assert_done(database_job_state(db, job, &found_state, &found, &error), error);
    assert_true(found && found_state == JOB_OPEN);
    change(db, job, JOB_CANCEL);
    assert_done(database_job_state(db, job, &found_state, &found, &error), error);
    assert_true(found && found_state == JOB_CANCELLED);
    assert_done(database_job_state(db, job + 1, &found_state, &found, &error), error);
    assert_false(found);
    database_close(db);
}

TEST_GROUP(database_jobs)
{
    const struct CMUnitTest both[] = {
        LAB_TEST(test_every_game_once),
        LAB_TEST(test_late_results),
        LAB_TEST(test_idle_worker_loses_its_lease),
        LAB_TEST(test_lost_answer),
        LAB_TEST(test_part_is_kept),
        LAB_TEST(test_set_aside),
        LAB_TEST(test_failures_are_counted_once),
        LAB_TEST(test_steering),
        LAB_TEST(test_one_job_a_match),
        LAB_TEST(test_sizes),
        LAB_TEST(test_every_question_once),
        LAB_TEST(test_late_answers),
        LAB_TEST(test_a_question_set_aside),
        LAB_TEST(test_the_same_job_is_found),
        LAB_TEST(test_open_units_are_split),
        LAB_TEST(test_state_alone),
    };
    return lab_run_tests("jobs", both, sizeof both / sizeof both[0], NULL, 0);
}
