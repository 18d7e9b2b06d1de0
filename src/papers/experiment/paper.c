// Lookup of papers and tables by name, properties of trials, and lists of figures.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

Status paper_find(const Paper *const *list, int count, Span name, PaperPlace *place, Error *error)
{
    Span rest = name, head = {0};
    (void)span_next_part(&rest, '/', &head);
    bool names_table = head.length < name.length;
    *place = (PaperPlace){0};
    int i = 0;
    while (i < count && !span_is(head, list[i]->name))
        i++;
    if (i == count)
        return no_paper(list, count, head, error);
    place->paper = list[i];
    if (!names_table)
        return STATUS_OK;
    for (place->table = list[i]->tables; place->table->name != NULL; place->table++)
        if (span_is(rest, place->table->name))
            return STATUS_OK;
    return no_table(list[i], rest, error);
}

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

PaperFigure paper_figure(const PaperTrial *trial, const ExperimentOptions *options, unsigned number, unsigned wanted)
{
    PaperUnit unit = paper_unit(trial, number);
    return (PaperFigure){
        .trial = trial,
        .label = paper_label(trial, options),
        .unit = unit.unit,
        .published = unit.published,
        .measured = NAN,
        .limits = {NAN, NAN},
        .wanted = wanted,
    };
}

bool paper_needs_opponent(const PaperTrial *trial)
{
    for (unsigned i = 0; trial->agents[i] != NULL; i++)
        if (strcmp(trial->agents[i], PAPER_OPPONENT) == 0)
            return true;
    return false;
}

// The value of a name in a setting, "name=value" for each word; false if the setting does not have it.
static bool find_value(const char *setting, Span name, Span *value)
{
    Span rest = setting != NULL ? span_of(setting) : (Span){0}, word = {0}, key = {0};
    while (span_next_word(&rest, " ", &word)) {
        *value = word;
        if (span_next_part(value, '=', &key) && key.length == name.length && memcmp(key.at, name.at, name.length) == 0)
            return true;
    }
    return false;
}

char *paper_opponent(const PaperTrial *trial, const ExperimentOptions *options)
{
    Text text = {0};
    const char *at = options->opponent;
    while (*at != '\0') {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        Span value = {0};
        if (end != NULL && find_value(trial->setting, (Span){at + 1, (size_t)(end - at - 1)}, &value)) {
            text_add(&text, "%.*s", SPAN_PRINT(value));
            at = end + 1;
        } else {
            text_add(&text, "%c", *at++);
        }
    }
    return text.data != NULL ? text.data : memory_copy_text("");
}

bool paper_uses_book(const char *agent)
{
    Span rest = span_of(agent), name = {0};
    return span_next_part(&rest, ':', &name) && span_is(name, "book");
}

