// Tests of the tour: every board compared with direct calls and with the papers; boards that users change.
#include "support/check.h"
#include "support/web_bench.h"

#include "game/diagram.h"
#include "game/notation.h"
#include "threats/threats.h"
#include "view/json_view.h"
#include "web/tour/tour.h"

#include <string.h>

// --- Ways through the JSON ---

static json_t *chapter_of(const char *id)
{
    Error error = {0};
    json_t *chapter = NULL;
    bool found = false;
    assert_done(web_tour_chapter(id, &chapter, &found, &error), error);
    assert_true(found);
    return chapter;
}

static const json_t *board_of(const json_t *chapter, unsigned step, unsigned board)
{
    const json_t *found =
        json_array_get(json_object_get(json_array_get(json_object_get(chapter, "steps"), step), "boards"), board);
    assert_non_null(found);
    return found;
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    assert_non_null(text);
    return text;
}

static const json_t *fact_of(const json_t *board, const char *label)
{
    size_t i = 0;
    const json_t *fact = NULL, *facts = json_object_get(board, "facts");
    json_array_foreach(facts, i, fact) if (strcmp(text_of(fact, "label"), label) == 0) return fact;
    fail_msg("no fact '%s'", label);
    return NULL;
}

static void expect_number(const json_t *board, const char *label, double value)
{
    double number = json_number_value(json_object_get(fact_of(board, label), "value"));
    if (number != value)
        fail_msg("%s is %g, not %g", label, number, value);
}

static void expect_text(const json_t *board, const char *label, const char *value)
{
    assert_string_equal(text_of(fact_of(board, label), "value"), value);
}

static void expect_words(const json_t *board, const char *label, const char *words)
{
    assert_string_equal(text_of(fact_of(board, label), "words"), words);
}

static void expect_verdict(const json_t *board, const char *label, const char *verdict)
{
    assert_string_equal(text_of(fact_of(board, label), "verdict"), verdict);
}

