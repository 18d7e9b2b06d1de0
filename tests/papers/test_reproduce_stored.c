// Tests of stored games: where they begin, larger scales that continue smaller ones, and figures compared with the
// database.
#include "game/notation.h"
#include "papers/reproduce_fixture.h"
#include "store/db/database.h"

#include <stdio.h>
#include <unistd.h>

// --- Stopped and gone on with ---

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/krow-reproduce-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    (void)snprintf(path, sizeof path, "%s/krow.db", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command); // NOLINT(cert-env33-c): the path is our own
}

typedef struct {
    unsigned matches, finished, games;
} Kept;

static bool count_match(void *context, const DatabaseMatch *match)
{
    Kept *kept = context;
    kept->matches++;
    kept->finished += match->finished != 0;
    kept->games += (unsigned)match->games;
    return true;
}

static void check_kept(unsigned matches, unsigned finished, unsigned games)
{
    Database *db = NULL;
    Error error = {0};
    Kept kept = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_match(db, count_match, &kept, &error), error);
    database_close(db);
    assert_int_equal(kept.matches, matches);
    assert_int_equal(kept.finished, finished);
    assert_int_equal(kept.games, games);
}

// Games 2i and 2i + 1 begin from the same given stones, and other pairs from others.
typedef struct {
    unsigned games;
    unsigned given[60];
    Cell stones[60][RULES_CELLS_MAX];
} Begins;

static bool note_begin(void *context, const DatabaseGame *game)
{
    Begins *begins = context;
    begins->given[begins->games] = game->opening;
    for (unsigned i = 0; i < game->opening; i++)
        begins->stones[begins->games][i] = game->record->stones[i].cell;
    begins->games++;
    return true;
}

static void find_begins(Begins *begins)
{
    Database *db = NULL;
    Error error = {0};
    DatabaseFilter filter = {.match = 1};
    *begins = (Begins){0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, &filter, note_begin, begins, &error), error);
    database_close(db);
}

static bool begin_alike(const Begins *begins, unsigned a, unsigned b)
{
    return begins->given[a] == begins->given[b] &&
           memcmp(begins->stones[a], begins->stones[b], sizeof begins->stones[a]) == 0;
}

static void test_where_games_begin(void **state)
{
    (void)state;
    static Begins begins;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("played", &args, &done);
    reproduce_close(&done);
    find_begins(&begins);
    assert_int_equal(begins.games, 60);
    for (unsigned i = 0; i < 60; i++) {
        assert_true(begins.given[i] > 0);
        for (unsigned j = 0; j < i; j++)
            assert_int_equal(begin_alike(&begins, i, j), i / 2 == j / 2);
    }
    (void)remove(path);
    run("known", &args, &done);
    reproduce_close(&done);
    find_begins(&begins);
    assert_int_equal(begins.games, 20);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(begins.given[i], 0);
}

// From the positions of the trial, in their order; a scale above 1 goes on with others.
static void test_games_from_given_positions(void **state)
{
    (void)state;
    static Begins begins;
    for (unsigned scale = 1; scale <= 2; scale++) {
        ExperimentOptions args = args_at(scale, path);
        Reproduction done;
        (void)remove(path);
        run("given", &args, &done);
        reproduce_close(&done);
        find_begins(&begins);
        assert_int_equal(begins.games, 6 * scale);
        for (unsigned i = 0; i < begins.games; i++) {
            Game game;
            Rules rules = rules_of("5x5:k=4");
            game_init(&game, &rules);
            if (i < 6)
                assert_int_equal(game_read(&game, span_of(given[i / 2]), NULL), STATUS_OK);
            assert_true(i < 6 ? begins.given[i] == game.played : begins.given[i] >= 4 && begins.given[i] <= 6);
            assert_memory_equal(begins.stones[i], game.stones, game.played * sizeof(Cell));
            for (unsigned j = 0; j < i; j++)
                assert_int_equal(begin_alike(&begins, i, j), i / 2 == j / 2);
        }
    }
}

static void test_so_do_games_from_given_positions(void **state)
{
    (void)state;
    ExperimentOptions part = args_at(0.34, path), all = args_at(1, path);
    Reproduction done;
    run("given", &part, &done);
    check_kept(1, 0, 2);
    reproduce_close(&done);
    run("given", &all, &done);
    check_kept(1, 1, 6);
    reproduce_close(&done);
}

