// Tests of the public library: every function of the krow/ headers, compared with the internal functions.
#include "game/notation.h"
#include "support/check.h"

#include <krow/krow.h>
#include <string.h>

static KrowRules public_rules(const char *text)
{
    KrowRules rules;
    KrowError error = {0};
    if (krow_rules_parse(text, &rules, &error) != KROW_OK)
        fail_msg("%s", error.text);
    return rules;
}

static KrowGame *public_game(const char *text, const char *moves)
{
    KrowRules rules = public_rules(text);
    KrowError error = {0};
    KrowGame *game = krow_game_new(&rules, &error);
    assert_non_null(game);
    if (krow_game_read(game, moves, &error) != KROW_OK)
        fail_msg("%s", error.text);
    return game;
}

static KrowCell public_cell(const KrowGame *game, const char *name)
{
    KrowRules rules;
    KrowCell cell = KROW_CELL_NONE;
    krow_game_rules(game, &rules);
    assert_int_equal(krow_cell_parse(name, &rules, &cell, NULL), KROW_OK);
    return cell;
}

static void assert_cells(const KrowCell *cells, size_t count, const char *expected)
{
    char text[512] = "";
    for (size_t i = 0; i < count; i++) {
        char name[KROW_CELL_TEXT_SIZE];
        krow_cell_format(cells[i], name);
        strcat(strcat(text, i > 0 ? " " : ""), name);
    }
    assert_string_equal(text, expected);
}

static void test_rules(void **state)
{
    (void)state;
    KrowRules rules = public_rules("19x17:k=6,p=2,q=1,exact");
    assert_int_equal(rules.width, 19);
    assert_int_equal(rules.height, 17);
    assert_int_equal(rules.k, 6);
    assert_int_equal(rules.p, 2);
    assert_int_equal(rules.q, 1);
    assert_true(rules.exact && !rules.gravity);
    char text[KROW_RULES_TEXT_SIZE];
    assert_int_equal(krow_rules_format(&rules, text, NULL), KROW_OK);
    assert_string_equal(text, "19x17:k=6,p=2,q=1,exact");

    KrowError error = {0};
    assert_int_equal(krow_rules_parse("19x", &rules, &error), KROW_BAD_INPUT);
    assert_int_equal(error.status, KROW_BAD_INPUT);
    assert_true(error.text[0] != '\0');
    assert_int_equal(krow_rules_parse("19x", &rules, NULL), KROW_BAD_INPUT);

    // Every field is checked, also beyond the range of the internal types.
    KrowRules wide = public_rules("gomoku"), zero = {0}, later = wide;
    wide.width = 256 + 15;
    later.reserved[0] = 1;
    const KrowRules *bad[] = {&wide, &zero, &later};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(krow_rules_check(bad[i], NULL), KROW_BAD_INPUT);
        assert_int_equal(krow_rules_format(bad[i], text, NULL), KROW_BAD_INPUT);
        assert_null(krow_game_new(bad[i], NULL));
        assert_null(krow_game_from_fen("15 X 1", bad[i], NULL));
        assert_null(krow_agent_open(NULL, bad[i], NULL));
        assert_null(krow_agent_default(bad[i], NULL));
        assert_null(krow_exact_open(bad[i], 1, NULL));
        assert_int_equal(krow_exact_check(bad[i], NULL), KROW_BAD_INPUT);
        assert_false(krow_exact_has_scores(bad[i]));
    }
}

static void test_presets(void **state)
{
    (void)state;
    assert_int_equal(krow_preset_count(), rules_preset_count);
    KrowPreset preset;
    for (size_t i = 0; krow_preset_at(i, &preset); i++) {
        KrowRules rules = public_rules(preset.name);
        char text[KROW_RULES_TEXT_SIZE];
        assert_int_equal(krow_rules_format(&rules, text, NULL), KROW_OK);
        assert_string_equal(text, preset.text);
        assert_true(strlen(preset.about) > 0);
    }
    assert_false(krow_preset_at(krow_preset_count(), &preset));
    assert_string_equal(krow_version(), KROW_VERSION);
    assert_string_equal(krow_status_text(KROW_IO), status_text(STATUS_IO));
}

