// Tests of searches for games: filters, pages and positions compared with a walk over all games.
#include "support/lab.h"

#include "base/clock.h"
#include "game/symmetry.h"
#include "store/db/database_internal.h"
#include "store/db/database_search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 400, MOST = 1000 };

typedef struct {
    int64_t ids[MOST];
    unsigned count;
} Ids;

static bool take_head(void *context, const DatabaseGameHead *head)
{
    Ids *ids = context;
    assert_true(ids->count < MOST);
    assert_true(ids->count == 0 || head->id < ids->ids[ids->count - 1]); // newest first
    ids->ids[ids->count++] = head->id;
    return true;
}

static DatabaseFound search(Database *db, const DatabaseGameSearch *wanted, Ids *ids)
{
    Error error = {0};
    DatabaseFound found;
    DatabaseGameSearch whole = *wanted;
    whole.sink = take_head;
    whole.context = ids;
    ids->count = 0;
    assert_done(database_search_games(db, &whole, &found, &error), error);
    return found;
}

static Database *filled(void)
{
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "one"), other = lab_begin(db, "tictactoe", "two");
    for (int64_t i = 0; i < GAMES; i++)
        assert_done(lab_add(db, i % 3 == 0 ? other : match, i, &error), error);
    lab_import(db, "file", "# krow game\ngame 5x5:k=4\nstones a1 b1 a2 b2 a3 b3 a4\nresult first\n", 1, 0);
    return db;
}

// --- The plain way ---

typedef struct {
    const DatabaseGameSearch *wanted;
    Ids ids; // rising
} Plain;

static bool has_position(const GameRecord *record, const Board *position, bool is_symmetric)
{
    Board picture, canonical;
    Game game;
    if (record->setup != NULL)
        game_init_from(&game, record->setup);
    else
        game_init(&game, &record->rules);
    for (unsigned i = 0;; i++) {
        if (is_symmetric) {
            (void)symmetry_canonical(&game.board, &picture);
            (void)symmetry_canonical(position, &canonical);
        } else {
            picture = game.board;
            canonical = *position;
        }
        if (board_key(&picture) == board_key(&canonical))
            return true;
        if (i == record->count)
            return false;
        game_play(&game, record->stones[i].cell);
    }
}

static bool take_game(void *context, const DatabaseGame *game)
{
    Plain *plain = context;
    const DatabaseGameSearch *wanted = plain->wanted;
    const DatabaseFilter *filter = &wanted->filter;
    bool fits = (filter->result == RESULT_NONE || game->record->result == filter->result) &&
                (filter->before == 0 || game->id < filter->before) &&
                (filter->agent == NULL || strcmp(game->first, filter->agent) == 0 ||
                 strcmp(game->second, filter->agent) == 0) &&
                (filter->rules == NULL || rules_equal(filter->rules, &game->record->rules));
    if (fits && (wanted->position == NULL || has_position(game->record, wanted->position, wanted->is_symmetric)))
        plain->ids.ids[plain->ids.count++] = game->id;
    return true;
}

// The search returns the same games as a walk over all games, also page by page.
static unsigned compare(Database *db, DatabaseGameSearch wanted)
{
    Error error = {0};
    Plain plain = {.wanted = &wanted};
    Ids ids;
    assert_done(database_each_game(db, &(DatabaseFilter){.match = 0}, take_game, &plain, &error), error);
    wanted.limit = MOST;
    DatabaseFound found = search(db, &wanted, &ids);
    assert_true(found.is_complete && found.total == plain.ids.count && found.next == 0);
    assert_int_equal(ids.count, plain.ids.count);
    for (unsigned i = 0; i < ids.count; i++)
        assert_int_equal(ids.ids[i], plain.ids.ids[plain.ids.count - 1 - i]);
    unsigned reported = 0;
    wanted.limit = 7;
    for (bool goes_on = true; goes_on; goes_on = found.next != 0) {
        found = search(db, &wanted, &ids);
        for (unsigned i = 0; i < ids.count; i++)
            assert_int_equal(ids.ids[i], plain.ids.ids[plain.ids.count - 1 - reported++]);
        wanted.filter.before = found.next;
    }
    assert_int_equal(reported, plain.ids.count);
    return reported;
}

