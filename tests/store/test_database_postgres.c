// Tests of PostgreSQL features: lost connections, concurrent transactions, roles, encodings, sorting. Runs only with
// tests/support/postgres.py.
#include "base/clock.h"
#include "store/db/connection.h"
#include "store/db/database_books.h"
#include "store/db/database_driver_internal.h"
#include "store/db/database_patterns.h"
#include "store/db/database_tables.h"
#include "support/lab.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Lost connections ---

static int64_t backend_of(Database *db)
{
    int64_t id = 0;
    Error error = {0};
    database_lock(db);
    assert_done(database_ask(db, "SELECT pg_backend_pid()", &id, &error), error);
    database_unlock(db);
    return id;
}

// Terminates the session of a connection and waits for its end.
static void end_backend(int64_t id)
{
    char path[LAB_PATH_SIZE], sql[128];
    (void)snprintf(sql, sizeof sql, "SELECT pg_terminate_backend(%lld)::int", (long long)id);
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), sql), 1);
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM pg_stat_activity WHERE pid = %lld", (long long)id);
    for (int tries = 0; lab_sql(path, sql) != 0; tries++) {
        assert_true(tries < 1000);
        clock_sleep(0.01);
    }
}

static void test_a_lost_connection(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a");
    assert_done(lab_add(db, match, 0, &error), error);
    end_backend(backend_of(db));
    assert_failed(lab_add(db, match, 1, &error), STATUS_IO, error, "is lost");
    assert_done(lab_add(db, match, 1, &error), error); // the next one connects again, and its statements are new
    end_backend(backend_of(db));
    int64_t found = 0;
    assert_failed(database_find_match(db, "a", &found, &error), STATUS_IO, error, "is lost");
    assert_done(database_find_match(db, "a", &found, &error), error);
    assert_int_equal(found, match);
    assert_int_equal(lab_check_match(db, match), 2);
    database_close(db);
}

// What was done in a transaction before its connection was lost is not kept, and nothing goes on without the rest.
static void test_lost_in_a_transaction(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Status status = STATUS_OK;
    unsigned tries = 0;
    int64_t backend = backend_of(db);
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, &error); tries++) {
        assert_done(database_add_agent(db, "before", false, &error), error);
        end_backend(backend);
        assert_failed(database_add_agent(db, "after", false, &error), STATUS_IO, error, "is lost");
        assert_failed(database_add_agent(db, "later", false, &error), STATUS_IO, error, "is lost");
        status = transaction_end(db, STATUS_OK, &error);
    }
    assert_failed(status, STATUS_IO, error, "is lost");
    assert_int_equal(tries, 1);
    char path[LAB_PATH_SIZE];
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM agents"), 0);
    assert_true(lab_begin(db, "tictactoe", "a") > 0);
    database_close(db);
}

static void test_no_server(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    (void)snprintf(path, sizeof path, "%s dbname=nothing_here password=geheim", getenv("KROW_TEST_POSTGRES"));
    assert_failed(database_open(path, &db, &error), STATUS_IO, error, "\"nothing_here\" does not exist");
    assert_null(strstr(error.text, "geheim"));
    assert_failed(database_open_to_read(path, &db, &error), STATUS_IO, error, "\"nothing_here\" does not exist");
    (void)snprintf(path, sizeof path, "%s options=-csearch_path=nowhere", getenv("KROW_TEST_POSTGRES"));
    assert_refused(database_open(path, &db, &error), error, "no schema");
}

// --- Transactions that meet ---

// Two threads change the same two rows, in opposite orders: the server aborts one transaction, which is retried.
typedef struct {
    Database *db;
    const char *names[2];
    atomic_uint *met; // how many have changed their first row
    unsigned tries;
    Status status;
    Error error;
} Meeting;

static Status change(Meeting *meeting, const char *name, Error *error)
{
    Query query = query_prepare(meeting->db, "UPDATE agents SET is_foreign = 1 - is_foreign WHERE name = ?");
    query_bind(&query, value_text(name));
    return query_run(&query, error);
}

