// krow patterns show: draws patterns.
#include "cli/commands.h"
#include "lab/learn/pattern_sets.h"
#include "view/json_view.h"

#include <string.h>

enum { SCREEN_WIDTH = 80, GAP = 3, TITLE_SIZE = 48 };

// A pattern on the screen: a title above rows of cells separated by blanks.
typedef struct {
    const Pattern *pattern;
    char title[TITLE_SIZE];
    char code[PATTERN_TEXT_SIZE];
} Drawing;

static void draw(const DatabasePattern *stored, Drawing *drawing)
{
    drawing->pattern = &stored->pattern;
    (void)snprintf(drawing->title, sizeof drawing->title, "%lld, tier %u", (long long)stored->number,
                   stored->pattern.tier);
    pattern_format(&stored->pattern, drawing->code);
}

static int drawing_width(const Drawing *drawing)
{
    int cells = 2 * drawing->pattern->width - 1, title = (int)strlen(drawing->title);
    return cells > title ? cells : title;
}

// Adds line 0, the title, or a row from the top; nothing below the last row.
static void drawing_line(const Drawing *drawing, unsigned line, Text *text)
{
    unsigned across = drawing->pattern->width + 1u;
    if (line == 0)
        text_add(text, "%s", drawing->title);
    if (line == 0 || line > drawing->pattern->height)
        return;
    const char *row = drawing->code + (size_t)(line - 1) * across;
    for (unsigned column = 0; column + 1 < across; column++) {
        char mark = row[column] == 'x' ? 'X' : row[column] == '-' ? ' ' : row[column];
        text_add(text, "%s%c", column > 0 ? " " : "", mark);
    }
}

static void print_trimmed(Text *text)
{
    while (text->length > 0 && text->data[text->length - 1] == ' ')
        text->length--;
    (void)printf("%.*s\n", (int)text->length, text->length > 0 ? text->data : "");
    text->length = 0;
}

// Drawings side by side.
typedef struct {
    Drawing drawings[SCREEN_WIDTH / GAP];
    unsigned count;
    int width;
} Band;

static void print_band(Band *band, Text *text)
{
    unsigned lines = 1;
    for (unsigned i = 0; i < band->count; i++)
        lines = band->drawings[i].pattern->height + 1u > lines ? band->drawings[i].pattern->height + 1u : lines;
    for (unsigned line = 0; line < lines; line++) {
        size_t column = 0;
        for (unsigned i = 0; i < band->count; i++) {
            text_add(text, "%*s", (int)(column - text->length), "");
            drawing_line(&band->drawings[i], line, text);
            column += (size_t)drawing_width(&band->drawings[i]) + GAP;
        }
        print_trimmed(text);
    }
    band->count = 0;
    band->width = 0;
}

static void print_drawings(const PatternList *list)
{
    Band band = {0};
    Text text = {0};
    for (size_t i = 0; i < list->count; i++) {
        Drawing *next = &band.drawings[band.count];
        draw(&list->list[i], next);
        int width = drawing_width(next);
        if (band.count > 0 && band.width + GAP + width > SCREEN_WIDTH) {
            print_band(&band, &text);
            (void)printf("\n");
            draw(&list->list[i], &band.drawings[0]);
        }
        band.width += (band.count > 0 ? GAP : 0) + width;
        band.count++;
    }
    print_band(&band, &text);
    text_close(&text);
}

static Status report(const PatternsArgs *args, const PatternSetName *name, const PatternList *list, Error *error)
{
    if (args->line.json)
        return output_json(
            json_pack("{s:s, s:s, s:o}", "game", name->game, "set", name->set, "patterns", pattern_list_json(list)),
            error);
    (void)printf("%zu pattern%s of the set '%s' for %s\n\n", list->count, view_plural(list->count), name->set,
                 name->game);
    print_drawings(list);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    PatternSetName name;
    PatternList list = {0};
    Status status = patterns_args_set(args, args->line.words[0], &name, error);
    if (status == STATUS_OK)
        status = patterns_args_read(args, &name, &list, error);
    if (status == STATUS_OK)
        status = report(args, &name, &list, error);
    pattern_list_close(&list);
    return status;
}

static const CliOption options[] = {
    OPTION_PATTERN_GAME, OPTION_SET, OPTION_NUMBER, OPTION_TIER, OPTION_NEEDED_DB, OPTION_JSON, CLI_END(PatternsArgs),
};

const Command command_patterns_show = {
    .name = "show",
    .words = "[GAME]",
    .summary = "Draw patterns",
    .about = "X is an own stone, . a cell that must be empty; other cells do not matter. The side with the pattern "
             "wins although the other side moves next.\n\nExamples:\n  krow patterns show --tier 1\n  krow "
             "patterns show 19x19:k=5 --set mine --number 12",
    .options = options,
    .run = run,
};
