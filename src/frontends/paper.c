#include "frontends/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAPER(name) extern const Paper paper_##name;
#include "frontends/papers.def"
#undef PAPER

#define PAPER(name) &paper_##name,
const Paper *const papers[] = {
#include "frontends/papers.def"
};
#undef PAPER

const int paper_count = (int)(sizeof papers / sizeof papers[0]);

// --- Finding ---

static Status no_paper(const Paper *const *list, int count, Span name, Error *error)
{
    Text known = {0};
    for (int i = 0; i < count; i++)
        text_add(&known, "%s%s", i > 0 ? ", " : "", list[i]->name);
    Status status = error_set(error, STATUS_BAD_INPUT, "no paper '%.*s'; there is %s", SPAN_PRINT(name),
                              known.data != NULL ? known.data : "none");
    text_close(&known);
    return status;
}

static Status no_table(const Paper *paper, Span name, Error *error)
{
    Text known = {0};
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        text_add(&known, "%s%s", table > paper->tables ? ", " : "", table->name);
    Status status = error_set(error, STATUS_BAD_INPUT, "paper %s has no table '%.*s'; it has %s", paper->name,
                              SPAN_PRINT(name), known.data != NULL ? known.data : "none");
    text_close(&known);
    return status;
}

Status paper_find(const Paper *const *list, int count, Span name, const Paper **paper, const PaperTable **table,
                  Error *error)
{
    Span rest = name, head = {0};
    (void)span_next_part(&rest, '/', &head);
    bool names_table = head.length < name.length;
    *table = NULL;
    int i = 0;
    while (i < count && !span_is(head, list[i]->name))
        i++;
    if (i == count)
        return no_paper(list, count, head, error);
    *paper = list[i];
    if (!names_table)
        return STATUS_OK;
    for (*table = (*paper)->tables; (*table)->name != NULL; ++*table)
        if (span_is(rest, (*table)->name))
            return STATUS_OK;
    return no_table(*paper, rest, error);
}

static bool find_in_table(const PaperTable *table, const PaperTrial *trial, unsigned *number)
{
    *number = 0;
    while (table->trials[*number].measure != NULL && &table->trials[*number] != trial)
        ++*number;
    return table->trials[*number].measure != NULL;
}

bool paper_place(const PaperTrial *trial, PaperPlace *place)
{
    for (int i = 0; i < paper_count; i++)
        for (const PaperTable *table = papers[i]->tables; table->name != NULL; table++)
            if (find_in_table(table, trial, &place->number)) {
                place->paper = papers[i];
                place->table = table;
                return true;
            }
    return false;
}

// --- Trials ---

unsigned paper_agents(const PaperTrial *trial)
{
    unsigned count = 0;
    while (trial->agents[count] != NULL)
        count++;
    return count;
}

unsigned paper_asked(const PaperTrial *trial)
{
    unsigned count = 0;
    while (trial->asked[count] != NULL)
        count++;
    return count;
}

unsigned paper_units(const PaperTrial *trial)
{
    unsigned count = 0;
    while (trial->further != NULL && trial->further[count].unit != NULL)
        count++;
    return 1 + count;
}

PaperUnit paper_unit(const PaperTrial *trial, unsigned number)
{
    return number == 0 ? (PaperUnit){trial->unit, trial->published} : trial->further[number - 1];
}

bool paper_needs_opponent(const PaperTrial *trial)
{
    for (unsigned i = 0; trial->agents[i] != NULL; i++)
        if (strcmp(trial->agents[i], PAPER_OPPONENT) == 0)
            return true;
    return false;
}

bool paper_uses_book(const char *agent)
{
    Span rest = span_of(agent), name = {0};
    return span_next_part(&rest, ':', &name) && span_is(name, "book");
}

bool paper_lacks_book(const PaperTrial *trial, const Args *args)
{
    bool uses = false, found = false;
    for (unsigned i = 0; trial->agents[i] != NULL; i++)
        uses = uses || paper_uses_book(trial->agents[i]);
    const AgentBooks *books = args->host.books;
    Rules rules;
    BookSpec spec;
    if (uses && books != NULL && rules_parse(span_of(trial->game), &rules, NULL) == STATUS_OK)
        (void)books->find(books->context, "", &rules, &spec, &found, NULL);
    return uses && !found;
}

unsigned paper_games(unsigned games, double scale)
{
    double pairs = round(games / 2.0 * scale);
    return pairs < 1 ? 2 : 2 * (unsigned)pairs;
}

unsigned paper_trial_games(const PaperTrial *trial, double scale)
{
    unsigned agents = paper_agents(trial);
    unsigned pairs = trial->is_ladder ? agents - 1 : agents * (agents - 1) / 2;
    return agents < 2 ? 0 : pairs * paper_games(trial->games, scale);
}

