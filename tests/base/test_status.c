// Tests of status codes and error texts.
#include "support/check.h"

#include <string.h>

static void test_every_status_has_a_text_and_an_exit(void **state)
{
    (void)state;
#define CHECK(name, exit_status, text)                                                                                 \
    assert_int_equal(status_exit(STATUS_##name), exit_status);                                                         \
    assert_string_equal(status_text(STATUS_##name), text);
    STATUS_LIST(CHECK)
#undef CHECK
    assert_int_equal(status_exit(STATUS_OK), 0);
    assert_int_equal(status_exit(STATUS_BAD_INPUT), 2);
    assert_int_equal(status_exit(STATUS_IO), 1);
    assert_int_equal(status_exit((Status)99), 1);
    assert_string_equal(status_text((Status)99), "unknown status");
}

static void test_error_set(void **state)
{
    (void)state;
    Error error = {0};
    assert_int_equal(error_set(&error, STATUS_IO, "%s is %d", "this", 7), STATUS_IO);
    assert_int_equal(error.status, STATUS_IO);
    assert_string_equal(error.text, "this is 7");
    assert_int_equal(error_set(NULL, STATUS_FAILED, "no listener"), STATUS_FAILED);
}

static void test_long_texts_are_cut(void **state)
{
    (void)state;
    char words[2 * ERROR_TEXT_SIZE];
    memset(words, 'w', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    Error error = {0};
    error_set(&error, STATUS_FAILED, "%s", words);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    error_prefix(&error, "in %s: ", "front");
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
    assert_memory_equal(error.text, "in front: www", 13);
    error_prefix(&error, "%s", words);
    assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
}

static void test_prefix(void **state)
{
    (void)state;
    Error error = {0};
    error_set(&error, STATUS_BAD_INPUT, "a fault");
    error_prefix(&error, "line %d: ", 3);
    assert_string_equal(error.text, "line 3: a fault");
    assert_int_equal(error.status, STATUS_BAD_INPUT);
    error_prefix(NULL, "no listener");
}

TEST_GROUP(status)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_status_has_a_text_and_an_exit),
        cmocka_unit_test(test_error_set),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
