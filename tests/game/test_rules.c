// Tests of rules as text: presets, canonical form, invalid texts.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *text;
    const char *words;
} Bad;

static void test_presets_are_those_promised(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        Rules rules;
    } expected[] = {
        {"tictactoe", "3x3:k=3", {3, 3, 3, 1, 1, false, false}},
        {"connect4", "7x6:k=4,gravity", {7, 6, 4, 1, 1, true, false}},
        {"connect5", "13x13:k=5", {13, 13, 5, 1, 1, false, false}},
        {"gomoku", "15x15:k=5", {15, 15, 5, 1, 1, false, false}},
        {"gomoku19", "19x19:k=5", {19, 19, 5, 1, 1, false, false}},
        {"gomoku20", "20x20:k=5", {20, 20, 5, 1, 1, false, false}},
        {"standard", "15x15:k=5,exact", {15, 15, 5, 1, 1, false, true}},
        {"connect6", "19x19:k=6,p=2,q=1", {19, 19, 6, 2, 1, false, false}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        Rules rules = rules_of(expected[i].name);
        char text[RULES_TEXT_SIZE];
        rules_format(&rules, text);
        assert_string_equal(text, expected[i].text);
        assert_true(rules_equal(&rules, &expected[i].rules));
    }
}

static void test_every_preset_is_canonical(void **state)
{
    (void)state;
    for (int i = 0; i < rules_preset_count; i++) {
        Rules rules = rules_of(rules_presets[i].name), same = rules_of(rules_presets[i].text);
        char text[RULES_TEXT_SIZE];
        rules_format(&rules, text);
        assert_string_equal(text, rules_presets[i].text);
        assert_true(rules_equal(&rules, &same));
        assert_true(strlen(rules_presets[i].about) > 0);
    }
}

static void test_canonical_forms(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"Connect4", "7x6:k=4,gravity"},
        {"  gomoku\n", "15x15:k=5"},
        {"7x6:gravity,k=4", "7x6:k=4,gravity"},
        {"9x9:exact,q=1,p=2,k=5", "9x9:k=5,p=2,q=1,exact"},
        {"9x9:k=5,p=1,q=1", "9x9:k=5"},
        {"9x9:k=5,q=2", "9x9:k=5,p=1,q=2"},
        {"9x9:k=5,p=2", "9x9:k=5,p=2,q=1"},
        {"64x64:k=64,p=4096,q=4096,gravity,exact", "64x64:k=64,p=4096,q=4096,gravity,exact"},
        {"64x1:k=64", "64x1:k=64"},
        {"1x64:k=64", "1x64:k=64"},
        {"1x1:k=1", "1x1:k=1"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        Rules rules = rules_of(pairs[i][0]);
        char text[RULES_TEXT_SIZE];
        rules_format(&rules, text);
        assert_string_equal(text, pairs[i][1]);
        Rules again = rules_of(text);
        assert_true(rules_equal(&rules, &again));
    }
}