static Status change_both(Meeting *meeting, Error *error)
{
    Status status = change(meeting, meeting->names[0], error);
    if (meeting->tries++ == 0) {
        (void)atomic_fetch_add(meeting->met, 1);
        while (atomic_load(meeting->met) < 2)
            clock_sleep(0.001);
    }
    return status == STATUS_OK ? change(meeting, meeting->names[1], error) : status;
}

static void *meet(void *context)
{
    Meeting *meeting = context;
    for (Attempt attempt = {0}; transaction_try(meeting->db, &attempt, &meeting->status, &meeting->error);)
        meeting->status = transaction_end(meeting->db, change_both(meeting, &meeting->error), &meeting->error);
    return NULL;
}

static void test_conflicts(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *one = lab_open(), *two = lab_open();
    atomic_uint met = 0;
    (void)lab_sql(lab_db(path, "krow.db"), "INSERT INTO agents (name, is_foreign) VALUES ('a', 0), ('b', 0)");
    Meeting meetings[] = {{.db = one, .names = {"a", "b"}, .met = &met}, {.db = two, .names = {"b", "a"}, .met = &met}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, meet, &meetings[i]), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; i++)
        assert_done(meetings[i].status, meetings[i].error);
    // One of them had to begin again; more than once where it was back before the other had gone on.
    assert_true(meetings[0].tries + meetings[1].tries >= 3);
    assert_int_equal(lab_sql(path, "SELECT sum(is_foreign) FROM agents"), 0); // each was changed twice
    database_close(one);
    database_close(two);
}

// Games of new agents from many connections at once: all want the same rows of agents and openings.
enum { WRITERS = 6, GAMES_EACH = 15 };

typedef struct {
    Database *db;
    int64_t match, first;
    Status status;
    Error error;
} Writer;

static void *write_games(void *context)
{
    Writer *writer = context;
    for (int64_t i = 0; i < GAMES_EACH && writer->status == STATUS_OK; i++) {
        GameRecord record;
        char names[2][16];
        lab_record(&record, (uint64_t)(writer->first + i));
        (void)snprintf(names[0], sizeof names[0], "agent %d", (int)i);
        (void)snprintf(names[1], sizeof names[1], "agent %d", (int)i + 1);
        DatabaseGame game = {.match = writer->match,
                             .number = writer->first + i,
                             .first = names[writer->first % 2],
                             .second = names[1 - writer->first % 2],
                             .opening = 2,
                             .record = &record};
        writer->status = database_add_game(writer->db, &game, &writer->error);
        record_close(&record);
    }
    return NULL;
}

static void test_many_connections(void **state)
{
    (void)state;
    Database *db = lab_open();
    Writer writers[WRITERS];
    pthread_t threads[WRITERS];
    char path[LAB_PATH_SIZE];
    int64_t match = lab_begin(db, "tictactoe", "many");
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (Writer){.db = lab_open(), .match = match, .first = (int64_t)i * 101};
        assert_int_equal(pthread_create(&threads[i], NULL, write_games, &writers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_done(writers[i].status, writers[i].error);
        database_close(writers[i].db);
    }
    assert_int_equal(lab_count(db, NULL), WRITERS * GAMES_EACH);
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM agents"), GAMES_EACH + 1);
    database_close(db);
}

// Many connections create and extend the same books at once: each is created once, and no game is lost.
static void *extend_book(void *context)
{
    Writer *writer = context;
    for (unsigned i = 0; i < GAMES_EACH && writer->status == STATUS_OK; i++) {
        BookGraph graph = {.spec = {.rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1},
                                    .encoding = ENCODING_ABSOLUTE,
                                    .turns = 2}};
        const Cell stones[] = {0, 1};
        (void)snprintf(graph.spec.name, sizeof graph.spec.name, "book%u", i); // a new one for each
        writer->status = book_graph_add(&graph, stones, 2, (BookCounts){1, 0, 0}, &writer->error);
        book_graph_sort(&graph);
        if (writer->status == STATUS_OK)
            writer->status = database_save_book(writer->db, &graph, DATABASE_BOOK_EXTEND, 1, &writer->error);
        book_graph_close(&graph);
    }
    return NULL;
}

