// Tests of weights: the indices of codes, the formula, and weights as text.
#include "base/file.h"
#include "engine/eval/weights.h"
#include "engine/eval/weights_internal.h"
#include "support/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Every sorted code has a number of its own, and all orders of it have the same.
static void test_codes(void **state)
{
    (void)state;
    bool seen[WEIGHTS_CODES] = {false};
    unsigned count = 0, code = 0;
    do {
        unsigned number = weights_unordered(code);
        assert_in_range(number, 0, WEIGHTS_CODES - 1);
        assert_false(seen[number]);
        seen[number] = true;
        count++;
        unsigned a = code >> 12, b = code >> 8 & 15, c = code >> 4 & 15, d = code & 15;
        assert_true(a >= b && b >= c && c >= d);
        assert_int_equal(weights_unordered(d << 12 | c << 8 | b << 4 | a), number);
        assert_int_equal(weights_unordered(c << 12 | a << 8 | d << 4 | b), number);
        code = weights_next_code(code);
    } while (code != 0);
    assert_int_equal(count, WEIGHTS_CODES);
}

static const char *const games[] = {
    "gomoku", "connect6", "standard", "connect4", "tictactoe", "19x19:k=7,p=3", "9x9:k=4,p=2", "20x20:k=12", "1x1:k=1",
};
enum { GAMES = sizeof games / sizeof games[0] };

// A line pattern nearer to a row is worth no less than another, and the formula stays within the limits.
static void test_law(void **state)
{
    (void)state;
    for (unsigned g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        LinePatterns line_patterns = {0};
        Weights weights;
        Error error = {0};
        assert_done(line_patterns_open(&line_patterns, &rules, &error), error);
        weights_formula(&weights, &line_patterns);
        for (unsigned i = 0; i < WEIGHTS_CODES; i++)
            assert_in_range(weights.code[i], 0, WEIGHTS_VALUE_MAX);
        for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
            assert_true(abs(weights.situation[i]) <= WEIGHTS_VALUE_MAX);
        for (unsigned line_pattern = 1; line_pattern < line_patterns.count; line_pattern++) {
            unsigned with = weights_unordered(line_pattern << 4 | 1), without = weights_unordered(1);
            assert_true(weights.code[with] >= weights.code[without]);
            assert_true(weights.move[with].own >= weights.move[without].own);
        }
        unsigned completes = weights_unordered(line_patterns.count - 1);
        assert_true(weights.code[completes] > weights.code[0] && weights.move[completes].own > weights.move[0].own);
        line_patterns_close(&line_patterns);
    }
}

// --- Text ---

static Status parse(const char *game, const char *text, Weights *weights, Error *error)
{
    Rules rules = rules_of(game);
    LinePatterns line_patterns = {0};
    assert_done(line_patterns_open(&line_patterns, &rules, error), *error);
    Status status = weights_parse(weights, &line_patterns, &rules, span_of(text), error);
    line_patterns_close(&line_patterns);
    return status;
}

#define HEAD "version 1\nfamily k=6,p=2\nshapes 14\n"

static void test_parse(void **state)
{
    (void)state;
    Weights weights, formula;
    Error error = {0};
    assert_done(parse("connect6", HEAD, &formula, &error), error);
    assert_done(parse("9x9:k=6,p=2,q=2",
                      "# a comment\n\n" HEAD "source anything 12 here\r\ncode d510 123\n\tcode\t1000  -4000 \n"
                      "situation 45/3 -20\nsituation -/0 7\nmove d510 300 -210",
                      &weights, &error),
                error);
    assert_int_equal(weights.code[weights_unordered(0x01d5)], 123);
    assert_int_equal(weights.code[weights_unordered(0x1000)], -4000);
    assert_int_equal(weights.situation[1 << 4 | 1 << 5 | 1 << 9], -20);
    assert_int_equal(weights.situation[1 << 6], 7);
    assert_int_equal(weights.move[weights_unordered(0xd510)].own, 300);
    assert_int_equal(weights.move[weights_unordered(0xd510)].block, -210);
    // What is not named is as the formula has it.
    assert_int_equal(weights.code[weights_unordered(0xd511)], formula.code[weights_unordered(0xd511)]);
    assert_int_equal(weights.situation[0], formula.situation[0]);
    assert_int_equal(weights.move[weights_unordered(0xd511)].own, formula.move[weights_unordered(0xd511)].own);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"", "'version' is missing"},
        {"version 1\n# more\n", "'family' is missing"},
        {"version 1\nfamily k=6,p=2\n", "'shapes' is missing"},
        {"family k=6,p=2\n", "line 1: expected 'version', found 'family'"},
        {"version 2\n", "line 1: unsupported version 2"},
        {"version x\n", "line 1: 'x' is not a number"},
        {"version 1\nfamily k=6\n", "line 2: weights for the family 'k=6', but this game is of the family k=6,p=2"},
        {"version 1\nfamily k=6,p=2\nshapes 13\n", "line 3: weights for 13 line patterns, but this game has 14"},
        {HEAD "codes 1\n", "line 4: 'codes' is neither"},
        {HEAD "code d51 1\n", "line 4: 'd51' is no code"},
        {HEAD "code d51g 1\n", "'d51g' is no code"},
        {HEAD "code d015 1\n", "'d015' is no code"},
        {HEAD "code\n", "'' is no code"},
        {HEAD "code e000 1\n", "'e000' has an unknown line pattern; there are 14"},
        {HEAD "code d510 4001\n", "'4001' is no value from -4000 to 4000"},
        {HEAD "code d510\n", "'' is no value"},
        {HEAD "code d510 1 2\n", "unexpected text '2'"},
        {HEAD "\ncode d510 1\ncode d510 1\n", "line 6: duplicate entry"},
        {HEAD "move d510 1\n", "'' is no value from -15000 to 15000"},
        {HEAD "move d510 1 1\nmove d510 1 1\n", "line 5: duplicate entry"},
        {HEAD "situation 45 1\n", "'45' is no situation"},
        {HEAD "situation 54/- 1\n", "'54/-' is no situation"},
        {HEAD "situation 44/- 1\n", "'44/-' is no situation"},
        {HEAD "situation 6/- 1\n", "'6/-' is no situation"},
        {HEAD "situation /4 1\n", "'/4' is no situation"},
        {HEAD "situation -/4 1\nsituation -/4 2\n", "line 5: duplicate entry"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Weights weights;
        Error error = {0};
        assert_refused(parse("connect6", wrong[i].text, &weights, &error), error, wrong[i].words);
    }
}

