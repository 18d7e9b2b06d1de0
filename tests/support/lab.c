#include "support/lab.h"

#include "base/clock.h"
#include "base/rng.h"
#include "store/formats.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[LAB_PATH_SIZE / 2];

int lab_make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    (void)snprintf(folder, sizeof folder, "%s/krow-lab-XXXXXX", base != NULL ? base : "/tmp");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

int lab_remove_folder(void **state)
{
    (void)state;
    char command[LAB_PATH_SIZE + 32];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT(cert-env33-c): the path is our own
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
    assert_done(database_open(lab_path(path, "krow.db"), &db, &error), error);
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
    assert_done(formats_read(span_of(text), NULL, NULL, take_record, records, &error), error);
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

int64_t lab_sql(const char *path, const char *sql)
{
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