static void test_many_extend_a_book(void **state)
{
    (void)state;
    Database *db = lab_open();
    Writer writers[WRITERS];
    pthread_t threads[WRITERS];
    BookGraph graph = {0};
    Error error = {0};
    for (int i = 0; i < WRITERS; i++)
        writers[i] = (Writer){.db = lab_open()};
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, extend_book, &writers[i]), 0);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_done(writers[i].status, writers[i].error);
        database_close(writers[i].db);
    }
    for (unsigned i = 0; i < GAMES_EACH; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "book%u", i);
        assert_done(database_load_book(db, name, &graph, &error), error);
        assert_int_equal(graph.games, WRITERS);
        assert_int_equal(graph.nodes[0].counts.wins, WRITERS);
        book_graph_close(&graph);
        graph = (BookGraph){0};
    }
    database_close(db);
}

// --- Waiting ---

static void notify(Database *db, const char *channel)
{
    Error error = {0};
    Status status = STATUS_OK;
    for (Attempt attempt = {0}; transaction_try(db, &attempt, &status, &error);)
        status = transaction_end(db, transaction_notify(db, channel, &error), &error);
    assert_done(status, error);
}

static bool hears(Database *db, double seconds)
{
    bool was_notified = false;
    Error error = {0};
    assert_done(database_wait(db, seconds, &was_notified, &error), error);
    return was_notified;
}

static void test_listening(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    Error error = {0};
    assert_done(database_listen(db, "krow_test", &error), error);
    assert_false(hears(db, 0.01));
    notify(other, "krow_other");
    assert_false(hears(db, 0.05));
    notify(other, "krow_test");
    assert_true(hears(db, 30));
    assert_false(hears(db, 0.01));
    // Over a lost connection.
    end_backend(backend_of(db));
    bool was_notified = false;
    assert_failed(database_wait(db, 30, &was_notified, &error), STATUS_IO, error, "lost");
    assert_false(hears(db, 0.01));
    notify(other, "krow_test");
    assert_true(hears(db, 30));
    database_close(db);
    database_close(other);
}

// --- Roles ---

static const char *as_role(char path[LAB_PATH_SIZE], const char *role)
{
    char own[LAB_PATH_SIZE];
    (void)snprintf(path, LAB_PATH_SIZE, "%s user=%s", lab_db(own, "krow.db"), role);
    return path;
}

// The role of a worker may add games of its units and read the data that agents use; everything else is refused.
static void test_a_worker(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], own[LAB_PATH_SIZE];
    Database *db = lab_open(), *worker = NULL;
    Error error = {0};
    Text sql = {0};
    Rules rules = rules_of("gomoku");
    int64_t id = 0;
    uint64_t kept = 0;
    int64_t match = lab_begin(db, "tictactoe", "a");
    assert_done(database_grants("krow worker's \"own\"", &sql, &error), error);
    (void)lab_sql(lab_db(own, "krow.db"), sql.data);
    (void)lab_sql(own, sql.data); // a second time
    assert_done(database_open(as_role(path, "'krow worker\\'s \"own\"'"), &worker, &error), error);
    // Games belong to a unit that the worker holds; the test of the program with few rights has those.
    assert_failed(lab_add_counted(worker, match, 0, &error), STATUS_IO, error, "permission denied");
    assert_done(lab_add_counted(db, match, 0, &error), error);
    assert_int_equal(lab_check_match(db, match), 1);
    assert_int_equal(lab_count(worker, NULL), 1);
    assert_done(database_find_match(worker, "a", &id, &error), error);
    assert_int_equal(id, match);
    assert_failed(database_finish_match(worker, match, 5, &error), STATUS_IO, error, "permission denied");
    assert_failed(database_begin_match(worker, &(DatabaseMatch){.rules = rules, .spec = "b"}, &id, &error), STATUS_IO,
                  error, "permission denied");
    Pattern pattern;
    assert_done(pattern_parse(span_of("xxxxx"), 1, &pattern, &error), error);
    assert_failed(database_learn_patterns(worker, &(DatabaseLearned){"set", &rules, &pattern, 1, 5}, &kept, &error),
                  STATUS_IO, error, "permission denied");
    const char *const forbidden[] = {"DELETE FROM games",
                                     "UPDATE games SET result = NULL",
                                     "DROP TABLE games",
                                     "CREATE TABLE mine (id BIGINT)",
                                     "CREATE TEMPORARY TABLE mine (id BIGINT)",
                                     "UPDATE krow_schema SET version = 1",
                                     "SELECT * FROM rating_lists"};
    database_lock(worker);
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        assert_failed(driver_postgres.execute(worker, forbidden[i], &error), STATUS_IO, error, "");
    database_unlock(worker);
    database_close(worker);
    database_close(db);
    // When the tables are older, or not there, it cannot help itself.
    lab_set_version(own, migration_count() - 1);
    assert_failed(database_open(path, &worker, &error), STATUS_IO, error, "from version");
    assert_failed(database_open_to_read(path, &worker, &error), STATUS_IO, error, "open it once with write permission");
    lab_set_version(own, migration_count());
    text_close(&sql);
    (void)lab_sql(own, "DROP OWNED BY \"krow worker's \"\"own\"\"\"; DROP ROLE \"krow worker's \"\"own\"\"\"");
    assert_refused(database_grants("", &sql, &error), error, "invalid role name");
    text_close(&sql);
}