// The cells of all marks of a kind that are drawn in this way, in order, as "a1 b2|c3".
static void expect_marks(const json_t *board, const char *kind, bool shown, const char *expected)
{
    Text text = {0};
    size_t i = 0, j = 0;
    const json_t *mark = NULL, *cell = NULL, *marks = json_object_get(board, "marks");
    text_add(&text, "%s", "");
    json_array_foreach(marks, i, mark)
    {
        if (strcmp(text_of(mark, "kind"), kind) != 0 || json_is_true(json_object_get(mark, "shown")) != shown)
            continue;
        text_add(&text, "%s", text.length > 0 ? "|" : "");
        json_array_foreach(json_object_get(mark, "cells"), j, cell)
            text_add(&text, "%s%s", j > 0 ? " " : "", json_string_value(cell));
    }
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static unsigned count_marks(const json_t *board, const char *kind)
{
    size_t i = 0;
    unsigned count = 0;
    const json_t *mark = NULL;
    json_array_foreach(json_object_get(board, "marks"), i, mark) count += strcmp(text_of(mark, "kind"), kind) == 0;
    return count;
}

// The position of a board, read back from what is drawn.
static void position_of(const json_t *board, Game *game)
{
    Text drawing = {0};
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(json_object_get(board, "rows"), i, row) text_add(&drawing, "%s\n", json_string_value(row));
    text_add(&drawing, "turn %c %d\n", strcmp(text_of(board, "turn"), "first") == 0 ? 'X' : 'O',
             (int)json_integer_value(json_object_get(board, "stones_left")));
    read_drawing(game, text_of(board, "game"), drawing.data);
    text_close(&drawing);
}

// --- The whole tour ---

// Every board has a picture, a sentence and something that can be counted; its position is one of the rules.
static void test_every_board(void **state)
{
    (void)state;
    json_t *list = web_tour_list();
    size_t i = 0, j = 0, k = 0;
    const json_t *head = NULL, *step = NULL, *board = NULL;
    unsigned papers = 0;
    assert_true(json_array_size(list) >= 6);
    json_array_foreach(list, i, head)
    {
        json_t *chapter = chapter_of(text_of(head, "id"));
        const json_t *steps = json_object_get(chapter, "steps");
        papers |= 1u << json_integer_value(json_object_get(head, "paper"));
        assert_int_equal(json_array_size(steps), json_array_size(json_object_get(head, "steps")));
        assert_true(json_array_size(steps) >= 3);
        json_array_foreach(steps, j, step)
        {
            assert_true(json_array_size(json_object_get(step, "text")) >= 2);
            assert_true(json_array_size(json_object_get(step, "boards")) >= 1);
            json_array_foreach(json_object_get(step, "boards"), k, board)
            {
                Game game;
                position_of(board, &game);
                assert_true(text_of(board, "caption")[0] != '\0');
                assert_true(json_array_size(json_object_get(board, "facts")) > 0);
                assert_true(json_array_size(json_object_get(board, "marks")) > 0);
            }
        }
        json_decref(chapter);
    }
    assert_int_equal(papers, 0x3e); // papers 1 to 5
    json_decref(list);
}

static void test_unknown_chapters(void **state)
{
    (void)state;
    Error error = {0};
    json_t *chapter = NULL;
    bool found = true;
    Rules rules;
    assert_done(web_tour_chapter("nothing", &chapter, &found, &error), error);
    assert_false(found);
    assert_null(chapter);
    assert_false(web_tour_rules("nothing", 0, 0, &rules));
    assert_false(web_tour_rules("counting", 99, 0, &rules));
    assert_false(web_tour_rules("counting", 1, 1, &rules)); // a step with one board
    assert_true(web_tour_rules("counting", 2, 1, &rules) && rules.k == 6);
}

// --- The papers ---

// Sections 2.2 and 2.3: one count says two where a stone is enough, the other says one where two are needed.
static void test_the_two_errors(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("counting");
    const json_t *many = board_of(chapter, 2, 0), *few = board_of(chapter, 2, 1);
    expect_number(many, "Mark the last cell", 2);
    expect_verdict(many, "Mark the last cell", "high");
    expect_words(many, "Mark the last cell", "one too many");
    expect_number(many, "Mark every cell", 1);
    expect_verdict(many, "Mark every cell", "right");
    expect_number(many, "Exact", 1);
    expect_words(many, "Exact", "e5");
    assert_string_equal(text_of(many, "caption"), "The scan marks i5 for A and e4 for B. Yet e5 stops both.");
    expect_marks(many, "window", true, "d5 e5 f5 g5 h5 i5|e9 e8 e7 e6 e5 e4");
    expect_marks(many, "number", true, "i5|e4");
    expect_marks(many, "answer", true, "e5");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(many, "scan"), "total")), 204);
    assert_int_equal(json_array_size(json_object_get(json_object_get(many, "scan"), "windows")), 204);

    expect_number(few, "Mark the last cell", 2);
    expect_number(few, "Mark every cell", 1);
    expect_verdict(few, "Mark every cell", "low");
    expect_number(few, "Exact", 2);
    expect_words(few, "Exact", "d5 g5 or 2 more");
    expect_marks(few, "number", true, "d5|g5");
    expect_marks(few, "answer", true, "d5|g5");
    expect_marks(few, "answer", false, "d4|g6");
    json_decref(chapter);
}

// What is reported of threats is what the module counts, whatever is on the board.
static void test_threats_by_direct_calls(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("counting");
    for (unsigned step = 0; step < 4; step++)
        for (unsigned i = 0; i < 2 && (step != 1 || i == 0); i++) {
            Game game;
            const json_t *board = board_of(chapter, step, i);
            position_of(board, &game);
            expect_number(board, "Mark the last cell", threats_sliding(&game.board, SIDE_FIRST));
            expect_number(board, "Mark every cell", threats_marked(&game.board, SIDE_FIRST));
            expect_number(board, "Exact", threats_exact(&game.board, SIDE_FIRST).count);
            const json_t *scan = json_object_get(board, "scan");
            assert_int_equal(json_array_size(json_object_get(scan, "sliding")),
                             threats_sliding(&game.board, SIDE_FIRST));
            assert_int_equal(json_array_size(json_object_get(scan, "marked")), threats_marked(&game.board, SIDE_FIRST));
        }
    json_decref(chapter);
}

// The text says that three agents do not agree.
static void test_three_opinions(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("counting");
    const json_t *board = board_of(chapter, 5, 0);
    const char *windows = text_of(fact_of(board, "windows"), "value");
    const char *threats = text_of(fact_of(board, "threats"), "value");
    const char *sequences = text_of(fact_of(board, "sequences"), "value");
    assert_true(strcmp(windows, threats) != 0 && strcmp(threats, sequences) != 0 && strcmp(windows, sequences) != 0);
    json_decref(chapter);
}

