// Tests of results reported by the database: pairs, faults, rating lists.
#include "match/ratings.h"
#include "store/db/database_internal.h"
#include "support/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_result(Database *db, int64_t match, const char *first, const char *second, Result result, Fault fault,
                       Side faulty)
{
    static int64_t number = 0;
    Error error = {0};
    GameRecord record = {.rules = rules_of("tictactoe"), .result = result};
    DatabaseGame game = {.match = match,
                         .number = number++,
                         .first = first,
                         .second = second,
                         .fault = fault,
                         .faulty = faulty,
                         .record = &record};
    assert_done(database_add_game(db, &game, &error), error);
}

static void test_results(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    DatabaseResults results;
    assert_done(database_results(db, NULL, &results, &error), error);
    assert_int_equal(results.agent_count, 0);
    database_results_close(&results);

    int64_t match = lab_begin(db, "tictactoe", "a"), other = lab_begin(db, "tictactoe", "b");
    add_result(db, match, "zoe", "amy", RESULT_FIRST, FAULT_CRASH, SIDE_SECOND);
    add_result(db, match, "zoe", "amy", RESULT_DRAW, FAULT_NONE, SIDE_FIRST);
    add_result(db, match, "amy", "zoe", RESULT_SECOND, FAULT_ILLEGAL, SIDE_FIRST);
    add_result(db, match, "amy", "zoe", RESULT_FIRST, FAULT_TIMEOUT, SIDE_SECOND);
    add_result(db, match, "bea", "bea", RESULT_NONE, FAULT_NONE, SIDE_FIRST);
    add_result(db, other, "amy", "zoe", RESULT_FIRST, FAULT_NONE, SIDE_FIRST);
    lab_import(db, "x", "# krow game\ngame tictactoe\nfirst amy\nsecond zoe\nstones b2 a1 c1\nresult first\nreason r\n",
               1, 0);

    assert_done(database_results(db, &(DatabaseFilter){.match = match}, &results, &error), error);
    assert_int_equal(results.agent_count, 3);
    assert_string_equal(results.agents[0].name, "amy");
    assert_string_equal(results.agents[1].name, "bea");
    assert_string_equal(results.agents[2].name, "zoe");
    assert_int_equal(results.agents[0].faults.crash, 1);
    assert_int_equal(results.agents[0].faults.illegal, 1);
    assert_int_equal(results.agents[0].faults.timeout, 0);
    assert_int_equal(results.agents[2].faults.timeout, 1);
    Tally *table = NULL;
    table = database_results_table(&results);
    assert_memory_equal(&table[0 * 3 + 2], (&(Tally){.wins = 1, .losses = 1}), sizeof *table);
    assert_memory_equal(&table[2 * 3 + 0], (&(Tally){.wins = 1, .draws = 1}), sizeof *table);
    assert_memory_equal(&table[1 * 3 + 1], (&(Tally){0}), sizeof *table);
    AgentRating ratings[3];
    RatingFit fit;
    assert_done(ratings_fit(&(RatingGames){table, 3}, &(RatingOptions){0}, ratings, &fit, &error), error);
    assert_true(ratings[2].rating > ratings[0].rating);
    free(table);
    database_results_close(&results);

    // All together: the people of the imported game are others than the agents of that name.
    assert_done(database_results(db, NULL, &results, &error), error);
    assert_int_equal(results.agent_count, 5);
    assert_int_equal(results.pair_count, 4);
    assert_false(results.agents[2].is_foreign);
    assert_true(results.agents[3].is_foreign);
    assert_string_equal(results.agents[3].name, "amy");
    assert_int_equal(results.pairs[0].games.wins, 2);
    assert_int_equal(results.pairs[3].first, 3);
    assert_int_equal(results.pairs[3].second, 4);
    database_results_close(&results);
    database_close(db);
}

