// Tests of opening books in the database: saved, extended, found, looked up, removed; by many threads, and under kill
// -9.
#include "base/file.h"
#include "base/rng.h"
#include "store/db/database_books.h"
#include "store/db/database_driver_internal.h"
#include "store/files/bookfile.h"
#include "support/lab.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A book of the first `games` of a sequence of random games of tic-tac-toe. Uses no test library, for children.
static Status make_book(BookGraph *graph, const char *name, unsigned from, unsigned games, Error *error)
{
    *graph = (BookGraph){.spec = {.rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1},
                                  .encoding = ENCODING_ABSOLUTE,
                                  .turns = 5}};
    (void)snprintf(graph->spec.name, sizeof graph->spec.name, "%s", name);
    Status status = STATUS_OK;
    for (unsigned i = from; i < from + games && status == STATUS_OK; i++) {
        GameRecord record;
        Cell stones[9];
        lab_record(&record, i);
        for (unsigned j = 0; j < record.count; j++)
            stones[j] = record.stones[j].cell;
        BookCounts outcome = {record.result == RESULT_FIRST, record.result == RESULT_DRAW,
                              record.result == RESULT_SECOND};
        status = book_graph_add(graph, stones, record.count, outcome, error);
        record_close(&record);
    }
    book_graph_sort(graph);
    return status;
}

static void save(Database *db, const char *name, unsigned from, unsigned games, DatabaseBookMode mode, int64_t built)
{
    BookGraph graph;
    Error error = {0};
    assert_done(make_book(&graph, name, from, games, &error), error);
    assert_done(database_save_book(db, &graph, mode, built, &error), error);
    book_graph_close(&graph);
}

// The book of the database is exactly that of the first games.
static void assert_book(Database *db, const char *name, unsigned games)
{
    BookGraph expected, stored = {0};
    Text a = {0}, b = {0};
    Error error = {0};
    assert_done(make_book(&expected, name, 0, games, &error), error);
    assert_done(database_load_book(db, name, &stored, &error), error);
    book_graph_sort(&stored);
    bookfile_write(&expected, &a);
    bookfile_write(&stored, &b);
    assert_string_equal(a.data, b.data);
    book_graph_close(&expected);
    book_graph_close(&stored);
    text_close(&a);
    text_close(&b);
}

