#include "support/lab.h"

#include "base/clock.h"
#include "base/rng.h"
#include "store/db/connection.h"
#include "store/formats/formats.h"

#include <ctype.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[LAB_PATH_SIZE / 2];

// --- Schemas ---

enum { SCHEMAS_MAX = 32, SCHEMA_SIZE = 48 };

static char schemas[SCHEMAS_MAX][SCHEMA_SIZE]; // of this test
static unsigned schema_count;

static const char *server(void)
{
    return getenv("KROW_TEST_POSTGRES");
}

bool lab_is_postgres(void)
{
    return server() != NULL;
}

static void on_server(const char *sql)
{
    PGconn *link = PQconnectdb(server());
    PGresult *result = PQexec(link, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(link));
    PQclear(result);
    PQfinish(link);
}

// The schema of a database of this name; other processes have others.
static void schema_of(const char *name, char schema[SCHEMA_SIZE])
{
    (void)snprintf(schema, SCHEMA_SIZE, "lab_%s_%s", folder + strlen(folder) - 6, name);
    for (char *at = schema; *at != '\0'; at++)
        *at = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '_';
}

static void make_schema(const char *schema)
{
    char sql[2 * SCHEMA_SIZE + 32];
    for (unsigned i = 0; i < schema_count; i++)
        if (strcmp(schemas[i], schema) == 0)
            return;
    assert_true(schema_count < SCHEMAS_MAX);
    (void)snprintf(sql, sizeof sql, "CREATE SCHEMA %s", schema);
    on_server(sql);
    (void)snprintf(schemas[schema_count++], SCHEMA_SIZE, "%s", schema);
}

static void gravity_schema(const char *schema)
{
    char sql[SCHEMA_SIZE + 64];
    (void)snprintf(sql, sizeof sql, "SET client_min_messages = error; DROP SCHEMA %s CASCADE", schema);
    on_server(sql);
}

const char *lab_db(char path[LAB_PATH_SIZE], const char *name)
{
    if (!lab_is_postgres())
        return lab_path(path, name);
    char schema[SCHEMA_SIZE];
    schema_of(name, schema);
    make_schema(schema);
    (void)snprintf(path, LAB_PATH_SIZE, "%s options=-csearch_path=%s", server(), schema);
    return path;
}

void lab_remove_db(const char *name)
{
    char path[LAB_PATH_SIZE], file[64];
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3 && !lab_is_postgres(); i++) {
        (void)snprintf(file, sizeof file, "%s%s", name, endings[i]);
        (void)unlink(lab_path(path, file));
    }
    if (!lab_is_postgres())
        return;
    char schema[SCHEMA_SIZE], sql[SCHEMA_SIZE + 32];
    schema_of(name, schema);
    make_schema(schema);
    gravity_schema(schema);
    (void)snprintf(sql, sizeof sql, "CREATE SCHEMA %s", schema);
    on_server(sql);
}

// --- Folders ---

int lab_make_folder(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/krow-lab-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(folder) == NULL)
        return -1;
    schema_count = 0;
    (void)lab_db(path, "krow.db"); // before there are children, which may all want it
    return 0;
}

int lab_remove_folder(void **state)
{
    (void)state;
    char command[LAB_PATH_SIZE + 32];
    for (unsigned i = 0; i < schema_count; i++)
        gravity_schema(schemas[i]);
    schema_count = 0;
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT(cert-env33-c): the path is our own
}

int lab_run_tests(const char *name, const struct CMUnitTest *both, size_t both_count, const struct CMUnitTest *files,
                  size_t file_count)
{
    struct CMUnitTest tests[128];
    size_t count = both_count;
    assert_true(both_count + file_count <= sizeof tests / sizeof tests[0]);
    memcpy(tests, both, both_count * sizeof *both);
    if (!lab_is_postgres() && file_count > 0) {
        memcpy(tests + both_count, files, file_count * sizeof *files);
        count += file_count;
    }
    return _cmocka_run_group_tests(name, tests, count, NULL, NULL);
}

const char *lab_path(char path[LAB_PATH_SIZE], const char *name)
{
    (void)snprintf(path, LAB_PATH_SIZE, "%s/%s", folder, name);
    return path;
}

