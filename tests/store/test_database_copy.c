// Tests of database copies, on a server also between both engines: complete, interrupted, killed, and to a target that
// is not empty.
#include "base/rng.h"
#include "store/db/database_books.h"
#include "store/db/database_copy.h"
#include "store/db/database_patterns.h"
#include "store/db/database_tables_internal.h"
#include "store/db/jobs/database_verify.h"
#include "support/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 2300, TABLES_MAX = 64 };

// --- Something of everything ---

static void learn(Database *db, const char *text, uint64_t kept)
{
    Error error = {0};
    Pattern pattern;
    Rules rules = rules_of("gomoku");
    uint64_t count = 0;
    assert_done(pattern_parse(span_of(text), 1, &pattern, &error), error);
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"set", &rules, &pattern, 1, 5}, &count, &error), error);
    assert_int_equal(count, kept);
}

// Games by one import, which is quick, and some of a match with openings and counts.
static void add_games(Database *db, unsigned count)
{
    Error error = {0};
    GameRecord *records = calloc(count, sizeof *records);
    assert_non_null(records);
    for (unsigned i = 0; i < count; i++) {
        lab_record(&records[i], i);
        (void)snprintf(records[i].event, sizeof records[i].event, "round %u \xc3\xa9 '\t\\", i);
    }
    DatabaseImport import = {.source = "a file"};
    assert_done(database_import(db, &import, records, count, &error), error);
    database_import_close(&import);
    int64_t match = lab_begin(db, "tictactoe", "a match");
    DatabaseGame game = {.match = match, .number = INT64_MAX, .opening = 2, .seed = UINT64_MAX, .record = &records[0]};
    assert_done(database_add_game(db, &game, &error), error);
    for (int64_t i = 0; i < 20; i++)
        assert_done(lab_add_counted(db, match, i, &error), error);
    for (unsigned i = 0; i < count; i++)
        record_close(&records[i]);
    free(records);
}

// A job with a claimed unit and open units.
static void submit_job(Database *db)
{
    DatabaseJob job = {.match = 1, .spec = "game", .openings = "", .build = "any", .lease = 1000};
    DatabaseWorker worker = {.name = "somebody", .slots = 2, .build = "any"};
    DatabaseClaim claim = {.token = UINT64_MAX - 1, .most = 2};
    DatabaseUnit unit;
    Error error = {0};
    assert_done(
        database_add_job(db, &job, &(DatabaseJobUnits){&(DatabaseRange){100, 6}, 1, NULL, 0}, &claim.job, &error),
        error);
    assert_done(database_add_worker(db, &worker, &claim.worker, &error), error);
    assert_done(database_claim_unit(db, &claim, &unit, &error), error);
    assert_true(unit.id != 0);
}

// Questions of which one is answered, with what a text can have in it.
static void submit_questions(Database *db)
{
    DatabaseJob job = {.work = JOB_SOLVE, .spec = "game", .openings = "\n1\n", .build = "any", .lease = 1000};
    DatabaseClaim claim = {.worker = 1, .token = 7, .most = 1};
    static const char *const answers[] = {"-3 \xc3\xa9 '\t\\"};
    DatabaseUnitResult result = {.answers = answers, .count = 1};
    Error error = {0};
    assert_done(database_add_job(db, &job, &(DatabaseJobUnits){&(DatabaseRange){0, 2}, 1, NULL, 0}, &claim.job, &error),
                error);
    assert_done(database_claim_unit(db, &claim, &result.unit, &error), error);
    assert_done(database_finish_unit(db, &result, NULL, NULL, &error), error);
    assert_true(result.was_accepted);
}

// The answer is computed again by another worker; a third one is in quarantine.
static void verify_questions(Database *db)
{
    DatabaseWorker worker = {.name = "another", .label = "another", .slots = 1, .build = "any"};
    DatabaseClaim claim = {.job = 2, .token = 8, .most = 1};
    static const char *const answers[] = {"-3 \xc3\xa9 '\t\\"};
    DatabaseUnitResult result = {.answers = answers, .count = 1};
    Rng rng = rng_make(1);
    unsigned drawn = 0;
    bool is_new = false;
    Error error = {0};
    assert_done(database_draw_units(db, claim.job, 1, &rng, &drawn, &error), error);
    assert_int_equal(drawn, 1);
    assert_done(database_add_worker(db, &worker, &claim.worker, &error), error);
    assert_done(database_claim_unit(db, &claim, &result.unit, &error), error);
    assert_int_not_equal(result.unit.verifies, 0);
    assert_done(database_finish_unit(db, &result, NULL, NULL, &error), error);
    assert_true(result.was_accepted);
    assert_done(database_quarantine(db, "a third", "a test", &is_new, &error), error);
    assert_true(is_new);
}

