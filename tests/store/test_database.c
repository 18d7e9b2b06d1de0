// Tests of the database: stored data is found again, exactly once, and by every filter.
#include "store/db/database.h"
#include "store/db/database_internal.h"
#include "support/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// --- Opening ---

static void test_the_usual_place(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], expected[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_int_equal(setenv("XDG_DATA_HOME", lab_path(path, "data"), 1), 0);
    assert_int_equal(unsetenv("KROW_DB"), 0);
    assert_done(database_open(NULL, &db, &error), error);
    assert_string_equal(database_path(db), lab_path(expected, "data/krow/krow.db"));
    database_close(db);
    assert_int_equal(setenv("KROW_DB", lab_path(path, "other.db"), 1), 0);
    assert_done(database_open(NULL, &db, &error), error);
    assert_string_equal(database_path(db), path);
    database_close(db);
    assert_int_equal(unsetenv("KROW_DB"), 0);
    database_close(NULL);
}

static void test_settings(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    (void)lab_db(path, "krow.db");
    Query query = query_prepare(db, "PRAGMA journal_mode");
    assert_true(query_row(&query));
    assert_string_equal(query_text(&query, 0), "wal");
    assert_int_equal(query_end(&query, NULL), STATUS_OK);
    query = query_prepare(db, "PRAGMA foreign_keys");
    assert_true(query_row(&query));
    assert_int_equal(query_int(&query, 0), 1);
    assert_int_equal(query_end(&query, NULL), STATUS_OK);
    database_close(db);
    assert_int_equal(lab_version(path), migration_count());
    // Every table refuses what is not of its type; SQLite's own, which counts numbers, is not ours.
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%STRICT'"
                                   " AND name <> 'sqlite_sequence'"),
                     0);
}

static void write_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// A file that is something else is refused and stays as it is.
static void test_other_files(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    const char *const contents[] = {"hello", "a text that is longer than the hundred bytes a database begins with, and "
                                             "has nothing to do with one: game 3x3:k=3, stones a1 b2 c3, and so on"};
    for (int i = 0; i < 2; i++) {
        write_file(lab_path(path, "text"), contents[i]);
        assert_refused(database_open(path, &db, &error), error, "is not a database");
        assert_null(db);
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_size, strlen(contents[i]));
    }
    assert_refused(database_open("", &db, &error), error, "empty");
    assert_failed(database_open(lab_path(path, "no/such/folder.db"), &db, &error), STATUS_IO, error, "cannot open");
    assert_failed(database_open(lab_path(path, ""), &db, &error), STATUS_IO, error, "cannot open");
    // An empty file is an empty database.
    write_file(lab_path(path, "empty"), "");
    assert_done(database_open(path, &db, &error), error);
    database_close(db);
}

static void test_other_databases(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    (void)lab_sql(lab_db(path, "foreign.db"), "CREATE TABLE cookies (id INTEGER)");
    assert_refused(database_open(path, &db, &error), error, "a database of another program");
    assert_true(lab_has_table(path, "cookies"));
    assert_false(lab_has_table(path, "games"));
}

// --- Versions ---

static void test_a_newer_version(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    database_close(db);
    lab_set_version(lab_db(path, "krow.db"), 1000);
    assert_failed(database_open(path, &db, &error), STATUS_FAILED, error, "newer krow");
    assert_non_null(strstr(error.text, "1000"));
    assert_null(db);
    assert_int_equal(lab_version(path), 1000);
}

#define STEP(sql)                                                                                                      \
    {                                                                                                                  \
        sql, sizeof(sql) - 1                                                                                           \
    }

static const Span steps[] = {
    STEP("CREATE TABLE a (x {int}){strict}; INSERT INTO a VALUES (1)"),
    STEP("ALTER TABLE a ADD COLUMN y {int}; UPDATE a SET y = x + 1"),
    STEP("CREATE TABLE b (x {int}){strict}; INSERT INTO b VALUES ('no number')"), // fails in its second statement
};