static void test_playing(void **state)
{
    (void)state;
    KrowGame *game = public_game("connect6", "");
    assert_int_equal(krow_game_side(game), KROW_FIRST);
    assert_int_equal(krow_game_stones_left(game), 1);
    uint64_t empty = krow_game_key(game);
    KrowCell centre = public_cell(game, "k10");
    assert_int_equal(centre, krow_cell(10, 9));
    assert_true(krow_game_is_legal(game, centre));
    assert_int_equal(krow_game_play(game, centre, NULL), KROW_OK);
    assert_int_equal(krow_game_side(game), KROW_SECOND);
    assert_int_equal(krow_game_stones_left(game), 2);
    assert_int_equal(krow_game_at(game, centre), KROW_FIRST);
    assert_int_equal(krow_game_at(game, krow_cell(0, 0)), KROW_NONE);
    assert_int_equal(krow_game_at(game, KROW_CELL_NONE), KROW_NONE);
    assert_int_equal(krow_game_played(game), 1);
    assert_int_equal(krow_game_stone(game, 0), centre);
    assert_int_equal(krow_game_stone(game, 1), KROW_CELL_NONE);

    KrowError error = {0};
    assert_false(krow_game_is_legal(game, centre));
    assert_int_equal(krow_game_play(game, centre, &error), KROW_BAD_INPUT);
    assert_non_null(strstr(error.text, "k10"));
    assert_int_equal(krow_game_play(game, KROW_CELL_NONE, &error), KROW_BAD_INPUT);

    KrowGame *copy = krow_game_copy(game);
    assert_true(krow_game_key(copy) == krow_game_key(game));
    assert_true(krow_game_undo(copy));
    assert_false(krow_game_undo(copy));
    assert_true(krow_game_key(copy) == empty);
    assert_int_equal(krow_game_played(game), 1);
    krow_game_free(copy);
    krow_game_free(game);
    krow_game_free(NULL);
}

static void test_legal_cells_and_wins(void **state)
{
    (void)state;
    KrowGame *game = public_game("connect4", "1212121");
    KrowCell cells[KROW_CELLS_MAX];
    assert_true(krow_game_is_over(game));
    assert_int_equal(krow_game_winner(game), KROW_FIRST);
    assert_int_equal(krow_game_legal(game, cells, KROW_CELLS_MAX), 0);
    assert_cells(cells, krow_game_winning_cells(game, cells, KROW_CELLS_MAX), "a1 a2 a3 a4");
    assert_true(krow_game_undo(game));
    assert_int_equal(krow_game_winner(game), KROW_NONE);
    assert_int_equal(krow_game_winning_cells(game, cells, KROW_CELLS_MAX), 0);
    assert_cells(cells, krow_game_legal(game, cells, KROW_CELLS_MAX), "c1 d1 e1 f1 g1 a4 b4");

    // A small buffer gets the first cells, and the count is that of all.
    cells[2] = KROW_CELL_NONE;
    assert_int_equal(krow_game_legal(game, cells, 2), 7);
    assert_cells(cells, 2, "c1 d1");
    assert_int_equal(cells[2], KROW_CELL_NONE);
    assert_int_equal(krow_game_legal(game, NULL, 0), 7);
    krow_game_free(game);
}

