// Tests of variations in SGF games: stored in records, written again, iterated.
#include "game/notation.h"
#include "store/formats/formats.h"
#include "store/formats/sgf.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 4 };

typedef struct {
    GameRecord game[GAMES_MAX];
    size_t good;
} Collected;

static bool collect(void *context, const FormatItem *item)
{
    Collected *all = context;
    if (item->record == NULL)
        return true;
    assert_true(all->good < GAMES_MAX);
    all->game[all->good++] = *item->record;
    *item->record = (GameRecord){0};
    return true;
}

static Status read_games(const char *text, Collected *all)
{
    *all = (Collected){0};
    return formats_read(span_of(text), &(FormatOptions){.format = format_find(span_of("sgf"))}, collect, all, NULL);
}

static void collected_close(Collected *all)
{
    for (size_t i = 0; i < GAMES_MAX; i++)
        record_close(&all->game[i]);
}

// The steps of a walk through variations: cells, ( and ) as they are, and < for each stone back.
typedef struct {
    Text reported;
    const Rules *rules;
    const char *refused; // a cell that cannot stand there
} Walked;

static bool tell_stone(void *context, Side side, Cell cell, Span properties)
{
    Walked *walked = context;
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    if (walked->refused != NULL && strcmp(name, walked->refused) == 0)
        return false;
    text_add(&walked->reported, "%c%s", side_letter(side), name);
    text_add(&walked->reported, properties.length > 0 ? "{%.*s} " : " ", (int)properties.length, properties.at);
    return true;
}

static void tell_more(void *context, Span properties)
{
    text_add(&((Walked *)context)->reported, "+%.*s ", (int)properties.length, properties.at);
}

static void tell_back(void *context, unsigned stones)
{
    text_add(&((Walked *)context)->reported, "<%u ", stones);
}

static void assert_walk(const char *text, const char *refused, const char *expected)
{
    Rules rules = rules_of("gomoku");
    Walked walked = {.rules = &rules, .refused = refused};
    SgfVisitor visitor = {&walked, tell_stone, tell_more, tell_back};
    sgf_walk(span_of(text), &rules, &visitor);
    assert_string_equal(walked.reported.length > 0 ? walked.reported.data : "", expected);
    text_close(&walked.reported);
}

static void test_sgf_walk(void **state)
{
    (void)state;
    assert_walk("(;B[aa];W[bb])", NULL, "Xa15 Ob14 <2 ");
    assert_walk("(;B[aa]C[x\\]y] LB[aa:1][bb:2](;W[bb];B[cc])(;W[dd];C[z];B[ee]))", NULL,
                "Xa15{C[x\\]y]LB[aa:1][bb:2]} Ob14 Xc13 <2 Od12 +C[z] Xe11 <2 <1 ");
    // An illegal node is skipped with all its successors, and nothing else.
    assert_walk("(;B[aa](;W[bb];B[cc](;W[ff]))(;W[dd];B[ee]))", "b14", "Xa15 Od12 Xe11 <2 <1 ");
    assert_walk("(;B[zz];W[aa])(;B[];W[aa])(;B[aa]W[bb];B[cc])(;B[cc])", NULL, "Xc13 <1 ");
    // Text that is not SGF is skipped; unclosed parts end with the text.
    assert_walk("", NULL, "");
    assert_walk("))) x [y] ;B[aa]", NULL, "");
    assert_walk("(;B[aa](;W[bb];B[c", NULL, "Xa15 Ob14 <1 <1 ");
}