// From every version to the next ones; a step that fails leaves the version before it, whole.
static void test_steps_of_versions(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], name[32];
    Error error = {0};
    for (int from = 0; from <= 2; from++) {
        Database *db = NULL;
        (void)snprintf(name, sizeof name, "from%d.db", from);
        assert_done(database_connect(lab_db(path, name), &db, &error), error);
        assert_done(database_migrate(db, steps, from, &error), error);
        assert_done(database_migrate(db, steps, 2, &error), error);
        assert_done(database_migrate(db, steps, 2, &error), error); // nothing left to do
        assert_failed(database_migrate(db, steps, 3, &error), STATUS_FAILED, error, "from version 2 to 3");
        database_close(db);
        assert_int_equal(lab_version(path), 2);
        assert_int_equal(lab_sql(path, "SELECT y FROM a"), 2);
        assert_int_equal(lab_has_table(path, "b"), false);
    }
}

// A database of every version that was ever released becomes one of today. The texts of steps are never changed, so a
// database of version n is what the first n of them make.
static void test_older_versions(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE], name[32];
    Error error = {0};
    for (int from = 0; from <= migration_count(); from++) {
        Database *db = NULL;
        (void)snprintf(name, sizeof name, "from%d.db", from);
        assert_done(database_connect(lab_db(path, name), &db, &error), error);
        assert_done(database_migrate(db, migrations, from, &error), error);
        database_close(db);
        assert_done(database_open(path, &db, &error), error);
        int64_t match = lab_begin(db, "tictactoe", "spec");
        assert_done(lab_add(db, match, 0, &error), error);
        assert_int_equal(lab_check_match(db, match), 1);
        database_close(db);
        assert_int_equal(lab_version(path), migration_count());
    }
}

// --- Matches ---

typedef struct {
    DatabaseMatch matches[4];
    char spec[4][64];
    unsigned count, limit;
} MatchList;

static bool take_match(void *context, const DatabaseMatch *match)
{
    MatchList *list = context;
    list->matches[list->count] = *match;
    (void)snprintf(list->spec[list->count++], 64, "%s", match->spec);
    return list->count < list->limit;
}

static void test_matches(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t id = 0;
    (void)lab_begin(db, "connect6", "spec one");
    int64_t second = lab_begin(db, "connect6", "spec one"), third = 0;
    DatabaseMatch tournament = {.kind = DATABASE_TOURNAMENT, .rules = rules_of("connect4"), .spec = "spec 'two'; --"};
    assert_done(database_begin_match(db, &tournament, &third, &error), error);
    assert_done(lab_add(db, second, 5, &error), error);

    // The newest, also when it is finished.
    assert_done(database_finish_match(db, second, 1234, &error), error);
    assert_done(database_finish_match(db, second, 5678, &error), error);
    assert_done(database_find_match(db, "spec one", &id, &error), error);
    assert_int_equal(id, second);
    assert_done(database_find_match(db, "spec", &id, &error), error);
    assert_int_equal(id, 0);
    assert_failed(database_finish_match(db, 99, 1, &error), STATUS_FAILED, error, "no match 99");

    MatchList list = {.limit = 4};
    assert_done(database_each_match(db, take_match, &list, &error), error);
    assert_int_equal(list.count, 3);
    assert_int_equal(list.matches[1].id, second);
    assert_int_equal(list.matches[1].kind, DATABASE_MATCH);
    assert_int_equal(list.matches[1].created, 1700000000000);
    assert_int_equal(list.matches[1].finished, 1234);
    assert_int_equal(list.matches[1].games, 1);
    assert_int_equal(list.matches[2].id, third);
    assert_int_equal(list.matches[2].kind, DATABASE_TOURNAMENT);
    assert_int_equal(list.matches[2].finished, 0);
    assert_true(rules_equal(&list.matches[2].rules, &tournament.rules));
    assert_string_equal(list.spec[2], tournament.spec);
    list = (MatchList){.limit = 2};
    assert_done(database_each_match(db, take_match, &list, &error), error);
    assert_int_equal(list.count, 2);
    database_close(db);
}

// --- Games ---