static void fill(const char *where, unsigned games)
{
    Database *db = NULL;
    Error error = {0};
    assert_done(database_open(where, &db, &error), error);
    add_games(db, games);
    const DatabaseRating ratings[] = {{.agent = "one", .rating = 12.5, .error = INFINITY, .games = 3},
                                      {.agent = "two", .rating = -0.0, .error = 1e-300, .games = 3}};
    assert_done(database_save_ratings(db, &(DatabaseRatingList){.name = "list", .computed = 7}, ratings, 2, &error),
                error);
    BookGraph graph = {.spec = {.name = "book", .encoding = ENCODING_ABSOLUTE, .turns = 3}};
    graph.spec.rules = rules_of("tictactoe");
    const Cell stones[] = {0, 1, 65, 130};
    for (unsigned i = 1; i <= 4; i++)
        assert_done(book_graph_add(&graph, stones, i, (BookCounts){1, 0, 0}, &error), error);
    book_graph_sort(&graph);
    assert_done(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 9, &error), error);
    book_graph_close(&graph);
    // The last pattern is forgotten: its number must not be given again, in the copy neither.
    learn(db, "xxxxx", 1);
    learn(db, ".xxxx.", 1);
    uint64_t forgotten = 0;
    Rules gomoku = rules_of("gomoku");
    DatabaseForget last = {"set", &gomoku, {.number = 2, .tier = -1}};
    assert_done(database_forget_patterns(db, &last, &forgotten, &error), error);
    assert_int_equal(forgotten, 1);
    submit_job(db);
    submit_questions(db);
    verify_questions(db);
    database_close(db);
}

// --- Comparing ---

typedef struct {
    DatabaseTable list[TABLES_MAX];
    unsigned count;
} Tables;

static bool take_table(void *context, const DatabaseTable *table)
{
    Tables *tables = context;
    tables->list[tables->count++] = *table;
    return true;
}

static Tables tables_of(const char *where)
{
    Tables tables = {0};
    Database *db = NULL;
    Error error = {0};
    assert_done(database_open(where, &db, &error), error);
    assert_done(database_check(db, &error), error);
    assert_done(database_each_table(db, true, take_table, &tables, &error), error);
    database_close(db);
    assert_int_equal(tables.count, store_table_count);
    return tables;
}

static void assert_same(const Tables *a, const Tables *b)
{
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i < a->count; i++) {
        assert_string_equal(a->list[i].name, b->list[i].name);
        assert_int_equal(a->list[i].rows, b->list[i].rows);
        assert_true(a->list[i].checksum == b->list[i].checksum);
    }
}

static Status copy_plainly(const char *from, const char *to, bool is_fresh, Error *error)
{
    Tables reported = {0};
    Status status = database_copy(
        from, to, &(DatabaseCopy){.is_fresh = is_fresh, .take_table = take_table, .context = &reported}, error);
    assert_int_equal(reported.count, status == STATUS_OK ? store_table_count : 0);
    return status;
}

// --- Whole copies ---

static bool take_number(void *context, const DatabasePattern *pattern)
{
    *(int64_t *)context = pattern->number;
    return true;
}

// Data added to a copy gets new numbers.
static void assert_goes_on(const char *where)
{
    Database *db = NULL;
    Error error = {0};
    Rules gomoku = rules_of("gomoku");
    int64_t number = 0;
    assert_done(database_open(where, &db, &error), error);
    int64_t match = lab_begin(db, "tictactoe", "another");
    assert_int_equal(match, 2);
    assert_done(lab_add_counted(db, match, 0, &error), error);
    learn(db, "x-x-x/.-.-./x-x-x", 1);
    assert_done(database_each_pattern(db, &(AgentPatternRange){"set", &gomoku, 0}, take_number, &number, &error),
                error);
    assert_int_equal(number, 3);
    assert_done(database_check(db, &error), error);
    database_close(db);
}

static void test_there_and_back(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE], back[LAB_PATH_SIZE];
    Error error = {0};
    fill(lab_path(from, "from.db"), GAMES);
    Tables source = tables_of(from);
    for (unsigned i = 0; i < source.count; i++)
        assert_true(source.list[i].rows > 0); // something of everything
    assert_done(copy_plainly(from, lab_db(to, "to.db"), false, &error), error);
    Tables there = tables_of(to);
    assert_same(&source, &there);
    assert_done(copy_plainly(to, lab_path(back, "back.db"), false, &error), error);
    there = tables_of(back);
    assert_same(&source, &there);
    // Repeating the copy changes nothing.
    assert_done(copy_plainly(from, to, false, &error), error);
    assert_done(copy_plainly(from, to, true, &error), error);
    there = tables_of(to);
    assert_same(&source, &there);
    assert_goes_on(to);
    assert_goes_on(back);
}

