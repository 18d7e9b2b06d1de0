// Shows the progress of a learning run.
#include "lab/learn/learning_view.h"

#include "base/clock.h"
#include "view/json_view.h"
#include "view/text_curve.h"

#include <math.h>
#include <string.h>

// Two curves, the first after six characters, the second after eight.
enum { CURVE_COLUMNS = 28, CURVE_ROWS = LEARNING_VIEW_ROWS - 1, LEAST_COLUMNS = 2 * CURVE_COLUMNS + 15 };

// Seconds between two updates.
static const double renew_terminal = 0.2, renew_log = 15;

void learning_view_begin(LearningView *view, const char *label, Reporter *reporter, bool is_alone, bool every_game)
{
    *view = (LearningView){.label = label, .reporter = reporter};
    view->is_terminal = is_alone && reporter != NULL && reporter->columns >= LEAST_COLUMNS;
    view->wait = view->is_terminal ? renew_terminal : every_game ? 0 : renew_log;
    if (view->is_terminal)
        view->label = NULL;
}

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
    text_add(text, ", %llu pattern%s", (unsigned long long)known, view_plural(known));
    // Not on a terminal: a line has about 80 characters, and the final table has this number.
    if (!view->is_terminal)
        text_add(text, ", %llu refuted", (unsigned long long)end.refuted);
    double seconds = clock_seconds() - view->begun;
    unsigned played = curve->count - view->before, left = view->total - curve->count;
    if (played > 0 && left > 0)
        progress_add_wait(text, seconds / played * left + 0.5);
}

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
    TextCurve score = {CURVE_COLUMNS, CURVE_ROWS, view->total, 1, score_of, curve, curve->count};
    TextCurve patterns = {CURVE_COLUMNS, CURVE_ROWS, view->total, fmax(known, 1), patterns_of, curve, curve->count};
    add_words(view, curve, text);
    for (unsigned row = 0; row < CURVE_ROWS; row++) {
        text_add(text, "\n%5s ", row == 0 ? "100 %" : row + 1 == CURVE_ROWS ? "0 %" : "");
        text_curve_row(&score, row, text);
        text_add(text, row == 0 ? " %6.0f " : row + 1 == CURVE_ROWS ? "      0 " : "        ", patterns.max);
        text_curve_row(&patterns, row, text);
    }
}

static void print(LearningView *view, const LearningCurve *curve, bool is_last)
{
    Text text = {0};
    if (view->is_terminal) {
        Text lines = {0};
        learning_view_draw(view, curve, &lines);
        // Truncates the first line, which must not wrap. All characters are ASCII.
        size_t first = strcspn(lines.data, "\n"), most = view->reporter->columns - 1;
        text_add_span(&text, (Span){lines.data, first < most ? first : most});
        text_add(&text, "%s", lines.data + first);
        (is_last ? view->reporter->end : view->reporter->show)(view->reporter, text.data);
        text_close(&lines);
    } else {
        add_words(view, curve, &text);
        view->reporter->note(view->reporter, text.data);
    }
    text_close(&text);
}

void learning_view_games(LearningView *view, const LearningCurve *curve)
{
    view->total = curve->capacity;
    view->before = curve->count;
    view->begun = view->shown = clock_seconds();
    if (view->reporter == NULL)
        return;
    if (view->before > 0)
        reporter_note(view->reporter, "%s%s%u game%s played before.", view->label != NULL ? view->label : "",
                      view->label != NULL ? ": " : "", view->before, view->before == 1 ? " was" : "s were");
    if (view->is_terminal)
        print(view, curve, false);
}

void learning_view_show(LearningView *view, const LearningCurve *curve)
{
    double now = clock_seconds();
    if (view->reporter == NULL || now - view->shown < view->wait)
        return;
    view->shown = now;
    print(view, curve, false);
}

void learning_view_end(LearningView *view, const LearningCurve *curve)
{
    if (view->reporter != NULL && (view->wait > 0 || curve->count == view->before))
        print(view, curve, true);
}
