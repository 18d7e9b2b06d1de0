// The syntax of SGF, and stones, properties and variations in SGF text.
#include "store/formats/sgf.h"

#include "base/memory.h"
#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_LETTERS_MAX = 52 }; // a to z, A to Z

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static int letter_value(char c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' + 26 : -1;
}

bool sgf_point(Span value, const Rules *rules, Cell *cell)
{
    if (value.length >= 2 && value.at[value.length - 1] >= '0' && value.at[value.length - 1] <= '9')
        return cell_parse(value, rules, cell, NULL) == STATUS_OK;
    int column = value.length == 2 ? letter_value(value.at[0]) : -1;
    int row = value.length == 2 ? letter_value(value.at[1]) : -1;
    if (column < 0 || row < 0 || column >= rules->width || row >= rules->height)
        return false;
    *cell = cell_at((unsigned)column, rules->height - 1u - (unsigned)row);
    return true;
}

void sgf_add_stone(Text *text, const Rules *rules, Side side, Cell cell)
{
    text_add(text, ";%c", side == SIDE_FIRST ? 'B' : 'W');
    if (rules->width <= SIDE_LETTERS_MAX && rules->height <= SIDE_LETTERS_MAX) {
        text_add(text, "[%c%c]", letters[cell_column(cell)], letters[rules->height - 1u - cell_row(cell)]);
        return;
    }
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    text_add(text, "[%s]", name);
}

void sgf_skip_blanks(SgfCursor *cursor)
{
    int c = sgf_peek(cursor);
    for (; c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = sgf_peek(cursor))
        sgf_skip(cursor);
}

bool sgf_take_value(SgfCursor *cursor, Span *value)
{
    sgf_skip(cursor);
    const char *begin = cursor->rest.at;
    while (sgf_peek(cursor) >= 0 && sgf_peek(cursor) != ']') {
        if (sgf_peek(cursor) == '\\')
            sgf_skip(cursor);
        if (sgf_peek(cursor) >= 0)
            sgf_skip(cursor);
    }
    *value = (Span){begin, (size_t)(cursor->rest.at - begin)};
    if (sgf_peek(cursor) < 0)
        return false;
    sgf_skip(cursor);
    return true;
}

bool sgf_take_ident(SgfCursor *cursor, char ident[SGF_IDENT_SIZE])
{
    size_t length = 0;
    for (; sgf_is_letter(sgf_peek(cursor)); sgf_skip(cursor))
        if (sgf_peek(cursor) <= 'Z' && ++length < SGF_IDENT_SIZE)
            ident[length - 1] = (char)sgf_peek(cursor);
    ident[length < SGF_IDENT_SIZE ? length : SGF_IDENT_SIZE - 1] = '\0';
    sgf_skip_blanks(cursor);
    return length < SGF_IDENT_SIZE;
}

typedef struct {
    char ident[SGF_IDENT_SIZE];
    Span value; // the first one
    Span whole; // with its name and all values
} Property;

// Takes the next property; false when none is left.
static bool take_property(SgfCursor *cursor, Property *property)
{
    sgf_skip_blanks(cursor);
    const char *begin = cursor->rest.at, *end = begin;
    for ((void)sgf_take_ident(cursor, property->ident); sgf_peek(cursor) == '['; sgf_skip_blanks(cursor)) {
        Span value;
        if (!sgf_take_value(cursor, &value))
            return false;
        if (end == begin)
            property->value = value;
        end = cursor->rest.at;
    }
    property->whole = (Span){begin, (size_t)(end - begin)};
    return end != begin;
}

bool sgf_property(Span properties, const char *ident, Span *value)
{
    SgfCursor cursor = {.rest = properties};
    Property property;
    while (take_property(&cursor, &property))
        if (strcmp(property.ident, ident) == 0) {
            *value = property.value;
            return true;
        }
    return false;
}

