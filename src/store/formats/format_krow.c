// krow's own game text (gamefile.h), with several games: each begins with `# krow game`, or with a second line `game
// …`.
#include "store/formats/formats_internal.h"

#include <string.h>

static const char mark[] = "# krow game";

static bool begins_with_key_game(Span line)
{
    Span rest = line, word = {0};
    return span_next_word(&rest, " \t", &word) && span_is(word, "game");
}

bool own_detect(Span text)
{
    Lines lines = lines_of(text);
    while (lines_next(&lines)) {
        if (span_is(lines.line, mark) || begins_with_key_game(lines.line))
            return true;
        if (lines.line.length > 0 && lines.line.at[0] != '#')
            return false;
    }
    return false;
}

static void fill_record(FormatReader *reader, const GameFile *file)
{
    GameRecord *record = &reader->record;
    record->rules = file->game.board.rules;
    record->result = file->result;
    record_set_text(record->first, span_of(file->first));
    record_set_text(record->second, span_of(file->second));
    record_set_text(record->reason, span_of(file->reason));
    record_set_text(record->event, span_of(file->event));
    record_set_text(record->date, span_of(file->date));
    for (unsigned i = 0; i < file->game.played; i++)
        if (!reader_stone(reader, reader->begin_line, file->game.stones[i],
                          i < file->timed ? file->ms[i] : RECORD_MS_UNKNOWN))
            return; // reader_stone has noted the reason
    if (file->is_set_up)
        record_set_up(record, &file->setup);
}

static bool read_game(FormatReader *reader, Span text, size_t line)
{
    GameFile file;
    Error error = {0};
    size_t at = line;
    reader_begin(reader, line);
    if (gamefile_read_at(text, &at, &file, &error) == STATUS_OK)
        fill_record(reader, &file);
    else
        (void)reader_fail_with(reader, at != 0 ? at : line, &error);
    return reader_end(reader);
}

void own_read(FormatReader *reader)
{
    Lines lines = lines_of(reader->text);
    const char *begin = reader->text.at, *line_begin = begin;
    size_t begin_line = 1;
    bool has_game = false, has_any = false; // in the part that began at `begin`
    while (lines_next(&lines)) {
        bool is_game = begins_with_key_game(lines.line), is_mark = span_is(lines.line, mark);
        if (has_any && (is_mark || (is_game && has_game))) {
            if (!read_game(reader, (Span){begin, (size_t)(line_begin - begin)}, begin_line))
                return;
            has_game = has_any = false;
        }
        if (is_mark || (!has_any && lines.line.length > 0)) {
            begin = line_begin;
            begin_line = lines.number;
        }
        has_game |= is_game;
        has_any |= lines.line.length > 0 && lines.line.at[0] != '#';
        line_begin = lines.rest.at;
    }
    if (has_any)
        (void)read_game(reader, (Span){begin, (size_t)(line_begin - begin)}, begin_line);
}

Status own_write(const Format *format, const GameRecord *record, Text *text, Error *error)
{
    (void)format;
    GameFile file = {.result = record->result, .is_set_up = record->setup != NULL};
    Status status = record_replay(record, &file.game, NULL, error);
    if (status != STATUS_OK)
        return status;
    if (record->setup != NULL)
        board_copy(&file.setup, record->setup);
    memcpy(file.first, record->first, sizeof file.first);
    memcpy(file.second, record->second, sizeof file.second);
    memcpy(file.event, record->event, sizeof file.event);
    memcpy(file.date, record->date, sizeof file.date);
    memcpy(file.reason, record->reason, sizeof file.reason);
    for (unsigned i = 0; i < record->count; i++) {
        file.ms[i] = record->stones[i].ms;
        if (file.ms[i] >= 0)
            file.timed = (uint16_t)(i + 1); // omits unknown times at the end
    }
    gamefile_write(&file, text);
    return STATUS_OK;
}