// The list of tables equals the tables that the migrations create.
static void test_the_list_of_tables(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], sql[512];
    Database *db = lab_open();
    database_close(db);
    (void)lab_db(path, "krow.db");
    const char *all = lab_is_postgres()
                          ? "SELECT count(*) FROM information_schema.tables WHERE table_schema ="
                            " current_schema() AND table_type = 'BASE TABLE' AND table_name <> 'krow_schema'"
                          : "SELECT count(*) FROM sqlite_master WHERE type = 'table'"
                            " AND name NOT LIKE 'sqlite_%'";
    assert_int_equal(lab_sql(path, all), store_table_count);
    for (unsigned i = 0; i < store_table_count; i++) {
        const StoreTable *table = &store_tables[i];
        Span rest = span_of(table->columns), column = {0};
        unsigned width = 0;
        for (; span_next_part(&rest, ',', &column); width++) {
            static const char *const types[][2] = {[COLUMN_INT] = {"INTEGER", "bigint"},
                                                   [COLUMN_REAL] = {"REAL", "double precision"},
                                                   [COLUMN_TEXT] = {"TEXT", "text"},
                                                   [COLUMN_BLOB] = {"BLOB", "bytea"}};
            column = span_trim(column);
            (void)snprintf(sql, sizeof sql,
                           lab_is_postgres()
                               ? "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()"
                                 " AND table_name = '%s' AND column_name = '%.*s' AND data_type = '%s'"
                               : "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%.*s' AND type = '%s'",
                           table->name, SPAN_PRINT(column), types[table_type(table, width)][lab_is_postgres()]);
            if (lab_sql(path, sql) != 1)
                fail_msg("%s of %s is not there, or of another type", sql, table->name);
        }
        assert_int_equal(width, table_width(table));
        (void)snprintf(sql, sizeof sql,
                       lab_is_postgres() ? "SELECT count(*) FROM information_schema.columns WHERE table_schema ="
                                           " current_schema() AND table_name = '%s'"
                                         : "SELECT count(*) FROM pragma_table_info('%s')",
                       table->name);
        assert_int_equal(lab_sql(path, sql), width);
    }
}

// --- Interrupted ---

typedef struct {
    unsigned calls, most; // it stops at that many calls, or
    uint64_t stops_at;    // at that many rows written
    uint64_t done;
    bool has_verified;
} Watch;

static bool watch(void *context, const DatabaseCopyStep *step)
{
    Watch *watched = context;
    assert_true(step->done <= step->total || step->stage == COPY_COMPARING);
    watched->done = step->done;
    watched->has_verified = watched->has_verified || step->stage == COPY_VERIFYING;
    bool is_far = step->stage == COPY_WRITING && step->done > watched->stops_at;
    return watched->stops_at > 0 ? !is_far : ++watched->calls < watched->most;
}

static void assert_unfinished(const char *where)
{
    Database *db = NULL;
    Error error = {0};
    assert_failed(database_open(where, &db, &error), STATUS_FAILED, error, "unfinished copy");
    assert_failed(database_open_to_read(where, &db, &error), STATUS_FAILED, error, "unfinished copy");
    assert_null(db);
}

static void test_interrupted(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE];
    Error error = {0};
    Status status = STATUS_INTERRUPTED;
    fill(lab_path(from, "from.db"), GAMES);
    (void)lab_db(to, "to.db");
    unsigned tries = 0;
    // Each attempt gets one call further than the previous one.
    for (Watch watched = {.most = 1}; status == STATUS_INTERRUPTED; watched = (Watch){.most = watched.most + 1}) {
        status = database_copy(from, to, &(DatabaseCopy){.watch = watch, .context = &watched}, &error);
        if (status == STATUS_INTERRUPTED)
            assert_unfinished(to);
        tries++;
    }
    assert_done(status, error);
    assert_true(tries > 10);
    Tables source = tables_of(from), there = tables_of(to);
    assert_same(&source, &there);
}

// A copy that is stopped in the middle of the games.
static void stop_halfway(const char *from, const char *to)
{
    Error error = {0};
    Watch watched = {.stops_at = 1000};
    assert_int_equal(database_copy(from, to, &(DatabaseCopy){.watch = watch, .context = &watched}, &error),
                     STATUS_INTERRUPTED);
    assert_true(watched.done > 1000 && !watched.has_verified);
}

static void test_a_source_that_changed(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE];
    Error error = {0};
    fill(lab_path(from, "from.db"), GAMES);
    stop_halfway(from, lab_db(to, "to.db"));
    // New rows behind the others are copied too.
    (void)lab_sql(from, "INSERT INTO agents (name, is_foreign) VALUES ('new', 0)");
    stop_halfway(from, to);
    // A row that is copied already, and another now, is not.
    (void)lab_sql(from, "UPDATE matches SET finished = 5");
    assert_failed(copy_plainly(from, to, false, &error), STATUS_FAILED, error, "its table matches differs");
    assert_unfinished(to);
    assert_done(copy_plainly(from, to, true, &error), error);
    Tables source = tables_of(from), there = tables_of(to);
    assert_same(&source, &there);
}