void sgf_add_others(Span properties, const char *ident, Text *text)
{
    SgfCursor cursor = {.rest = properties};
    Property property;
    while (take_property(&cursor, &property))
        if (strcmp(property.ident, ident) != 0)
            text_add_span(text, property.whole);
}

void sgf_add_plain(Span value, Text *text)
{
    for (size_t i = 0; i < value.length; i++) {
        if (value.at[i] == '\\' && i + 1 < value.length) {
            i++;
            if (value.at[i] == '\r' && i + 1 < value.length && value.at[i + 1] == '\n')
                i++;
            if (value.at[i] == '\n' || value.at[i] == '\r')
                continue;
        }
        text_add_span(text, (Span){value.at + i, 1});
    }
    text_add_span(text, (Span){"", 0});
}

void sgf_add_property(Text *text, const char *ident, const char *value)
{
    text_add(text, "%s[", ident);
    for (const char *c = value; *c != '\0'; c++)
        text_add(text, "%s%c", *c == ']' || *c == '\\' ? "\\" : "", *c);
    text_add(text, "]");
}

typedef struct {
    SgfCursor cursor;
    const Rules *rules;
    const SgfVisitor *visitor;
    unsigned *stones; // owned; number visited since each open parenthesis
    size_t depth, capacity;
    size_t left_out; // depth of the parenthesis whose rest is skipped; 0: none
    Text others;     // other properties of the current node
} Walk;

static void close_branch(Walk *walk)
{
    if (walk->depth == 0)
        return;
    unsigned stones = walk->stones[--walk->depth];
    if (stones > 0)
        walk->visitor->back(walk->visitor->context, stones);
    if (walk->left_out > walk->depth)
        walk->left_out = 0;
}

// Passes the stone of a node, or its properties, to the visitor.
static void visit(Walk *walk, bool has_stone, Side side, Cell cell)
{
    const SgfVisitor *visitor = walk->visitor;
    Span others = {walk->others.length > 0 ? walk->others.data : "", walk->others.length};
    if (walk->left_out > 0 || walk->depth == 0)
        return;
    if (!has_stone) {
        if (others.length > 0)
            visitor->more(visitor->context, others);
    } else if (visitor->stone(visitor->context, side, cell, others))
        walk->stones[walk->depth - 1]++;
    else
        walk->left_out = walk->depth;
}

static void read_node(Walk *walk)
{
    Property property;
    bool has_stone = false, is_bad = false;
    Side side = SIDE_FIRST;
    Cell cell = CELL_NONE;
    walk->others.length = 0;
    sgf_skip(&walk->cursor);
    while (take_property(&walk->cursor, &property)) {
        bool is_white = strcmp(property.ident, "W") == 0;
        if (!is_white && strcmp(property.ident, "B") != 0) {
            text_add_span(&walk->others, property.whole);
            continue;
        }
        is_bad |= has_stone || !sgf_point(span_trim(property.value), walk->rules, &cell);
        has_stone = true;
        side = is_white ? SIDE_SECOND : SIDE_FIRST;
    }
    if (is_bad && walk->left_out == 0)
        walk->left_out = walk->depth;
    visit(walk, has_stone, side, cell);
}

void sgf_walk(Span text, const Rules *rules, const SgfVisitor *visitor)
{
    Walk walk = {.cursor = {.rest = text}, .rules = rules, .visitor = visitor};
    for (int c = 0; (c = sgf_peek(&walk.cursor)) >= 0;) {
        if (c == ';') {
            read_node(&walk);
            continue;
        }
        sgf_skip(&walk.cursor);
        if (c == '(') {
            walk.stones = array_grow(walk.stones, &walk.capacity, walk.depth + 1, sizeof *walk.stones);
            walk.stones[walk.depth++] = 0;
        } else if (c == ')') {
            close_branch(&walk);
        }
    }
    while (walk.depth > 0)
        close_branch(&walk);
    free(walk.stones);
    text_close(&walk.others);
}
