// Tests of plots: axis numbers, positions of points, text in XML; and curves in a terminal.
#include "support/check.h"

#include "base/clock.h"
#include "lab/learn/learning_view.h"
#include "view/plot_dots.h"
#include "view/plot_svg.h"
#include "view/text_curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers that follow these words, with a character between any two.
static void read_numbers(const char *at, const char *words, double *numbers, unsigned count)
{
    assert_int_equal(strncmp(at, words, strlen(words)), 0);
    at += strlen(words);
    for (unsigned i = 0; i < count; i++) {
        char *end = NULL;
        numbers[i] = strtod(at, &end);
        assert_true(end > at);
        at = end + 1;
    }
}

static void axes_have_round_numbers(void **state)
{
    (void)state;
    static const struct {
        double max;
        unsigned most;
        double step;
    } cases[] = {
        {100, 5, 20}, {200, 10, 20}, {1000, 10, 100}, {1, 10, 0.1},  {7, 5, 2},     {516, 5, 200},
        {10, 5, 2},   {11, 5, 5},    {5, 5, 1},       {0.3, 5, 0.1}, {1e6, 5, 2e5}, {3, 5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double step = plot_step(cases[i].max, cases[i].most);
        if (fabs(step - cases[i].step) > 1e-9 * step)
            fail_msg("%g in at most %u steps: %g instead of %g", cases[i].max, cases[i].most, step, cases[i].step);
    }
    Rng rng = rng_make(3);
    for (unsigned i = 0; i < 2000; i++) {
        double max = ldexp(1 + rng_below(&rng, 1000), (int)rng_below(&rng, 30) - 15);
        unsigned most = 1 + rng_below(&rng, 12);
        double step = plot_step(max, most);
        assert_true(step * most >= max * (1 - 1e-9));
        // The next smaller one of 1, 2 and 5 would be too small.
        assert_true(step / 2.5 * most < max * (1 + 1e-9));
    }
}

static void check_words(const char *words, const char *expected)
{
    Text text = {0};
    plot_add_words(&text, words);
    text_add(&text, "%s", "");
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void words_cannot_break_the_file(void **state)
{
    (void)state;
    check_words("", "");
    check_words("a & b < c > d \"e\" 'f'", "a &amp; b &lt; c &gt; d &quot;e&quot; 'f'");
    check_words("Szóts \xe2\x9c\x93", "Szóts \xe2\x9c\x93");
    check_words("a\tb\x01\x7f"
                "c",
                "a b  c");
    check_words("\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd");
    check_words("\xef\xbf\xbe\xef\xbf\xbf\xef\xbb\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbb\xbf");
}

static void check_short(const char *words, unsigned room, const char *expected)
{
    Text text = {0};
    plot_add_short(&text, words, room);
    text_add(&text, "%s", "");
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void long_words_lose_their_middle(void **state)
{
    (void)state;
    check_short("", 5, "");
    check_short("abcde", 5, "abcde");
    check_short("abcdef", 5, "ab\u2026ef");
    check_short("abcdefg", 6, "ab\u2026fg");
    check_short("<<<<<<", 5, "&lt;&lt;\u2026&lt;&lt;");
    check_short("éééééé", 3, "é\u2026é");
    check_short("\xff\xff\xff\xff", 3, "\xef\xbf\xbd\u2026\xef\xbf\xbd");
    // Wide ones count twice.
    check_short("\u4e94\u5b50\u68cb", 6, "\u4e94\u5b50\u68cb");
    check_short("\u4e94\u5b50\u68cb", 5, "\u4e94\u2026\u68cb");
    check_short("abc", 1, "\u2026");
}

// --- A file ---

static unsigned count_of(const char *text, const char *words)
{
    unsigned count = 0;
    for (const char *at = strstr(text, words); at != NULL; at = strstr(at + 1, words))
        count++;
    return count;
}

// Every element that is opened is closed, in order, and no attribute is left open.
static void assert_well_formed(const char *text)
{
    char open[32][16];
    unsigned depth = 0;
    const char *at = strstr(text, "<svg");
    for (; at != NULL; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        assert_non_null(end);
        unsigned quotes = 0;
        for (const char *c = at; c < end; c++)
            quotes += *c == '"';
        assert_int_equal(quotes % 2, 0);
        char name[16] = "";
        assert_int_equal(sscanf(at + 1 + (at[1] == '/'), "%15[a-z]", name), 1);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < 32);
            memcpy(open[depth++], name, sizeof name);
        }
    }
    assert_int_equal(depth, 0);
}

static void a_file_shows_what_it_is_given(void **state)
{
    (void)state;
    const double y[] = {0, NAN, 50, 100}, low[] = {0, 0, 25, 50}, high[] = {20, 20, 75, 120}, known[] = {1, 2, 3, 516};
    PlotLine scores[] = {{"first & foremost", 0, 4, NULL, y, low, high}, {"other", 1, 0, NULL, y, NULL, NULL}};
    PlotLine patterns[] = {{"first & foremost", 0, 4, NULL, known, NULL, NULL}};
    PlotMark mark = {"published", 4, 84};
    PlotPanel panels[] = {{"Score", " %", 100, scores, 2, &mark, 1}, {"Patterns", NULL, 0, patterns, 1, NULL, 0}};
    Plot plot = {"A <title>", "and more", "games", 4, panels, 2};
    Text text = {0};
    plot_svg(&plot, &text);
    assert_well_formed(text.data);
    // The plot is 560 wide from 64 on; its first panel is 200 high. One value is no number, and one limit too large.
    const char *line = strstr(text.data, "<polyline class=\"line s0\" points=\"");
    assert_non_null(line);
    double x[3], at[3];
    double numbers[6];
    read_numbers(line, "<polyline class=\"line s0\" points=\"", numbers, 6);
    for (size_t i = 0; i < 3; i++) {
        x[i] = numbers[2 * i];
        at[i] = numbers[2 * i + 1];
    }
    assert_true(fabs(x[0] - 204) < 0.06 && fabs(x[1] - 484) < 0.06 && fabs(x[2] - 624) < 0.06);
    assert_true(fabs(at[0] - at[1] - 100) < 0.06 && fabs(at[0] - at[2] - 200) < 0.06);
    assert_int_equal(count_of(text.data, "<polyline"), 3);
    assert_int_equal(count_of(text.data, "<polygon"), 1);
    assert_int_equal(count_of(text.data, "first &amp; foremost"), 1);
    assert_int_equal(count_of(text.data, "A &lt;title&gt;"), 2);
    assert_int_equal(count_of(text.data, ">published 84 %</text>"), 1);
    assert_int_equal(count_of(text.data, ">516</text>"), 1);
    assert_int_equal(count_of(text.data, ">600</text>"), 1); // the end of the second axis
    assert_int_equal(count_of(text.data, "class=\"mark\""), 1);
    assert_int_equal(count_of(text.data, "nan"), 0);
    text_close(&text);
}

static void a_wide_band_does_not_set_the_axis(void **state)
{
    (void)state;
    const double y[] = {10, 12}, low[] = {8, 0}, high[] = {12, 5000};
    PlotLine line = {"calls", 0, 2, NULL, y, low, high};
    PlotPanel panel = {"Calls", NULL, 0, &line, 1, NULL, 0};
    Text text = {0};
    plot_svg(&(Plot){"title", NULL, "turn", 2, &panel, 1}, &text);
    assert_well_formed(text.data);
    assert_int_equal(count_of(text.data, ">20</text>"), 1); // the end of the axis
    assert_int_equal(count_of(text.data, "000</text>"), 0);
    text_close(&text);
}

static void rows_have_dots_and_diamonds(void **state)
{
    (void)state;
    const DotRow shares[] = {{"a & b", 50, 40, 60, 77, false}, {"not run", NAN, NAN, NAN, 70, false}};
    const DotRow nodes[] = {{"plain", 400000, 300000, 500000, 50873, true}, {"good", 200, 100, 300, NAN, false}};
    const DotPanel panels[] = {{"wins", " %", 100, shares, 2}, {"nodes", NULL, 0, nodes, 2}};
    Text text = {0};
    plot_dots(&(DotPlot){"A <table>", "and more", panels, 2}, &text);
    assert_well_formed(text.data);
    assert_int_equal(count_of(text.data, "a &amp; b"), 2);      // label and tooltip
    assert_int_equal(count_of(text.data, "<circle"), 4);        // with that of the key
    assert_int_equal(count_of(text.data, "class=\"mark\""), 4); // with that of the key
    assert_int_equal(count_of(text.data, "over 400000"), 1);
    assert_int_equal(count_of(text.data, "logarithmic axis"), 1);
    assert_int_equal(count_of(text.data, "nan"), 0);
    assert_non_null(strstr(text.data, "cx=\"675.0\"")); // 50 % of 470 pixels from 440 on
    text_close(&text);
}

// Checks that the labels of a plot stand below one another, the lowest one not below the axis; returns how far above
// it.
static double check_labels(const Plot *plot, unsigned labels)
{
    Text text = {0};
    plot_svg(plot, &text);
    assert_well_formed(text.data);
    double before = 0, axis = 0;
    unsigned count = 0;
    for (const char *at = strstr(text.data, "<text x=\"636\""); at != NULL; at = strstr(at + 1, "<text x=\"636\"")) {
        double here = 0;
        read_numbers(at, "<text x=\"636\" y=\"", &here, 1);
        assert_true(count++ == 0 || here >= before + 15.9);
        before = here;
    }
    assert_int_equal(count, labels);
    const char *line = strstr(text.data, "<line class=\"axis\"");
    assert_non_null(line);
    read_numbers(line, "<line class=\"axis\" x1=\"64\" x2=\"624\" y1=\"", &axis, 1);
    text_close(&text);
    // The line of the letters is four pixels below the middle of a label.
    return axis - (before - 4);
}

// The text behind a place of a plot, as long as it is there.
static size_t length_at(const char *svg, const char *place)
{
    const char *at = strstr(svg, place);
    assert_non_null(at);
    at = strchr(at, '>');
    return strcspn(at + 1, "<");
}

static void long_names_stay_inside(void **state)
{
    (void)state;
    char words[301];
    memset(words, 'n', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    const double y[] = {1};
    PlotLine line = {words, 0, 1, NULL, y, NULL, NULL};
    PlotPanel panel = {"Score", " %", 100, &line, 1, NULL, 0};
    Plot plot = {words, words, "games", 1, &panel, 1};
    Text text = {0};
    plot_svg(&plot, &text);
    assert_well_formed(text.data);
    // Widths of the picture behind them: 636 and 680, at 7 to 8 pixels a letter, and 12 in the title.
    assert_in_range(length_at(text.data, "<text x=\"108\""), 80, 90);
    assert_in_range(length_at(text.data, "<text class=\"about\""), 80, 90);
    assert_in_range(length_at(text.data, "<text class=\"title\""), 50, 60);
    // A screen reader gets the whole title.
    assert_int_equal(length_at(text.data, "<title"), 300);
    text_close(&text);
}

static void labels_do_not_cover_one_another(void **state)
{
    (void)state;
    double y[] = {0.5};
    PlotLine lines[PLOT_KINDS];
    for (unsigned i = 0; i < PLOT_KINDS; i++)
        lines[i] = (PlotLine){"a line", i, 1, NULL, y, NULL, NULL};
    PlotMark marks[] = {{"mark", 1, 0}, {"mark", 1, 0.2}};
    PlotPanel panel = {"title", "", 100, lines, PLOT_KINDS, marks, 2};
    Plot plot = {"title", NULL, "x", 1, &panel, 1};
    // At the lower edge they are pushed up, elsewhere down from the first one.
    assert_true(fabs(check_labels(&plot, PLOT_KINDS + 2)) < 0.2);
    y[0] = 75;
    panel.mark_count = 0;
    assert_true(fabs(check_labels(&plot, PLOT_KINDS) - (150 - 3 * 16)) < 0.2);
}

// --- Terminals ---

static double value_of(const void *context, unsigned i)
{
    return ((const double *)context)[i];
}

static void check_row(const TextCurve *curve, unsigned row, const double *values, unsigned count, const char *expected)
{
    Text text = {0};
    TextCurve drawn = *curve;
    drawn.value = value_of;
    drawn.context = values;
    drawn.count = count;
    text_curve_row(&drawn, row, &text);
    assert_string_equal(text.data, expected);
    text_close(&text);
}

static void a_curve_is_made_of_dots(void **state)
{
    (void)state;
    const double rising[] = {0, 1.0 / 7, 2.0 / 7, 3.0 / 7, 4.0 / 7, 5.0 / 7, 6.0 / 7, 1};
    TextCurve curve = {.columns = 4, .rows = 2, .total = 8, .max = 1};
    check_row(&curve, 0, rising, 8, "\u2800\u2800\u2860\u280a");
    check_row(&curve, 1, rising, 8, "\u2860\u280a\u2800\u2800");
    // Half of it is there.
    check_row(&curve, 0, rising, 4, "\u2800\u2800\u2800\u2800");
    check_row(&curve, 1, rising, 4, "\u2860\u280a\u2800\u2800");
    // A step is drawn through; what is too large stays at the edge.
    const double step[] = {0, 2};
    TextCurve small = {.columns = 1, .rows = 1, .total = 2, .max = 1};
    check_row(&small, 0, step, 2, "\u2878");
    // More values than dots: the last one of each; fewer: each for several.
    const double many[] = {1, 1, 0, 1, 1, 0};
    check_row(&small, 0, many, 0, "\u2800");
    TextCurve wide = {.columns = 1, .rows = 1, .total = 6, .max = 1};
    check_row(&wide, 0, many, 6, "\u28c0");
    TextCurve narrow = {.columns = 2, .rows = 1, .total = 1, .max = 1};
    check_row(&narrow, 0, many, 1, "\u2809\u2809");
}

static void a_run_is_told_in_four_lines(void **state)
{
    (void)state;
    LearningCurve curve;
    learning_curve_open(&curve, 10);
    OwnCounts own = {0};
    assert_true(own_counts_add(&own, "learned", 12) && own_counts_add(&own, "refuted", 3));
    LearningView view = {.label = "here", .total = 10};
    Text text = {0};
    learning_view_draw(&view, &curve, &text);
    assert_non_null(strstr(text.data, "here: game 0 of 10, 0 patterns, 0 refuted\n100 % "));
    assert_int_equal(count_of(text.data, "\n"), LEARNING_VIEW_ROWS - 1);
    text_close(&text);
    learning_curve_add(&curve, 2, &own);
    learning_curve_add(&curve, 1, &own);
    curve.before = 100;
    learning_view_draw(&view, &curve, &text);
    assert_non_null(strstr(text.data, "here: game 2 of 10, score 75.0 % ("));
    assert_non_null(strstr(text.data, ", 124 patterns, 6 refuted, "));
    assert_int_equal(count_of(text.data, "\n"), LEARNING_VIEW_ROWS - 1);
    assert_int_equal(count_of(text.data, "   124 "), 1);
    text_close(&text);
    learning_curve_close(&curve);
}

// Large numbers, and a run of a day: what a terminal of 80 columns has room for.
static void the_words_of_a_terminal_fit_into_80_columns(void **state)
{
    (void)state;
    LearningCurve curve;
    learning_curve_open(&curve, 1000);
    OwnCounts own = {0};
    LearningView view = {.total = 1000, .is_terminal = true, .begun = clock_seconds() - 360000};
    Text text = {0};
    curve.before = 1;
    learning_view_draw(&view, &curve, &text);
    assert_non_null(strstr(text.data, "game 0 of 1000, 1 pattern\n"));
    text_close(&text);
    assert_true(own_counts_add(&own, "learned", 20) && own_counts_add(&own, "refuted", 300));
    for (unsigned i = 0; i < 900; i++)
        learning_curve_add(&curve, 2, &own);
    learning_view_draw(&view, &curve, &text);
    assert_non_null(strstr(text.data, "game 900 of 1000, score 100.0 % ("));
    assert_non_null(strstr(text.data, ", 18001 patterns, 11:06:40 left\n"));
    assert_in_range(strchr(text.data, '\n') - text.data, 60, 79);
    text_close(&text);
    learning_curve_close(&curve);
}

TEST_GROUP(plot_svg)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_have_round_numbers),
        cmocka_unit_test(words_cannot_break_the_file),
        cmocka_unit_test(a_file_shows_what_it_is_given),
        cmocka_unit_test(a_wide_band_does_not_set_the_axis),
        cmocka_unit_test(rows_have_dots_and_diamonds),
        cmocka_unit_test(labels_do_not_cover_one_another),
        cmocka_unit_test(a_curve_is_made_of_dots),
        cmocka_unit_test(a_run_is_told_in_four_lines),
        cmocka_unit_test(long_words_lose_their_middle),
        cmocka_unit_test(long_names_stay_inside),
        cmocka_unit_test(the_words_of_a_terminal_fit_into_80_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