static int64_t count_rows(const char *table)
{
    char path[LAB_PATH_SIZE], sql[64];
    (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    return lab_sql(lab_db(path, "krow.db"), sql);
}

// --- Saving ---

static void test_saved_and_loaded(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    save(db, "one", 0, 50, DATABASE_BOOK_REPLACE, 1000);
    save(db, "two", 0, 20, DATABASE_BOOK_REPLACE, 2000);
    assert_book(db, "one", 50);
    assert_book(db, "two", 20);
    assert_done(database_check(db, &error), error);
    BookGraph graph = {0};
    assert_refused(database_load_book(db, "three", &graph, &error), error, "there is no opening book 'three'");
    book_graph_close(&graph);
    database_close(db);
}

static void test_replaced_and_extended(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    save(db, "one", 0, 50, DATABASE_BOOK_REPLACE, 1000);
    save(db, "one", 0, 20, DATABASE_BOOK_REPLACE, 2000);
    assert_book(db, "one", 20);
    save(db, "one", 20, 50, DATABASE_BOOK_EXTEND, 3000);
    assert_book(db, "one", 70); // the same as built at once
    save(db, "new", 0, 10, DATABASE_BOOK_EXTEND, 4000);
    assert_book(db, "new", 10); // made, since there was none
    BookGraph other;
    assert_done(make_book(&other, "one", 0, 5, &error), error);
    other.spec.turns = 4;
    assert_refused(database_save_book(db, &other, DATABASE_BOOK_EXTEND, 1, &error), error, "cannot extend");
    other.spec.turns = 5;
    other.spec.symmetric = true;
    assert_refused(database_save_book(db, &other, DATABASE_BOOK_EXTEND, 1, &error), error, "cannot extend");
    assert_book(db, "one", 70); // nothing has changed
    book_graph_close(&other);
    assert_done(database_check(db, &error), error);
    database_close(db);
}

static void test_removed(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    save(db, "one", 0, 30, DATABASE_BOOK_REPLACE, 1000);
    save(db, "two", 0, 20, DATABASE_BOOK_REPLACE, 2000);
    assert_done(database_remove_book(db, "one", &error), error);
    assert_refused(database_remove_book(db, "one", &error), error, "there is no opening book 'one'");
    assert_book(db, "two", 20);
    assert_done(database_remove_book(db, "two", &error), error);
    database_close(db);
    assert_int_equal(count_rows("books"), 0);
    assert_int_equal(count_rows("book_nodes"), 0);
    assert_int_equal(count_rows("book_links"), 0);
}

// --- Finding ---

static void test_found(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    DatabaseBook book;
    bool found = true;
    Rules rules = rules_of("tictactoe"), others = rules_of("connect6");
    assert_done(database_find_book(db, "", &rules, &book, &found, &error), error);
    assert_false(found);
    save(db, "b", 0, 30, DATABASE_BOOK_REPLACE, 2000);
    save(db, "a", 0, 20, DATABASE_BOOK_REPLACE, 1000);
    assert_done(database_find_book(db, "", &rules, &book, &found, &error), error);
    assert_true(found);
    assert_string_equal(book.spec.name, "b"); // built last
    assert_int_equal(book.built, 2000);
    assert_int_equal(book.games, 30);
    save(db, "a", 20, 5, DATABASE_BOOK_EXTEND, 3000);
    assert_done(database_find_book(db, "", &rules, &book, &found, &error), error);
    assert_string_equal(book.spec.name, "a"); // changed last
    assert_int_equal(book.games, 25);
    assert_int_equal(book.spec.turns, 5);
    assert_int_equal(book.spec.encoding, ENCODING_ABSOLUTE);
    assert_true(rules_equal(&book.spec.rules, &rules));
    assert_done(database_find_book(db, "b", NULL, &book, &found, &error), error);
    assert_true(found);
    assert_done(database_find_book(db, "c", &rules, &book, &found, &error), error);
    assert_false(found);
    assert_done(database_find_book(db, "", &others, &book, &found, &error), error);
    assert_false(found);
    assert_refused(database_find_book(db, "b", &others, &book, &found, &error), error, "is for 3x3:k=3, not for 19x19");
    database_close(db);
}

typedef struct {
    Database *db;
    char names[8];
    unsigned count, limit;
    uint64_t nodes, links;
} List;

static bool take_book(void *context, const DatabaseBook *book)
{
    List *list = context;
    DatabaseBook again;
    bool found = false;
    list->names[list->count++] = book->spec.name[0];
    list->nodes += book->nodes;
    list->links += book->links;
    assert_int_equal(database_find_book(list->db, book->spec.name, NULL, &again, &found, NULL), STATUS_OK);
    assert_true(found);
    return list->count < list->limit;
}

static void test_listed(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    List list = {.db = db, .limit = 8};
    assert_done(database_each_book(db, take_book, &list, &error), error);
    assert_int_equal(list.count, 0);
    save(db, "b", 0, 30, DATABASE_BOOK_REPLACE, 2000);
    save(db, "c", 0, 30, DATABASE_BOOK_REPLACE, 2000);
    save(db, "a", 0, 20, DATABASE_BOOK_REPLACE, 1000);
    assert_done(database_each_book(db, take_book, &list, &error), error);
    assert_string_equal(list.names, "abc");
    assert_int_equal(list.nodes, count_rows("book_nodes"));
    assert_int_equal(list.links, count_rows("book_links"));
    list = (List){.db = db, .limit = 2};
    assert_done(database_each_book(db, take_book, &list, &error), error);
    assert_int_equal(list.count, 2);
    database_close(db);
}

// --- Looking up ---

typedef struct {
    unsigned positions, turns;
    BookCounts counts;
    Text text; // turns with their counts
} Reported;

static void take_position(void *context, BookCounts counts)
{
    Reported *reported = context;
    reported->positions++;
    reported->counts = counts;
}

static void take_turn(void *context, Span turn, BookCounts counts)
{
    Reported *reported = context;
    reported->turns++;
    text_add(&reported->text, "%.*s: %u %u %u\n", (int)turn.length, turn.at, counts.wins, counts.ties, counts.losses);
}

// The same from a graph.
static void report_node(const BookGraph *graph, unsigned node, Reported *reported)
{
    take_position(reported, graph->nodes[node].counts);
    for (unsigned i = 0; i < graph->link_count; i++)
        if (graph->links[i].from == node)
            take_turn(reported, span_of(book_graph_turn(graph, i)), graph->nodes[graph->links[i].to].counts);
}

static void test_looked_up(void **state)
{
    (void)state;
    Database *db = lab_open();
    BookGraph graph;
    Error error = {0};
    save(db, "other", 0, 70, DATABASE_BOOK_REPLACE, 1);
    save(db, "one", 0, 40, DATABASE_BOOK_REPLACE, 1);
    assert_done(make_book(&graph, "one", 0, 40, &error), error);
    for (unsigned node = 0; node < graph.node_count; node++) {
        Reported expected = {0}, reported = {0};
        BookSink sink = {&reported, take_position, take_turn};
        report_node(&graph, node, &expected);
        assert_done(database_look_up(db,
                                     &(BookKey){&graph.spec, graph.nodes[node].depth, book_graph_code(&graph, node)},
                                     &sink, &error),
                    error);
        assert_int_equal(reported.positions, 1);
        assert_int_equal(reported.turns, expected.turns);
        assert_memory_equal(&reported.counts, &expected.counts, sizeof reported.counts);
        if (reported.turns > 0)
            assert_string_equal(reported.text.data, expected.text.data);
        text_close(&reported.text);
        text_close(&expected.text);
    }
    Reported reported = {0};
    BookSink sink = {&reported, take_position, take_turn};
    assert_done(database_look_up(db, &(BookKey){&graph.spec, 1, "0"}, &sink, &error), error); // another depth
    assert_done(database_look_up(db, &(BookKey){&graph.spec, 0, "1"}, &sink, &error), error); // another code
    BookSpec spec = graph.spec;
    spec.symmetric = true;
    assert_done(database_look_up(db, &(BookKey){&spec, 0, "0"}, &sink, &error), error);
    spec = graph.spec;
    spec.encoding = ENCODING_RELATIVE;
    assert_done(database_look_up(db, &(BookKey){&spec, 0, "0"}, &sink, &error), error);
    spec = graph.spec;
    spec.rules.k = 2;
    assert_done(database_look_up(db, &(BookKey){&spec, 0, "0"}, &sink, &error), error);
    assert_int_equal(reported.positions + reported.turns, 0);
    book_graph_close(&graph);
    database_close(db);
}

// Counts changed to values that krow never writes.
static void test_odd_counts(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    save(db, "one", 0, 5, DATABASE_BOOK_REPLACE, 1);
    database_close(db);
    (void)lab_sql(lab_db(path, "krow.db"), "UPDATE book_nodes SET wins = -1, losses = 99999999999 WHERE depth = 0");
    db = lab_open();
    BookSpec spec = {.name = "one", .rules = rules_of("tictactoe"), .encoding = ENCODING_ABSOLUTE};
    Reported reported = {0};
    BookSink sink = {&reported, take_position, take_turn};
    assert_done(database_look_up(db, &(BookKey){&spec, 0, "0"}, &sink, &error), error);
    assert_int_equal(reported.counts.wins, 0);
    assert_true(reported.counts.losses == UINT32_MAX);
    text_close(&reported.text);
    database_close(db);
    (void)lab_sql(lab_db(path, "krow.db"), "UPDATE books SET name = 'b c'");
    db = lab_open();
    DatabaseBook book;
    bool found = false;
    assert_failed(database_find_book(db, "", &spec.rules, &book, &found, &error), STATUS_FAILED, error, "damaged");
    database_close(db);
}

// A database of version 1 is migrated: its games remain, and books can be stored.
static void test_from_version_1(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_done(database_connect(lab_db(path, "krow.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 1, &error), error);
    int64_t match = lab_begin_old(path, "tictactoe", "old");
    lab_lend_columns(path, true);
    for (int i = 0; i < 5; i++)
        assert_done(lab_add(db, match, i, &error), error);
    database_close(db);
    lab_lend_columns(path, false);
    assert_int_equal(lab_version(path), 1);
    assert_int_equal(lab_has_table(path, "books"), false);
    db = lab_open();
    assert_int_equal(lab_check_match(db, match), 5);
    save(db, "one", 0, 5, DATABASE_BOOK_REPLACE, 1);
    assert_book(db, "one", 5);
    assert_done(database_check(db, &error), error);
    database_close(db);
}

// A book that does not fit leaves the old one.
static void test_a_full_database(void **state)
{
    (void)state;
    Database *db = lab_open();
    BookGraph graph;
    Error error = {0};
    save(db, "one", 0, 10, DATABASE_BOOK_REPLACE, 1);
    Query limit = query_prepare(db, "PRAGMA max_page_count = 50");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    assert_done(make_book(&graph, "one", 0, 2000, &error), error);
    assert_failed(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 2, &error), STATUS_IO, error, "full");
    assert_book(db, "one", 10);
    assert_failed(database_save_book(db, &graph, DATABASE_BOOK_EXTEND, 2, &error), STATUS_IO, error, "full");
    assert_book(db, "one", 10);
    limit = query_prepare(db, "PRAGMA max_page_count = 100000");
    assert_int_equal(query_run(&limit, &error), STATUS_OK);
    assert_done(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 2, &error), error);
    assert_book(db, "one", 2000);
    book_graph_close(&graph);
    database_close(db);
}

// --- Without the right to write ---

// Takes the rights to write the folder and the files in it, or gives them back. No mode stops root, who is made nobody.
static void set_writable(bool is_writable)
{
    char path[LAB_PATH_SIZE];
    static const char *const files[] = {"krow.db", "krow.db-wal", "krow.db-shm"};
    static bool was_root;
    if (is_writable)
        assert_true(!was_root || seteuid(0) == 0);
    assert_int_equal(chmod(lab_path(path, ""), is_writable ? 0755 : 0555), 0);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (access(lab_path(path, files[i]), F_OK) == 0)
            assert_int_equal(chmod(path, is_writable ? 0644 : 0444), 0);
    was_root = geteuid() == 0;
    if (!is_writable)
        assert_true(!was_root || seteuid(65534) == 0);
}

// Opened without the right to write; the right is given back.
static Status open_to_read(Database **db, Error *error)
{
    char path[LAB_PATH_SIZE];
    set_writable(false);
    Status status = database_open_to_read(lab_db(path, "krow.db"), db, error);
    set_writable(true);
    return status;
}

static bool count_book(void *context, const DatabaseBook *book)
{
    (void)book;
    ++*(unsigned *)context;
    return true;
}

static void test_no_database(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    DatabaseBook book;
    BookGraph graph = {0};
    Error error = {0};
    unsigned books = 0;
    bool found = true;
    assert_done(database_open_to_read(lab_db(path, "krow.db"), &db, &error), error);
    assert_null(db);
    assert_int_equal(access(path, F_OK), -1);
    assert_done(database_open_to_read(lab_path(path, "no/folder/krow.db"), &db, &error), error);
    assert_null(db);
    assert_done(database_find_book(NULL, "one", NULL, &book, &found, &error), error);
    assert_false(found);
    assert_done(database_each_book(NULL, count_book, &books, &error), error);
    assert_int_equal(books, 0);
    assert_refused(database_load_book(NULL, "one", &graph, &error), error, "there is no opening book 'one'");
    assert_refused(database_open_to_read("", &db, &error), error, "empty");
    // The default database is not created either.
    assert_int_equal(setenv("XDG_DATA_HOME", lab_path(path, "data"), 1), 0);
    assert_int_equal(unsetenv("KROW_DB"), 0);
    assert_done(database_open_to_read(NULL, &db, &error), error);
    assert_null(db);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
}

static void test_read_alone(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open(), *reader = NULL;
    Error error = {0};
    unsigned books = 0;
    save(db, "one", 0, 50, DATABASE_BOOK_REPLACE, 1000);
    database_close(db);
    assert_int_equal(access(lab_path(path, "krow.db-wal"), F_OK), -1);
    assert_done(open_to_read(&reader, &error), error);
    assert_non_null(reader);
    assert_book(reader, "one", 50);
    assert_done(database_each_book(reader, count_book, &books, &error), error);
    assert_int_equal(books, 1);
    assert_failed(database_remove_book(reader, "one", &error), STATUS_IO, error, "cannot read");
    // What was read counts no more when the file has changed.
    db = lab_open();
    save(db, "one", 0, 40, DATABASE_BOOK_REPLACE, 2000);
    database_close(db);
    BookGraph graph = {0};
    assert_failed(database_load_book(reader, "one", &graph, &error), STATUS_IO, error,
                  "changed while it was being read");
    book_graph_close(&graph);
    database_close(reader);
    assert_done(open_to_read(&reader, &error), error);
    assert_book(reader, "one", 40);
    database_close(reader);
}

// A name in which SQLite sees more than a name.
static void test_odd_names(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], odd[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    save(db, "one", 0, 5, DATABASE_BOOK_REPLACE, 1000);
    database_close(db);
    assert_int_equal(rename(lab_db(path, "krow.db"), lab_path(odd, "a%20b?mode=x#y &.db")), 0);
    bool is_current = false;
    assert_done(sqlite_connect_to_read(odd, migration_count(), &db, &is_current, &error), error);
    assert_true(is_current);
    assert_book(db, "one", 5);
    database_close(db);
}

static void copy_file(const char *from, const char *to)
{
    char path[LAB_PATH_SIZE];
    Text text = {0};
    Error error = {0};
    assert_done(file_read(lab_path(path, from), 1 << 24, &text, &error), error);
    assert_done(file_write(lab_path(path, to), (Span){text.data, text.length}, &error), error);
    assert_int_equal(chmod(path, 0444), 0);
    text_close(&text);
}

// While another process writes, the newest data is in the log.
static void test_read_with_a_log(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open(), *reader = NULL;
    Error error = {0};
    save(db, "one", 0, 50, DATABASE_BOOK_REPLACE, 1000);
    assert_done(open_to_read(&reader, &error), error);
    assert_book(reader, "one", 50);
    save(db, "one", 0, 30, DATABASE_BOOK_REPLACE, 2000);
    assert_book(reader, "one", 30);
    database_close(reader);
    // A copy of the file and its log without the shared-memory file cannot be read.
    copy_file("krow.db", "copy.db");
    copy_file("krow.db-wal", "copy.db-wal");
    database_close(db);
    set_writable(false);
    Status status = database_open_to_read(lab_db(path, "copy.db"), &reader, &error);
    set_writable(true);
    assert_failed(status, STATUS_IO, error, "the write-ahead log has changes");
    assert_null(reader);
}

// Who reads a book does not wait for a writer.
static void test_read_while_somebody_writes(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    Error error = {0};
    save(db, "one", 0, 20, DATABASE_BOOK_REPLACE, 1000);
    Attempt attempt = {0};
    Status status = STATUS_OK;
    assert_true(transaction_try(db, &attempt, &status, &error));
    assert_book(other, "one", 20);
    assert_done(transaction_end(db, STATUS_OK, &error), error);
    database_close(db);
    database_close(other);
}

static void test_old_and_new_versions_to_read(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_done(database_connect(lab_db(path, "krow.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 1, &error), error);
    database_close(db);
    set_writable(false);
    Status status = database_open_to_read(path, &db, &error);
    set_writable(true);
    assert_failed(status, STATUS_IO, error, "of an older krow; open it once with write permission");
    assert_null(db);
    assert_done(database_open_to_read(path, &db, &error), error); // who can write does that
    save(db, "one", 0, 5, DATABASE_BOOK_REPLACE, 1);
    assert_book(db, "one", 5);
    database_close(db);
    lab_set_version(path, 99);
    assert_failed(open_to_read(&db, &error), STATUS_FAILED, error, "newer krow");
    assert_null(db);
}

// --- Threads ---

enum { READERS = 3, ROUNDS = 30 };

typedef struct {
    Database *db;
    BookSpec spec;
    unsigned odd; // answers that no state of the book gives
    Status status;
} Reader;

// The root of a book of n games has n outcomes; its turns have them all together.
static void *read_often(void *argument)
{
    Reader *reader = argument;
    for (int i = 0; i < 4 * ROUNDS && reader->status == STATUS_OK; i++) {
        Reported reported = {0};
        BookSink sink = {&reported, take_position, take_turn};
        reader->status = database_look_up(reader->db, &(BookKey){&reader->spec, 0, "0"}, &sink, NULL);
        unsigned games = reported.counts.wins + reported.counts.ties + reported.counts.losses;
        reader->odd += reported.positions != 1 || games % 10 != 0 || reported.turns == 0;
        text_close(&reported.text);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    pthread_t threads[READERS];
    Reader readers[READERS];
    save(db, "one", 0, 10, DATABASE_BOOK_REPLACE, 1);
    for (int i = 0; i < READERS; i++) {
        readers[i] = (Reader){.db = i == 0 ? other : db};
        readers[i].spec = (BookSpec){.name = "one", .rules = rules_of("tictactoe"), .encoding = ENCODING_ABSOLUTE};
        assert_int_equal(pthread_create(&threads[i], NULL, read_often, &readers[i]), 0);
    }
    for (unsigned i = 0; i < ROUNDS; i++)
        save(db, "one", 0, 10 + 10 * (i % 5), i % 3 == 0 ? DATABASE_BOOK_EXTEND : DATABASE_BOOK_REPLACE, i);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(readers[i].status, STATUS_OK);
        assert_int_equal(readers[i].odd, 0);
    }
    database_close(db);
    database_close(other);
}

// --- kill -9 ---

enum { STEP = 20 };

// A child that replaces the book by larger and larger ones, or extends it, and reports the games after each.
static int save_until_killed(int report, void *context)
{
    bool extends = *(bool *)context;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    DatabaseBook book;
    bool found = false;
    Error error = {0};
    Status status = database_open(lab_db(path, "krow.db"), &db, &error);
    if (status == STATUS_OK)
        status = database_find_book(db, "killed", NULL, &book, &found, &error);
    unsigned games = found ? (unsigned)book.games : 0;
    while (status == STATUS_OK) {
        BookGraph graph;
        status = make_book(&graph, "killed", extends ? games : 0, extends ? STEP : games + STEP, &error);
        if (status == STATUS_OK)
            status = database_save_book(db, &graph, extends ? DATABASE_BOOK_EXTEND : DATABASE_BOOK_REPLACE, 1, &error);
        book_graph_close(&graph);
        games += STEP;
        int64_t number = games;
        if (status == STATUS_OK && write(report, &number, sizeof number) != sizeof number)
            return 2;
    }
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}

// After every kill the book is a whole one: the last that was reported, or the next.
static void test_kills(void **state)
{
    (void)state;
    Rng rng = rng_make(21);
    unsigned stored = 0;
    for (int64_t i = 0; i < lab_kills(12) || stored == 0; i++) { // on slow machines until there was something to lose
        double most = 0.1 + (double)i / 500;
        bool extends = i % 2 == 1;
        int64_t last = lab_kill(save_until_killed, &extends, most * rng_below(&rng, 1000) / 1000);
        Database *db = lab_open();
        DatabaseBook book;
        bool found = false;
        Error error = {0};
        assert_done(database_check(db, &error), error);
        assert_done(database_find_book(db, "killed", NULL, &book, &found, &error), error);
        unsigned now = found ? (unsigned)book.games : 0;
        assert_true(now >= stored && now >= last);
        assert_true(last == -1 || now <= last + STEP); // stored, but killed before it was reported
        if (found)
            assert_book(db, "killed", now);
        stored = now;
        database_close(db);
    }
}

TEST_GROUP(database_books)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_saved_and_loaded),
        LAB_TEST(test_replaced_and_extended),
        LAB_TEST(test_removed),
        LAB_TEST(test_found),
        LAB_TEST(test_listed),
        LAB_TEST(test_looked_up),
        LAB_TEST(test_odd_counts),
        LAB_TEST(test_from_version_1),
        LAB_TEST(test_threads),
        LAB_TEST(test_kills),
        LAB_TEST(test_read_while_somebody_writes),
    };
    const struct CMUnitTest files[] = {
        LAB_TEST(test_a_full_database), LAB_TEST(test_no_database),     LAB_TEST(test_read_alone),
        LAB_TEST(test_odd_names),       LAB_TEST(test_read_with_a_log), LAB_TEST(test_old_and_new_versions_to_read),
    };
    return LAB_RUN(tests, files);
}
