// The papers, read from the files of data/papers, which are compiled in.
//
// A line is "key value". Empty lines and lines that begin with # are ignored. `paper` and `title` begin a file, and
// `table NAME ABOUT` begins a table. Each `row` is a trial: its label, if any, and settings, separated by |. A setting
// on a line of its own applies to all rows of its table or, before the first table, to all rows of the file.
//
// Most settings have the names of the fields of PaperTrial and DuelLimits. `units` are all units of the row and
// `published` their figures in the same order, "-" for none; `positions` names a list. `list NAME` with the settings of
// its recipe begins a list of positions, and each `stones` adds a stored one.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { LISTS_MAX = 8 };

typedef struct {
    PaperTrial trial;
    Span units, published;
} Row;

typedef struct {
    const char *name;
    const char **kept;
    size_t capacity;
    PaperPositions positions;
} List;

// The state of reading a paper. Nothing is released: papers last as long as the process.
typedef struct {
    Paper paper;
    PaperTable *tables;
    PaperTrial *trials; // of the last table
    size_t table_count, table_capacity, trial_count, trial_capacity;
    Row of_paper, of_table; // settings
    List *lists[LISTS_MAX];
    unsigned list_count;
} Reader;

// --- Settings ---

typedef enum { FIELD_TEXT, FIELD_WORDS, FIELD_SPAN, FIELD_UNSIGNED, FIELD_UINT64, FIELD_REAL } FieldKind;

typedef struct {
    const char *key;
    FieldKind kind;
    size_t offset;
} Field;

static const Field row_fields[] = {
    {"game", FIELD_TEXT, offsetof(Row, trial.game)},
    {"source", FIELD_TEXT, offsetof(Row, trial.source)},
    {"remark", FIELD_TEXT, offsetof(Row, trial.remark)},
    {"set", FIELD_TEXT, offsetof(Row, trial.set)},
    {"setting", FIELD_TEXT, offsetof(Row, trial.setting)},
    {"panel", FIELD_TEXT, offsetof(Row, trial.panel)},
    {"line", FIELD_TEXT, offsetof(Row, trial.line)},
    {"agents", FIELD_WORDS, offsetof(Row, trial.agents)},
    {"asked", FIELD_WORDS, offsetof(Row, trial.asked)},
    {"units", FIELD_SPAN, offsetof(Row, units)},
    {"published", FIELD_SPAN, offsetof(Row, published)},
    {"games", FIELD_UNSIGNED, offsetof(Row, trial.games)},
    {"runs", FIELD_UNSIGNED, offsetof(Row, trial.runs)},
    {"searches", FIELD_UNSIGNED, offsetof(Row, trial.searches)},
    {"depth", FIELD_UNSIGNED, offsetof(Row, trial.limits.depth)},
    {"max_turns", FIELD_UNSIGNED, offsetof(Row, trial.limits.max_turns)},
    {"nodes", FIELD_UINT64, offsetof(Row, trial.limits.nodes)},
    {"turn_seconds", FIELD_REAL, offsetof(Row, trial.limits.turn_seconds)},
    {"clock_seconds", FIELD_REAL, offsetof(Row, trial.limits.clock_seconds)},
    {0},
};

static const Field recipe_fields[] = {
    {"agent", FIELD_TEXT, offsetof(OpeningRecipe, agent)},
    {"chance", FIELD_REAL, offsetof(OpeningRecipe, chance)},
    {"min_turns", FIELD_UNSIGNED, offsetof(OpeningRecipe, min_turns)},
    {"max_turns", FIELD_UNSIGNED, offsetof(OpeningRecipe, max_turns)},
    {"undecided", FIELD_UNSIGNED, offsetof(OpeningRecipe, undecided)},
    {"seed", FIELD_UINT64, offsetof(OpeningRecipe, seed)},
    {0},
};

static char *copy(Span text)
{
    return memory_copy(text.at, text.length);
}

