// Games as cells in krow's own notation, one per line: `h8 i9 h9`, separated by blanks or commas, row 1 at the bottom.
// # begins a comment line.
#include "store/formats/formats_internal.h"

#include "game/notation.h"

static const char separators[] = " \t,";

// One or two letters and a row.
static bool looks_like_cell(Span word)
{
    size_t letters = 0;
    int64_t row = 0;
    while (letters < word.length && word.at[letters] >= 'a' && word.at[letters] <= 'z')
        letters++;
    return (letters == 1 || letters == 2) &&
           span_to_int((Span){word.at + letters, word.length - letters}, 1, RULES_SIDE_MAX, &row);
}

// A file of words without blanks, such as h8g7, is one of the formats pos: so some line must have several cells.
bool cells_detect(Span text)
{
    Lines lines = lines_of(text);
    bool has_several = false;
    while (lines_next_content(&lines)) {
        Span rest = lines.line, word = {0};
        for (unsigned count = 0; span_next_word(&rest, separators, &word); count++) {
            if (!looks_like_cell(word))
                return false;
            has_several = has_several || count > 0;
        }
    }
    return has_several;
}

static bool read_line(FormatReader *reader, size_t line, Span rest)
{
    Span word = {0};
    while (span_next_word(&rest, separators, &word))
        if (!reader_cell(reader, line, word))
            return false;
    return true;
}

void cells_read(FormatReader *reader)
{
    reader_each_line(reader, "gomoku", read_line);
}

Status cells_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_stones(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < record->count; i++) {
        char cell[CELL_TEXT_SIZE];
        cell_format(record->stones[i].cell, cell);
        text_add(text, "%s%s", i > 0 ? " " : "", cell);
    }
    text_add(text, "\n");
    return STATUS_OK;
}