static const Bad bad_texts[] = {
    {"", "no game is given"},
    {" \t\n", "no game is given"},
    {"chess", "character 1: 'chess' is not a preset"},
    {"7", "character 1: '7' is not a preset"},
    {"connect4:k=4", "'connect4' is not a preset"},
    {"7X6:k=4", "'7X6' is not a preset"},
    {"x6:k=4", "character 1: '' is not a number of columns"},
    {"7x:k=4", "character 3: '' is not a number of rows"},
    {"ax6:k=4", "character 1: 'a' is not a number of columns from 1 to 64"},
    {"7xb:k=4", "character 3: 'b' is not a number of rows from 1 to 64"},
    {"7x6x5:k=4", "character 3: '6x5' is not a number of rows"},
    {"7x6 :k=4", "character 3: '6 ' is not a number of rows"},
    {"-7x6:k=4", "'-7' is not a number of columns"},
    {"300x6:k=4", "character 1: '300' is not a number of columns"},
    {"7x99999999999999999999:k=4", "is not a number of rows"},
    {"65x6:k=4", "the board is 65x6, but each side must be 1 to 64"},
    {"6x65:k=4", "the board is 6x65"},
    {"0x6:k=4", "the board is 0x6"},
    {"6x0:k=4", "the board is 6x0"},
    {"7x6", "game '7x6' does not say k"},
    {"7x6:", "does not say k"},
    {"7x6:gravity", "does not say k, the stones in a row; write 7x6:k=5"},
    {"7x6:k", "character 5: 'k' needs a whole number, such as k=5"},
    {"7x6:k=", "character 5: 'k=' needs a whole number"},
    {"7x6:k=four", "character 5: 'k=four' needs a whole number"},
    {"7x6:k=4.5", "character 5: 'k=4.5' needs a whole number"},
    {"7x6:k=-4", "character 5: 'k=-4' needs a whole number"},
    {"7x6:k=4=4", "character 5: 'k=4=4' needs a whole number"},
    {"7x6:k=4,p", "character 9: 'p' needs a whole number, such as p=1"},
    {"7x6:k=4,q=x", "character 9: 'q=x' needs a whole number, such as q=1"},
    {"7x6:k=0", "game '7x6:k=0': k is 0, but a row needs at least one stone"},
    {"7x6:k=8", "game '7x6:k=8': k is 8, but the board is only 7 long. Choose 7 or less"},
    {"64x64:k=65", "k is 65, but the board is only 64 long"},
    {"7x6:k=300", "k is 300, but the board is only 7 long. Choose 7 or less"},
    {"7x6:k=4,p=5000", "p is 5000, but a turn has 1 to 42 stones"},
    {"6x7:k=8", "k is 8, but the board is only 7 long"},
    {"7x6:k=4,p=0", "p is 0, but a turn has 1 to 42 stones on a board of 42 cells"},
    {"7x6:k=4,p=43", "p is 43, but a turn has 1 to 42 stones"},
    {"7x6:k=4,q=0", "q is 0, but the first turn has 1 to 42 stones"},
    {"7x6:k=4,q=43", "q is 43, but the first turn has 1 to 42 stones"},
    {"7x6:k=4,k=4", "character 9: 'k' is given twice"},
    {"7x6:k=4,p=1,p=1", "character 13: 'p' is given twice"},
    {"7x6:gravity,k=4,gravity", "character 17: 'gravity' is given twice"},
    {"7x6:exact,k=4,exact", "character 15: 'exact' is given twice"},
    {"7x6:k=4,", "character 8: nothing follows the last comma"},
    {"7x6:,k=4", "character 5: '' is not one of k=K, p=P, q=Q, gravity, exact"},
    {"7x6:k=4,,exact", "character 9: '' is not one of"},
    {"7x6:k=4, exact", "character 9: ' exact' is not one of"},
    {"7x6:k=4,wrap", "character 9: 'wrap' is not one of"},
    {"7x6:k=4,gravity=1", "character 9: 'gravity=1' is not one of"},
    {"7x6:k=4,Gravity", "character 9: 'Gravity' is not one of"},
    {"7x6:K=4", "character 5: 'K=4' is not one of"},
};

static void test_bad_texts_name_the_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_texts / sizeof bad_texts[0]; i++) {
        Rules rules = rules_of("gomoku"), before = rules;
        Error error = {0};
        assert_refused(rules_parse(span_of(bad_texts[i].text), &rules, &error), error, bad_texts[i].words);
        assert_true(rules_equal(&rules, &before));
        assert_int_equal(rules_parse(span_of(bad_texts[i].text), &rules, NULL), STATUS_BAD_INPUT);
    }
}

static void test_long_words_are_cut_in_messages(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'z', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    Rules rules = {0};
    Error error = {0};
    assert_refused(rules_parse(span_of(text), &rules, &error), error, "is not a preset");
    assert_true(strlen(error.text) < 200);
}

static void test_check(void **state)
{
    (void)state;
    Error error = {0};
    Rules good = {5, 4, 3, 2, 1, true, true};
    assert_done(rules_check(&good, &error), error);
    Rules largest = {64, 64, 64, 4096, 4096, false, false};
    assert_done(rules_check(&largest, &error), error);
    Rules long_row = {5, 1, 5, 5, 5, false, false};
    assert_done(rules_check(&long_row, &error), error);
    Rules too_wide = {255, 4, 3, 1, 1, false, false};
    assert_refused(rules_check(&too_wide, &error), error, "the board is 255x4");
    Rules nothing = {0};
    assert_refused(rules_check(&nothing, NULL) == STATUS_BAD_INPUT ? rules_check(&nothing, &error) : STATUS_OK, error,
                   "the board is 0x0");
    Rules too_many = {5, 4, 3, 65535, 1, false, false};
    assert_refused(rules_check(&too_many, &error), error, "p is 65535");
}

static void test_equality_looks_at_every_field(void **state)
{
    (void)state;
    const Rules base = {5, 4, 3, 2, 1, false, false};
    const Rules others[] = {
        {6, 4, 3, 2, 1, false, false}, {5, 5, 3, 2, 1, false, false}, {5, 4, 4, 2, 1, false, false},
        {5, 4, 3, 1, 1, false, false}, {5, 4, 3, 2, 2, false, false}, {5, 4, 3, 2, 1, true, false},
        {5, 4, 3, 2, 1, false, true},
    };
    assert_true(rules_equal(&base, &base));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(rules_equal(&base, &others[i]));
        assert_false(rules_equal(&others[i], &base));
    }
    assert_int_equal(rules_cells(&base), 20);
}

TEST_GROUP(rules)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets_are_those_promised),
        cmocka_unit_test(test_every_preset_is_canonical),
        cmocka_unit_test(test_canonical_forms),
        cmocka_unit_test(test_bad_texts_name_the_word),
        cmocka_unit_test(test_long_words_are_cut_in_messages),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_equality_looks_at_every_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
