// Functions shared by the readers and writers of the formats.
#include "store/formats/formats_internal.h"

#include "game/notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_begin(FormatReader *reader, size_t line)
{
    record_clear(&reader->record);
    reader->damaged = false;
    reader->begin_line = line;
}

bool reader_fail_with(FormatReader *reader, size_t line, const Error *error)
{
    assert(error->status != STATUS_OK);
    if (reader->damaged)
        return false;
    reader->damaged = true;
    reader->error_line = line;
    reader->reason = *error;
    return false;
}

bool reader_fail(FormatReader *reader, size_t line, const char *why, ...)
{
    Error error = {.status = STATUS_BAD_INPUT};
    va_list arguments;
    va_start(arguments, why);
    (void)vsnprintf(error.text, sizeof error.text, why, arguments);
    va_end(arguments);
    return reader_fail_with(reader, line, &error);
}

bool reader_use_rules(FormatReader *reader, const char *usual)
{
    if (reader->options.rules != NULL) {
        reader->record.rules = *reader->options.rules;
        return true;
    }
    Error error = {0};
    return rules_parse(span_of(usual), &reader->record.rules, &error) == STATUS_OK ||
           reader_fail_with(reader, reader->begin_line, &error);
}

bool reader_use_board(FormatReader *reader, size_t line, int64_t width, int64_t height, Rules usual)
{
    const Rules *given = reader->options.rules;
    if (width < 1 || width > RULES_SIDE_MAX || height < 1 || height > RULES_SIDE_MAX)
        return reader_fail(reader, line, "the board is %lldx%lld, but each side must be 1 to %d", (long long)width,
                           (long long)height, RULES_SIDE_MAX);
    if (given != NULL && (given->width != width || given->height != height))
        return reader_fail(reader, line, "the file has a board of %lldx%lld, but the given rules have %dx%d",
                           (long long)width, (long long)height, given->width, given->height);
    usual.width = (uint8_t)width;
    usual.height = (uint8_t)height;
    reader->record.rules = given != NULL ? *given : usual;
    Error error = {0};
    return rules_check(&reader->record.rules, &error) == STATUS_OK || reader_fail_with(reader, line, &error);
}

bool reader_stone(FormatReader *reader, size_t line, Cell cell, int64_t ms)
{
    Error error = {0};
    if (reader->damaged)
        return false;
    RecordStone stone = {.cell = cell, .ms = (int32_t)ms, .line = (uint32_t)line};
    return record_add(&reader->record, stone, &error) == STATUS_OK || reader_fail_with(reader, line, &error);
}

bool reader_stone_from_top(FormatReader *reader, size_t line, int64_t column, int64_t row, int64_t ms)
{
    const Rules *rules = &reader->record.rules;
    if (reader->damaged)
        return false;
    if (column < 0 || column >= rules->width || row < 0 || row >= rules->height)
        return reader_fail(
            reader, line, "stone %u: column %lld, row %lld from the top left (1, 1) is outside the %dx%d board",
            reader->record.count + 1, (long long)column + 1, (long long)row + 1, rules->width, rules->height);
    return reader_stone(reader, line, cell_at((unsigned)column, rules->height - 1u - (unsigned)row), ms);
}

bool reader_cell(FormatReader *reader, size_t line, Span word)
{
    Cell cell = CELL_NONE;
    Error error = {0};
    if (cell_parse(word, &reader->record.rules, &cell, &error) == STATUS_OK)
        return reader_stone(reader, line, cell, RECORD_MS_UNKNOWN);
    error_prefix(&error, "stone %u: ", reader->record.count + 1);
    return reader_fail_with(reader, line, &error);
}

static void check_game(FormatReader *reader)
{
    GameRecord *record = &reader->record;
    unsigned stone = 0;
    Error error = {0};
    if (record_check(record, &reader->game, &stone, &error) == STATUS_OK)
        return;
    bool is_stone = stone < record->count && record->stones[stone].line != 0;
    reader_fail_with(reader, is_stone ? record->stones[stone].line : reader->begin_line, &error);
}

