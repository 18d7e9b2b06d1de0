// Tests of pattern sets as text: written sets can be read; errors have line numbers.
#include "store/files/patternfile.h"
#include "support/check.h"

#include <string.h>

static Status read(const char *text, PatternSet *set, Error *error)
{
    *set = (PatternSet){0};
    return patternfile_read(span_of(text), set, error);
}

static void test_read(void **state)
{
    (void)state;
    PatternSet set;
    Error error = {0};
    assert_done(read("# a comment\n\ngame gomoku\r\nset mine\n  # another\npatterns 2\n1 .xxxx.\n\t20\txx-/-.x  \n",
                     &set, &error),
                error);
    Rules rules = rules_of("gomoku");
    char code[PATTERN_TEXT_SIZE];
    assert_true(rules_equal(&set.rules, &rules));
    assert_string_equal(set.name, "mine");
    assert_int_equal(set.count, 2);
    assert_int_equal(set.patterns[0].tier, 1);
    assert_int_equal(set.patterns[1].tier, 20);
    pattern_format(&set.patterns[0], code);
    assert_string_equal(code, ".xxxx.");
    pattern_format(&set.patterns[1], code);
    assert_string_equal(code, "xx-/-.x");
    pattern_set_close(&set);
}

// All but the game may be missing.
static void test_short_files(void **state)
{
    (void)state;
    PatternSet set;
    Error error = {0};
    assert_done(read("game 19x19:k=6", &set, &error), error);
    assert_string_equal(set.name, "default");
    assert_int_equal(set.count, 0);
    pattern_set_close(&set);
    assert_done(read("game gomoku\n0 xxxxx\n", &set, &error), error);
    assert_int_equal(set.count, 1);
    pattern_set_close(&set);
    assert_done(read("game gomoku\npatterns 0\n", &set, &error), error);
    pattern_set_close(&set);
}

static void test_written_and_read(void **state)
{
    (void)state;
    PatternSet set = {.rules = rules_of("19x19:k=5"), .name = "a.b"}, again;
    Text text = {0};
    Error error = {0};
    for (unsigned i = 0; i < 100; i++) {
        Pattern pattern;
        char code[16] = "x......x";
        code[1 + i % 6] = 'x';
        code[1 + i / 6 % 6] = '-';
        assert_done(pattern_parse(span_of(code), i % (PATTERN_TIER_MAX + 1), &pattern, &error), error);
        pattern_set_add(&set, &pattern);
    }
    patternfile_write(&set, &text);
    assert_non_null(strstr(text.data, "# krow patterns\ngame 19x19:k=5\nset a.b\npatterns 100\n0 x"));
    assert_done(read(text.data, &again, &error), error);
    assert_string_equal(again.name, "a.b");
    assert_true(rules_equal(&again.rules, &set.rules));
    assert_int_equal(again.count, 100);
    for (unsigned i = 0; i < 100; i++) {
        assert_true(pattern_equal(&set.patterns[i], &again.patterns[i]));
        assert_int_equal(set.patterns[i].tier, again.patterns[i].tier);
    }
    pattern_set_close(&set);
    pattern_set_close(&again);
    text_close(&text);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "not a pattern set: the line 'game' is missing"},
        {"# only words\n", "'game' is missing"},
        {"set a\ngame gomoku\n", "line 1: expected 'game', found 'set'"},
        {"1 .xxxx.\n", "line 1: the line 'game' must come before the patterns"},
        {"\ngame\n", "line 2: "},
        {"game 15x15:k=99\n", "line 1: "},
        {"game connect4\n", "line 1: patterns are not supported for 7x6:k=4,gravity"},
        {"game connect6\n", "line 1: patterns are not supported for 19x19:k=6,p=2,q=1"},
        {"game gomoku\nset a b\n", "line 2: invalid name of a pattern set 'a b'"},
        {"game gomoku\nset\n", "line 2: invalid name of a pattern set ''"},
        {"game gomoku\nset a\ngame gomoku\n", "line 3: expected the tier of a pattern, found 'game'"},
        {"game gomoku\npatterns 1\nset a\n", "line 3: expected the tier of a pattern, found 'set'"},
        {"game gomoku\n1 xxxx\nset a\n", "line 3: expected the tier of a pattern, found 'set'"},
        {"game gomoku\nxxxxx\n", "line 2: expected the tier of a pattern, found 'xxxxx'"},
        {"game gomoku\npatterns -1\n", "line 2: '-1' is not a number of patterns"},
        {"game gomoku\npatterns x\n", "line 2: 'x' is not a number of patterns"},
        {"game gomoku\n21 xxxx\n", "line 2: '21' is not a tier from 0 to 20"},
        {"game gomoku\n-1 xxxx\n", "line 2: '-1' is not a tier"},
        {"game gomoku\n1a xxxx\n", "line 2: '1a' is not a tier"},
        {"game gomoku\n1\n", "line 2: "},
        {"game gomoku\n1 ...\n", "line 2: the pattern '...' has no own cell"},
        {"game gomoku\n1 xxx xx\n", "line 2: expected x, ., - or /"},
        {"game gomoku\n1 xxxx\n\n1 xxXx\n", "line 4: expected x, ., - or /"},
        {"game gomoku\npatterns 2\n1 xxxx\n", "the pattern set is incomplete: it has 1 of 2 patterns"},
        {"game gomoku\npatterns 0\n1 xxxx\n", "it has 1 of 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        PatternSet set;
        Error error = {0};
        assert_refused(read(cases[i].text, &set, &error), error, cases[i].words);
        pattern_set_close(&set);
    }
}

TEST_GROUP(patternfile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_short_files),
        cmocka_unit_test(test_written_and_read),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
