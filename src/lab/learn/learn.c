// Runs a match in which one agent learns patterns, and fills the learning curve.
#include "lab/learn/learn.h"

#include "base/file.h"
#include "base/memory.h"
#include "lab/report.h"
#include "view/json_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void learning_agent(const char *agent, const char *set, Text *text)
{
    text_add(text, "%s%clearn=1,set=%s", agent, strchr(agent, ':') != NULL ? ',' : ':', set);
}

const char *learning_set(const Learning *learning)
{
    static const char option[] = ",set=";
    const char *agent = learning->run.event.agents[0];
    const char *found = strstr(agent, option);
    return found != NULL ? found + sizeof option - 1 : "";
}

static void take_game(void *context, const Results *results, const GameCounts *counts)
{
    Learning *learning = context;
    bool reversed = schedule_game(&results->schedule, counts->number).reversed;
    learning_curve_add(&learning->curve, (unsigned)results->half_points[counts->number],
                       &counts->own[reversed ? SIDE_SECOND : SIDE_FIRST]);
    if (learning->view.total > 0)
        learning_view_show(&learning->view, &learning->curve);
}

Status learning_open(Learning *learning, const MatchRunStore *store, const LearningStyle *style, Error *error)
{
    MatchRun *run = &learning->run;
    if (run->host.patterns == NULL) {
        pattern_memory_open(&learning->memory);
        run->host.patterns = &learning->memory.lent;
    }
    learning_curve_open(&learning->curve, run->part > 0 ? run->part : run->event.games);
    learning_view_begin(&learning->view, style->label, run->reporter, style->is_alone, style->keeps_the_log);
    run->reporter = NULL;
    run->jobs = 1;
    run->on_game = take_game;
    run->on_game_context = learning;
    Status status = match_run_open_event(run, store, DATABASE_MATCH, error);
    if (status != STATUS_OK || !style->has_own_set)
        return status;
    // The match's number makes the name unique. The match is found again by its spec, which has the name without it.
    Text agent = {0};
    text_add(&agent, "%s-%lld", run->event.agents[0], (long long)run->match);
    free(run->event.agents[0]);
    free(run->event.names[0]);
    run->event.agents[0] = agent.data;
    run->event.names[0] = agent_player_name(agent.data);
    return STATUS_OK;
}

static bool count_pattern(void *context, int64_t number, const Pattern *pattern)
{
    Learning *learning = context;
    Pattern versions[PATTERN_VERSIONS_MAX];
    (void)number;
    learning->known++;
    learning->versions += pattern_versions(pattern, versions);
    learning->sums = array_grow(learning->sums, &learning->sum_capacity, learning->known + 1, sizeof *learning->sums);
    learning->sums[learning->known] = learning->versions;
    return true;
}

static Status count_patterns(Learning *learning, Error *error)
{
    const AgentPatterns *patterns = learning->run.host.patterns;
    learning->known = learning->versions = 0;
    learning->sums = array_grow(learning->sums, &learning->sum_capacity, 1, sizeof *learning->sums);
    learning->sums[0] = 0;
    AgentPatternRange all = {learning_set(learning), &learning->run.event.rules, 0};
    return patterns->each(patterns->context, &all, count_pattern, learning, error);
}

// The versions after each game: patterns have the order in which they were learned.
static void set_versions(Learning *learning)
{
    LearningCurve *curve = &learning->curve;
    for (unsigned i = 0; i < curve->count; i++) {
        uint64_t known = learning_curve_patterns(curve, i + 1);
        curve->points[i].versions = learning->sums[known < learning->known ? known : learning->known];
    }
}

// Runs that differ only in the number of games.
typedef struct {
    Span spec;
    int64_t match; // the run itself
    int64_t games; // of the newest other run; 0: none
    bool finished;
} Alike;

static bool read_games(Span line, int64_t *games)
{
    Span word = {0};
    return span_next_word(&line, " ", &word) && span_is(word, "games") &&
           span_to_int(span_trim(line), 1, INT32_MAX, games);
}

static bool is_alike(Span one, Span other, int64_t *games)
{
    Span here = {0}, there = {0};
    while (span_next_part(&one, '\n', &here)) {
        int64_t own = 0;
        if (!span_next_part(&other, '\n', &there))
            return false;
        if (read_games(here, &own) && read_games(there, games))
            continue;
        if (here.length != there.length || memcmp(here.at, there.at, here.length) != 0)
            return false;
    }
    return !span_next_part(&other, '\n', &there);
}

static bool find_alike(void *context, const DatabaseMatch *match)
{
    Alike *alike = context;
    int64_t games = 0;
    if (match->id != alike->match && is_alike(alike->spec, span_of(match->spec), &games)) {
        alike->games = games;
        alike->finished = match->finished != 0;
    }
    return true;
}

static Status report_other_length(const MatchRun *run, Reporter *reporter, Error *error)
{
    Text spec = {0};
    tournament_write(&run->event, &run->openings, &spec);
    Alike alike = {.spec = {spec.data, spec.length}, .match = run->match};
    Status status = database_each_match(run->db, find_alike, &alike, error);
    if (status == STATUS_OK && alike.games > 0 && alike.finished)
        reporter_note(reporter, "A run of %lld game%s exists and is finished.", (long long)alike.games,
                      view_plural((uint64_t)alike.games));
    else if (status == STATUS_OK && alike.games > 0)
        reporter_note(reporter, "A run of %lld game%s exists; --games %lld continues it.", (long long)alike.games,
                      view_plural((uint64_t)alike.games), (long long)alike.games);
    text_close(&spec);
    return status;
}

