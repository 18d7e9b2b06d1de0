// Tests of every agent in the registry, without naming any: they play all rules to the end, repeat games with the same
// seed, and declare valid options.
#include "support/check.h"
#include "support/play.h"

#include <stdio.h>
#include <string.h>

static const char *const games[] = {
    "tictactoe",
    "connect4",
    "connect5",
    "gomoku",
    "standard",
    "connect6",
    "1x1:k=1",
    "5x1:k=5",
    "1x7:k=3,gravity",
    "4x4:k=4,p=3,q=2",
    "5x5:k=3,p=2,q=3",
    "6x4:k=5,p=1,q=24",
    "4x5:k=4,p=20",
    "30x4:k=4",
    "64x1:k=30",
    "6x6:k=3,exact",
    "8x3:k=3,gravity,exact",
    "9x9:k=9,p=2,q=1,gravity",
};
enum { GAMES = sizeof games / sizeof games[0] };

static void test_every_agent_plays_every_game(void **state)
{
    (void)state;
    atomic_bool stop = false;
    for (int k = 0; k < agent_kind_count; k++)
        for (int g = 0; g < GAMES; g++) {
            Game game;
            begin_game(&game, games[g]);
            Error error = {0};
            if (!agent_plays_alone(agent_kinds[k], &game.board.rules))
                continue;
            assert_done(play_to_the_end(&game, agent_kinds[k], 7, &stop, &error), error);
            assert_true(game_is_over(&game));
        }
}

static void test_rules_an_agent_does_not_play_are_refused(void **state)
{
    (void)state;
    for (int k = 0; k < agent_kind_count; k++)
        for (int g = 0; g < GAMES; g++) {
            Rules rules = rules_of(games[g]);
            if (agent_kinds[k]->takes_command || agent_plays_alone(agent_kinds[k], &rules))
                continue;
            Agent agent;
            Error error = {0};
            assert_refused(agent_open(&agent, span_of(agent_kinds[k]->name), &rules, &error), error,
                           agent_kinds[k]->games);
            agent_close(&agent);
        }
}

// From the middle of a turn, and after the flag to stop has been raised, a turn is a turn as well.
static void test_turns_from_odd_places(void **state)
{
    (void)state;
    atomic_bool stop = true;
    for (int k = 0; k < agent_kind_count; k++) {
        Game game;
        Error error = {0};
        begin_game(&game, "7x7:k=5,p=3,q=2");
        play_text(&game, "d4 d5 a1");
        if (!agent_plays_alone(agent_kinds[k], &game.board.rules))
            continue;
        assert_done(play_to_the_end(&game, agent_kinds[k], 3, &stop, &error), error);
        read_drawing(&game, "5x4:k=4,p=2,q=1,gravity", ".....\nO....\nX...X\nXO.OX\nturn O 1\n");
        if (agent_plays_alone(agent_kinds[k], &game.board.rules))
            assert_done(play_to_the_end(&game, agent_kinds[k], 3, &stop, &error), error);
    }
}

static void test_same_seed_same_game(void **state)
{
    (void)state;
    static const char *const some[] = {"connect4", "9x9:k=5", "8x8:k=6,p=2,q=1", "7x7:k=4,exact"};
    atomic_bool stop = false;
    for (int k = 0; k < agent_kind_count; k++)
        for (size_t g = 0; g < sizeof some / sizeof some[0]; g++)
            for (uint64_t seed = 0; seed < test_count(4, 1); seed++) {
                Game a, b;
                Error error = {0};
                begin_game(&a, some[g]);
                begin_game(&b, some[g]);
                if (!agent_plays_alone(agent_kinds[k], &a.board.rules))
                    continue;
                assert_done(play_to_the_end(&a, agent_kinds[k], seed, &stop, &error), error);
                assert_done(play_to_the_end(&b, agent_kinds[k], seed, &stop, &error), error);
                assert_int_equal(a.played, b.played);
                assert_memory_equal(a.stones, b.stones, a.played * sizeof a.stones[0]);
            }
}

static void test_declarations(void **state)
{
    (void)state;
    for (int k = 0; k < agent_kind_count; k++) {
        const AgentKind *kind = agent_kinds[k];
        assert_true(strlen(kind->name) > 0 && strlen(kind->summary) > 0 && strlen(kind->source) > 0);
        assert_null(strpbrk(kind->name, ":,= \t\n"));
        assert_true(kind->rate != NULL || kind->decide != NULL);
        assert_true(kind->seed == NULL || kind->rate != NULL);
        assert_int_equal(kind->plays != NULL, kind->games != NULL);
        assert_ptr_equal(agent_find(span_of(kind->name)), kind);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(agent_kinds[other]->name, kind->name);
    }
    assert_null(agent_find(span_of("")));
    assert_null(agent_find(span_of("missing")));
}

static void test_the_best_plays_the_game(void **state)
{
    (void)state;
    for (int g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        assert_true(agent_plays_alone(agent_best(&rules), &rules));
    }
}

// --- Options, as declared ---

static Status open_with(const AgentKind *kind, const char *options, Error *error)
{
    Rules rules = rules_of("9x9:k=5");
    for (int g = 0; g < GAMES && !agent_plays_alone(kind, &rules); g++)
        rules = rules_of(games[g]);
    char text[512];
    (void)snprintf(text, sizeof text, "%s:%s", kind->name, options);
    Agent agent;
    Status status = agent_open(&agent, span_of(text), &rules, error);
    agent_close(&agent);
    return status;
}