// A record with something in every field, on a position that was set up.
static void full_record(GameRecord *record)
{
    Game game;
    Error error = {0};
    *record = (GameRecord){.rules = rules_of("64x64:k=5,p=2,q=1"), .result = RESULT_SECOND};
    begin_game(&game, "64x64:k=5,p=2,q=1");
    play_text(&game, "bl64 a1 b2");
    record_set_up(record, &game.board);
    record_set_text(record->event, span_of("Club \xc3\xa9vening 'x'"));
    record_set_text(record->date, span_of("2024-05-06"));
    Cell cells[] = {cell_of(&record->rules, "bl1"), cell_of(&record->rules, "a64"), cell_of(&record->rules, "h8")};
    const char *const kept[] = {"C[before: 1 2]", "", "C[after two]N[x]", "C[at the end]"};
    const int32_t ms[] = {0, RECORD_MS_UNKNOWN, INT32_MAX};
    for (int i = 0; i <= 3; i++) {
        text_add(&record->kept, "%s", kept[i]);
        if (i < 3)
            assert_done(record_add(record, (RecordStone){.cell = cells[i], .ms = ms[i]}, &error), error);
    }
}

static void assert_same_record(const GameRecord *a, const GameRecord *b)
{
    assert_true(rules_equal(&a->rules, &b->rules));
    assert_string_equal(a->event, b->event);
    assert_string_equal(a->date, b->date);
    assert_int_equal(a->result, b->result);
    assert_int_equal(a->setup != NULL, b->setup != NULL);
    if (a->setup != NULL)
        assert_same_board(a->setup, b->setup);
    assert_int_equal(a->count, b->count);
    for (unsigned i = 0; i <= a->count; i++) {
        Span left = record_kept(a, i), right = record_kept(b, i);
        assert_int_equal(left.length, right.length);
        assert_memory_equal(left.at, right.at, left.length);
    }
    for (unsigned i = 0; i < a->count; i++) {
        assert_int_equal(a->stones[i].cell, b->stones[i].cell);
        assert_int_equal(a->stones[i].ms, b->stones[i].ms);
    }
}

// Compares a game with the one expected; the texts beside the record too.
typedef struct {
    const DatabaseGame *expected;
    unsigned count;
} Comparison;

static bool compare(void *context, const DatabaseGame *game)
{
    Comparison *comparison = context;
    const DatabaseGame *expected = comparison->expected;
    assert_true(game->id > 0);
    assert_int_equal(game->match, expected->match);
    assert_int_equal(game->number, expected->number);
    assert_string_equal(game->first, expected->first);
    assert_string_equal(game->second, expected->second);
    assert_string_equal(game->reason, expected->reason);
    assert_int_equal(game->opening, expected->opening);
    assert_true(game->seed == expected->seed);
    assert_int_equal(game->fault, expected->fault);
    assert_int_equal(game->faulty, expected->faulty);
    assert_int_equal(game->started, expected->started);
    assert_int_equal(game->ended, expected->ended);
    assert_int_equal(game->source != NULL, expected->source != NULL);
    if (game->source != NULL)
        assert_string_equal(game->source, expected->source);
    assert_same_record(game->record, expected->record);
    comparison->count++;
    return true;
}

static void assert_stored(Database *db, const DatabaseGame *expected)
{
    Comparison comparison = {.expected = expected};
    Error error = {0};
    assert_done(database_each_game(db, &(DatabaseFilter){.match = expected->match}, compare, &comparison, &error),
                error);
    assert_int_equal(comparison.count, 1);
}

static void test_every_field(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    GameRecord record;
    full_record(&record);
    // Longer than a record can hold.
    char agent[600], reason[FAULT_TEXT_SIZE];
    (void)snprintf(agent, sizeof agent, "exec:/a b;\"'%0560d", 1);
    (void)snprintf(reason, sizeof reason, "%0190d", 2);
    DatabaseGame game = {.match = lab_begin(db, "64x64:k=5,p=2,q=1", "a"),
                         .number = INT64_MAX,
                         .first = agent,
                         .second = "random",
                         .reason = reason,
                         .opening = 2,
                         .seed = UINT64_C(0xfedcba9876543210),
                         .fault = FAULT_TIMEOUT,
                         .faulty = SIDE_SECOND,
                         .started = 1700000000001,
                         .ended = 1700000000999,
                         .record = &record};
    assert_done(database_add_game(db, &game, &error), error);
    database_close(db);
    db = lab_open();
    assert_stored(db, &game);
    assert_done(database_check(db, &error), error);
    database_close(db);
    record_close(&record);
}