static void check_same(const Reproduction *a, const Reproduction *b)
{
    const PaperFigures *one = &a->tables[0].figures, *other = &b->tables[0].figures;
    assert_int_equal(one->count, other->count);
    for (unsigned i = 0; i < one->count; i++)
        check_figure(&one->list[i], other->list[i].measured, other->list[i].limits, other->list[i].games);
}

// Games of a smaller scale are the beginning of a larger one, whatever the number of agents and jobs.
static void check_growing(const char *table, unsigned part, unsigned whole)
{
    ExperimentOptions none = args_at(1, "none"), half = args_at(0.5, path), all = args_at(1, path);
    all.jobs = 3;
    Reproduction done, undisturbed;
    run(table, &none, &undisturbed);
    run(table, &half, &done);
    check_kept(1, 0, part);
    reproduce_close(&done);
    run(table, &all, &done);
    check_kept(1, 1, whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    // Again: nothing is left to play. A smaller scale looks at its own games alone.
    run(table, &all, &done);
    check_kept(1, 1, whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    run(table, &half, &done);
    check_kept(1, 1, whole);
    assert_int_equal(done.tables[0].figures.list[0].n, done.tables[0].figures.list[0].wanted);
    assert_int_equal(done.tables[0].figures.list[0].n, undisturbed.tables[0].figures.list[0].n / 2);
    reproduce_close(&done);
    all.fresh = true;
    run(table, &all, &done);
    check_kept(2, 2, 2 * whole);
    check_same(&done, &undisturbed);
    reproduce_close(&done);
    reproduce_close(&undisturbed);
}

static void test_a_larger_scale_goes_on_from_a_smaller_one(void **state)
{
    (void)state;
    check_growing("played", 30, 60);
}

static void test_so_does_a_field(void **state)
{
    (void)state;
    check_growing("field", 30, 60);
}

// The sums over all games, straight from the database.
typedef struct {
    unsigned games, stones, researches;
    unsigned results[3]; // by half points of the counting agent
} Counted;

static bool count_counted(void *context, const DatabaseGame *game)
{
    Counted *counted = context;
    Side side = strcmp(game->first, "counting") == 0 ? SIDE_FIRST : SIDE_SECOND;
    const OwnCounts *own = &game->own[side];
    assert_int_equal(own->count, 3);
    assert_int_equal(game->own[side_other(side)].count, 0);
    assert_string_equal(own->list[1].name, "researches");
    assert_int_equal(own->list[0].value, 0);
    assert_true(game->opening == 1 || game->opening == 2);
    Result result = game->record->result;
    counted->games++;
    counted->stones += game->record->count;
    counted->researches += (unsigned)own->list[1].value;
    counted->results[result == RESULT_DRAW ? 1 : (result == RESULT_FIRST) == (side == SIDE_FIRST) ? 2 : 0]++;
    return true;
}

static void test_figures_of_games(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("counted", &args, &done);
    Database *db = NULL;
    Error error = {0};
    Counted counted = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, NULL, count_counted, &counted, &error), error);
    database_close(db);
    const PaperFigure *figures = done.tables[0].figures.list;
    assert_int_equal(done.tables[0].figures.count, 6);
    assert_int_equal(counted.games, 40);
    assert_true(counted.results[0] > 0 && counted.results[1] > 0 && counted.results[2] > 0 && counted.researches > 40);
    assert_near(figures[0].measured, counted.results[2] / 40.0);
    assert_near(figures[1].measured, counted.results[1] / 40.0);
    assert_near(figures[2].measured, counted.results[0] / 40.0);
    assert_near(figures[3].measured, counted.stones / 40.0); // a stone a turn, those of the opening too
    assert_near(figures[4].measured, counted.researches / 40.0);
    assert_near(figures[5].measured, 0);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(figures[i].n, 40);
        assert_int_equal(figures[i].games.draws, counted.results[1]);
        if (i < 5)
            assert_true(figures[i].limits.low <= figures[i].measured && figures[i].measured < figures[i].limits.high);
    }
    assert_true(isnan(figures[5].limits.low) && !paper_compares(&figures[5])); // none in any game
    assert_int_equal(paper_compare(&figures[3]), 1);
    reproduce_close(&done);
}