static void test_filters(void **state)
{
    (void)state;
    Database *db = filled();
    Rules tictactoe = rules_of("tictactoe"), other = rules_of("5x5:k=4"), none = rules_of("gomoku");
    assert_int_equal(compare(db, (DatabaseGameSearch){0}), GAMES + 1);
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.rules = &tictactoe}}), GAMES);
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.rules = &other}}), 1);
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.rules = &none}}), 0);
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.agent = "one"}}), GAMES);
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.agent = "' OR 1=1 --"}}), 0);
    unsigned sum = 0;
    for (Result result = RESULT_FIRST; result <= RESULT_DRAW; result++)
        sum += compare(db, (DatabaseGameSearch){.filter = {.rules = &tictactoe, .result = result}});
    assert_int_equal(sum, GAMES);
    database_close(db);
}

static void test_offset(void **state)
{
    (void)state;
    Database *db = filled();
    Rules rules = rules_of("tictactoe");
    Board empty;
    board_init(&empty, &rules);
    Ids all, part;
    // Once by the index and once by the walk over positions: every game had the empty board.
    for (int i = 0; i < 2; i++) {
        DatabaseGameSearch wanted = {.filter = {.rules = &rules}, .position = i == 0 ? NULL : &empty, .limit = MOST};
        (void)search(db, &wanted, &all);
        assert_int_equal(all.count, GAMES);
        wanted.offset = 13;
        wanted.limit = 5;
        DatabaseFound found = search(db, &wanted, &part);
        assert_int_equal(part.count, 5);
        assert_memory_equal(part.ids, all.ids + 13, 5 * sizeof part.ids[0]);
        assert_true(found.total == GAMES && found.next == all.ids[17]);
        wanted.offset = 10000;
        found = search(db, &wanted, &part);
        assert_true(part.count == 0 && found.next == 0);
    }
    database_close(db);
}

// Positions of the games, randomly rotated or mirrored: exact search, and search with symmetry.
static void test_positions(void **state)
{
    (void)state;
    Database *db = filled();
    Rules rules = rules_of("tictactoe");
    Rng rng = rng_make(1);
    unsigned exact = 0, symmetric = 0;
    for (unsigned round = 0; round < test_count(60, 10); round++) {
        GameRecord record;
        lab_record(&record, rng_below(&rng, GAMES));
        Game game;
        Board turned;
        game_init(&game, &rules);
        unsigned stones = (unsigned)rng_below(&rng, record.count + 1);
        for (unsigned i = 0; i < stones; i++)
            game_play(&game, record.stones[i].cell);
        symmetry_board(&game.board, (Symmetry)rng_below(&rng, symmetry_count(&rules)), &turned);
        DatabaseGameSearch wanted = {.filter = {.rules = &rules}, .position = &turned};
        unsigned few = compare(db, wanted);
        wanted.is_symmetric = true;
        unsigned many = compare(db, wanted);
        assert_true(many >= 1 && many >= few);
        exact += few;
        symmetric += many;
        record_close(&record);
    }
    assert_true(symmetric > exact && exact > 0);
    database_close(db);
}

// A game that begins from a position: its stones are those of the position too.
static void test_set_up_positions(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Game game;
    read_drawing(&game, "tictactoe", "X..\n.O.\n...\nturn X 1\n");
    GameRecord record = {.rules = game.board.rules};
    record_set_up(&record, &game.board);
    assert_done(record_add(&record, (RecordStone){.cell = cell_at(2, 0), .ms = RECORD_MS_UNKNOWN}, &error), error);
    int64_t match = lab_begin(db, "tictactoe", "set up");
    DatabaseGame stored = {.match = match, .first = "a", .second = "b", .record = &record};
    assert_done(database_add_game(db, &stored, &error), error);
    record_close(&record);
    DatabaseGameSearch wanted = {.filter = {.rules = &game.board.rules}, .position = &game.board};
    assert_int_equal(compare(db, wanted), 1);
    game_play(&game, cell_at(2, 0));
    assert_int_equal(compare(db, wanted), 1);
    game_play(&game, cell_at(0, 0));
    assert_int_equal(compare(db, wanted), 0);
    // The same stones with the other side to move.
    read_drawing(&game, "tictactoe", "X..\n.O.\n...\nturn O 1\n");
    assert_int_equal(compare(db, wanted), 0);
    database_close(db);
}

