// Tests of papers as data: scales, verdicts, names, and the papers that ship.
#include "papers/reproduce_fixture.h"

// --- Arithmetic ---

static void test_scales_give_whole_pairs(void **state)
{
    (void)state;
    assert_int_equal(paper_games(640, 1), 640);
    assert_int_equal(paper_games(640, 0.1), 64);
    assert_int_equal(paper_games(640, 2), 1280);
    assert_int_equal(paper_games(100, 0.03), 4); // a pair and a half
    assert_int_equal(paper_games(100, 0.029), 2);
    assert_int_equal(paper_games(100, 1e-9), 2);
    assert_int_equal(paper_games(2, 0.5), 2);
    for (unsigned games = 2; games < 50; games += 2)
        for (unsigned i = 1; i < 230; i++) {
            double scale = i * 0.013;
            unsigned part = paper_games(games, scale);
            assert_true(part % 2 == 0 && part >= 2 && part <= paper_games(games, ceil(scale)));
            assert_true(part == 2 || fabs(part - games * scale) <= 1);
        }
    assert_int_equal(paper_trial_games(&field_trials[0], 0.5), 30);
    assert_int_equal(paper_trial_games(&other_trials[0], 1), 0);
}

static void test_where_the_published_figure_lies(void **state)
{
    (void)state;
    PaperFigure figure = {.published = 0.5, .limits = {0.5, 0.6}};
    assert_int_equal(paper_compare(&figure), 0);
    figure.published = 0.6;
    assert_int_equal(paper_compare(&figure), 0);
    figure.published = 0.49;
    assert_int_equal(paper_compare(&figure), -1);
    figure.published = 0.61;
    assert_int_equal(paper_compare(&figure), 1);
}

static void test_verdicts_need_enough_games(void **state)
{
    (void)state;
    // Two games contain almost every share; 100 games are enough; a figure outside of wide limits still is outside.
    PaperFigure share = {.unit = "wins", .published = 0.5, .measured = 0.5, .limits = {0.09, 0.91}, .n = 2};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.limits = (Interval){0, 0.4};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.n = 20;
    assert_int_equal(paper_verdict(&share), PAPER_ABOVE);
    share.limits = (Interval){0.3, 0.7};
    assert_int_equal(paper_verdict(&share), PAPER_TOO_FEW);
    share.limits = (Interval){0.4, 0.6};
    assert_int_equal(paper_verdict(&share), PAPER_INSIDE);
    share.is_partial = true;
    assert_int_equal(paper_verdict(&share), PAPER_SHORTER);
    PaperFigure mean = {.unit = "turns", .published = 100, .measured = 90, .limits = {60, 120}, .n = 50};
    assert_int_equal(paper_verdict(&mean), PAPER_TOO_FEW);
    mean.limits = (Interval){80, 110};
    assert_int_equal(paper_verdict(&mean), PAPER_INSIDE);
    mean.cut = 1;
    assert_int_equal(paper_verdict(&mean), PAPER_NO_VERDICT);
}

static void test_every_unit_has_a_meaning(void **state)
{
    (void)state;
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++)
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
                for (unsigned j = 0; j < paper_units(trial); j++) {
                    const char *meaning = paper_unit_meaning(paper_unit(trial, j).unit);
                    assert_null(strstr(meaning, "count of the first-named agent"));
                    assert_null(strstr(meaning, "ratio of two counts"));
                }
}

static void test_names(void **state)
{
    (void)state;
    PaperPlace place = {0};
    Error error = {0};
    assert_done(paper_find(our_papers, 1, span_of("ours"), &place, &error), error);
    assert_ptr_equal(place.paper, &ours);
    assert_null(place.table);
    assert_done(paper_find(our_papers, 1, span_of("ours/field"), &place, &error), error);
    assert_ptr_equal(place.table, table_of("field"));
    assert_refused(paper_find(our_papers, 1, span_of("our"), &place, &error), error, "no paper 'our'");
    assert_refused(paper_find(our_papers, 1, span_of(""), &place, &error), error, "no paper ''; there is ours");
    assert_refused(paper_find(our_papers, 1, span_of("/field"), &place, &error), error, "no paper ''");
    assert_refused(paper_find(our_papers, 1, span_of("ours/"), &place, &error), error, "no table ''");
    assert_refused(paper_find(our_papers, 1, span_of("ours/fields"), &place, &error), error,
                   "no table 'fields'; it has known, played");
    assert_refused(paper_find(our_papers, 1, span_of("ours/field/x"), &place, &error), error, "no table 'field/x'");
}