// Tallies by first player and sums of counters, directly from the database.
typedef struct {
    Tally games[2]; // by the colour of the counting agent
    Ratio ratio, by_colour[2];
} Coloured;

static bool count_coloured(void *context, const DatabaseGame *game)
{
    Coloured *coloured = context;
    Side side = strcmp(game->first, "counting") == 0 ? SIDE_FIRST : SIDE_SECOND;
    Result result = game->record->result;
    tally_add(&coloured->games[side], result == RESULT_DRAW                              ? 1
                                      : (result == RESULT_FIRST) == (side == SIDE_FIRST) ? 2
                                                                                         : 0);
    const OwnCounts *own = &game->own[side];
    double part = (double)own_counts_value(own, "researches"), whole = (double)own_counts_value(own, "twos");
    ratio_add(&coloured->ratio, part, whole);
    ratio_add(&coloured->by_colour[side], part, whole);
    return true;
}

static void check_colour(const PaperFigure *figure, Tally games)
{
    HeadToHead alone = {.games = games};
    assert_int_equal(tally_games(games), 20);
    check_figure(figure, tally_score(games), stats_score_wilson(&alone), games);
}

static void check_coloured(const Reproduction *done, const Coloured *coloured)
{
    const PaperFigure *figures = done->tables[0].figures.list;
    assert_int_equal(done->tables[0].figures.count, 8);
    check_colour(&figures[0], coloured->games[SIDE_FIRST]);
    check_colour(&figures[1], coloured->games[SIDE_SECOND]);
    assert_near(figures[2].measured, (figures[0].measured + figures[1].measured) / 2);
    assert_int_equal(figures[2].n, 40);
    Estimate share = ratio_value(&coloured->ratio);
    check_figure(&figures[3], share.value, share.range, figures[2].games);
    assert_true(share.value > 0.3 && share.value < 0.7 && paper_compare(&figures[3]) == 1);
    for (unsigned side = 0; side < 2; side++) {
        Estimate by_colour = ratio_value(&coloured->by_colour[side]);
        check_figure(&figures[4 + side], by_colour.value, by_colour.range, figures[side].games);
    }
    assert_true(figures[4].measured != figures[5].measured);
    assert_near(figures[6].measured, 1); // of all games, and so without limits
    assert_true(isnan(figures[6].limits.low) && figures[6].n == 40);
    assert_true(isnan(figures[7].measured) && isnan(figures[7].limits.low) && figures[7].n == 0); // a share of nothing
}

static void test_colours_and_shares(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction done;
    run("coloured", &args, &done);
    Database *db = NULL;
    Error error = {0};
    Coloured coloured = {0};
    assert_done(database_open(path, &db, &error), error);
    assert_done(database_each_game(db, NULL, count_coloured, &coloured, &error), error);
    database_close(db);
    check_coloured(&done, &coloured);
    reproduce_close(&done);
    run("coloured", &args, &done); // from the database alone
    check_coloured(&done, &coloured);
    reproduce_close(&done);
    assert_true(paper_is_share("researches/twos") && paper_is_share("as_first") && paper_is_share("as_second"));
    assert_false(paper_is_share("researches"));
}

static void test_so_does_what_agents_count(void **state)
{
    (void)state;
    check_growing("counted", 20, 40);
}

static void test_another_seed_plays_other_games(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, path);
    Reproduction one, other;
    run("played", &args, &one);
    args.seed = 1;
    run("played", &args, &other);
    check_kept(1, 1, 60);
    reproduce_close(&other);
    args.seed = 2;
    run("played", &args, &other);
    check_kept(2, 2, 120);
    reproduce_close(&one);
    reproduce_close(&other);
}

TEST_GROUP(reproduce_stored)
{
    extra_agent_add(&counting);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_where_games_begin, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_larger_scale_goes_on_from_a_smaller_one, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_games_from_given_positions, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_do_games_from_given_positions, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_does_a_field, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_colours_and_shares, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_figures_of_games, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_so_does_what_agents_count, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_another_seed_plays_other_games, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