static bool check_counted(void *context, const DatabaseGame *game)
{
    int64_t first = *(const int64_t *)context;
    bool is_counted = game->number >= first;
    assert_int_equal(game->own[0].count, is_counted ? 2 : 0);
    assert_int_equal(game->own[1].count, is_counted ? 1 : 0);
    if (!is_counted)
        return true;
    assert_string_equal(game->own[0].list[0].name, "again");
    assert_int_equal(game->own[0].list[0].value, game->number);
    assert_string_equal(game->own[0].list[1].name, "tried");
    assert_int_equal(game->own[0].list[1].value, 0);
    assert_string_equal(game->own[1].list[0].name, "again");
    assert_true(game->own[1].list[0].value == UINT64_MAX - (uint64_t)game->number);
    return true;
}

// A database of the second version becomes one of this one: games of before have no counts, later ones have theirs.
static void test_counts_from_version_2(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    assert_done(database_connect(lab_db(path, "krow.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 2, &error), error);
    int64_t match = lab_begin_old(path, "tictactoe", "old"), first = 3;
    lab_lend_columns(path, true);
    for (int64_t i = 0; i < first; i++)
        assert_done(lab_add(db, match, i, &error), error);
    database_close(db);
    lab_lend_columns(path, false);
    assert_int_equal(lab_version(path), 2);
    assert_int_equal(lab_has_table(path, "game_counts"), false);
    db = lab_open();
    for (int64_t i = first; i < 6; i++)
        assert_done(lab_add_counted(db, match, i, &error), error);
    database_close(db);
    db = lab_open();
    assert_done(database_each_game(db, &(DatabaseFilter){.match = match}, check_counted, &first, &error), error);
    assert_int_equal(lab_check_match(db, match), 6);
    database_close(db);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM game_counts"), 9);
}

// A game that is refused leaves no counts, and those that krow cannot have written are not believed.
static void test_counts_of_refused_and_damaged_games(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a"), first = 0;
    assert_done(lab_add_counted(db, match, 0, &error), error);
    assert_failed(lab_add_counted(db, match, 0, &error), STATUS_FAILED, error, "already");
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM game_counts"), 3);
    (void)lab_sql(path, "UPDATE game_counts SET name = 'a name that is longer than krow has' WHERE side = 'second'");
    assert_failed(database_each_game(db, NULL, check_counted, &first, &error), STATUS_FAILED, error,
                  "game 1 of the database: the counts are damaged");
    database_close(db);
}

// Counts that do not fit take their game with them.
static void test_counts_that_cannot_be_stored(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a");
    (void)lab_sql(lab_db(path, "krow.db"),
                  lab_is_postgres()
                      ? "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
                        " 'BEGIN RAISE EXCEPTION ''no room''; END';"
                        "CREATE TRIGGER refuse BEFORE INSERT ON game_counts FOR EACH ROW WHEN (new.side = 'second')"
                        " EXECUTE FUNCTION refuse()"
                      : "CREATE TRIGGER refuse BEFORE INSERT ON game_counts WHEN new.side = 'second' "
                        "BEGIN SELECT raise(ABORT, 'no room'); END");
    assert_failed(lab_add_counted(db, match, 0, &error), STATUS_FAILED, error, "no room");
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM games"), 0);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM game_counts"), 0);
    assert_done(lab_add(db, match, 0, &error), error);
    database_close(db);
}

// Nothing known but the rules: no stones, no result, no times.
static void test_an_empty_game(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    GameRecord record = {.rules = rules_of("tictactoe"), .first = "a", .second = "b", .reason = "stopped"};
    DatabaseGame game = {.match = lab_begin(db, "tictactoe", "a"), .record = &record};
    assert_done(database_add_game(db, &game, &error), error);
    game.first = record.first;
    game.second = record.second;
    game.reason = record.reason;
    assert_stored(db, &game);
    database_close(db);
}

static void test_a_game_only_once(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a"), other = lab_begin(db, "tictactoe", "b");
    assert_done(lab_add(db, match, 0, &error), error);
    assert_done(lab_add(db, match, 1, &error), error);
    assert_failed(lab_add(db, match, 1, &error), STATUS_FAILED, error, "is in the database already");
    assert_done(lab_add(db, other, 0, &error), error);
    assert_failed(lab_add(db, 77, 0, &error), STATUS_FAILED, error, "no match 77");
    assert_int_equal(lab_check_match(db, match), 2);
    database_close(db);
    // Agents and openings are there once.
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM agents"), 2);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM openings"), 0);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM game_list WHERE first = 'one' AND length(stones) > 0"), 2);
}