bool paper_lacks_book(const PaperTrial *trial, const ExperimentOptions *options)
{
    bool uses = false, found = false;
    for (unsigned i = 0; trial->agents[i] != NULL; i++)
        uses = uses || paper_uses_book(trial->agents[i]);
    const AgentBooks *books = options->host.books;
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

static double runs_at(const PaperTrial *trial, double scale)
{
    return scale * (trial->runs > 0 ? trial->runs : 1);
}

unsigned paper_runs(const PaperTrial *trial, double scale)
{
    double runs = trial->set != NULL ? round(runs_at(trial, scale)) : 1;
    return runs < 1 ? 1 : (unsigned)runs;
}

double paper_run_scale(const PaperTrial *trial, double scale)
{
    return trial->set != NULL ? fmin(runs_at(trial, scale), 1) : scale;
}

unsigned paper_trial_games(const PaperTrial *trial, double scale)
{
    unsigned agents = paper_agents(trial);
    if (trial->set != NULL)
        return paper_runs(trial, scale) * paper_games(trial->games, paper_run_scale(trial, scale));
    unsigned pairs = trial->measure == &paper_measure_ladder ? agents - 1 : agents * (agents - 1) / 2;
    return agents < 2 ? 0 : pairs * paper_games(trial->games, scale);
}

unsigned paper_trial_positions(const PaperTrial *trial, double scale)
{
    double part = round(trial->searches * fmin(scale, 1));
    return trial->searches == 0 ? 0 : part < 1 ? 1 : (unsigned)part;
}

char *paper_label(const PaperTrial *trial, const ExperimentOptions *options)
{
    Text label = {0};
    bool stands_in = paper_needs_opponent(trial) && options->opponent != NULL;
    char *opponent = stands_in ? paper_opponent(trial, options) : NULL;
    if (trial->label != NULL)
        text_add(&label, "%s%s%s%s", trial->label, stands_in ? " (stand-in: " : "", stands_in ? opponent : "",
                 stands_in ? ")" : "");
    else if (paper_agents(trial) >= 2)
        text_add(&label, "%s against %s", trial->agents[0], trial->agents[1]);
    else
        text_add(&label, "%s", trial->game != NULL ? trial->game : "");
    free(opponent);
    return label.data;
}

void paper_add_figure(PaperFigures *figures, const PaperFigure *figure)
{
    figures->list = array_grow(figures->list, &figures->capacity, (size_t)figures->count + 1, sizeof *figures->list);
    figures->list[figures->count++] = *figure;
}

void paper_add_curve(PaperFigures *figures, const PaperCurve *curve)
{
    figures->curves = array_grow(figures->curves, &figures->curve_capacity, (size_t)figures->curve_count + 1,
                                 sizeof *figures->curves);
    figures->curves[figures->curve_count++] = *curve;
}

void paper_add_series(PaperFigures *figures, const PaperSeries *series)
{
    figures->series = array_grow(figures->series, &figures->series_capacity, (size_t)figures->series_count + 1,
                                 sizeof *figures->series);
    figures->series[figures->series_count++] = *series;
}

void paper_move_figures(PaperFigures *to, PaperFigures *from)
{
    for (unsigned i = 0; i < from->count; i++)
        paper_add_figure(to, &from->list[i]);
    for (unsigned i = 0; i < from->curve_count; i++)
        paper_add_curve(to, &from->curves[i]);
    for (unsigned i = 0; i < from->series_count; i++)
        paper_add_series(to, &from->series[i]);
    to->faults += from->faults;
    to->unsaved += from->unsaved;
    from->count = from->curve_count = from->series_count = 0; // what they own has moved
    paper_close_figures(from);
}

void paper_close_figures(PaperFigures *figures)
{
    for (unsigned i = 0; i < figures->count; i++)
        free(figures->list[i].label);
    for (unsigned i = 0; i < figures->curve_count; i++) {
        free(figures->curves[i].label);
        free(figures->curves[i].set);
        learning_curve_close(&figures->curves[i].curve);
    }
    for (unsigned i = 0; i < figures->series_count; i++) {
        free(figures->series[i].label);
        free(figures->series[i].points);
    }
    free(figures->list);
    free(figures->curves);
    free(figures->series);
    *figures = (PaperFigures){0};
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

// Whether the limits are narrow enough to say that a figure agrees.
static bool is_narrow(const PaperFigure *figure)
{
    double width = figure->limits.high - figure->limits.low;
    double most = paper_is_share(figure->unit)
                      ? PAPER_SHARE_WIDTH
                      : PAPER_RELATIVE_WIDTH * fmax(fabs(figure->published), fabs(figure->measured));
    return width <= most;
}

PaperVerdict paper_verdict(const PaperFigure *figure)
{
    if (isnan(figure->published) || figure->n == 0 || figure->cut > 0)
        return PAPER_NO_VERDICT;
    if (figure->is_partial)
        return PAPER_SHORTER;
    if (isnan(figure->limits.low))
        return PAPER_NO_VERDICT;
    int side = paper_compare(figure);
    unsigned measurements = figure->runs > 0 ? figure->runs : figure->n;
    if (measurements < PAPER_LEAST_MEASUREMENTS || (side == 0 && !is_narrow(figure)))
        return PAPER_TOO_FEW;
    return side < 0 ? PAPER_BELOW : side > 0 ? PAPER_ABOVE : PAPER_INSIDE;
}

const char *paper_verdict_name(PaperVerdict verdict)
{
    static const char *const names[] = {NULL, "below", "inside", "above", "too few", "shorter"};
    return names[verdict];
}

const char *paper_verdict_words(PaperVerdict verdict)
{
    static const char *const words[] = {
        "-", "below the limits", "inside the limits", "above the limits", "too few to compare", "after more games"};
    return words[verdict];
}