static void set_words(const char **words, Span text)
{
    Span word = {0};
    while (span_next_word(&text, " ", &word))
        *words++ = copy(word);
    *words = NULL;
}

static void set_field(const Field *fields, void *base, Span key, Span value)
{
    int64_t number = 0;
    while (fields->key != NULL && !span_is(key, fields->key))
        fields++;
    assert(fields->key != NULL && "unknown key in data/papers");
    void *at = (char *)base + fields->offset;
    switch (fields->kind) {
    case FIELD_TEXT:
        *(const char **)at = copy(value);
        break;
    case FIELD_WORDS:
        set_words(at, value);
        break;
    case FIELD_SPAN:
        *(Span *)at = value;
        break;
    case FIELD_UNSIGNED:
        (void)span_to_int(value, 0, UINT32_MAX, &number);
        *(unsigned *)at = (unsigned)number;
        break;
    case FIELD_UINT64:
        (void)span_to_int(value, 0, INT64_MAX, &number);
        *(uint64_t *)at = (uint64_t)number;
        break;
    case FIELD_REAL:
        (void)span_to_real(value, at);
        break;
    }
}

static const PaperMeasure *find_measure(Span name)
{
    static const struct {
        const char *name;
        const PaperMeasure *measure;
    } measures[] = {
        {"games", &paper_measure_games},       {"first", &paper_measure_first},
        {"field", &paper_measure_field},       {"ladder", &paper_measure_ladder},
        {"learning", &paper_measure_learning}, {"positions", &paper_measure_positions},
        {"turns", &paper_measure_turns},       {"correction", &paper_measure_correction},
    };
    unsigned i = 0;
    while (i + 1 < sizeof measures / sizeof measures[0] && !span_is(name, measures[i].name))
        i++;
    assert(span_is(name, measures[i].name));
    return measures[i].measure;
}

static PaperStart find_start(Span name)
{
    static const char *const names[] = {"openings", "empty", "first-turns", "positions"};
    unsigned start = PAPER_OPENINGS;
    while (start < PAPER_POSITIONS && !span_is(name, names[start]))
        start++;
    assert(span_is(name, names[start]));
    return (PaperStart)start;
}

static const PaperPositions *find_list(const Reader *reader, Span name)
{
    for (unsigned i = 0; i < reader->list_count; i++)
        if (span_is(name, reader->lists[i]->name))
            return &reader->lists[i]->positions;
    assert(false && "a list of positions must precede the rows that name it");
    return NULL;
}

static void set_row(const Reader *reader, Row *row, Span key, Span value)
{
    if (span_is(key, "measure"))
        row->trial.measure = find_measure(value);
    else if (span_is(key, "start"))
        row->trial.start = find_start(value);
    else if (span_is(key, "positions"))
        row->trial.positions = find_list(reader, value);
    else
        set_field(row_fields, row, key, value);
}

// --- Lines ---

// The next setting of a line, "key value" up to a bar; false at the end.
static bool next_setting(Span *line, Span *key, Span *value)
{
    if (!span_next_part(line, '|', value))
        return false;
    *value = span_trim(*value);
    return span_next_part(value, ' ', key);
}

static void begin_table(Reader *reader, Span value)
{
    Span name = {0};
    (void)span_next_part(&value, ' ', &name);
    reader->tables =
        array_grow(reader->tables, &reader->table_capacity, reader->table_count + 2, sizeof *reader->tables);
    reader->tables[reader->table_count++] = (PaperTable){.name = copy(name), .about = copy(value)};
    reader->tables[reader->table_count] = (PaperTable){0};
    reader->of_table = reader->of_paper;
    Text place = {0};
    text_add(&place, "%s/%s", reader->paper.name, reader->tables[reader->table_count - 1].name);
    reader->of_table.trial.table = place.data;
    reader->trials = NULL;
    reader->trial_count = reader->trial_capacity = 0;
}

