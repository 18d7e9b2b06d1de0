// Pos text, one game or opening per line: cells as letter and number, `h8g7f6`, with optional blanks and commas.
//
// A file does not show its convention: c-gomoku-cli counts rows from the top, renju boards from the bottom. So there
// are two formats, pos-top and pos-bottom, and the user must choose.
#include "store/formats/formats_internal.h"

#include "game/notation.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Cuts off letters and the digits after them, or any other single character.
static Span next_cell(Span *rest)
{
    size_t length = 0;
    while (length < rest->length && is_letter(rest->at[length]))
        length++;
    while (length < rest->length && is_digit(rest->at[length]))
        length++;
    length = length > 0 ? length : 1;
    Span cell = {rest->at, length};
    *rest = (Span){rest->at + length, rest->length - length};
    return cell;
}

// Converts between rows counted from the top and from the bottom.
static Cell turned(Cell cell, const Rules *rules)
{
    return cell_at(cell_column(cell), row_from_top(rules, cell));
}

static bool read_line(FormatReader *reader, size_t line, Span text)
{
    bool from_top = reader->options.format->from_top;
    const Rules *rules = &reader->record.rules;
    Span rest = text;
    while (rest.length > 0) {
        if (rest.at[0] == ' ' || rest.at[0] == ',' || rest.at[0] == '\t') {
            rest = (Span){rest.at + 1, rest.length - 1};
            continue;
        }
        Span word = next_cell(&rest);
        Cell cell = CELL_NONE;
        Error error = {0};
        if (cell_parse(word, rules, &cell, &error) != STATUS_OK) {
            error_prefix(&error, "character %d: ", (int)(word.at - text.at) + 1);
            return reader_fail_with(reader, line, &error);
        }
        if (!reader_stone(reader, line, from_top ? turned(cell, rules) : cell, RECORD_MS_UNKNOWN))
            return false;
    }
    return true;
}

void pos_read(FormatReader *reader)
{
    reader_each_line(reader, "gomoku", read_line);
}

Status pos_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_stones(record, "pos", error);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < record->count; i++) {
        char name[CELL_TEXT_SIZE];
        Cell cell = record->stones[i].cell;
        cell_format(format->from_top ? turned(cell, &record->rules) : cell, name);
        text_add(text, "%s", name);
    }
    text_add(text, "\n");
    return STATUS_OK;
}