// Many agents, so that lists have to grow.
static void test_results_of_many(void **state)
{
    (void)state;
    enum { AGENTS = 40 };
    Database *db = lab_open();
    Error error = {0};
    DatabaseResults results;
    int64_t match = lab_begin(db, "tictactoe", "a");
    char first[16], second[16];
    for (int i = 0; i < AGENTS; i++) {
        (void)snprintf(first, sizeof first, "agent%02d", i);
        (void)snprintf(second, sizeof second, "agent%02d", (i * 7 + 3) % AGENTS);
        add_result(db, match, first, second, RESULT_FIRST, FAULT_NONE, SIDE_FIRST);
    }
    assert_done(database_results(db, NULL, &results, &error), error);
    assert_int_equal(results.agent_count, AGENTS);
    assert_int_equal(results.pair_count, AGENTS);
    for (unsigned i = 0; i < AGENTS; i++) {
        assert_int_equal(results.pairs[i].first, i);
        assert_int_equal(results.pairs[i].second, (i * 7 + 3) % AGENTS);
    }
    database_results_close(&results);
    database_close(db);
}

typedef struct {
    DatabaseRating ratings[4];
    char names[4][16];
    unsigned count;
} RatingList;

// The newest list of this name and rules, best first; fills list->computed, 0 if there is no such list.
static void read_ratings(Database *db, DatabaseRatingList *list, RatingList *read)
{
    Error error = {0};
    Query query =
        query_prepare(db, "SELECT l.computed, a.name, a.is_foreign, r.rating, r.error, r.games FROM ratings r"
                          " JOIN rating_lists l ON l.id = r.list_id JOIN agents a ON a.id = r.agent_id WHERE l.id ="
                          " (SELECT id FROM rating_lists WHERE name = ? AND game = ? ORDER BY id DESC LIMIT 1)"
                          " ORDER BY r.rating DESC, a.name, a.is_foreign");
    query_bind(&query, value_text(list->name));
    query_bind(&query, list->rules != NULL ? value_rules(list->rules) : value_text(""));
    read->count = 0;
    list->computed = 0;
    while (read->count < 4 && query_row(&query)) {
        list->computed = query_int(&query, 0);
        (void)snprintf(read->names[read->count], 16, "%s", query_text(&query, 1));
        read->ratings[read->count++] = (DatabaseRating){.is_foreign = query_int(&query, 2) != 0,
                                                        .rating = query_value(&query, 3, COLUMN_REAL).real,
                                                        .error = query_value(&query, 4, COLUMN_REAL).real,
                                                        .games = (uint32_t)query_int(&query, 5)};
    }
    assert_done(query_end(&query, &error), error);
}

static void test_ratings(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Rules rules = rules_of("connect6");
    const DatabaseRating old[] = {{.agent = "a", .rating = 1}};
    const DatabaseRating now[] = {{.agent = "low", .rating = -12.5, .error = INFINITY, .games = 3},
                                  {.agent = "high", .rating = 100.25, .error = 7.5, .games = 4000000000u},
                                  {.agent = "high", .is_foreign = true, .rating = 50}};
    DatabaseRatingList list = {.name = "main", .rules = &rules, .computed = 5}, together = {.name = "main"};
    assert_done(database_save_ratings(db, &list, old, 1, &error), error);
    list.computed = 6;
    assert_done(database_save_ratings(db, &list, now, 3, &error), error);
    RatingList read = {0};
    read_ratings(db, &list, &read);
    assert_int_equal(list.computed, 6);
    assert_int_equal(read.count, 3);
    assert_string_equal(read.names[0], "high");
    assert_true(read.ratings[0].rating == 100.25 && read.ratings[0].error == 7.5);
    assert_true(read.ratings[0].games == 4000000000u);
    assert_true(read.ratings[1].is_foreign);
    assert_true(isinf(read.ratings[2].error));
    read_ratings(db, &together, &read);
    assert_int_equal(read.count, 0);
    assert_int_equal(together.computed, 0);
    // All games are stored or none.
    const DatabaseRating twice[] = {{.agent = "a"}, {.agent = "a"}};
    assert_int_equal(database_save_ratings(db, &list, twice, 2, &error), STATUS_FAILED);
    read_ratings(db, &list, &read);
    assert_int_equal(read.count, 3);
    database_close(db);
}

TEST_GROUP(database_results)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_results),
        LAB_TEST(test_results_of_many),
        LAB_TEST(test_ratings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