// The first unit is the trial's own; the others are further ones.
static void set_units(const Row *row, PaperTrial *trial)
{
    Span units = row->units, published = row->published, word = {0};
    size_t count = 0, capacity = 0;
    PaperUnit *list = array_grow(NULL, &capacity, 1, sizeof *list);
    list[0] = (PaperUnit){0};
    while (span_next_word(&units, " ", &word)) {
        PaperUnit unit = {.unit = copy(word), .published = NAN};
        if (span_next_word(&published, " ", &word) && !span_is(word, "-"))
            (void)span_to_real(word, &unit.published);
        list = array_grow(list, &capacity, count + 2, sizeof *list);
        list[count++] = unit;
        list[count] = (PaperUnit){0};
    }
    assert(count > 0 && "a row must have a unit");
    trial->unit = list[0].unit;
    trial->published = list[0].published;
    trial->further = list + 1;
}

static void add_row(Reader *reader, Span value)
{
    Row row = reader->of_table;
    Span label = {0}, key = {0};
    (void)span_next_part(&value, '|', &label);
    label = span_trim(label);
    row.trial.label = label.length > 0 ? copy(label) : NULL;
    while (next_setting(&value, &key, &label))
        set_row(reader, &row, key, label);
    set_units(&row, &row.trial);
    row.trial.number = (unsigned)reader->trial_count + 1;
    reader->trials =
        array_grow(reader->trials, &reader->trial_capacity, reader->trial_count + 2, sizeof *reader->trials);
    reader->trials[reader->trial_count++] = row.trial;
    reader->trials[reader->trial_count] = (PaperTrial){0};
    reader->tables[reader->table_count - 1].trials = reader->trials;
}

static void begin_list(Reader *reader, Span line)
{
    assert(reader->list_count < LISTS_MAX);
    List *list = reader->lists[reader->list_count++] = memory_new(1, sizeof *list);
    Span key = {0}, value = {0};
    (void)span_next_part(&line, '|', &value);
    list->name = copy(span_trim(value));
    list->positions.recipe.keep_unquiet = true;
    while (next_setting(&line, &key, &value))
        set_field(recipe_fields, &list->positions.recipe, key, value);
}

static void add_stones(Reader *reader, Span value)
{
    assert(reader->list_count > 0 && "stones must follow their list");
    List *list = reader->lists[reader->list_count - 1];
    assert(list != NULL);
    PaperPositions *positions = &list->positions;
    list->kept = array_grow(list->kept, &list->capacity, (size_t)positions->kept_count + 1, sizeof *list->kept);
    list->kept[positions->kept_count++] = copy(value);
    positions->kept = list->kept;
}

static void read_line(Reader *reader, Span line)
{
    Span key = {0};
    (void)span_next_part(&line, ' ', &key);
    if (span_is(key, "paper"))
        reader->paper.name = copy(line);
    else if (span_is(key, "title"))
        reader->paper.title = copy(line);
    else if (span_is(key, "table"))
        begin_table(reader, line);
    else if (span_is(key, "row"))
        add_row(reader, line);
    else if (span_is(key, "list"))
        begin_list(reader, line);
    else if (span_is(key, "stones"))
        add_stones(reader, line);
    else
        set_row(reader, reader->table_count > 0 ? &reader->of_table : &reader->of_paper, key, line);
}

static const Paper *read_paper(Span text)
{
    Reader reader = {0};
    Span line = {0};
    while (span_next_part(&text, '\n', &line))
        if (line.length > 0 && line.at[0] != '#')
            read_line(&reader, line);
    Paper *paper = memory_new(1, sizeof *paper);
    *paper = reader.paper;
    paper->tables = reader.tables;
    return paper;
}

// --- All papers ---

static const Paper **all;

static void read_all(void)
{
    all = memory_new(paper_texts_count, sizeof(Paper *));
    for (unsigned i = 0; i < paper_texts_count; i++)
        all[i] = read_paper(paper_texts[i]);
}

const Paper *const *papers(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, read_all);
    return all;
}

int paper_count(void)
{
    return (int)paper_texts_count;
}