static void test_openings_are_shared(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = lab_open();
    Error error = {0};
    GameRecord record;
    lab_record(&record, 3);
    DatabaseGame game = {.match = lab_begin(db, "tictactoe", "a"), .first = "a", .second = "b", .record = &record};
    const unsigned openings[] = {2, 2, 0, 3, record.count};
    for (game.number = 0; game.number < 5; game.number++) {
        game.opening = openings[game.number];
        assert_done(database_add_game(db, &game, &error), error);
    }
    database_close(db);
    assert_int_equal(lab_sql(lab_db(path, "krow.db"), "SELECT count(*) FROM openings"), 3);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM openings WHERE length = 2 AND length(stones) = 5"), 1);
    assert_int_equal(lab_sql(path, "SELECT count(*) FROM games WHERE opening_id IS NULL"), 1);
    record_close(&record);
}

typedef struct {
    size_t count;
    int64_t numbers[300];
} GameNumbers;

static bool add_number(void *context, const DatabaseScore *score)
{
    GameNumbers *found = context;
    assert_in_range(found->count, 0, 299);
    found->numbers[found->count++] = score->number;
    return true;
}

static void test_numbers_for_resume(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a");
    GameNumbers found = {0};
    assert_done(database_each_score(db, match, add_number, &found, &error), error);
    assert_int_equal(found.count, 0);
    for (int64_t number = 600; number > 0; number -= 2) // finished in another order than begun
        assert_done(lab_add(db, match, number, &error), error);
    assert_done(database_each_score(db, match, add_number, &found, &error), error);
    assert_int_equal(found.count, 300);
    for (size_t i = 0; i < found.count; i++)
        assert_int_equal(found.numbers[i], 2 * (i + 1));
    database_close(db);
}

// A sink may use the database; the current walk does not see what it adds.
static bool add_another(void *context, const DatabaseGame *game)
{
    Error error = {0};
    assert_done(lab_add(context, game->match, game->number + 100, &error), error);
    return game->number < 7;
}

typedef struct {
    Database *db, *other;
    int64_t next;
} Walk;

static bool add_both(void *context, const DatabaseGame *game)
{
    Walk *walk = context;
    Error error = {0};
    assert_done(lab_add(walk->other, game->match, walk->next++, &error), error);
    assert_done(lab_add(walk->db, game->match, walk->next++, &error), error);
    return true;
}

static void test_a_sink_that_writes(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "a");
    for (int64_t number = 0; number < 10; number++)
        assert_done(lab_add(db, match, number, &error), error);
    assert_done(database_each_game(db, NULL, add_another, db, &error), error);
    assert_int_equal(lab_count(db, NULL), 18); // it stopped at the eighth
    // Another connection may write during a walk, and this one after it.
    Walk walk = {.db = db, .other = other, .next = 1000};
    assert_done(database_each_game(db, &(DatabaseFilter){.match = match}, add_both, &walk, &error), error);
    assert_int_equal(lab_count(db, NULL), 54);
    database_close(other);
    database_close(db);
}

// --- Filters ---