// A search that reaches its time limit reports it; a search continued from there finds the rest.
static void test_deadline(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    enum { MANY = 1500 };
    int64_t match = lab_begin(db, "tictactoe", "many");
    for (int64_t i = 0; i < MANY; i++)
        assert_done(lab_add(db, match, i, &error), error);
    Rules rules = rules_of("tictactoe");
    Board empty;
    board_init(&empty, &rules);
    Ids ids;
    DatabaseGameSearch wanted = {
        .filter = {.rules = &rules, .deadline = 1e-9}, .position = &empty, .is_symmetric = true, .limit = 900};
    DatabaseFound found = search(db, &wanted, &ids);
    assert_false(found.is_complete);
    assert_true(found.total < MANY);
    wanted.filter.deadline = 0;
    wanted.filter.before = found.next;
    unsigned first = ids.count;
    found = search(db, &wanted, &ids);
    assert_true(found.is_complete && found.next != 0 && ids.count == 900);
    wanted.filter.before = found.next;
    found = search(db, &wanted, &ids);
    assert_true(found.next == 0 && first + 900 + ids.count == MANY);
    // Counting gives up as well, without failing.
    wanted = (DatabaseGameSearch){.filter = {.deadline = 1e-9}, .limit = 10};
    found = search(db, &wanted, &ids);
    assert_false(found.is_complete);
    // Results of pairs fail in words; afterwards the database is as good as before.
    DatabaseResults results = {0};
    DatabaseFilter late = {.deadline = 1e-9};
    assert_failed(database_results(db, &late, &results, &error), STATUS_FAILED, error, "takes too long");
    database_results_close(&results);
    assert_done(database_results(db, NULL, &results, &error), error);
    assert_int_equal(results.agent_count, 2);
    database_results_close(&results);
    database_close(db);
}

// --- Matches ---

typedef struct {
    int64_t ids[8];
    unsigned count;
    char sprt[8][64], origin[8][16];
} Matches;

static bool take_match(void *context, const DatabaseMatch *match)
{
    Matches *matches = context;
    unsigned n = matches->count++;
    matches->ids[n] = match->id;
    (void)snprintf(matches->sprt[n], sizeof matches->sprt[n], "%s", match->sprt != NULL ? match->sprt : "none");
    (void)snprintf(matches->origin[n], sizeof matches->origin[n], "%s", match->origin != NULL ? match->origin : "none");
    return true;
}

static bool add_score(void *context, const DatabaseScore *score)
{
    int64_t *next = context;
    GameRecord record;
    lab_record(&record, (uint64_t)*next);
    assert_int_equal(score->number, *next);
    assert_int_equal(score->result, record.result);
    assert_int_equal(score->fault, FAULT_NONE);
    record_close(&record);
    ++*next;
    return true;
}