static void test_notation(void **state)
{
    (void)state;
    KrowGame *game = public_game("gomoku", "h8 i9, J10");
    char text[64];
    assert_int_equal(krow_game_write(game, text, sizeof text), 9);
    assert_string_equal(text, "h8 i9 j10");
    assert_int_equal(krow_game_write(game, text, 5), 9);
    assert_string_equal(text, "h8 i");
    assert_int_equal(krow_game_write(game, NULL, 0), 9);
    KrowError error = {0};
    assert_int_equal(krow_game_read(game, "a1 z99 b1", &error), KROW_BAD_INPUT);
    assert_non_null(strstr(error.text, "z99"));
    assert_int_equal(krow_game_played(game), 4);
    KrowRules rules = public_rules("gomoku");
    KrowCell cell;
    assert_int_equal(krow_cell_parse("p1", &rules, &cell, &error), KROW_BAD_INPUT);
    krow_cell_format(KROW_CELL_NONE, text);
    assert_string_equal(text, "");
    krow_game_free(game);

    KrowRules small = public_rules("tictactoe");
    KrowGame *set_up = krow_game_from_fen("3/1X1/3 O 1", &small, &error);
    assert_non_null(set_up);
    assert_int_equal(krow_game_side(set_up), KROW_SECOND);
    assert_int_equal(krow_game_played(set_up), 0);
    assert_false(krow_game_undo(set_up));
    assert_int_equal(krow_game_play(set_up, krow_cell(0, 2), NULL), KROW_OK);
    assert_int_equal(krow_game_to_fen(set_up, text, sizeof text), strlen("O2/1X1/3 X 1"));
    assert_string_equal(text, "O2/1X1/3 X 1");
    krow_game_free(set_up);
    assert_null(krow_game_from_fen("4/1X1/3 O 1", &small, &error));
    assert_true(strlen(error.text) > 0);
}

static void test_threats(void **state)
{
    (void)state;
    KrowGame *game = public_game("gomoku", "h8 a1 i8 a3 j8 a5 k8 c1");
    KrowCell cells[KROW_CELLS_MAX];
    unsigned needed = 9;
    assert_cells(cells, krow_immediate_wins(game, cells, KROW_CELLS_MAX, &needed), "g8 l8");
    assert_int_equal(needed, 1);
    static KrowWindow windows[8];
    assert_int_equal(krow_threat_windows(game, KROW_FIRST, windows, 8), 2);
    assert_cells(windows[0].cells, windows[0].count, "g8 h8 i8 j8 k8");
    assert_true(windows[0].empty == 1);
    assert_cells(windows[1].cells, windows[1].count, "h8 i8 j8 k8 l8");
    assert_true(windows[1].empty == 16);
    assert_int_equal(krow_threat_windows(game, KROW_FIRST, windows, 1), 2);
    assert_int_equal(krow_threat_windows(game, KROW_SECOND, windows, 8), 0);
    KrowDefence defence;
    assert_int_equal(krow_threat_defence(game, KROW_FIRST, &defence, cells, KROW_CELLS_MAX, NULL), KROW_OK);
    assert_int_equal(defence.stones_needed, 2);
    assert_int_equal(defence.answer_count, 0);
    assert_int_equal(krow_threat_defence(game, KROW_SECOND, &defence, NULL, 0, NULL), KROW_OK);
    assert_int_equal(defence.stones_needed, 0);
    krow_game_free(game);
}

// With gravity the stones of an answer can be played in the order listed.
static void test_defences_do_not_float(void **state)
{
    (void)state;
    KrowGame *game = public_game("7x6:k=4,p=3,q=1,gravity", "d1 c1 b1 a1 d2 d3 e1");
    KrowCell cells[KROW_CELLS_MAX];
    KrowDefence defence;
    assert_int_equal(krow_threat_defence(game, KROW_SECOND, &defence, cells, KROW_CELLS_MAX, NULL), KROW_OK);
    assert_int_equal(defence.answer_count, 1);
    assert_cells(cells, defence.stones_needed, "a2 b2 c2");
    krow_game_free(game);
}