Database *lab_open(void)
{
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_done(database_open(lab_db(path, "krow.db"), &db, &error), error);
    assert_non_null(db);
    return db;
}

int64_t lab_begin(Database *db, const char *rules, const char *spec)
{
    DatabaseMatch match = {.rules = rules_of(rules), .spec = spec, .created = 1700000000000};
    int64_t id = 0;
    Error error = {0};
    assert_done(database_begin_match(db, &match, &id, &error), error);
    assert_true(id > 0);
    return id;
}

int64_t lab_begin_old(const char *path, const char *rules, const char *spec)
{
    char sql[256], game[RULES_TEXT_SIZE];
    Rules parsed = rules_of(rules);
    rules_format(&parsed, game);
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO matches (kind, game, spec, created) VALUES ('match', '%s', '%s', 1700000000000)"
                   " RETURNING id",
                   game, spec);
    int64_t id = lab_sql(path, sql);
    assert_true(id > 0);
    return id;
}

void lab_lend_columns(const char *path, bool has_them)
{
    char sql[80];
    (void)snprintf(sql, sizeof sql, "ALTER TABLE games %s COLUMN checksum %s", has_them ? "ADD" : "DROP",
                   !has_them           ? ""
                   : lab_is_postgres() ? "BIGINT"
                                       : "INTEGER");
    (void)lab_sql(path, sql);
}

void lab_record(GameRecord *record, uint64_t seed)
{
    static const Rules rules = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1};
    Rng rng = rng_make(seed);
    Game game;
    Cell cells[RULES_CELLS_MAX];
    game_init(&game, &rules);
    while (!game_is_over(&game))
        game_play(&game, cells[rng_below(&rng, board_legal_cells(&game.board, cells))]);
    *record = (GameRecord){0};
    (void)record_from_game(record, &game, NULL);
    for (unsigned i = 0; i < record->count; i++)
        record->stones[i].ms = (int32_t)rng_below(&rng, 1000);
}

static Status add(Database *db, int64_t match, int64_t number, bool is_counted, Error *error)
{
    GameRecord record;
    lab_record(&record, (uint64_t)number);
    DatabaseGame game = {.match = match,
                         .number = number,
                         .first = number % 2 == 0 ? "one" : "two",
                         .second = number % 2 == 0 ? "two" : "one",
                         .seed = (uint64_t)number,
                         .record = &record};
    if (is_counted) {
        (void)own_counts_add(&game.own[0], "again", (uint64_t)number);
        (void)own_counts_add(&game.own[0], "tried", 0);
        (void)own_counts_add(&game.own[1], "again", UINT64_MAX - (uint64_t)number);
    }
    Status status = database_add_game(db, &game, error);
    record_close(&record);
    return status;
}

Status lab_add(Database *db, int64_t match, int64_t number, Error *error)
{
    return add(db, match, number, false, error);
}

Status lab_add_counted(Database *db, int64_t match, int64_t number, Error *error)
{
    return add(db, match, number, true, error);
}

static bool check_next(void *context, const DatabaseGame *game)
{
    int64_t *next = context;
    GameRecord expected;
    lab_record(&expected, (uint64_t)*next);
    assert_int_equal(game->number, *next);
    assert_int_equal(game->record->count, expected.count);
    assert_int_equal(game->record->result, expected.result);
    for (unsigned i = 0; i < expected.count; i++) {
        assert_int_equal(game->record->stones[i].cell, expected.stones[i].cell);
        assert_int_equal(game->record->stones[i].ms, expected.stones[i].ms);
    }
    record_close(&expected);
    ++*next;
    return true;
}

int64_t lab_check_match(Database *db, int64_t match)
{
    int64_t count = 0;
    Error error = {0};
    assert_done(database_check(db, &error), error);
    assert_done(database_each_game(db, &(DatabaseFilter){.match = match}, check_next, &count, &error), error);
    return count;
}

static bool count_game(void *context, const DatabaseGame *game)
{
    (void)game;
    ++*(unsigned *)context;
    return true;
}