bool reader_end(FormatReader *reader)
{
    if (reader->stopped)
        return false;
    if (!reader->damaged)
        check_game(reader);
    reader->games++;
    FormatItem item = {&reader->record, reader->games, reader->begin_line, NULL};
    if (reader->damaged) {
        item = (FormatItem){NULL, reader->games, reader->error_line, &reader->reason};
        if (reader->first_error.status == STATUS_OK) {
            reader->first_error = reader->reason;
            reader->first_line = reader->error_line;
        }
    }
    reader->stopped = !reader->sink(reader->context, &item);
    reader->damaged = false;
    return !reader->stopped;
}

Lines lines_of(Span text)
{
    return (Lines){.rest = text, .line = {"", 0}};
}

bool lines_next(Lines *lines)
{
    if (!span_next_part(&lines->rest, '\n', &lines->line))
        return false;
    lines->line = span_trim(lines->line);
    lines->number++;
    return true;
}

bool lines_next_content(Lines *lines)
{
    while (lines_next(lines))
        if (lines->line.length > 0 && lines->line.at[0] != '#')
            return true;
    return false;
}

void reader_each_line(FormatReader *reader, const char *usual, FormatLineReader *read_line)
{
    for (Lines lines = lines_of(reader->text); lines_next_content(&lines);) {
        reader_begin(reader, lines.number);
        if (reader_use_rules(reader, usual))
            (void)read_line(reader, lines.number, lines.line);
        if (!reader_end(reader))
            return;
    }
}

bool stone_line_looks_like(Span line)
{
    bool comma = false;
    for (size_t i = 0; i < line.length; i++) {
        if (line.at[i] == '\0' || strchr("0123456789-, \t", line.at[i]) == NULL)
            return false;
        comma |= line.at[i] == ',';
    }
    return comma;
}

bool stone_line_read(FormatReader *reader, size_t line, Span text, StoneLine *stone)
{
    Span rest = text, part = {0};
    int64_t number[3] = {0, 0, RECORD_MS_UNKNOWN};
    int count = 0;
    bool good = true;
    while (good && span_next_part(&rest, ',', &part)) {
        good = count < 3 && span_to_int(span_trim(part), 0, INT32_MAX, &number[count]);
        count++;
    }
    if (!good || count < 2)
        return reader_fail(reader, line, "stone %u: expected x,y or x,y,ms, found '%.*s'", reader->record.count + 1,
                           SPAN_PRINT(text));
    *stone = (StoneLine){number[0], number[1], number[2]};
    return true;
}

Status writer_needs_no_setup(const GameRecord *record, const char *format, Error *error)
{
    return record->setup == NULL
               ? STATUS_OK
               : error_set(error, STATUS_BAD_INPUT, "%s does not support set-up positions; sgf and krow do", format);
}

Status writer_needs_stones(const GameRecord *record, const char *format, Error *error)
{
    if (record->count == 0)
        return error_set(error, STATUS_BAD_INPUT, "%s does not support games without stones", format);
    return writer_needs_no_setup(record, format, error);
}

void writer_add_stone_lines(const GameRecord *record, unsigned first, Text *text)
{
    for (unsigned i = 0; i < record->count; i++) {
        const RecordStone *stone = &record->stones[i];
        text_add(text, "%u,%u,%d\n", cell_column(stone->cell) + first,
                 row_from_top(&record->rules, stone->cell) + first, stone->ms >= 0 ? stone->ms : 0);
    }
}

Status writer_needs_five(const GameRecord *record, const char *format, Error *error)
{
    const Rules *rules = &record->rules;
    if (rules->k == 5 && rules->p == 1 && rules->q == 1 && !rules->gravity)
        return writer_needs_no_setup(record, format, error);
    char text[RULES_TEXT_SIZE];
    rules_format(rules, text);
    return error_set(error, STATUS_BAD_INPUT, "%s supports only five in a row, not %s; sgf and krow support all games",
                     format, text);
}