// A read-only role in an empty schema.
static void test_nothing_to_read(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], own[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    (void)lab_sql(lab_db(own, "krow.db"), "CREATE ROLE reader LOGIN; DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA"
                                          " %I TO reader', current_schema()); END $$");
    assert_done(database_open_to_read(as_role(path, "reader"), &db, &error), error);
    assert_null(db);
    assert_failed(database_open(path, &db, &error), STATUS_IO, error, "permission denied");
    (void)lab_sql(own, "DROP OWNED BY reader; DROP ROLE reader");
}

// --- Texts ---

static void test_encodings(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    (void)lab_sql(getenv("KROW_TEST_POSTGRES"), "CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc"
                                                " LOCALE 'C' TEMPLATE template0");
    (void)snprintf(path, sizeof path, "%s dbname=plain", getenv("KROW_TEST_POSTGRES"));
    assert_refused(database_open(path, &db, &error), error, "UTF8");
    (void)lab_sql(getenv("KROW_TEST_POSTGRES"), "DROP DATABASE plain");
    // What is no UTF-8 is refused by the server, in words; names of files are made UTF-8.
    db = lab_open();
    DatabaseRating rating = {.agent = "\xff\xfe", .games = 1};
    assert_failed(database_save_ratings(db, &(DatabaseRatingList){.name = "x"}, &rating, 1, &error), STATUS_FAILED,
                  error, "UTF8");
    lab_import(db, "file \xff.krow", "# krow game\ngame tictactoe\nstones b2 a1 c3\n", 1, 0);
    database_close(db);
}

static bool take_name(void *context, const DatabaseBook *book)
{
    Text *names = context;
    text_add(names, "%s ", book->spec.name);
    return true;
}

// In the order of bytes, as in a file, though the server sorts by English.
static void test_sorting(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Text names = {0};
    const char *const made[] = {"b", "C", "a", "D", "a-b", "aa"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++) {
        BookGraph graph = {.spec = {.encoding = ENCODING_ABSOLUTE, .turns = 1}};
        graph.spec.rules = rules_of("tictactoe");
        (void)snprintf(graph.spec.name, sizeof graph.spec.name, "%s", made[i]);
        assert_done(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 1, &error), error);
        book_graph_close(&graph);
    }
    assert_done(database_each_book(db, take_name, &names, &error), error);
    assert_string_equal(names.data, "C D a a-b aa b ");
    text_close(&names);
    database_close(db);
}

TEST_GROUP(database_postgres)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_a_lost_connection), LAB_TEST(test_lost_in_a_transaction),
        LAB_TEST(test_no_server),         LAB_TEST(test_conflicts),
        LAB_TEST(test_many_connections),  LAB_TEST(test_many_extend_a_book),
        LAB_TEST(test_listening),         LAB_TEST(test_a_worker),
        LAB_TEST(test_nothing_to_read),   LAB_TEST(test_encodings),
        LAB_TEST(test_sorting),
    };
    if (!lab_is_postgres()) {
        (void)fprintf(stderr, "there is no server: run this with tests/support/postgres.py\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