static void test_filters(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Rules tictactoe = rules_of("tictactoe"), connect4 = rules_of("connect4");
    int64_t a = lab_begin(db, "tictactoe", "a"), b = lab_begin(db, "tictactoe", "b");
    for (int64_t number = 0; number < 5; number++)
        assert_done(lab_add(db, number < 3 ? a : b, number, &error), error);
    lab_import(db, "four.krow", "# krow game\ngame connect4\nfirst one\nsecond human\nstones d1 d2 e1\n", 1, 0);
    assert_int_equal(lab_count(db, NULL), 6);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.match = a}), 3);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.match = 99}), 0);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.rules = &tictactoe}), 5);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.rules = &connect4}), 1);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.agent = "one"}), 6);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.agent = "human"}), 1);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.agent = "missing"}), 0);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.origin = DATABASE_PLAYED}), 5);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.origin = DATABASE_IMPORTED}), 1);
    DatabaseFilter all = {.match = b, .rules = &tictactoe, .agent = "two", .origin = DATABASE_PLAYED};
    assert_int_equal(lab_count(db, &all), 2);
    database_close(db);
}

// --- Import ---

#define GAME_A "# krow game\ngame tictactoe\nfirst Ann\nsecond Bob\nstones b2 a1 c3\nevent E\ndate 2020\n"
#define GAME_B "# krow game\ngame tictactoe\nfirst Ann\nsecond Bob\nstones b2 a1 c1\nresult first\nreason resigned\n"

static void test_import_once(void **state)
{
    (void)state;
    Database *db = lab_open();
    lab_import(db, "one.krow", GAME_A GAME_B, 2, 0);
    lab_import(db, "one.krow", GAME_A GAME_B, 0, 2);
    lab_import(db, "copy.krow", GAME_B GAME_A, 0, 2);
    // The same game three times in a file is three games; two of them are new, and only once.
    lab_import(db, "three.krow", GAME_A GAME_A GAME_A, 2, 1);
    lab_import(db, "three.krow", GAME_A GAME_A GAME_A, 0, 3);
    assert_int_equal(lab_count(db, NULL), 4);
    // Another name, another result, another event: another game.
    lab_import(db, "more.krow",
               "# krow game\ngame tictactoe\nfirst Ann\nsecond Bo\nstones b2 a1 c3\nevent E\ndate 2020\n", 1, 0);
    lab_import(db, "more.krow",
               "# krow game\ngame tictactoe\nfirst Ann\nsecond Bob\nstones b2 a1 c3\nevent E2\ndate 020\n", 1, 0);
    lab_import(db, "more.krow",
               "# krow game\ngame tictactoe\nfirst Ann\nsecond Bob\nstones b2 a1 c3\nresult draw\nreason agreed\n"
               "event E\ndate 2020\n",
               1, 0);
    Error error = {0};
    assert_done(database_check(db, &error), error);
    database_close(db);
}

static void test_import_keeps_every_field(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    GameRecord record;
    full_record(&record);
    record_set_text(record.first, span_of("Ann"));
    record_set_text(record.second, span_of(""));
    record_set_text(record.reason, span_of("resigned"));
    DatabaseImport import = {.source = "folder/file 1.sgf"};
    assert_done(database_import(db, &import, &record, 1, &error), error);
    database_import_close(&import);
    DatabaseGame game = {
        .first = "Ann", .second = "", .reason = "resigned", .source = "folder/file 1.sgf", .record = &record};
    assert_stored(db, &game);
    database_close(db);
    record_close(&record);
}

static void test_import_of_many(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    Database *db = lab_open();
    Error error = {0};
    GameRecord *records = calloc(MANY, sizeof *records);
    assert_non_null(records);
    for (unsigned i = 0; i < MANY; i++) {
        lab_record(&records[i], i);
        (void)snprintf(records[i].event, sizeof records[i].event, "round %u", i);
    }
    for (int again = 0; again < 2; again++) {
        DatabaseImport import = {.source = "many"};
        assert_done(database_import(db, &import, records, MANY, &error), error);
        assert_int_equal(again == 0 ? import.added : import.known, MANY);
        database_import_close(&import);
    }
    assert_int_equal(lab_count(db, NULL), MANY);
    for (unsigned i = 0; i < MANY; i++)
        record_close(&records[i]);
    free(records);
    database_close(db);
}