unsigned paper_trial_positions(const PaperTrial *trial, double scale)
{
    double part = round(trial->searches * fmin(scale, 1));
    return trial->searches == 0 ? 0 : part < 1 ? 1 : (unsigned)part;
}

char *paper_label(const PaperTrial *trial, const Args *args)
{
    char *label = NULL;
    bool stands_in = paper_needs_opponent(trial) && args->opponent != NULL;
    int length = -1;
    if (trial->label != NULL)
        length = asprintf(&label, "%s%s%s%s", trial->label, stands_in ? " (stand-in: " : "",
                          stands_in ? args->opponent : "", stands_in ? ")" : "");
    else if (paper_agents(trial) >= 2)
        length = asprintf(&label, "%s against %s", trial->agents[0], trial->agents[1]);
    else
        length = asprintf(&label, "%s", trial->game != NULL ? trial->game : "");
    return length >= 0 ? label : NULL;
}

// --- Figures ---

Status paper_add_figure(PaperFigures *figures, const PaperFigure *figure, Error *error)
{
    PaperFigure *list = figure->label != NULL ? realloc(figures->list, (figures->count + 1) * sizeof *list) : NULL;
    if (list == NULL) {
        free(figure->label);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a table");
    }
    figures->list = list;
    figures->list[figures->count++] = *figure;
    return STATUS_OK;
}

static void close_curve(PaperCurve *curve)
{
    free(curve->label);
    free(curve->set);
    learning_curve_close(&curve->curve);
}

Status paper_add_curve(PaperFigures *figures, PaperCurve *curve, Error *error)
{
    bool is_whole = curve->label != NULL && curve->set != NULL;
    PaperCurve *curves = is_whole ? realloc(figures->curves, (figures->curve_count + 1) * sizeof *curves) : NULL;
    if (curves == NULL) {
        close_curve(curve);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a curve");
    }
    figures->curves = curves;
    figures->curves[figures->curve_count++] = *curve;
    return STATUS_OK;
}

static void close_series(PaperSeries *series)
{
    free(series->label);
    free(series->points);
}

Status paper_add_series(PaperFigures *figures, PaperSeries *series, Error *error)
{
    bool is_whole = series->label != NULL && series->points != NULL;
    PaperSeries *list = is_whole ? realloc(figures->series, (figures->series_count + 1) * sizeof *list) : NULL;
    if (list == NULL) {
        close_series(series);
        return error_set(error, STATUS_NO_MEMORY, "no memory for a series");
    }
    figures->series = list;
    figures->series[figures->series_count++] = *series;
    return STATUS_OK;
}

Status paper_move_figures(PaperFigures *to, PaperFigures *from, Error *error)
{
    Status status = STATUS_OK;
    unsigned figures = from->count, curves = from->curve_count, series = from->series_count;
    from->count = from->curve_count = from->series_count = 0;
    // Each is taken, also after one that failed.
    for (unsigned i = 0; i < figures; i++) {
        Status added = paper_add_figure(to, &from->list[i], error);
        status = status == STATUS_OK ? added : status;
    }
    for (unsigned i = 0; i < curves; i++) {
        Status added = paper_add_curve(to, &from->curves[i], error);
        status = status == STATUS_OK ? added : status;
    }
    for (unsigned i = 0; i < series; i++) {
        Status added = paper_add_series(to, &from->series[i], error);
        status = status == STATUS_OK ? added : status;
    }
    to->faults += from->faults;
    to->unsaved += from->unsaved;
    paper_close_figures(from);
    return status;
}

void paper_close_figures(PaperFigures *figures)
{
    for (unsigned i = 0; i < figures->count; i++)
        free(figures->list[i].label);
    for (unsigned i = 0; i < figures->curve_count; i++)
        close_curve(&figures->curves[i]);
    for (unsigned i = 0; i < figures->series_count; i++)
        close_series(&figures->series[i]);
    free(figures->list);
    free(figures->curves);
    free(figures->series);
    *figures = (PaperFigures){0};
}

bool paper_is_share(const char *unit)
{
    static const char *const shares[] = {"wins",   "draws", "losses",   "score",
                                         "recent", "share", "as_first", "as_second"};
    if (strchr(unit, '/') != NULL)
        return true;
    for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++)
        if (strcmp(unit, shares[i]) == 0)
            return true;
    return false;
}

bool paper_compares(const PaperFigure *figure)
{
    return !isnan(figure->published) && !isnan(figure->limits.low) && figure->cut == 0;
}

int paper_compare(const PaperFigure *figure)
{
    if (figure->published < figure->limits.low)
        return -1;
    return figure->published > figure->limits.high ? 1 : 0;
}
