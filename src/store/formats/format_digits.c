// Connect Four as column digits, one game per line: `4453`, columns 1 to 9 from the left; gravity determines the row. A
// second word, the score in the test sets of solvers, is skipped: it is the value with perfect play, not the result.
#include "store/formats/formats_internal.h"

#include "game/notation.h"

static bool all_columns(Span word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.at[i] < '1' || word.at[i] > '9')
            return false;
    return word.length > 0;
}

bool digits_detect(Span text)
{
    Lines lines = lines_of(text);
    (void)lines_next_content(&lines);
    Span rest = lines.line, word = {0}, score = {0};
    int64_t number = 0;
    return span_next_word(&rest, " \t", &word) && all_columns(word) &&
           (!span_next_word(&rest, " \t", &score) || span_to_int(score, INT32_MIN, INT32_MAX, &number));
}

static bool read_line(FormatReader *reader, size_t line, Span rest)
{
    Span word = {0}, score = {0};
    int64_t number = 0;
    if (!reader->record.rules.gravity)
        return reader_fail(reader, line, "column digits need a game with gravity");
    (void)span_next_word(&rest, " \t", &word);
    if (!all_columns(word))
        return reader_fail(reader, line, "'%.*s' is not a game; columns are digits from 1 to 9", SPAN_PRINT(word));
    if (span_next_word(&rest, " \t", &score) && !span_to_int(score, INT32_MIN, INT32_MAX, &number))
        return reader_fail(reader, line, "'%.*s' after the stones is not a score", SPAN_PRINT(score));
    Game *game = &reader->game;
    Error error = {0};
    game_init(game, &reader->record.rules);
    if (game_read(game, word, &error) != STATUS_OK)
        return reader_fail_with(reader, line, &error);
    for (unsigned i = 0; i < game->played; i++)
        if (!reader_stone(reader, line, game->stones[i], RECORD_MS_UNKNOWN))
            return false;
    return true;
}

void digits_read(FormatReader *reader)
{
    reader_each_line(reader, "connect4", read_line);
}

Status digits_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    Status status = writer_needs_stones(record, format->name, error);
    if (status != STATUS_OK)
        return status;
    if (!record->rules.gravity || record->rules.width > 9)
        return error_set(error, STATUS_BAD_INPUT, "digits supports only games with gravity on at most 9 columns");
    for (unsigned i = 0; i < record->count; i++)
        text_add(text, "%u", cell_column(record->stones[i].cell) + 1);
    text_add(text, "\n");
    return STATUS_OK;
}
