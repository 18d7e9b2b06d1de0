// Tests of splitting commands into words.
#include "support/check.h"

#include "base/process/words.h"

static void expect_words(const char *command, const char *const *expected)
{
    Words words = {0};
    Error error = {0};
    assert_done(words_split(span_of(command), &words, &error), error);
    size_t count = 0;
    for (; expected[count] != NULL; count++) {
        assert_true(count < words.count);
        assert_string_equal(words.at[count], expected[count]);
    }
    assert_int_equal(words.count, count);
    assert_true(count == 0 || words.at[count] == NULL);
    words_close(&words);
}

#define EXPECT(command, ...) expect_words(command, (const char *const[]){__VA_ARGS__, NULL})

static void test_splitting(void **state)
{
    (void)state;
    expect_words("", (const char *const[]){NULL});
    expect_words(" \t\n ", (const char *const[]){NULL});
    EXPECT("./engine", "./engine");
    EXPECT("  a  b\tc ", "a", "b", "c");
    EXPECT("'a b' \"c d\"", "a b", "c d");
    EXPECT("a\\ b c\\\\d", "a b", "c\\d");
    EXPECT("x'y z'w", "xy zw");
    EXPECT("'' \"\"", "", "");
    EXPECT("'it\"s' \"it's\"", "it\"s", "it's");
    EXPECT("\"a\\\"b\" \"a\\b\" 'a\\b'", "a\"b", "a\\b", "a\\b");
    EXPECT("$HOME `id` *.c a|b ;c", "$HOME", "`id`", "*.c", "a|b", ";c");
}

static void expect_refused(const char *command, const char *text)
{
    Words words = {0};
    Error error = {0};
    assert_refused(words_split(span_of(command), &words, &error), error, text);
    words_close(&words);
}

static void test_what_has_no_end(void **state)
{
    (void)state;
    expect_refused("a 'b c", "character 3");
    expect_refused("\"", "character 1");
    expect_refused("a b\\", "character 3");
}

static void test_long_lists(void **state)
{
    (void)state;
    Words words = {0};
    for (int i = 0; i < 1000; i++)
        words_add(&words, "%d", i);
    words_add_list(&words, (const char *const[]){"x", "y", NULL});
    assert_int_equal(words.count, 1002);
    assert_string_equal(words.at[999], "999");
    assert_string_equal(words.at[1001], "y");
    assert_null(words.at[1002]);
    words_close(&words);
    words_close(&words);
}

TEST_GROUP(words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splitting),
        cmocka_unit_test(test_what_has_no_end),
        cmocka_unit_test(test_long_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
