// Openings as offsets, one per line: `dx,dy, dx,dy, …` from the centre, which is column floor(width/2) and row
// floor(height/2), from 0 with the origin top left; dx to the right, dy downwards. # begins a comment line.
#include "store/formats/formats_internal.h"

static const char separators[] = ", \t;";

bool offset_detect(Span text)
{
    Lines lines = lines_of(text);
    (void)lines_next_content(&lines);
    Span rest = lines.line, word = {0};
    int64_t number = 0;
    int count = 0;
    while (span_next_word(&rest, separators, &word)) {
        if (!span_to_int(word, -RULES_SIDE_MAX, RULES_SIDE_MAX, &number))
            return false;
        count++;
    }
    return count > 0 && count % 2 == 0;
}

static bool read_line(FormatReader *reader, size_t line, Span rest)
{
    const Rules *rules = &reader->record.rules;
    Span word = {0};
    int64_t offset[2] = {0, 0};
    int count = 0;
    while (span_next_word(&rest, separators, &word)) {
        if (!span_to_int(word, -RULES_SIDE_MAX, RULES_SIDE_MAX, &offset[count % 2]))
            return reader_fail(reader, line, "number %d, '%.*s', is not an offset; write dx,dy, dx,dy", count + 1,
                               SPAN_PRINT(word));
        count++;
        if (count % 2 == 0 && !reader_stone_from_top(reader, line, rules->width / 2 + offset[0],
                                                     rules->height / 2 + offset[1], RECORD_MS_UNKNOWN))
            return false;
    }
    return count % 2 == 0 || reader_fail(reader, line, "the last offset has a dx but no dy");
}

void offset_read(FormatReader *reader)
{
    reader_each_line(reader, "gomoku", read_line);
}

Status offset_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_stones(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    const Rules *rules = &record->rules;
    for (unsigned i = 0; i < record->count; i++) {
        Cell cell = record->stones[i].cell;
        text_add(text, "%s%d,%d", i > 0 ? ", " : "", (int)cell_column(cell) - rules->width / 2,
                 (int)row_from_top(rules, cell) - rules->height / 2);
    }
    text_add(text, "\n");
    return STATUS_OK;
}
