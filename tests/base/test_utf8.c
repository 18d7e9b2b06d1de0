// Tests of UTF-8: characters, and texts without control characters and direction marks.
#include "base/status.h"
#include "base/utf8.h"
#include "support/check.h"

#include <string.h>

static void test_characters(void **state)
{
    (void)state;
    assert_int_equal(utf8_char(span_of("a")), 1);
    assert_int_equal(utf8_char(span_of("ü")), 2);
    assert_int_equal(utf8_char(span_of("€")), 3);
    assert_int_equal(utf8_char(span_of("😀")), 4);
    assert_int_equal(utf8_char(span_of("\xc0\x9b")), 0); // overlong
    assert_int_equal(utf8_char(span_of("\x9b")), 0);
    assert_int_equal(utf8_char((Span){"", 0}), 0);
    assert_int_equal(utf8_code("ü", 2), 0xfc);
    assert_int_equal(utf8_code("€", 3), 0x20ac);
    assert_int_equal(utf8_code("😀", 4), 0x1f600);
    assert_true(utf8_is_valid(span_of("ü€😀")));
    assert_false(utf8_is_valid(span_of("\xed\xa0\x80"))); // a surrogate
}

static void add(Text *text, unsigned code)
{
    if (code < 0x80)
        text_add_span(text, (Span){(const char[]){(char)code}, 1});
    else if (code < 0x800)
        text_add(text, "%c%c", (int)(0xc0 | code >> 6), (int)(0x80 | (code & 0x3f)));
    else
        text_add(text, "%c%c%c", (int)(0xe0 | code >> 12), (int)(0x80 | (code >> 6 & 0x3f)),
                 (int)(0x80 | (code & 0x3f)));
}

// Every code point of the first planes that may not reach a terminal becomes a blank; neighbours stay.
static void test_control_characters(void **state)
{
    (void)state;
    static const unsigned ranges[][2] = {{0x01, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (unsigned code = 1; code < 0x3000; code++) {
        bool is_unsafe = false;
        for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
            is_unsafe = is_unsafe || (code >= ranges[i][0] && code <= ranges[i][1]);
        Text text = {0};
        text_add(&text, "x");
        add(&text, code);
        text_add(&text, "y");
        char copy[16];
        utf8_clean((Span){text.data, text.length}, copy, sizeof copy);
        assert_string_equal(copy, is_unsafe ? "x y" : text.data);
        memcpy(copy, text.data, text.length + 1);
        utf8_clean_lines(copy);
        assert_string_equal(copy, is_unsafe && code != '\t' && code != '\n' ? "x y" : text.data);
        utf8_clean_line(copy);
        assert_string_equal(copy, is_unsafe ? "x y" : text.data);
        text_close(&text);
    }
}

static void test_invalid_bytes(void **state)
{
    (void)state;
    char text[] = "a\x9b[31mb\xffü\xc3";
    utf8_clean_line(text);
    assert_string_equal(text, "a?[31mb?ü?");
    char copy[20];
    utf8_clean(span_of("\033]0;title\007 name\xc2\x9b"), copy, sizeof copy);
    assert_string_equal(copy, "]0;title  name");
    utf8_clean(span_of("üüü"), copy, 6);
    assert_string_equal(copy, "üü");
}

// Errors quote files and programs, and are shown on a terminal.
static void test_errors(void **state)
{
    (void)state;
    Error error = {0};
    // Characters, not a literal, in which clang-tidy forbids marks of direction.
    const char found[] = {'\033', '[', '2', 'J', '\n', '\xc2', '\x9b', '\xe2', '\x80', '\xae', '\0'};
    (void)error_set(&error, STATUS_BAD_INPUT, "'%s' is not a cell", found);
    assert_string_equal(error.text, "' [2J   ' is not a cell");
    error_prefix(&error, "'%s': ", "a\033b");
    assert_string_equal(error.text, "'a b': ' [2J   ' is not a cell");
}

TEST_GROUP(utf8)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_control_characters),
        cmocka_unit_test(test_invalid_bytes),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