Status learning_report_new(Learning *learning, Error *error)
{
    Status status = count_patterns(learning, error);
    if (status != STATUS_OK)
        return status;
    reporter_note(learning->view.reporter, "No run of %u game%s with these options exists; starting a new one.",
                  learning->curve.capacity, view_plural(learning->curve.capacity));
    status = report_other_length(&learning->run, learning->view.reporter, error);
    reporter_note(learning->view.reporter, "The set '%s' has %llu pattern%s.", learning_set(learning),
                  (unsigned long long)learning->known, view_plural(learning->known));
    return status;
}

Status learning_run(Learning *learning, Error *error)
{
    LearningCurve *curve = &learning->curve;
    Status status = count_patterns(learning, error);
    if (status != STATUS_OK)
        return status;
    // Patterns that no finished game reported existed before, or come from an interrupted game.
    LearningPoint end = learning_curve_end(curve);
    uint64_t reported = learning_point_saved(&end);
    learning->has_later_games = learning->run.beyond > 0;
    curve->before = learning->known > reported && !learning->has_later_games ? learning->known - reported : 0;
    learning_view_games(&learning->view, curve);
    status = match_run_play(&learning->run, error);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        return status;
    learning_view_end(&learning->view, curve);
    Status counted = count_patterns(learning, status == STATUS_OK ? error : NULL);
    set_versions(learning);
    if (learning->has_later_games) {
        learning->known = learning_curve_patterns(curve, curve->count);
        learning->versions = learning_curve_end(curve).versions;
    }
    return status == STATUS_OK ? counted : status;
}

void learning_close(Learning *learning)
{
    match_run_close(&learning->run);
    learning_curve_close(&learning->curve);
    if (learning->memory.lent.context != NULL)
        pattern_memory_close(&learning->memory);
    free(learning->sums);
    *learning = (Learning){0};
}

static json_t *point_json(const LearningCurve *curve, unsigned i)
{
    static const char *const results[] = {"loss", "draw", "win"};
    const LearningPoint *point = &curve->points[i];
    return json_pack("{s:i, s:s, s:f, s:o, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I}", "game", (int)i + 1, "result",
                     results[curve->half_points[i]], "score", point->score.value, "low",
                     report_number(point->score.limits.low), "high", report_number(point->score.limits.high), "recent",
                     point->recent.value, "patterns", (json_int_t)learning_curve_patterns(curve, i + 1), "versions",
                     (json_int_t)point->versions, "learned", (json_int_t)point->learned, "refuted",
                     (json_int_t)point->refuted, "undecided", (json_int_t)point->undecided, "unsaved",
                     (json_int_t)point->unsaved);
}

json_t *learning_curve_json(const LearningCurve *curve)
{
    json_t *points = json_array();
    for (unsigned i = 0; i < curve->count; i++)
        (void)json_array_append_new(points, point_json(curve, i));
    return points;
}

enum { COLUMNS = 5 }; // arrays of numbers per curve

// Fills the columns, which the lines of both panels borrow.
static void set_lines(const LearningPlotLine *from, unsigned kind, double *columns, PlotLine *score, PlotLine *patterns,
                      PlotLine *versions)
{
    const LearningCurve *curve = from->curve;
    double *value = columns, *low = value + curve->count, *high = low + curve->count, *known = high + curve->count,
           *all = known + curve->count;
    for (unsigned i = 0; i < curve->count; i++) {
        value[i] = 100 * curve->points[i].score.value;
        low[i] = 100 * curve->points[i].score.limits.low;
        high[i] = 100 * curve->points[i].score.limits.high;
        known[i] = (double)learning_curve_patterns(curve, i + 1);
        all[i] = (double)curve->points[i].versions;
    }
    *score = *patterns = *versions = (PlotLine){.name = from->name, .kind = kind, .count = curve->count};
    score->y = value;
    score->low = low;
    score->high = high;
    patterns->y = known;
    versions->y = all;
}

static void add_plot(const LearningPlot *plot, const PlotLine *scores, const PlotLine *patterns,
                     const PlotLine *versions, Text *text)
{
    PlotMark score = {"published", plot->published_games, 100 * plot->published};
    PlotMark known = {"published", plot->published_games, plot->published_versions};
    PlotPanel panels[] = {
        {"Score so far, draws as halves, with 95 % limits", " %", 100, scores, plot->count, &score,
         isnan(plot->published) ? 0u : 1u},
        {"Patterns known, with rotations and reflections", NULL, 0, versions, plot->count, &known,
         isnan(plot->published_versions) ? 0u : 1u},
        {"Patterns known, each once", NULL, 0, patterns, plot->count, NULL, 0},
    };
    Plot all = {plot->title, plot->subtitle, "games", plot->games, panels, sizeof panels / sizeof panels[0]};
    plot_svg(&all, text);
}

void learning_svg(const LearningPlot *plot, Text *text)
{
    PlotLine scores[PLOT_KINDS] = {0}, patterns[PLOT_KINDS] = {0}, versions[PLOT_KINDS] = {0};
    double *columns[PLOT_KINDS] = {0};
    assert(plot->count <= PLOT_KINDS);
    for (unsigned i = 0; i < plot->count; i++) {
        // + 1: a curve may be empty.
        columns[i] = memory_new((size_t)COLUMNS * plot->lines[i].curve->count + 1, sizeof *columns[i]);
        set_lines(&plot->lines[i], i, columns[i], &scores[i], &patterns[i], &versions[i]);
    }
    add_plot(plot, scores, patterns, versions, text);
    for (unsigned i = 0; i < plot->count; i++)
        free(columns[i]);
}

Status learning_write_svg(const LearningPlot *plot, const char *path, Error *error)
{
    Text text = {0};
    learning_svg(plot, &text);
    Status status = file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}