static void test_defences_of_two_stones(void **state)
{
    (void)state;
    // Four in a row of Connect6: the two cells beside them, or those one further out.
    KrowGame *game = public_game("connect6", "j10 a1 a19 k10 l10 s1 s19 m10");
    KrowCell cells[KROW_CELLS_MAX];
    KrowDefence defence;
    assert_int_equal(krow_threat_defence(game, KROW_FIRST, &defence, cells, KROW_CELLS_MAX, NULL), KROW_OK);
    assert_int_equal(defence.stones_needed, 2);
    assert_true(defence.answer_count > 0);
    assert_false(defence.is_truncated || defence.is_uncertain);
    for (unsigned i = 0; i < defence.answer_count; i++) {
        KrowGame *after = krow_game_copy(game);
        assert_int_equal(krow_game_stones_left(after), 1);
        assert_int_equal(krow_game_play(after, krow_cell(0, 9), NULL), KROW_OK);
        assert_int_equal(krow_game_play(after, cells[2 * (size_t)i], NULL), KROW_OK);
        assert_int_equal(krow_game_play(after, cells[2 * (size_t)i + 1], NULL), KROW_OK);
        assert_int_equal(krow_threat_windows(after, KROW_FIRST, NULL, 0), 0);
        krow_game_free(after);
    }
    // Answers are written whole or not at all.
    KrowCell few[3] = {KROW_CELL_NONE, KROW_CELL_NONE, KROW_CELL_NONE};
    assert_int_equal(krow_threat_defence(game, KROW_FIRST, &defence, few, 3, NULL), KROW_OK);
    assert_memory_equal(few, cells, 2 * sizeof cells[0]);
    assert_int_equal(few[2], KROW_CELL_NONE);
    krow_game_free(game);
}

static void test_agents(void **state)
{
    (void)state;
    assert_int_equal(krow_agent_count(), agent_kind_count);
    const char *name, *summary;
    assert_true(krow_agent_at(0, &name, &summary));
    assert_string_equal(name, "random");
    assert_false(krow_agent_at(krow_agent_count(), &name, &summary));
    KrowRules rules = public_rules("gomoku");
    assert_string_equal(krow_agent_default(&rules, NULL), "engine");
    KrowError error = {0};
    assert_null(krow_agent_open("engine:nonsense=1", &rules, &error));
    assert_non_null(strstr(error.text, "nonsense"));
    krow_agent_close(NULL);

    // The engine completes its row, and the turn is not played on the game.
    static KrowDecision decision;
    KrowGame *game = public_game("gomoku", "h8 a1 i8 a3 j8 a5 k8 c1");
    KrowAgent *agent = krow_agent_open("engine:memory=8", &rules, &error);
    assert_non_null(agent);
    KrowLimits limits = {.nodes = 1000};
    assert_int_equal(krow_agent_decide(agent, game, &limits, &decision, &error), KROW_OK);
    assert_int_equal(decision.count, 1);
    assert_int_equal(decision.proven, KROW_PROVEN_WIN);
    assert_int_equal(decision.distance, 1);
    assert_true(decision.line_count >= 1 && decision.line[0] == decision.stones[0]);
    assert_false(krow_game_is_over(game));
    assert_int_equal(krow_game_play_turn(game, &decision, &error), KROW_OK);
    assert_int_equal(krow_game_winner(game), KROW_FIRST);

    // A finished game and a game of other rules are refused.
    assert_int_equal(krow_agent_decide(agent, game, NULL, &decision, &error), KROW_BAD_INPUT);
    assert_non_null(strstr(error.text, "over"));
    assert_int_equal(krow_game_play_turn(game, &decision, &error), KROW_BAD_INPUT);
    krow_game_free(game);
    game = public_game("tictactoe", "");
    assert_int_equal(krow_agent_decide(agent, game, NULL, &decision, &error), KROW_BAD_INPUT);
    krow_game_free(game);
    krow_agent_close(agent);
}