// Random values are written and read again, for every family.
static void test_written_and_read(void **state)
{
    (void)state;
    Rng rng = rng_make(5);
    for (unsigned g = 0; g < GAMES; g++) {
        Rules rules = rules_of(games[g]);
        LinePatterns line_patterns = {0};
        Weights weights, again;
        Text text = {0};
        Error error = {0};
        assert_done(line_patterns_open(&line_patterns, &rules, &error), error);
        weights_formula(&weights, &line_patterns);
        for (unsigned code = 0, first = 0; code != 0 || first++ == 0; code = weights_next_code(code)) {
            unsigned number = weights_unordered(code);
            if (code >> 12 >= line_patterns.count || (code != 0 && rng_below(&rng, 2) == 0))
                continue;
            weights.code[number] = (int16_t)((int)rng_below(&rng, 8001) - WEIGHTS_VALUE_MAX);
            weights.move[number].block = (int16_t)((int)rng_below(&rng, 30001) - WEIGHTS_MOVE_MAX);
        }
        for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i += 1 + rng_below(&rng, 3))
            weights.situation[i] = (int16_t)((int)rng_below(&rng, 8001) - WEIGHTS_VALUE_MAX);
        weights_format(&weights, &line_patterns, &rules, span_of("one\ntwo\n"), &text);
        assert_non_null(strstr(text.data, "\nsource one\nsource two\n"));
        assert_done(weights_parse(&again, &line_patterns, &rules, (Span){text.data, text.length}, &error), error);
        assert_memory_equal(&weights, &again, sizeof weights);
        text_close(&text);
        line_patterns_close(&line_patterns);
    }
}

// --- By name ---

static void test_by_name(void **state)
{
    (void)state;
    Rules rules = rules_of("connect6");
    Weights weights, formula;
    Error error = {0};
    char path[] = "/tmp/krow_weights_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_done(file_write(path, span_of(HEAD "code d510 1234\n"), &error), error);
    assert_done(weights_read(&weights, path, &rules, &error), error);
    assert_int_equal(weights.code[weights_unordered(0xd510)], 1234);
    assert_done(file_write(path, span_of(HEAD "\ncode d510\n"), &error), error);
    assert_refused(weights_read(&weights, path, &rules, &error), error, "line 5: ");
    assert_non_null(strstr(error.text, path));
    (void)unlink(path);
    assert_failed(weights_read(&weights, path, &rules, &error), STATUS_IO, error, "cannot read");
    assert_done(parse("connect6", HEAD, &formula, &error), error);
    assert_done(weights_read(&weights, "none", &rules, &error), error);
    assert_memory_equal(&weights, &formula, sizeof weights);
}

// What is compiled in can be read, is no formula, and is found for games of its family alone.
static void test_compiled_in(void **state)
{
    (void)state;
    unsigned found = 0;
    static const char *const others[] = {"k=4", "k=5", "k=6", "k=7"};
    for (unsigned i = 0; i < weights_tuned_count; i++)
        for (unsigned k = 0; k < sizeof others / sizeof others[0]; k++)
            for (unsigned variant = 0; variant < 12; variant++) {
                Rules rules = {
                    20, 20, (uint8_t)(4 + k), (uint16_t)(1 + variant % 3), 1, variant / 3 % 2 == 1, variant / 6 == 1};
                char family[WEIGHTS_FAMILY_SIZE];
                weights_family(&rules, family);
                if (!weights_is_for(weights_tuned[i], family))
                    continue;
                found++;
                LinePatterns line_patterns = {0};
                Weights weights, formula;
                Error error = {0};
                assert_done(line_patterns_open(&line_patterns, &rules, &error), error);
                assert_done(weights_parse(&weights, &line_patterns, &rules, weights_tuned[i], &error), error);
                weights_formula(&formula, &line_patterns);
                assert_memory_not_equal(&weights, &formula, sizeof formula);
                assert_true(weights_find(&formula, &line_patterns, &rules));
                assert_memory_equal(&weights, &formula, sizeof formula);
                line_patterns_close(&line_patterns);
            }
    assert_int_equal(found, weights_tuned_count);
    Rules rules = rules_of("15x15:k=5,p=7,gravity,exact");
    LinePatterns line_patterns = {0};
    Weights weights;
    Error error = {0};
    assert_done(line_patterns_open(&line_patterns, &rules, &error), error);
    assert_false(weights_find(&weights, &line_patterns, &rules));
    line_patterns_close(&line_patterns);
}

TEST_GROUP(weights)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_law),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_written_and_read),
        cmocka_unit_test(test_by_name),
        cmocka_unit_test(test_compiled_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
