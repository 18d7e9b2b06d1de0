// Tests of spans, words, numbers, the growing text buffer, and scanning words of bits.
#include "base/bits.h"
#include "support/check.h"

#include <locale.h>
#include <string.h>

static void test_comparing(void **state)
{
    (void)state;
    assert_true(span_is(span_of("abc"), "abc"));
    assert_false(span_is(span_of("abc"), "abd"));
    assert_false(span_is(span_of("ab"), "abc"));
    assert_false(span_is(span_of("abc"), "ABC"));
    assert_true(span_is_ignoring_case(span_of("aBc"), "AbC"));
    assert_false(span_is_ignoring_case(span_of("aBc"), "AbCd"));
    assert_true(span_is((Span){"abc", 0}, ""));
}

static void test_trim(void **state)
{
    (void)state;
    assert_true(span_is(span_trim(span_of(" \t\r\n a b \n")), "a b"));
    assert_int_equal(span_trim(span_of(" \n\t ")).length, 0);
    assert_int_equal(span_trim((Span){0}).length, 0);
}

static void test_words(void **state)
{
    (void)state;
    Span rest = span_of("  one,two ,, three"), word = {0};
    static const char *const expected[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        assert_true(span_next_word(&rest, " ,", &word));
        assert_true(span_is(word, expected[i]));
    }
    assert_false(span_next_word(&rest, " ,", &word));
    // The address of an empty text may be NULL.
    rest = (Span){0};
    assert_false(span_next_word(&rest, " ", &word));
    assert_int_equal(word.length, 0);
    // A zero byte is part of a word.
    rest = (Span){"a\0b c", 5};
    assert_true(span_next_word(&rest, " ", &word));
    assert_int_equal(word.length, 3);
}

static void test_parts(void **state)
{
    (void)state;
    Span rest = span_of("a,,b"), part = {0};
    static const char *const expected[] = {"a", "", "b"};
    for (int i = 0; i < 3; i++) {
        assert_true(span_next_part(&rest, ',', &part));
        assert_true(span_is(part, expected[i]));
    }
    assert_false(span_next_part(&rest, ',', &part));
    rest = span_of("a,");
    assert_true(span_next_part(&rest, ',', &part));
    assert_false(span_next_part(&rest, ',', &part));
}

static void assert_whole(const char *text, int64_t expected)
{
    int64_t number = 1234;
    assert_true(span_to_int(span_of(text), INT64_MIN, INT64_MAX, &number));
    assert_true(number == expected);
}

static void test_whole_numbers(void **state)
{
    (void)state;
    assert_whole("0", 0);
    assert_whole("-0", 0);
    assert_whole("+17", 17);
    assert_whole("0042", 42);
    assert_whole("9223372036854775807", INT64_MAX);
    assert_whole("-9223372036854775808", INT64_MIN);
    static const char *const bad[] = {
        "", "-", "+", "--1", "1a", "a1", " 1", "1 ", "1.0", "1e3", "9223372036854775808", "-9223372036854775809"};
    int64_t number = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(span_to_int(span_of(bad[i]), INT64_MIN, INT64_MAX, &number));
    assert_true(span_to_int(span_of("5"), 5, 5, &number));
    assert_false(span_to_int(span_of("4"), 5, 9, &number));
    assert_false(span_to_int(span_of("10"), 5, 9, &number));
    assert_int_equal(number, 5);
}

static void assert_real(const char *text, double expected)
{
    double number = 1234;
    assert_true(span_to_real(span_of(text), &number));
    assert_true(number == expected);
}

static void test_numbers(void **state)
{
    (void)state;
    assert_real("1.5", 1.5);
    assert_real("-2", -2);
    assert_real("+.5", 0.5);
    assert_real("3e6", 3e6);
    assert_real("25E-2", 0.25);
    assert_real("1e-999", 0);
    static const char *const bad[] = {"",  "inf",   "nan", "0x10", "1,5", "1.5.2", "--1",  "e5",   "1e",
                                      ".", "1e999", " 1",  "1 ",   "1f",  "+",     "-inf", "1e+-3"};
    double number = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(span_to_real(span_of(bad[i]), &number));
    char digits[80];
    memset(digits, '1', sizeof digits);
    assert_false(span_to_real((Span){digits, sizeof digits}, &number));
    assert_false(span_to_real((Span){"1\0", 2}, &number));
    assert_true(number == 77);
}

// Runs only if a locale with a decimal comma is installed.
static void test_numbers_in_other_locales(void **state)
{
    (void)state;
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
        return;
    double number = 0;
    bool good = span_to_real(span_of("1.5"), &number);
    (void)setlocale(LC_ALL, "C");
    assert_true(good && number == 1.5);
}

static void test_text_grows(void **state)
{
    (void)state;
    Text text = {0};
    for (int i = 0; i < 1000; i++)
        text_add(&text, "%d,", i % 10);
    assert_int_equal(text.length, 2000);
    assert_int_equal(strlen(text.data), 2000);
    assert_memory_equal(text.data + 1980, "0,1,2,3,4,5,6,7,8,9,", 21);
    text_add_span(&text, (Span){"\0x", 2});
    assert_int_equal(text.length, 2002);
    assert_memory_equal(text.data + 1998, "9,\0x", 5);
    text_close(&text);
    assert_null(text.data);
    text_close(&text);
}

static void test_bits(void **state)
{
    (void)state;
    assert_int_equal(bits_lowest(0), 64);
    assert_int_equal(bits_leading_zeros(0), 64);
    assert_int_equal(bits_count(~UINT64_C(0)), 64);
    assert_true(bits_low(0) == 0 && bits_low(64) == ~UINT64_C(0));
    for (unsigned i = 0; i < 64; i++) {
        uint64_t bit = UINT64_C(1) << i;
        assert_int_equal(bits_lowest(bit | UINT64_C(1) << 63), i);
        assert_int_equal(bits_leading_zeros(bit | 1), 63 - i);
        assert_true(bits_low(i) == bit - 1);
    }
}

TEST_GROUP(text)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers_in_other_locales),
        cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