// Plays a whole game and writes its stones.
static void play_out(uint64_t seed, char *moves, size_t size)
{
    static KrowDecision decision;
    KrowGame *game = public_game("connect6", "");
    KrowRules rules = public_rules("connect6");
    KrowAgent *agent = krow_agent_open("random", &rules, NULL);
    krow_agent_new_game(agent);
    krow_agent_seed(agent, seed);
    while (!krow_game_is_over(game)) {
        assert_int_equal(krow_agent_decide(agent, game, NULL, &decision, NULL), KROW_OK);
        assert_int_equal(krow_game_play_turn(game, &decision, NULL), KROW_OK);
    }
    assert_true(krow_game_write(game, moves, size) < size);
    krow_agent_close(agent);
    krow_game_free(game);
}

static void test_seeds(void **state)
{
    (void)state;
    static char moves[3][2048];
    play_out(5, moves[0], sizeof moves[0]);
    play_out(5, moves[1], sizeof moves[1]);
    play_out(6, moves[2], sizeof moves[2]);
    assert_string_equal(moves[0], moves[1]);
    assert_string_not_equal(moves[0], moves[2]);
}

static void test_stop_flag(void **state)
{
    (void)state;
    static KrowDecision decision;
    KrowRules rules = public_rules("gomoku");
    KrowGame *game = public_game("gomoku", "h8 i9");
    KrowAgent *agent = krow_agent_open("engine:memory=8,book=0", &rules, NULL);
    assert_non_null(agent);
    krow_agent_stop(agent, true); // without any other limit this would never end
    assert_int_equal(krow_agent_decide(agent, game, NULL, &decision, NULL), KROW_OK);
    assert_int_equal(decision.count, 1);
    krow_agent_stop(agent, false);
    krow_agent_close(agent);
    krow_game_free(game);
}

static void test_lines(void **state)
{
    (void)state;
    KrowError error = {0};
    KrowRules rules = public_rules("gomoku");
    KrowSearch *search = krow_search_open(&rules, NULL, &error);
    assert_non_null(search);
    KrowGame *game = public_game("gomoku", "h8 a1 i8 a3 j8 a5");
    KrowLimits limits = {.nodes = 5000};
    KrowLine lines[KROW_LINES_MAX];
    size_t count = 0;
    assert_int_equal(krow_search_lines(search, game, &limits, lines, 3, &count, NULL), KROW_OK);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(lines[i].count, 1);
        assert_true(krow_game_is_legal(game, lines[i].stones[0]));
        assert_int_equal(lines[i].line[0], lines[i].stones[0]);
        assert_true(i == 0 || lines[i].score <= lines[i - 1].score);
        assert_true(lines[i].chance >= 0 && lines[i].chance <= 1);
        assert_true(i == 0 || lines[i].stones[0] != lines[0].stones[0]);
    }
    assert_int_equal(lines[0].proven, KROW_PROVEN_WIN); // an open three
    assert_int_equal(lines[0].distance, 3);
    krow_search_stop(search, true);
    assert_int_equal(krow_search_lines(search, game, NULL, lines, 2, &count, NULL), KROW_OK);
    assert_true(count >= 1 && krow_game_is_legal(game, lines[0].stones[0]));
    assert_int_equal(krow_search_lines(search, game, NULL, lines, 0, &count, NULL), KROW_BAD_INPUT);
    krow_game_free(game);
    game = public_game("connect4", "");
    assert_int_equal(krow_search_lines(search, game, NULL, lines, 2, &count, NULL), KROW_BAD_INPUT);
    krow_game_free(game);
    krow_search_close(search);
    krow_search_close(NULL);
    rules = public_rules("9x9:k=9,p=9");
    assert_null(krow_search_open(&rules, NULL, NULL));
    rules.width = 0;
    assert_null(krow_search_open(&rules, NULL, NULL));
    rules = public_rules("connect6");
    assert_null(krow_search_open(&rules, &(KrowSearchOptions){.threads = 1000}, &error));
    assert_null(krow_search_open(&rules, &(KrowSearchOptions){.megabytes = SIZE_MAX}, &error));
}

