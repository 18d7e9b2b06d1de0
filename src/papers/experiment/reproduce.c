// Reproduced experiments and the list of available ones as JSON, and totals of a table.
#include "papers/experiment/reproduce.h"

#include "lab/learn/learn.h"
#include "lab/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *paper_note(const PaperFigure *figure, char note[PAPER_NOTE_SIZE])
{
    char low[PAPER_VALUE_SIZE], high[PAPER_VALUE_SIZE];
    if (figure->cut > 0)
        (void)snprintf(note, PAPER_NOTE_SIZE, "a lower bound: %u of %u finished", figure->n - figure->cut, figure->n);
    else if (figure->runs > 1)
        (void)snprintf(note, PAPER_NOTE_SIZE, "%u runs: %s to %s", figure->runs,
                       paper_value_text(figure->unit, figure->spread.low, low),
                       paper_value_text(figure->unit, figure->spread.high, high));
    else
        return figure->note;
    return note;
}

PaperCounts reproduce_counts(const Reproduction *done)
{
    PaperCounts counts = {0};
    for (unsigned i = 0; i < done->count; i++)
        for (unsigned j = 0; j < done->tables[i].figures.count; j++) {
            const PaperFigure *figure = &done->tables[i].figures.list[j];
            PaperVerdict verdict = paper_verdict(figure);
            if (isnan(figure->published))
                continue;
            counts.published++;
            counts.not_run += figure->n == 0;
            counts.inside += verdict == PAPER_INSIDE;
            counts.outside += verdict == PAPER_BELOW || verdict == PAPER_ABOVE;
        }
    counts.open = counts.published - counts.not_run - counts.inside - counts.outside;
    return counts;
}

static json_t *figure_json(const PaperFigure *figure)
{
    char note[PAPER_NOTE_SIZE];
    PaperVerdict verdict = paper_verdict(figure);
    bool is_judged = verdict == PAPER_BELOW || verdict == PAPER_INSIDE || verdict == PAPER_ABOVE;
    json_t *row = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:o, s:s?, s:s?, s:s?, s:s?}", "label", figure->label, "unit",
        figure->unit, "published", report_number(figure->published), "measured", report_number(figure->measured), "low",
        report_number(figure->limits.low), "high", report_number(figure->limits.high), "n", (int)figure->n, "wanted",
        (int)figure->wanted, "cut", (int)figure->cut, "inside",
        is_judged ? json_boolean(verdict == PAPER_INSIDE) : json_null(), "verdict", paper_verdict_name(verdict), "game",
        figure->trial->game, "note", paper_note(figure, note), "remark", figure->trial->remark);
    if (figure->runs > 0) {
        (void)json_object_set_new(row, "runs", json_integer(figure->runs));
        (void)json_object_set_new(row, "lowest", report_number(figure->spread.low));
        (void)json_object_set_new(row, "highest", report_number(figure->spread.high));
    }
    if (figure->has_games) {
        (void)json_object_set_new(row, "wins", json_integer(figure->games.wins));
        (void)json_object_set_new(row, "draws", json_integer(figure->games.draws));
        (void)json_object_set_new(row, "losses", json_integer(figure->games.losses));
    }
    return row;
}

static json_t *curves_json(const PaperFigures *figures)
{
    json_t *curves = json_array();
    for (unsigned i = 0; i < figures->curve_count; i++) {
        const PaperCurve *curve = &figures->curves[i];
        (void)json_array_append_new(curves,
                                    json_pack("{s:s, s:s, s:I, s:i, s:o}", "label", curve->label, "set", curve->set,
                                              "seed", (json_int_t)curve->seed, "wanted", (int)curve->curve.capacity,
                                              "points", learning_curve_json(&curve->curve)));
    }
    return curves;
}

static json_t *points_json(const PaperSeries *series)
{
    json_t *points = json_array();
    for (unsigned i = 0; i < series->count; i++) {
        const PaperPoint *point = &series->points[i];
        (void)json_array_append_new(points,
                                    json_pack("{s:i, s:o, s:o, s:o, s:i}", "turn", (int)i + 1, "mean",
                                              report_number(point->mean), "low", report_number(point->limits.low),
                                              "high", report_number(point->limits.high), "n", (int)point->n));
    }
    return points;
}

static json_t *series_json(const PaperFigures *figures)
{
    json_t *all = json_array();
    for (unsigned i = 0; i < figures->series_count; i++) {
        const PaperSeries *series = &figures->series[i];
        (void)json_array_append_new(all, json_pack("{s:s, s:s, s:i, s:o}", "label", series->label, "unit", series->unit,
                                                   "wanted", (int)series->games, "points", points_json(series)));
    }
    return all;
}

// The meaning of each unit of a table.
static json_t *legend_json(const PaperFigures *figures)
{
    json_t *legend = json_object();
    for (unsigned i = 0; i < figures->count; i++) {
        const char *unit = figures->list[i].unit;
        (void)json_object_set_new(legend, unit, json_string(paper_unit_meaning(unit)));
    }
    return legend;
}

