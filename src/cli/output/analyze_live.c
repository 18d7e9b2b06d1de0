// Progress of krow analyze: on a terminal the best lines, repainted in place; in a log a line per depth; with --stream
// a JSON object per line on stdout.
#include "base/clock.h"
#include "cli/output/analyze_text.h"
#include "cli/output/output.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { ROWS_USUAL = 24, COLUMNS_USUAL = 80 };

static const double renew = 0.1; // seconds between two repaints

static bool can_paint(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

static void live_begin(void *context, const Analysis *analysis)
{
    Live *live = context;
    *live = (Live){.streams = live->streams,
                   .quiet = live->quiet,
                   .analysis = analysis,
                   .rows = ROWS_USUAL,
                   .columns = COLUMNS_USUAL,
                   .shown = clock_seconds()};
    live->is_terminal = can_paint();
    struct winsize size;
    if (live->is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
        live->rows = size.ws_row;
        live->columns = size.ws_col;
    }
}

static void add_line(Text *text, const Analysis *analysis, LineView *line)
{
    char score[ANALYZE_SCORE_SIZE];
    view_add_cells(text, line->stones, line->count, " ");
    text_add(text, "  %s, depth %u", analyze_score_text(analysis, line, score), line->depth);
    if (line->pv_count > line->count)
        text_add(text, ": ");
    view_add_cells(text, line->pv + line->count, line->pv_count - line->count, " ");
}

static void add_costs(Text *text, const Analysis *analysis, const SearchInfo *report)
{
    double seconds = clock_seconds() - analysis->began;
    char nodes[32], speed[32];
    text_add(text, "%s nodes, %s a second, %.1f s", view_number(report->nodes, nodes),
             view_number(seconds > 0 ? (uint64_t)((double)report->nodes / seconds) : 0, speed), seconds);
}

static void erase(Live *live)
{
    if (live->painted > 0)
        (void)fprintf(stderr, "\r\033[%uA\033[J", live->painted);
    live->painted = 0;
}

// One row, cut where the terminal ends: one that wraps would be two.
static void paint_row(Live *live, const Text *text)
{
    (void)fprintf(stderr, "%.*s\n", (int)live->columns - 1, text->data);
    live->painted++;
}

static void paint(Live *live, SearchInfo *report)
{
    const Analysis *analysis = live->analysis;
    Text text = {0};
    erase(live);
    text_add(&text, "searching: ");
    add_costs(&text, analysis, report);
    text_add(&text, " (Ctrl-C ends it)");
    paint_row(live, &text);
    for (unsigned i = 0; i < report->line_count && live->painted + 1 < live->rows; i++) {
        LineView line = analyze_view_of(analysis, &report->lines[i]);
        text.length = 0;
        text_add(&text, "%3u. ", i + 1);
        add_line(&text, analysis, &line);
        paint_row(live, &text);
    }
    (void)fflush(stderr);
    text_close(&text);
}

static void log_depth(const Live *live, SearchInfo *report)
{
    LineView line = analyze_view_of(live->analysis, &report->lines[0]);
    Text text = {0};
    add_line(&text, live->analysis, &line);
    text_add(&text, " (");
    add_costs(&text, live->analysis, report);
    text_add(&text, ")");
    (void)fprintf(stderr, "%s\n", text.data);
    text_close(&text);
}

static void live_report(void *context, const SearchInfo *report)
{
    Live *live = context;
    SearchInfo known = *report;
    search_sort_lines(&known);
    double now = clock_seconds();
    if (known.line_count == 0)
        return;
    if (live->streams) {
        // A full disk is reported with the last object.
        (void)output_json(analyze_report_json(live->analysis, &known), NULL);
        (void)fflush(stdout);
    } else if (live->quiet) {
        return;
    } else if (live->is_terminal && now - live->shown >= renew) {
        live->shown = now;
        paint(live, &known);
    } else if (!live->is_terminal && known.depth > live->reported) {
        live->reported = known.depth;
        log_depth(live, &known);
    }
}

static void live_end(void *context)
{
    Live *live = context;
    erase(live);
    (void)fflush(stderr);
}

AnalyzeWatch live_watch(Live *live)
{
    return (AnalyzeWatch){live, live_begin, live_report, live_end};
}