// Sections II.A and II.B: four lines of eleven cells; the numbers of Fig. 5.
static void test_influence(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("influence");
    assert_int_equal(count_marks(board_of(chapter, 0, 0), "area"), 40);
    const json_t *board = board_of(chapter, 2, 0);
    expect_text(board, "Row", "2^26");
    expect_text(board, "Column", "2^10");
    expect_number(board, "Open directions", 3);
    expect_number(board, "Worth", 1.00000363725 * (3 * 1024 + 67108864));
    expect_marks(board, "cell", true, "l10|m10");
    // The same open four, two stones to stop it, and less room.
    double wide = json_number_value(json_object_get(fact_of(board_of(chapter, 3, 0), "Worth"), "value"));
    double narrow = json_number_value(json_object_get(fact_of(board_of(chapter, 3, 1), "Worth"), "value"));
    assert_true(narrow < wide);
    expect_number(board_of(chapter, 3, 0), "Stones to stop it", 2);
    expect_number(board_of(chapter, 3, 1), "Stones to stop it", 2);
    // At most 48 candidates around two stones.
    unsigned candidates = count_marks(board_of(chapter, 4, 0), "area");
    assert_true(candidates > 0 && candidates <= 48);
    expect_number(board_of(chapter, 4, 0), "Candidates", candidates);
    json_decref(chapter);
}

// Section IV.A: a live four is answered by four stones where two are enough; wins that this misses.
static void test_conservative_defence(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("conservative");
    const json_t *live = board_of(chapter, 1, 0), *path = board_of(chapter, 2, 0), *missed = board_of(chapter, 3, 0);
    expect_number(live, "Stones needed", 2);
    expect_number(live, "Conservative defence", 4);
    expect_words(live, "Conservative defence", "d7 e7 j7 k7");
    expect_text(path, "All defences at once", "wins");
    assert_true(json_array_size(json_object_get(path, "sequence")) >= 3);
    expect_text(missed, "All defences at once", "no win");
    expect_text(missed, "Every defence by itself", "wins");
    json_decref(chapter);
}

// Section 4.3: the lists of the example as they stand there, A c4, B c6, C e4, D e8, E d5.
static void test_forcing_sequences(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("sequences");
    const json_t *win = board_of(chapter, 4, 0);
    expect_words(board_of(chapter, 2, 0), "Forcing moves", "(A, B) (B, A) (C, D) (D, C)");
    expect_words(board_of(chapter, 3, 0), "Sequences of 2", "(AC, BD) (BC, AD) (BD, AC)");
    expect_text(win, "Win", "(BCE, ADF)");
    expect_marks(win, "cell", true, "c4|c6|e4|e8|d5|b7");
    // Played through, it ends with a row.
    Game game;
    size_t i = 0;
    const json_t *turn = NULL;
    position_of(win, &game);
    json_array_foreach(json_object_get(win, "sequence"), i, turn)
        play_text(&game, json_string_value(json_array_get(json_object_get(turn, "stones"), 0)));
    assert_int_equal(board_winner(&game.board), WINNER_FIRST);
    json_decref(chapter);
}

// Section 4.1: the tiers of an open four and of two open threes, and which comes first.
static void test_tiers(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("tiers");
    expect_number(board_of(chapter, 0, 0), "Tier", 1);
    expect_text(board_of(chapter, 0, 0), "Alone", "wins");
    expect_number(board_of(chapter, 0, 1), "Tier", 2);
    expect_text(board_of(chapter, 0, 1), "Alone", "wins");
    expect_text(board_of(chapter, 1, 0), "Alone", "can be stopped");
    expect_text(board_of(chapter, 1, 1), "Alone", "can be stopped");
    expect_text(board_of(chapter, 2, 0), "Pattern learned", ".xxxx.");
    expect_words(board_of(chapter, 3, 0), "Pattern learned", "tier 2, 11 cells");
    // The stone makes an open four, where the other side has two open threes.
    expect_marks(board_of(chapter, 4, 0), "stone", true, "f10");
    expect_text(board_of(chapter, 5, 0), "On this board", "wins");
    expect_text(board_of(chapter, 5, 1), "Alone", "wins");
    expect_text(board_of(chapter, 5, 1), "On this board", "can be stopped");
    json_decref(chapter);
}