static void test_matches(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t plain = lab_begin(db, "tictactoe", "one"), asked = 0, next = 0;
    DatabaseMatch match = {.rules = rules_of("gomoku"), .spec = "two", .sprt = "0 5 0.05 0.05", .origin = "web"};
    assert_done(database_begin_match(db, &match, &asked, &error), error);
    for (int64_t i = 0; i < 20; i++)
        assert_done(lab_add(db, plain, i, &error), error);
    Matches matches = {0};
    assert_done(database_newest_matches(db, 1, take_match, &matches, &error), error);
    assert_int_equal(matches.count, 1);
    assert_true(matches.ids[0] == asked && strcmp(matches.origin[0], "web") == 0);
    assert_string_equal(matches.sprt[0], "0 5 0.05 0.05");
    assert_done(database_newest_matches(db, 5, take_match, &matches, &error), error);
    assert_true(matches.count == 3 && matches.ids[2] == plain);
    assert_true(strcmp(matches.sprt[2], "none") == 0 && strcmp(matches.origin[2], "none") == 0);
    assert_done(database_read_match(db, plain, take_match, &matches, &error), error);
    assert_true(matches.count == 4 && matches.ids[3] == plain);
    assert_done(database_read_match(db, 99, take_match, &matches, &error), error);
    assert_int_equal(matches.count, 4);
    assert_done(database_each_score(db, plain, add_score, &next, &error), error);
    assert_int_equal(next, 20);
    database_close(db);
}

static bool take_one(void *context, const DatabaseGame *game)
{
    *(int64_t *)context = game->number;
    return true;
}

static void test_one_game(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    int64_t number = -1, match = lab_begin(db, "tictactoe", "one");
    assert_done(lab_add(db, match, 7, &error), error);
    assert_done(database_read_game(db, 1, take_one, &number, &error), error);
    assert_int_equal(number, 7);
    number = -1;
    assert_done(database_read_game(db, 2, take_one, &number, &error), error);
    assert_int_equal(number, -1);
    database_close(db);
}

// A database of the fourth version becomes one of this one: its matches have no SPRT, and its games are found.
static void test_from_version_4(void **state)
{
    (void)state;
    char path[LAB_PATH_SIZE];
    Database *db = NULL;
    Error error = {0};
    Rules rules = rules_of("tictactoe");
    assert_done(database_connect(lab_db(path, "krow.db"), &db, &error), error);
    assert_done(database_migrate(db, migrations, 4, &error), error);
    int64_t match = lab_begin_old(path, "tictactoe", "old");
    lab_lend_columns(path, true);
    for (int i = 0; i < 5; i++)
        assert_done(lab_add(db, match, i, &error), error);
    database_close(db);
    lab_lend_columns(path, false);
    assert_int_equal(lab_version(path), 4);
    db = lab_open();
    assert_int_equal(lab_version(path), migration_count());
    assert_int_equal(compare(db, (DatabaseGameSearch){.filter = {.rules = &rules}}), 5);
    Matches matches = {0};
    assert_done(database_newest_matches(db, 5, take_match, &matches, &error), error);
    assert_true(matches.count == 1 && strcmp(matches.sprt[0], "none") == 0);
    database_close(db);
}

// --- Saved games ---

static int64_t save(Database *db, const char *key, const char *first, uint64_t seed)
{
    int64_t id = 0;
    Error error = {0};
    GameRecord record;
    lab_record(&record, seed);
    record_set_text(record.first, span_of(first));
    record_set_text(record.second, span_of("Level 4"));
    record_set_text(record.date, span_of("2026-05-31"));
    const DatabaseSavedGame game = {key, 1000 * (int64_t)seed, 1000 * (int64_t)seed + 5, &record};
    assert_done(database_save_game(db, &game, &id, &error), error);
    record_close(&record);
    return id;
}

static unsigned found(Database *db, DatabaseFilter filter)
{
    Ids ids;
    filter.origin = DATABASE_SAVED;
    DatabaseFound result = search(db, &(DatabaseGameSearch){.filter = filter, .limit = MOST}, &ids);
    assert_true(result.is_complete && result.total == ids.count);
    return ids.count;
}