// --- The papers that ship ---

// Where wins, draws and losses are published they are all games, or a remark says that they are not.
static void check_shares(const PaperTrial *trial)
{
    double sum = 0;
    unsigned shares = 0;
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        shares += paper_is_share(unit.unit);
        sum += paper_is_share(unit.unit) ? unit.published : 0;
    }
    assert_true(shares < 3 || isnan(sum) || fabs(sum - 1) < 1e-9 || trial->remark != NULL);
}

// Stored positions can be read and are not finished.
static void check_positions(const PaperTrial *trial)
{
    Rules rules = rules_of(trial->game);
    Openings list = {0};
    Error error = {0};
    if (trial->positions != NULL)
        assert_done(paper_make_positions(trial->positions, &rules, trial->positions->kept_count, NULL, &list, &error),
                    error);
    for (unsigned i = 0; i < list.count; i++) {
        Game game;
        game_init(&game, &rules);
        assert_done(opening_play(&list.list[i], &game, &error), error);
    }
    openings_close(&list);
}

static void check_trial(const PaperTrial *trial)
{
    assert_true(isnan(trial->published) == (trial->source == NULL));
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperUnit unit = paper_unit(trial, i);
        bool is_share = paper_is_share(unit.unit);
        assert_true(isnan(unit.published) || (unit.published >= 0 && (!is_share || unit.published <= 1)));
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(unit.unit, paper_unit(trial, j).unit);
    }
    unsigned agents = paper_agents(trial);
    if (agents == 0)
        return;
    assert_true(agents == 1 ? trial->searches > 0 && trial->positions != NULL && trial->limits.depth > 0
                            : trial->games >= 2 && trial->games % 2 == 0 && trial->searches == 0);
    assert_true((trial->panel != NULL) == (trial->line != NULL) && (trial->panel == NULL || paper_asked(trial) == 1));
    assert_true(trial->start != PAPER_POSITIONS || trial->positions != NULL);
    check_shares(trial);
    check_positions(trial);
}

static void test_papers_make_sense(void **state)
{
    (void)state;
    static const ExperimentOptions nothing = {0};
    assert_true(paper_count() >= 1);
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++) {
            assert_non_null(table->trials[0].measure);
            for (const PaperTable *other = papers()[i]->tables; other < table; other++)
                assert_string_not_equal(other->name, table->name);
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++) {
                check_trial(trial);
                char *label = paper_label(trial, &nothing);
                for (const PaperTrial *other = table->trials; other < trial; other++) {
                    char *before = paper_label(other, &nothing);
                    assert_string_not_equal(label, before);
                    free(before);
                }
                free(label);
            }
        }
}

// The agents of every row exist, take their options and play the row's game.
static void test_papers_can_be_run(void **state)
{
    (void)state;
    ExperimentOptions args = args_at(1, "none");
    args.opponent = "random";
    for (int i = 0; i < paper_count(); i++)
        for (const PaperTable *table = papers()[i]->tables; table->name != NULL; table++)
            for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++) {
                Error error = {0};
                assert_done(paper_check(trial, &args, &error), error);
            }
}

TEST_GROUP(reproduce_papers)
{
    extra_agent_add(&counting);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_give_whole_pairs),
        cmocka_unit_test(test_where_the_published_figure_lies),
        cmocka_unit_test(test_verdicts_need_enough_games),
        cmocka_unit_test(test_every_unit_has_a_meaning),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_papers_make_sense),
        cmocka_unit_test(test_papers_can_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