static void test_sgf(void **state)
{
    (void)state;
    static const char *const all[][2] = {{"connect6", "k10 j9 j10"}, {"connect4", "4453"}, {"tictactoe", ""}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        KrowGame *game = public_game(all[i][0], all[i][1]);
        char text[1000], words[2][100];
        size_t length = krow_game_to_sgf(game, "Ann", NULL, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_non_null(strstr(text, "PB[Ann]"));
        KrowGame *read = krow_game_from_sgf(text, NULL, NULL);
        assert_non_null(read);
        krow_game_write(game, words[0], sizeof words[0]);
        krow_game_write(read, words[1], sizeof words[1]);
        assert_string_equal(words[0], words[1]);
        assert_int_equal(krow_game_key(read), krow_game_key(game));
        krow_game_free(game);
        krow_game_free(read);
    }
    KrowError error = {0};
    KrowRules rules = public_rules("tictactoe");
    assert_null(krow_game_from_sgf("no game", &rules, &error));
    assert_int_equal(error.status, KROW_BAD_INPUT);
    assert_null(krow_game_from_sgf("(;FF[4]GM[4]SZ[3]KR[3x3:k=3];B[aa];W[aa])", NULL, &error));
    assert_non_null(strstr(error.text, "taken"));
    rules.k = 0;
    assert_null(krow_game_from_sgf("(;FF[4]GM[4]SZ[3])", &rules, NULL));
}

static void test_exact_values(void **state)
{
    (void)state;
    KrowRules rules = public_rules("connect4");
    assert_int_equal(krow_exact_check(&rules, NULL), KROW_OK);
    assert_true(krow_exact_has_scores(&rules));
    KrowExact *exact = krow_exact_open(&rules, 8, NULL);
    assert_non_null(exact);
    KrowGame *game = public_game("connect4", "444444");
    KrowValue value;
    assert_int_equal(krow_exact_value(exact, game, NULL, &value, NULL), KROW_OK);
    assert_int_equal(value.low, 1);
    assert_int_equal(value.high, 1);
    KrowCellValue cells[7];
    size_t count = 0;
    static const int expected[] = {-1, 0, 1, 1, 0, -1};
    assert_int_equal(krow_exact_cells(exact, game, NULL, cells, 7, &count, NULL), KROW_OK);
    assert_int_equal(count, 6);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(cells[i].low, expected[i]);
        assert_int_equal(cells[i].high, expected[i]);
    }
    krow_game_free(game);

    // A stopped solver knows no more than the bounds.
    krow_exact_close(exact);
    rules = public_rules("6x6:k=5");
    assert_false(krow_exact_has_scores(&rules));
    exact = krow_exact_open(&rules, 8, NULL);
    assert_non_null(exact);
    game = public_game("6x6:k=5", "");
    krow_exact_stop(exact, true);
    assert_int_equal(krow_exact_value(exact, game, NULL, &value, NULL), KROW_OK);
    assert_true(value.low < value.high);
    krow_game_free(game);
    game = public_game("tictactoe", "");
    KrowError error = {0};
    assert_int_equal(krow_exact_value(exact, game, NULL, &value, &error), KROW_BAD_INPUT);
    krow_game_free(game);
    krow_exact_close(exact);
    krow_exact_close(NULL);
}

TEST_GROUP(library)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_playing),
        cmocka_unit_test(test_legal_cells_and_wins),
        cmocka_unit_test(test_notation),
        cmocka_unit_test(test_threats),
        cmocka_unit_test(test_agents),
        cmocka_unit_test(test_defences_do_not_float),
        cmocka_unit_test(test_defences_of_two_stones),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_stop_flag),
        cmocka_unit_test(test_exact_values),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_sgf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
