// Tests of agent options of every type, with the test's own declaration.
#include "agents/options.h"
#include "support/check.h"

#include <string.h>

static const AgentOption declared[] = {
    {"depth", OPTION_INT, "4", 1, 64, NULL, "a whole number"},
    {"below", OPTION_INT, "-5", -10, 0, NULL, "a negative one"},
    {"c", OPTION_REAL, "1.5", 0, 100, NULL, "a number"},
    {"quick", OPTION_BOOL, "0", 0, 1, NULL, "yes or no"},
    {"cells", OPTION_CHOICE, "radius2", 0, 0, "all radius2 line2", "a choice"},
    {"file", OPTION_TEXT, "", 0, 0, NULL, "a text"},
    {0},
};
static const OptionList list = {declared, NULL}, none = {0};

static void test_defaults(void **state)
{
    (void)state;
    OptionValues values;
    options_defaults(list, &values);
    assert_int_equal(options_int(&values, "depth"), 4);
    assert_int_equal(options_int(&values, "below"), -5);
    assert_true(options_real(&values, "c") == 1.5);
    assert_false(options_bool(&values, "quick"));
    assert_int_equal(options_choice(&values, "cells"), 1);
    assert_string_equal(options_text(&values, "file"), "");
    options_defaults(none, &values);
    Error error = {0};
    assert_done(options_parse(none, span_of(""), &values, &error), error);
}

static void test_values(void **state)
{
    (void)state;
    OptionValues values;
    Error error = {0};
    Span text = span_of("file=a b=c,c=2.5e1,quick=1,depth=64,below=-10,cells=line2");
    assert_done(options_parse(list, text, &values, &error), error);
    assert_int_equal(options_int(&values, "depth"), 64);
    assert_int_equal(options_int(&values, "below"), -10);
    assert_true(options_real(&values, "c") == 25);
    assert_true(options_bool(&values, "quick"));
    assert_int_equal(options_choice(&values, "cells"), 2);
    assert_string_equal(options_text(&values, "file"), "a b=c");
    // What is not said is the default again.
    assert_done(options_parse(list, span_of("depth=1"), &values, &error), error);
    assert_int_equal(options_int(&values, "depth"), 1);
    assert_int_equal(options_choice(&values, "cells"), 1);
    assert_string_equal(options_text(&values, "file"), "");
}

static void test_bad_values(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"deep=3", "there is no option 'deep'; there is: depth, below, c, quick, cells, file"},
        {"Depth=3", "there is no option 'Depth'"},
        {"=3", "there is no option ''"},
        {",depth=3", "there is no option ''"},
        {"depth=3,,c=1", "there is no option ''"},
        {"depth=3,", "nothing follows the last comma"},
        {",", "nothing follows the last comma"},
        {"depth", "option 'depth' has no value; write depth=4"},
        {"cells", "option 'cells' has no value; write cells=radius2"},
        {"depth=3,depth=3", "option 'depth' is given twice"},
        {"depth=", "option 'depth': '' is not a whole number from 1 to 64"},
        {"depth=0", "option 'depth': '0' is not a whole number from 1 to 64"},
        {"depth=65", "option 'depth': '65' is not a whole number from 1 to 64"},
        {"depth=1.5", "option 'depth': '1.5' is not a whole number"},
        {"depth=99999999999999999999", "is not a whole number from 1 to 64"},
        {"below=1", "option 'below': '1' is not a whole number from -10 to 0"},
        {"c=x", "option 'c': 'x' is not a number from 0 to 100"},
        {"c=-0.1", "option 'c': '-0.1' is not a number from 0 to 100"},
        {"c=100.5", "option 'c': '100.5' is not a number from 0 to 100"},
        {"c=nan", "option 'c': 'nan' is not a number"},
        {"quick=2", "option 'quick': '2' is neither 0 nor 1"},
        {"quick=yes", "option 'quick': 'yes' is neither 0 nor 1"},
        {"cells=radius", "option 'cells': 'radius' is none of: all radius2 line2"},
        {"cells=", "option 'cells': '' is none of"},
        {"cells=all radius2", "option 'cells': 'all radius2' is none of"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        OptionValues values;
        Error error = {0};
        assert_refused(options_parse(list, span_of(bad[i][0]), &values, &error), error, bad[i][1]);
        assert_int_equal(options_parse(list, span_of(bad[i][0]), &values, NULL), STATUS_BAD_INPUT);
    }
    OptionValues values;
    Error error = {0};
    assert_refused(options_parse(none, span_of("a=1"), &values, &error), error,
                   "there is no option 'a'; there are none");
}

// What an agent shares with others comes after its own, in the same text.
static void test_shared_options(void **state)
{
    (void)state;
    static const AgentOption shared[] = {
        {"width", OPTION_INT, "8", 0, 64, NULL, "a whole number"},
        {"table", OPTION_REAL, "0.5", 0, 1, NULL, "a number"},
        {0},
    };
    const OptionList both = {declared, shared}, other = {NULL, shared};
    OptionValues values;
    Error error = {0};
    assert_done(options_parse(both, span_of("width=3,c=2,depth=5"), &values, &error), error);
    assert_int_equal(options_int(&values, "width"), 3);
    assert_int_equal(options_int(&values, "depth"), 5);
    assert_true(options_real(&values, "c") == 2 && options_real(&values, "table") == 0.5);
    assert_refused(options_parse(both, span_of("width=65"), &values, &error), error, "'65' is not a whole number");
    assert_refused(options_parse(both, span_of("width=1,width=1"), &values, &error), error, "is given twice");
    assert_refused(options_parse(both, span_of("x=1"), &values, &error), error,
                   "there is: depth, below, c, quick, cells, file, width, table");
    assert_done(options_parse(other, span_of("table=1"), &values, &error), error);
    assert_true(options_real(&values, "table") == 1);
    assert_refused(options_parse(other, span_of("depth=1"), &values, &error), error, "there is: width, table");
    assert_ptr_equal(option_at(both, 5), &declared[5]);
    assert_ptr_equal(option_at(both, 6), &shared[0]);
    assert_null(option_at(both, 8));
    assert_null(option_at(none, 0));
}

static void test_long_texts(void **state)
{
    (void)state;
    char text[6 + OPTION_TEXT_SIZE] = "file=";
    OptionValues values;
    Error error = {0};
    memset(text + 5, 't', OPTION_TEXT_SIZE - 1);
    assert_done(options_parse(list, span_of(text), &values, &error), error);
    assert_int_equal(strlen(options_text(&values, "file")), OPTION_TEXT_SIZE - 1);
    text[5 + OPTION_TEXT_SIZE - 1] = 't';
    assert_refused(options_parse(list, span_of(text), &values, &error), error,
                   "option 'file': the text is longer than 127 characters");
}

static void test_names_of_types(void **state)
{
    (void)state;
    static const OptionType types[] = {OPTION_INT, OPTION_REAL, OPTION_BOOL, OPTION_CHOICE, OPTION_TEXT};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(option_type_name(types[i]), option_type_name(types[j]));
}

TEST_GROUP(options)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_values),     cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_shared_options), cmocka_unit_test(test_long_texts), cmocka_unit_test(test_names_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
