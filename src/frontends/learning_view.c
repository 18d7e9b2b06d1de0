#include "frontends/learning_view.h"

#include "base/clock.h"
#include "frontends/output.h"
#include "frontends/text_curve.h"

#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Two curves, with eight letters in front of the second and six in front of the first.
enum { CURVE_COLUMNS = 28, CURVE_ROWS = LEARNING_VIEW_ROWS - 1, LEAST_COLUMNS = 2 * CURVE_COLUMNS + 15 };

// Seconds between two lines, on a terminal and in a log.
static const double renew_terminal = 0.2, renew_log = 15;

// Of the terminal that stderr is; one that says nothing has the usual number.
static unsigned terminal_columns(void)
{
    struct winsize size = {0};
    bool is_told = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return is_told ? size.ws_col : 80;
}

void learning_view_begin(LearningView *view, const char *label, bool quiet, bool is_alone, bool every_game)
{
    *view = (LearningView){.label = label, .quiet = quiet, .columns = terminal_columns()};
    view->is_terminal = is_alone && isatty(STDERR_FILENO) != 0 && view->columns >= LEAST_COLUMNS;
    view->wait = view->is_terminal ? renew_terminal : every_game ? 0 : renew_log;
    // Whoever has a terminal for itself need not say who it is.
    if (view->is_terminal)
        view->label = NULL;
}

// --- Words ---

static void add_words(const LearningView *view, const LearningCurve *curve, Text *text)
{
    LearningPoint end = learning_curve_end(curve);
    if (view->label != NULL)
        text_add(text, "%s: ", view->label);
    text_add(text, "game %u of %u", curve->count, view->total);
    if (curve->count > 0)
        text_add(text, ", score %.1f %% (%.1f to %.1f)", 100 * end.score.value, 100 * end.score.limits.low,
                 100 * end.score.limits.high);
    uint64_t known = learning_curve_patterns(curve, curve->count);
    text_add(text, ", %llu pattern%s", (unsigned long long)known, output_plural(known));
    // A terminal has no more than a line of perhaps 80 letters, and the table at the end.
    if (!view->is_terminal)
        text_add(text, ", %llu refuted", (unsigned long long)end.refuted);
    double seconds = clock_seconds() - view->begun;
    unsigned played = curve->count - view->before, left = view->total - curve->count;
    if (played > 0 && left > 0) {
        unsigned wait = (unsigned)(seconds / played * left + 0.5);
        text_add(text, ", %u:%02u:%02u left", wait / 3600, wait / 60 % 60, wait % 60);
    }
}

// --- Curves ---

static double score_of(const void *context, unsigned i)
{
    const LearningCurve *curve = context;
    return curve->points[i].score.value;
}

static double patterns_of(const void *context, unsigned i)
{
    return (double)learning_curve_patterns(context, i + 1);
}

void learning_view_draw(const LearningView *view, const LearningCurve *curve, Text *text)
{
    double known = (double)learning_curve_patterns(curve, curve->count);
    TextCurve score = {CURVE_COLUMNS, CURVE_ROWS, view->total, 1};
    TextCurve patterns = {CURVE_COLUMNS, CURVE_ROWS, view->total, fmax(known, 1)};
    add_words(view, curve, text);
    for (unsigned row = 0; row < CURVE_ROWS; row++) {
        text_add(text, "\n%5s ", row == 0 ? "100 %" : row + 1 == CURVE_ROWS ? "0 %" : "");
        text_curve_row(&score, row, score_of, curve, curve->count, text);
        text_add(text, row == 0 ? " %6.0f " : row + 1 == CURVE_ROWS ? "      0 " : "        ", patterns.max);
        text_curve_row(&patterns, row, patterns_of, curve, curve->count, text);
    }
}

// Goes back over what was drawn before, and clears each line behind the new words.
static void redraw(LearningView *view, const LearningCurve *curve, Text *text)
{
    Text lines = {0};
    learning_view_draw(view, curve, &lines);
    if (view->has_drawn)
        text_add(text, "\033[%dA\r", LEARNING_VIEW_ROWS);
    Span rest = {lines.data, lines.length}, line = {0};
    for (bool is_first = true; span_next_part(&rest, '\n', &line); is_first = false) {
        // A line that wraps would be two, and the next curve be drawn below. Words are plain letters, a byte each.
        if (is_first && line.length >= view->columns)
            line.length = view->columns - 1;
        text_add_span(text, line);
        text_add(text, "\033[K\n");
    }
    view->has_drawn = !lines.failed;
    text->failed = text->failed || lines.failed;
    text_close(&lines);
}

static void print(LearningView *view, const LearningCurve *curve)
{
    Text text = {0};
    if (view->is_terminal) {
        redraw(view, curve, &text);
    } else {
        add_words(view, curve, &text);
        text_add(&text, "\n");
    }
    if (!text.failed)
        (void)fputs(text.data, stderr);
    text_close(&text);
}

void learning_view_games(LearningView *view, const LearningCurve *curve)
{
    view->total = curve->capacity;
    view->before = curve->count;
    view->begun = view->shown = clock_seconds();
    if (view->quiet)
        return;
    if (view->before > 0)
        (void)fprintf(stderr, "%s%s%u game%s played before.\n", view->label != NULL ? view->label : "",
                      view->label != NULL ? ": " : "", view->before, view->before == 1 ? " was" : "s were");
    if (view->is_terminal)
        print(view, curve);
}

void learning_view_show(LearningView *view, const LearningCurve *curve)
{
    double now = clock_seconds();
    if (view->quiet || now - view->shown < view->wait)
        return;
    view->shown = now;
    print(view, curve);
}

void learning_view_end(LearningView *view, const LearningCurve *curve)
{
    if (!view->quiet && (view->wait > 0 || curve->count == view->before))
        print(view, curve);
}