// A value of the wrong kind for an option; NULL where any text is right.
static const char *wrong_value(const AgentOption *option, char text[64])
{
    switch (option->type) {
    case OPTION_INT:
    case OPTION_REAL:
        (void)snprintf(text, 64, "%.0f", option->max + 1);
        return text;
    case OPTION_BOOL:
        return "2";
    case OPTION_CHOICE:
        return "no_such_choice";
    case OPTION_TEXT:
    case OPTION_INNER:
    case OPTION_PATH:
        return NULL;
    }
    return NULL;
}

static void check_option(const AgentKind *kind, const AgentOption *option)
{
    char text[256], number[64];
    Error error = {0};
    assert_true(strlen(option->help) > 0);
    assert_null(strpbrk(option->name, ":,= \t\n"));
    (void)snprintf(text, sizeof text, "%s=%s", option->name, option->fallback);
    assert_done(open_with(kind, text, &error), error);
    (void)snprintf(text, sizeof text, "%s=%s,%s=%s", option->name, option->fallback, option->name, option->fallback);
    assert_refused(open_with(kind, text, &error), error, "is given twice");
    assert_refused(open_with(kind, option->name, &error), error, "has no value");
    const char *wrong = wrong_value(option, number);
    if (wrong == NULL)
        return;
    (void)snprintf(text, sizeof text, "%s=%s", option->name, wrong);
    assert_refused(open_with(kind, text, &error), error, wrong);
}

static void test_options_are_declared_well(void **state)
{
    (void)state;
    for (int k = 0; k < agent_kind_count; k++) {
        OptionList list = agent_options(agent_kinds[k]);
        const AgentOption *option = NULL;
        unsigned count = 0;
        for (; (option = option_at(list, count)) != NULL; count++) {
            check_option(agent_kinds[k], option);
            for (unsigned other = 0; other < count; other++)
                assert_string_not_equal(option_at(list, other)->name, option->name);
        }
        assert_true(count <= OPTIONS_MAX);
        assert_int_equal(list.shared != NULL, agent_kinds[k]->rate != NULL);
    }
}

static void test_bad_agents_are_refused(void **state)
{
    (void)state;
    Rules rules = rules_of("gomoku");
    Agent agent;
    Error error = {0};
    assert_refused(agent_open(&agent, span_of(""), &rules, &error), error, "there is no agent ''");
    assert_refused(agent_open(&agent, span_of("missing"), &rules, &error), error,
                   "there is no agent 'missing'; 'krow agents' lists them");
    assert_refused(agent_open(&agent, span_of("missing:x=1"), &rules, &error), error, "there is no agent 'missing'");
    assert_refused(agent_open(&agent, span_of("random,name=R"), &rules, &error), error, "settings follow a colon");
    assert_refused(agent_open(&agent, span_of(":x=1"), &rules, &error), error, "there is no agent ''");
    agent_close(&agent);
    for (int k = 0; k < agent_kind_count; k++) {
        if (agent_kinds[k]->takes_command) {
            assert_refused(open_with(agent_kinds[k], "", &error), error, "needs a command");
            assert_refused(open_with(agent_kinds[k], "no_such_program", &error), error,
                           "no executable program 'no_such_program'");
            continue;
        }
        assert_refused(open_with(agent_kinds[k], "no_such_option=1", &error), error,
                       "there is no option 'no_such_option'");
        assert_non_null(strstr(error.text, agent_kinds[k]->name));
        assert_done(open_with(agent_kinds[k], "", &error), error);
    }
}

// --- Choosing by ratings ---

// The three cells of the middle row are equally good, all others worse.
static void rate_rows(void *ignored, const Game *game, Ratings *ratings)
{
    (void)ignored;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(&game->board, cells);
    for (unsigned i = 0; i < count; i++)
        ratings->cells[ratings->count++] = (RatedCell){cells[i], cell_row(cells[i]) == 1 ? 2.5 : -1};
}

static void test_equals_are_drawn_by_lot(void **state)
{
    (void)state;
    static const AgentKind kind = {.name = "rows", .rate = rate_rows};
    static Ratings ratings;
    Agent agent = {.kind = &kind, .ratings = &ratings};
    Game game;
    begin_game(&game, "3x3:k=3,p=2,q=2");
    unsigned counts[3] = {0};
    Rng rng = rng_make(6);
    AgentTask task = {.rng = &rng};
    for (int i = 0; i < 3000; i++) {
        Decision decision;
        agent_decide(&agent, &game, &task, &decision);
        assert_int_equal(decision.count, 2);
        assert_true(decision.score == 2.5);
        assert_int_equal(cell_row(decision.stones[0]), 1);
        assert_int_equal(cell_row(decision.stones[1]), 1);
        assert_int_not_equal(decision.stones[0], decision.stones[1]);
        assert_int_equal(decision.distance, -1);
        counts[cell_column(decision.stones[0])]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(counts[i], 850, 1150);
}

static void test_closing_what_was_never_opened(void **state)
{
    (void)state;
    Agent agent = {0};
    agent_close(&agent);
    agent_close(&agent);
}

TEST_GROUP(agents)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_agent_plays_every_game),
        cmocka_unit_test(test_rules_an_agent_does_not_play_are_refused),
        cmocka_unit_test(test_turns_from_odd_places),
        cmocka_unit_test(test_same_seed_same_game),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_the_best_plays_the_game),
        cmocka_unit_test(test_options_are_declared_well),
        cmocka_unit_test(test_bad_agents_are_refused),
        cmocka_unit_test(test_equals_are_drawn_by_lot),
        cmocka_unit_test(test_closing_what_was_never_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