unsigned lab_count(Database *db, const DatabaseFilter *filter)
{
    unsigned count = 0;
    Error error = {0};
    assert_done(database_each_game(db, filter, count_game, &count, &error), error);
    return count;
}

typedef struct {
    GameRecord records[8];
    unsigned count;
} Records;

static bool take_record(void *context, const FormatItem *item)
{
    Records *records = context;
    assert_non_null(item->record);
    records->records[records->count++] = *item->record;
    *item->record = (GameRecord){0};
    return true;
}

static void read_records(Records *records, const char *text)
{
    Error error = {0};
    *records = (Records){0};
    assert_done(formats_read(span_of(text), NULL, take_record, records, &error), error);
}

static void close_records(Records *records)
{
    for (unsigned i = 0; i < records->count; i++)
        record_close(&records->records[i]);
}

void lab_import(Database *db, const char *source, const char *text, uint64_t added, uint64_t known)
{
    Records records;
    Error error = {0};
    DatabaseImport import = {.source = source};
    read_records(&records, text);
    for (unsigned i = 0; i < records.count; i++)
        assert_done(database_import(db, &import, &records.records[i], 1, &error), error);
    assert_int_equal(import.added, added);
    assert_int_equal(import.known, known);
    database_import_close(&import);
    close_records(&records);
}

static int64_t sql_on_server(const char *where, const char *sql)
{
    int64_t number = 0;
    PGconn *link = PQconnectdb(where);
    PGresult *result = PQexec(link, sql);
    if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0)
        number = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    else if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(link));
    PQclear(result);
    PQfinish(link);
    return number;
}

int64_t lab_version(const char *path)
{
    return lab_sql(path, lab_is_postgres() ? "SELECT version FROM krow_schema" : "PRAGMA user_version");
}

void lab_set_version(const char *path, int64_t version)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "%s = %lld",
                   lab_is_postgres() ? "UPDATE krow_schema SET version" : "PRAGMA user_version", (long long)version);
    (void)lab_sql(path, sql);
}

bool lab_has_table(const char *path, const char *name)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql,
                   lab_is_postgres() ? "SELECT count(to_regclass('%s'))"
                                     : "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '%s'",
                   name);
    return lab_sql(path, sql) != 0;
}

int64_t lab_sql(const char *path, const char *sql)
{
    if (connection_is_text(path))
        return sql_on_server(path, sql);
    sqlite3 *connection = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = 0;
    assert_int_equal(sqlite3_open(path, &connection), SQLITE_OK);
    for (const char *rest = sql; rest != NULL && *rest != '\0';) {
        if (sqlite3_prepare_v2(connection, rest, -1, &statement, &rest) != SQLITE_OK)
            fail_msg("%s: %s", sql, sqlite3_errmsg(connection));
        int code = sqlite3_step(statement);
        if (code == SQLITE_ROW)
            number = sqlite3_column_int64(statement, 0);
        else if (code != SQLITE_DONE)
            fail_msg("%s: %s", sql, sqlite3_errmsg(connection));
        (void)sqlite3_finalize(statement);
    }
    (void)sqlite3_close(connection);
    return number;
}

int64_t lab_kill(int (*child)(int report, void *context), void *context, double seconds)
{
    int report[2];
    assert_int_equal(pipe(report), 0);
    pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0) {
        (void)close(report[0]);
        _exit(child(report[1], context));
    }
    (void)close(report[1]);
    clock_sleep(seconds);
    assert_int_equal(kill(id, SIGKILL), 0);
    int64_t last = -1, number = 0;
    while (read(report[0], &number, sizeof number) == sizeof number) {
        assert_true(number > last);
        last = number;
    }
    (void)close(report[0]);
    int result = 0;
    assert_int_equal(waitpid(id, &result, 0), id);
    assert_true(WIFSIGNALED(result) && WTERMSIG(result) == SIGKILL);
    return last;
}

int64_t lab_kills(int64_t usual)
{
    const char *value = getenv("KROW_TEST_KILLS");
    int64_t number = 0;
    return value != NULL && span_to_int(span_of(value), 1, 1000000, &number) ? number : usual;
}