// A game that is saved again replaces the earlier one, and filters find the saved games alone.
static void test_saved(void **state)
{
    (void)state;
    Database *db = filled();
    DatabaseResults before, after;
    Error error = {0};
    assert_done(database_results(db, NULL, &before, &error), error);
    int64_t id = save(db, "game-number-1", "You", 1);
    assert_int_equal(save(db, "game-number-1", "You", 2), id);
    assert_true(save(db, "game-number-2", "Zo 100%", 3) > id);
    assert_int_equal(found(db, (DatabaseFilter){0}), 2);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.origin = DATABASE_IMPORTED}), 1);
    assert_int_equal(lab_count(db, &(DatabaseFilter){.without_saved = true}), GAMES + 1);
    assert_int_equal(lab_count(db, &(DatabaseFilter){0}), GAMES + 3);

    // Parts of names in any case; the marks of LIKE are letters.
    assert_int_equal(found(db, (DatabaseFilter){.player = "LEVEL"}), 2);
    assert_int_equal(found(db, (DatabaseFilter){.player = "zo"}), 1);
    assert_int_equal(found(db, (DatabaseFilter){.player = "100%"}), 1);
    assert_int_equal(found(db, (DatabaseFilter){.player = "1%0"}), 0);
    assert_int_equal(found(db, (DatabaseFilter){.player = "' OR 1=1 --"}), 0);
    assert_int_equal(found(db, (DatabaseFilter){.text = "2026-05"}), 2);
    assert_int_equal(found(db, (DatabaseFilter){.text = "you"}), 1);
    assert_int_equal(found(db, (DatabaseFilter){.text = "_"}), 0);
    assert_int_equal(found(db, (DatabaseFilter){.since = 3000}), 1);
    assert_int_equal(found(db, (DatabaseFilter){.until = 3000}), 1);
    assert_int_equal(found(db, (DatabaseFilter){.since = 2005, .until = 2006, .player = "you", .text = "level"}), 1);

    // Ratings see the same games as before.
    assert_done(database_results(db, NULL, &after, &error), error);
    assert_true(before.agent_count == after.agent_count && before.pair_count == after.pair_count);
    database_results_close(&before);
    database_results_close(&after);
    database_close(db);
}

static bool take_kept(void *context, const DatabaseGame *game)
{
    Span kept = record_kept(game->record, 0);
    (void)snprintf(context, 40, "%.*s", SPAN_PRINT(kept));
    return true;
}

// A review is stored with its game, survives saving the same stones again, and goes with other stones.
static void test_reviewed(void **state)
{
    (void)state;
    Database *db = filled();
    Error error = {0};
    GameRecord record;
    bool is_done = false;
    char kept[40] = "";
    int64_t id = save(db, "game-number-1", "You", 1);
    lab_record(&record, 1);
    GameRecord reviewed = {.rules = record.rules};
    text_add(&reviewed.kept, "KW[1]");
    for (unsigned i = 0; i < record.count; i++)
        assert_done(record_add(&reviewed, record.stones[i], &error), error);
    assert_done(database_save_review(db, id, &reviewed, &is_done, &error), error);
    assert_true(is_done);
    (void)save(db, "game-number-1", "You", 1);
    assert_done(database_read_game(db, id, take_kept, kept, &error), error);
    assert_string_equal(kept, "KW[1]");
    (void)save(db, "game-number-1", "You", 2);
    assert_done(database_read_game(db, id, take_kept, kept, &error), error);
    assert_string_equal(kept, "");
    assert_done(database_save_review(db, id, &reviewed, &is_done, &error), error);
    assert_false(is_done); // other stones
    assert_done(database_save_review(db, 1, &reviewed, &is_done, &error), error);
    assert_false(is_done); // a game of a match

    assert_done(database_remove_saved(db, 1, &is_done, &error), error);
    assert_false(is_done);
    assert_done(database_remove_saved(db, id, &is_done, &error), error);
    assert_true(is_done);
    assert_int_equal(found(db, (DatabaseFilter){0}), 0);
    assert_int_equal(lab_count(db, NULL), GAMES + 1);
    record_close(&record);
    record_close(&reviewed);
    database_close(db);
}

TEST_GROUP(database_search)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_filters),  LAB_TEST(test_offset),   LAB_TEST(test_positions), LAB_TEST(test_set_up_positions),
        LAB_TEST(test_deadline), LAB_TEST(test_matches),  LAB_TEST(test_one_game),  LAB_TEST(test_from_version_4),
        LAB_TEST(test_saved),    LAB_TEST(test_reviewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