// --- Waiting ---

static bool hears(Database *db, double seconds)
{
    bool was_notified = false;
    Error error = {0};
    assert_done(database_wait(db, seconds, &was_notified, &error), error);
    return was_notified;
}

// A change with a notification wakes listeners once; a connection's own change need not wake it.
static void test_waiting(void **state)
{
    (void)state;
    Database *db = lab_open(), *other = lab_open();
    Error error = {0};
    Status status = STATUS_OK;
    assert_done(database_listen(db, "krow_test", &error), error);
    assert_false(hears(db, 0));
    assert_false(hears(db, 0.03));
    for (Attempt attempt = {0}; transaction_try(other, &attempt, &status, &error);) {
        status = database_add_agent(other, "new", false, &error);
        if (status == STATUS_OK)
            status = transaction_notify(other, "krow_test", &error);
        assert_false(hears(db, 0.03)); // before the end nothing has happened
        status = transaction_end(other, status, &error);
    }
    assert_done(status, error);
    assert_true(hears(db, 30));
    assert_false(hears(db, 0.03));
    database_close(db);
    database_close(other);
}

// --- Damage ---

static bool count_it(void *context, const DatabaseGame *game)
{
    (void)game;
    ++*(unsigned *)context;
    return true;
}

static void test_damage_is_told(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Error error = {0};
    const char *const damages[][2] = {
        {"UPDATE games SET stones = 'b2 z9'", "z9"},
        {"UPDATE games SET stones = 'b2 a1', times = '1 x'", "damaged"},
        {lab_is_postgres() ? "UPDATE games SET times = NULL, kept = '\\x414243'"
                           : "UPDATE games SET times = NULL, kept = x'414243'",
         "damaged"},
        {"UPDATE games SET kept = NULL, game = 'chess'", "chess"},
        {"UPDATE games SET game = '3x3:k=3', setup = 'nonsense'", "position"},
    };
    Database *db = lab_open();
    int64_t match = lab_begin(db, "tictactoe", "a");
    assert_done(lab_add(db, match, 0, &error), error);
    (void)lab_db(path, "krow.db");
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        unsigned count = 0;
        (void)lab_sql(path, damages[i][0]);
        Status status = database_each_game(db, NULL, count_it, &count, &error);
        assert_true(status != STATUS_OK);
        assert_non_null(strstr(error.text, "game 1 of the database"));
        assert_non_null(strstr(error.text, damages[i][1]));
        assert_int_equal(count, 0);
    }
    assert_done(database_check(db, &error), error);
    (void)lab_sql(path, lab_is_postgres() ? "SET session_replication_role = replica; DELETE FROM matches"
                                          : "PRAGMA foreign_keys = OFF; DELETE FROM matches");
    assert_failed(database_check(db, &error), STATUS_FAILED, error,
                  "row 1 of games refers to a missing row of matches");
    database_close(db);
}

TEST_GROUP(database)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_other_databases),
        LAB_TEST(test_a_newer_version),
        LAB_TEST(test_steps_of_versions),
        LAB_TEST(test_older_versions),
        LAB_TEST(test_matches),
        LAB_TEST(test_every_field),
        LAB_TEST(test_counts_from_version_2),
        LAB_TEST(test_counts_of_refused_and_damaged_games),
        LAB_TEST(test_counts_that_cannot_be_stored),
        LAB_TEST(test_an_empty_game),
        LAB_TEST(test_a_game_only_once),
        LAB_TEST(test_openings_are_shared),
        LAB_TEST(test_numbers_for_resume),
        LAB_TEST(test_a_sink_that_writes),
        LAB_TEST(test_filters),
        LAB_TEST(test_import_once),
        LAB_TEST(test_import_keeps_every_field),
        LAB_TEST(test_import_of_many),
        LAB_TEST(test_damage_is_told),
        LAB_TEST(test_waiting),
    };
    const struct CMUnitTest files[] = {
        LAB_TEST(test_the_usual_place),
        LAB_TEST(test_settings),
        LAB_TEST(test_other_files),
    };
    return LAB_RUN(tests, files);
}