// Section 2a: 4^n each, a chain without a legal cell beside it counts nothing, the opponent's count twice.
static void test_chains(void **state)
{
    (void)state;
    json_t *chapter = chapter_of("chains");
    const json_t *plain = board_of(chapter, 0, 0), *shut = board_of(chapter, 1, 0);
    expect_number(plain, "Red", 64);
    expect_number(plain, "Yellow", 16);
    expect_number(plain, "Worth", 64 - 2 * 16);
    expect_number(shut, "Red", 16);
    expect_words(shut, "Red", "1 valid, 3 not");
    expect_marks(shut, "chain", true, "e1 f1|a2 b2");
    expect_marks(shut, "chain", false, "b1 c1|a3 a2 a1|a1 b2|a3 b2");
    expect_words(board_of(chapter, 3, 0), "Builds or blocks a shorter chain", "c1 f1 a4");
    // Only the list that decides is marked: f1 is also the end of a shorter chain.
    expect_words(board_of(chapter, 3, 1), "Blocks a row", "f1");
    expect_marks(board_of(chapter, 3, 0), "cell", true, "c1|f1|a4");
    expect_marks(board_of(chapter, 3, 1), "cell", true, "f1");
    expect_marks(board_of(chapter, 3, 1), "cell", false, "");
    json_decref(chapter);
}

// --- Changed boards ---

static Status try_stones(const char *id, WebTourTry *change, const char *stones, json_t **board, Error *error)
{
    Rules rules;
    Span rest = span_of(stones), word = {0};
    assert_true(web_tour_rules(id, change->step, change->board, &rules));
    for (; span_next_word(&rest, " ", &word); change->count++) {
        change->stones[change->count] = word.at[0];
        assert_int_equal(cell_parse((Span){word.at + 1, word.length - 1}, &rules, &change->cells[change->count], NULL),
                         STATUS_OK);
    }
    return web_tour_try(id, change, board, error);
}

// Placing or removing a stone on the answer updates all counts.
static void test_try(void **state)
{
    (void)state;
    Error error = {0};
    json_t *board = NULL;
    WebTourTry change = {.step = 2, .cell = CELL_NONE};
    assert_done(try_stones("counting", &change, "Oe5", &board, &error), error);
    expect_number(board, "Exact", 0);
    expect_marks(board, "window", true, "");
    assert_string_equal(text_of(board, "caption"), "Black has no threat.");
    json_decref(board);

    change = (WebTourTry){.step = 2, .cell = CELL_NONE};
    assert_done(try_stones("counting", &change, ".c5 .j5", &board, &error), error);
    Game game;
    position_of(board, &game);
    assert_int_equal(board_stone(&game.board, cell_at(2, 4)), STONE_NONE);
    expect_number(board, "Exact", threats_exact(&game.board, SIDE_FIRST).count);
    json_decref(board);

    // Another cell is looked at.
    change = (WebTourTry){.step = 0, .cell = cell_at(0, 0)};
    assert_done(try_stones("influence", &change, "", &board, &error), error);
    assert_int_equal(count_marks(board, "area"), 15);
    json_decref(board);

    // A pattern with a stone of the other side in it is none.
    change = (WebTourTry){.step = 0, .cell = CELL_NONE};
    assert_done(try_stones("tiers", &change, "Oc6", &board, &error), error);
    assert_non_null(strstr(text_of(board, "caption"), "not there"));
    json_decref(board);
}

static void test_try_to_the_end(void **state)
{
    (void)state;
    Error error = {0};
    json_t *board = NULL;
    // A row: nothing is left to look at. In every chapter, so that no lens meets a game that is over.
    WebTourTry change = {.step = 2, .cell = CELL_NONE};
    assert_done(try_stones("counting", &change, "Xe5 Xi5", &board, &error), error);
    assert_non_null(strstr(text_of(board, "caption"), "Black has a row already"));
    json_decref(board);
    change = (WebTourTry){.step = 0, .cell = CELL_NONE};
    assert_done(try_stones("chains", &change, "Xa4", &board, &error), error);
    assert_non_null(strstr(text_of(board, "caption"), "Red has a row already"));
    json_decref(board);
}

static void test_try_refused(void **state)
{
    (void)state;
    Error error = {0};
    json_t *board = NULL;
    // A stone in the air, rows of both sides, and a stone of the turn that is looked at.
    WebTourTry change = {.step = 0, .cell = CELL_NONE};
    assert_refused(try_stones("chains", &change, "Xd5", &board, &error), error, "");
    assert_null(board);
    change = (WebTourTry){.step = 2, .cell = CELL_NONE};
    assert_refused(try_stones("counting", &change, "Xe5 Xi5 Oa1 Ob1 Oc1 Od1 Oe1 Of1", &board, &error), error, "");
    change = (WebTourTry){.step = 4, .cell = CELL_NONE};
    assert_refused(try_stones("influence", &change, ".h10", &board, &error), error, "last turn");
}