static json_t *cells_json(const PaperCross *cross, const PaperCrossCell *cells)
{
    json_t *rows = json_array();
    for (unsigned i = 0; i < cross->count; i++) {
        json_t *row = json_array();
        for (unsigned j = 0; j < cross->count; j++) {
            const PaperCrossCell *cell = &cells[i * PAPER_AGENTS_MAX + j];
            (void)json_array_append_new(
                row, paper_cross_is_known(cell)
                         ? json_pack("{s:o, s:o, s:o, s:o}", "score", report_number(cell->score), "wins",
                                     report_number(cell->wins), "losses", report_number(cell->losses), "draws",
                                     report_number(cell->draws))
                         : json_null());
        }
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *cross_json(const PaperCross *cross)
{
    json_t *players = json_array();
    for (unsigned i = 0; i < cross->count; i++)
        (void)json_array_append_new(players, json_string(cross->players[i]));
    return json_pack("{s:o, s:o, s:o}", "players", players, "published", cells_json(cross, cross->published),
                     "measured", cells_json(cross, cross->measured));
}

json_t *reproduce_json(const Reproduction *done)
{
    json_t *tables = json_array();
    for (unsigned i = 0; i < done->count; i++) {
        const PaperFigures *figures = &done->tables[i].figures;
        json_t *rows = json_array();
        for (unsigned j = 0; j < figures->count; j++)
            (void)json_array_append_new(rows, figure_json(&figures->list[j]));
        json_t *table = json_pack("{s:s, s:s, s:i, s:o, s:o}", "name", done->tables[i].table->name, "about",
                                  done->tables[i].table->about, "faults", (int)figures->faults, "rows", rows, "legend",
                                  legend_json(figures));
        PaperCross cross;
        if (paper_cross(figures, &cross)) {
            (void)json_object_set_new(table, "cross", cross_json(&cross));
            paper_close_cross(&cross);
        }
        if (figures->curve_count > 0) {
            (void)json_object_set_new(table, "curves", curves_json(figures));
            (void)json_object_set_new(table, "unsaved", json_integer((json_int_t)figures->unsaved));
        }
        if (figures->series_count > 0)
            (void)json_object_set_new(table, "series", series_json(figures));
        (void)json_array_append_new(tables, table);
    }
    return json_pack("{s:s, s:s, s:f, s:o}", "paper", done->paper->name, "title", done->paper->title, "scale",
                     done->scale, "tables", tables);
}

json_t *reproduce_all_json(const PaperStates *states)
{
    static const char *const words[] = {"not begun", "interrupted", "complete"};
    json_t *list = json_array();
    for (unsigned i = 0; i < states->count; i++) {
        const PaperState *state = &states->list[i];
        const PaperCounts *counts = &state->counts;
        (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i}", "paper",
                                                    state->paper->name, "title", state->paper->title, "state",
                                                    words[state->progress], "published", (int)counts->published,
                                                    "inside", (int)counts->inside, "outside", (int)counts->outside,
                                                    "open", (int)counts->open, "not_run", (int)counts->not_run));
    }
    return json_pack("{s:o}", "papers", list);
}

unsigned paper_table_games(const PaperTable *table)
{
    unsigned games = 0;
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        games += paper_trial_games(trial, 1);
    return games;
}

unsigned paper_table_positions(const PaperTable *table)
{
    unsigned positions = 0;
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        positions += paper_trial_positions(trial, 1);
    return positions;
}

static void add_listed(json_t *rows, const PaperTrial *trial, PaperUnit unit)
{
    static const ExperimentOptions nothing = {0};
    char *label = paper_label(trial, &nothing);
    (void)json_array_append_new(
        rows, json_pack("{s:s?, s:s, s:o, s:s?, s:i, s:i, s:s?, s:b, s:s?}", "label", label, "unit", unit.unit,
                        "published", report_number(unit.published), "source", trial->source, "games",
                        (int)paper_trial_games(trial, 1), "searches", (int)paper_trial_positions(trial, 1), "game",
                        trial->game, "needs_opponent", (int)paper_needs_opponent(trial), "remark", trial->remark));
    free(label);
}

static json_t *table_json(const PaperTable *table)
{
    json_t *rows = json_array();
    for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
        for (unsigned i = 0; i < paper_units(trial); i++)
            add_listed(rows, trial, paper_unit(trial, i));
    return json_pack("{s:s, s:s, s:i, s:i, s:o}", "name", table->name, "about", table->about, "games",
                     (int)paper_table_games(table), "searches", (int)paper_table_positions(table), "rows", rows);
}

json_t *reproduce_list_json(const Paper *const *list, int count)
{
    json_t *all = json_array();
    for (int i = 0; i < count; i++) {
        json_t *tables = json_array();
        for (const PaperTable *table = list[i]->tables; table->name != NULL; table++)
            (void)json_array_append_new(tables, table_json(table));
        (void)json_array_append_new(
            all, json_pack("{s:s, s:s, s:o}", "name", list[i]->name, "title", list[i]->title, "tables", tables));
    }
    return json_pack("{s:o}", "papers", all);
}