static void test_a_target_that_changed(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE];
    Error error = {0};
    fill(lab_path(from, "from.db"), GAMES);
    stop_halfway(from, lab_db(to, "to.db"));
    (void)lab_sql(to, "UPDATE games SET date = 'x' WHERE id = 7");
    assert_failed(copy_plainly(from, to, false, &error), STATUS_FAILED, error, "its table games differs");
    (void)lab_sql(to, "UPDATE games SET date = '' WHERE id = 7");
    assert_done(copy_plainly(from, to, false, &error), error);
    Tables source = tables_of(from), there = tables_of(to);
    assert_same(&source, &there);
}

// Somebody changes a row of the target between its writing and the look at it.
static bool spoil(void *context, const DatabaseCopyStep *step)
{
    if (step->stage == COPY_VERIFYING && step->done == 0)
        (void)lab_sql(context, "UPDATE games SET stones = 'a1' WHERE id = 2000");
    return true;
}

static void test_verified(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE];
    Error error = {0};
    fill(lab_path(from, "from.db"), GAMES);
    (void)lab_db(to, "to.db");
    assert_failed(database_copy(from, to, &(DatabaseCopy){.watch = spoil, .context = to}, &error), STATUS_FAILED, error,
                  "table games of");
    assert_non_null(strstr(error.text, "checksum"));
    assert_unfinished(to);
    assert_failed(copy_plainly(from, to, false, &error), STATUS_FAILED, error, "its table games differs");
}

// --- Killed ---

static int copy_until_killed(int report, void *context)
{
    (void)report;
    Error error = {0};
    const char *const *places = context;
    Status status = database_copy(places[0], places[1], &(DatabaseCopy){0}, &error);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "%s\n", error.text);
    if (status == STATUS_OK)
        (void)pause(); // done before the kill, which comes
    return 1;
}

static void test_kills(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE];
    Error error = {0};
    Rng rng = rng_make(5);
    fill(lab_path(from, "from.db"), GAMES);
    Tables source = tables_of(from);
    for (int64_t i = 0; i < lab_kills(6); i++) {
        const char *places[] = {from, lab_db(to, "to.db")};
        for (int kills = 0; kills < 2; kills++)
            (void)lab_kill(copy_until_killed, places, (double)rng_below(&rng, 60000) / 1e6);
        assert_done(copy_plainly(from, to, false, &error), error);
        Tables there = tables_of(to);
        assert_same(&source, &there);
        lab_remove_db("to.db");
    }
}

// --- Refused ---

static void test_other_things(void **state)
{
    (void)state;
    char from[LAB_PATH_SIZE], to[LAB_PATH_SIZE], path[LAB_PATH_SIZE];
    Error error = {0};
    fill(lab_path(from, "from.db"), 30);
    // A database with other games stays as it is, also with is_fresh.
    fill(lab_db(to, "to.db"), 31);
    Tables before = tables_of(to);
    for (int is_fresh = 0; is_fresh < 2; is_fresh++)
        assert_failed(copy_plainly(from, to, is_fresh, &error), STATUS_FAILED, error, "other content");
    Tables after = tables_of(to);
    assert_same(&before, &after);
    // So does one of an older version, and one of others.
    Database *db = NULL;
    assert_done(database_connect(lab_db(path, "old.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 2, &error), error);
    database_close(db);
    assert_failed(copy_plainly(from, path, false, &error), STATUS_FAILED, error, "another version");
    assert_int_equal(lab_version(path), 2);
    (void)lab_sql(lab_db(path, "foreign.db"), "CREATE TABLE cookies (id INTEGER)");
    assert_refused(copy_plainly(from, path, false, &error), error, "a database of another program");
    assert_refused(copy_plainly(lab_path(path, "nothing.db"), to, false, &error), error, "no database");
    assert_int_not_equal(access(path, F_OK), 0);
    // An unfinished copy is no source.
    (void)lab_db(path, "half.db");
    Watch watched = {.most = 3};
    assert_int_equal(database_copy(from, path, &(DatabaseCopy){.watch = watch, .context = &watched}, &error),
                     STATUS_INTERRUPTED);
    assert_failed(copy_plainly(path, lab_path(to, "other.db"), false, &error), STATUS_FAILED, error, "unfinished copy");
}

TEST_GROUP(database_copy)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_there_and_back),
        LAB_TEST(test_the_list_of_tables),
        LAB_TEST(test_interrupted),
        LAB_TEST(test_a_source_that_changed),
        LAB_TEST(test_a_target_that_changed),
        LAB_TEST(test_kills),
        LAB_TEST(test_verified),
        LAB_TEST(test_other_things),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