// Random stones on every board of the tour: nothing fails but what is refused in words.
static void test_try_anything(void **state)
{
    (void)state;
    json_t *list = web_tour_list();
    size_t i = 0;
    const json_t *head = NULL;
    Rng rng = rng_make(1);
    json_array_foreach(list, i, head) for (unsigned round = 0; round < test_count(60, 10); round++)
    {
        WebTourTry change = {.step = (unsigned)rng_below(&rng, 6), .board = (unsigned)rng_below(&rng, 2)};
        const char *id = text_of(head, "id");
        Rules rules;
        if (!web_tour_rules(id, change.step, change.board, &rules))
            continue;
        change.count = (unsigned)rng_below(&rng, 20);
        for (unsigned j = 0; j < change.count; j++) {
            change.cells[j] = cell_at((unsigned)rng_below(&rng, rules.width), (unsigned)rng_below(&rng, rules.height));
            change.stones[j] = "XO."[rng_below(&rng, 3)];
        }
        change.cell = cell_at((unsigned)rng_below(&rng, rules.width), (unsigned)rng_below(&rng, rules.height));
        Error error = {0};
        json_t *board = NULL;
        Status status = web_tour_try(id, &change, &board, &error);
        assert_true(status == STATUS_OK ? board != NULL : status == STATUS_BAD_INPUT && error.text[0] != '\0');
        json_decref(board);
    }
    json_decref(list);
}

// --- What an agent sees ---

static json_t *ask_ratings(WebBench *bench, unsigned status, const char *body)
{
    json_t *answer = NULL;
    assert_int_equal(web_bench_ask(bench, "POST", "/api/v1/tour/ratings", body, &answer), status);
    return answer;
}

static void test_ratings(void **state)
{
    (void)state;
    WebBench bench;
    web_bench_open(&bench, 0);
    // One cell wins: it alone is marked as best, and long ratings are shown as ranks.
    json_t *board = ask_ratings(&bench, 200, "{\"game\": \"tictactoe\", \"board\": \"...\\nX.O\\nX.O\\nturn X 1\\n\"}");
    assert_string_equal(text_of(board, "agent"), "sequences");
    assert_int_equal(json_array_size(json_object_get(board, "marks")), 5);
    size_t i = 0;
    const json_t *mark = NULL, *marks = json_object_get(board, "marks");
    json_array_foreach(marks, i, mark)
    {
        assert_string_equal(text_of(mark, "kind"), "score");
        assert_int_equal(json_is_true(json_object_get(mark, "shown")), i == 0);
    }
    mark = json_array_get(marks, 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(mark, "cells"), 0)), "a3");
    assert_string_equal(text_of(mark, "label"), "1");
    assert_non_null(strstr(text_of(board, "caption"), "ranks: 1 is the best cell"));
    json_decref(board);
    // Short ratings are shown themselves; a game that is over has none.
    board = ask_ratings(
        &bench, 200, "{\"game\": \"3x3:k=3\", \"agent\": \"adjacent\", \"board\": \"...\\n.X.\\n...\\nturn O 1\\n\"}");
    assert_non_null(strstr(text_of(board, "caption"), "higher is better"));
    assert_true(json_array_size(json_object_get(board, "agents")) > 3);
    json_decref(board);
    board = ask_ratings(&bench, 200, "{\"game\": \"3x1:k=1\", \"board\": \"X..\\nturn O 1\\n\"}");
    assert_non_null(strstr(text_of(board, "caption"), "The game is over"));
    json_decref(board);
    // Agents that decide whole turns, programs, options, and boards that are none.
    json_decref(ask_ratings(&bench, 400, "{\"game\": \"gomoku\", \"agent\": \"engine\"}"));
    json_decref(ask_ratings(&bench, 400, "{\"game\": \"gomoku\", \"agent\": \"exec:true\"}"));
    json_decref(ask_ratings(&bench, 400, "{\"game\": \"gomoku\", \"agent\": \"adjacent:depth=9\"}"));
    json_decref(ask_ratings(&bench, 400, "{\"game\": \"connect4\", \"board\": \"X......\"}"));
    json_decref(ask_ratings(&bench, 400, "{\"agent\": \"adjacent\"}"));
    web_bench_close(&bench);
}

TEST_GROUP(web_tour)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_board),
        cmocka_unit_test(test_unknown_chapters),
        cmocka_unit_test(test_the_two_errors),
        cmocka_unit_test(test_threats_by_direct_calls),
        cmocka_unit_test(test_three_opinions),
        cmocka_unit_test(test_influence),
        cmocka_unit_test(test_conservative_defence),
        cmocka_unit_test(test_forcing_sequences),
        cmocka_unit_test(test_tiers),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_try_to_the_end),
        cmocka_unit_test(test_try_refused),
        cmocka_unit_test(test_try_anything),
        cmocka_unit_test(test_ratings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