static void test_sgf_variations(void **state)
{
    (void)state;
    Collected all;
    const char *text =
        "(;GM[4]SZ[15];B[aa];W[bb](;B[cc];W[dd](;B[ee])(;B[ff]C[\\)]))(;B[gg];W[hh](;B[ii])(;B[jj]))\n(;B[zz]))\n"
        "(;GM[4]SZ[15](;B[aa])(;B[bb]))(;GM[4]SZ[15];B[aa](;C[end])(;W[bb]))";
    assert_int_equal(read_games(text, &all), STATUS_OK);
    assert_int_equal(all.good, 3);
    assert_int_equal(all.game[0].count, 5);
    static const struct {
        unsigned after;
        const char *text;
    } expected[] = {{4, "(;B[ff]C[\\)])"}, {2, "(;B[gg];W[hh](;B[ii])(;B[jj]))"}, {2, "(;B[zz])"}};
    assert_int_equal(all.game[0].variation_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(all.game[0].variations[i].after, expected[i].after);
        assert_true(span_is(record_variation(&all.game[0], i), expected[i].text));
    }
    assert_int_equal(all.game[1].variation_count, 1);
    assert_int_equal(all.game[1].variations[0].after, 0);
    assert_int_equal(all.game[2].variations[0].after, 1);
    // They are the same after writing and reading.
    for (unsigned i = 0; i < 3; i++) {
        Text written = {0}, again = {0};
        Collected same;
        assert_int_equal(formats_write(&all.game[i], format_find(span_of("sgf")), &written, NULL), STATUS_OK);
        assert_int_equal(read_games(written.data, &same), STATUS_OK);
        assert_int_equal(same.good, 1);
        assert_int_equal(same.game[0].count, all.game[i].count);
        assert_int_equal(same.game[0].variation_count, all.game[i].variation_count);
        assert_int_equal(formats_write(&same.game[0], format_find(span_of("sgf")), &again, NULL), STATUS_OK);
        assert_string_equal(written.data, again.data);
        text_close(&written);
        text_close(&again);
        collected_close(&same);
    }
    collected_close(&all);
}

static void test_many_variations(void **state)
{
    (void)state;
    Collected all;
    Text text = {0};
    text_add(&text, "(;GM[4]SZ[15];B[aa](;W[bb])");
    for (unsigned i = 0; i <= RECORD_VARIATIONS_MAX; i++)
        text_add(&text, "(;W[cc])");
    text_add(&text, ")");
    assert_int_equal(read_games(text.data, &all), STATUS_BAD_INPUT);
    assert_int_equal(all.good, 0);
    collected_close(&all);
    text_close(&text);
}

// Properties: values with brackets, several values, and the rest without one of them.
static void test_properties(void **state)
{
    (void)state;
    Span value = {0}, properties = span_of("C[a\\]b] LB[aa:1] [bb:2]\nKV[1]SZ[3]");
    assert_true(sgf_property(properties, "C", &value) && span_is(value, "a\\]b"));
    assert_true(sgf_property(properties, "LB", &value) && span_is(value, "aa:1"));
    assert_true(sgf_property(properties, "SZ", &value) && span_is(value, "3"));
    assert_false(sgf_property(properties, "K", &value));
    assert_false(sgf_property(span_of("C[x"), "C", &value));
    Text text = {0};
    sgf_add_others(properties, "LB", &text);
    assert_string_equal(text.data, "C[a\\]b]KV[1]SZ[3]");
    text_close(&text);
    text = (Text){0};
    sgf_add_property(&text, "C", "a]b\\c\nd");
    assert_string_equal(text.data, "C[a\\]b\\\\c\nd]");
    assert_true(sgf_property((Span){text.data, text.length}, "C", &value));
    Text plain = {0};
    sgf_add_plain(value, &plain);
    assert_string_equal(plain.data, "a]b\\c\nd");
    text_close(&plain);
    text_close(&text);
    // A line end after a backslash is ignored.
    plain = (Text){0};
    sgf_add_plain(span_of("a\\\nb\\\r\nc\\"), &plain);
    assert_string_equal(plain.data, "abc\\");
    text_close(&plain);
}

TEST_GROUP(sgf)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sgf_walk), cmocka_unit_test(test_sgf_variations),
                                       cmocka_unit_test(test_many_variations), cmocka_unit_test(test_properties)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
