// Reads and writes files of krow's own game format.
#include "store/files/gamefile.h"

#include "base/file.h"
#include "game/diagram.h"
#include "game/notation.h"

#include <string.h>

enum { GAMEFILE_SIZE_MAX = 1 << 20 };

bool gamefile_set_up(const Game *game, Board *setup)
{
    // A game from the empty board begins with q stones to place and none on the board.
    if (game->start.turn == game->board.rules.q)
        return false;
    Game before;
    game_copy(&before, game);
    while (game_undo(&before))
        continue;
    board_copy(setup, &before.board);
    return true;
}

Status gamefile_settle(Result *result, const Board *board, Error *error)
{
    Result there = result_of_board(board);
    if (there == RESULT_NONE)
        return STATUS_OK;
    if (*result == RESULT_NONE)
        *result = there;
    return *result == there ? STATUS_OK
                            : error_set(error, STATUS_BAD_INPUT, "the result is '%s', but on the board it is '%s'",
                                        result_name(*result), result_name(there));
}

void gamefile_init(GameFile *file, const Game *start)
{
    *file = (GameFile){0};
    game_copy(&file->game, start);
    file->is_set_up = gamefile_set_up(start, &file->setup);
}

static void write_setup(const Board *setup, Text *text)
{
    Text diagram = {0};
    diagram_write(setup, &diagram);
    Span rest = {diagram.data, diagram.length}, line = {0};
    while (span_next_part(&rest, '\n', &line)) {
        bool is_turn = line.length > 4 && memcmp(line.at, "turn", 4) == 0;
        text_add(text, "%s%.*s\n", is_turn ? "" : "row ", (int)line.length, line.at);
    }
    text_close(&diagram);
}

// Names are user input; a line break in one would begin a new line of the file.
static void write_line(const char *key, const char *value, Text *text)
{
    if (value[0] == '\0')
        return;
    text_add(text, "%s ", key);
    for (; *value != '\0'; value++)
        text_add(text, "%c", *value == '\n' || *value == '\r' ? ' ' : *value);
    text_add(text, "\n");
}

static void write_times(const GameFile *file, Text *text)
{
    unsigned count = file->timed < file->game.played ? file->timed : file->game.played;
    for (unsigned i = 0; i < count; i++) {
        text_add(text, "%s", i == 0 ? "times" : "");
        if (file->ms[i] < 0)
            text_add(text, " -");
        else
            text_add(text, " %d", file->ms[i]);
    }
    if (count > 0)
        text_add(text, "\n");
}

void gamefile_write(const GameFile *file, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&file->game.board.rules, game);
    text_add(text, "# krow game\ngame %s\n", game);
    write_line("first", file->first, text);
    write_line("second", file->second, text);
    if (file->is_set_up)
        write_setup(&file->setup, text);
    text_add(text, "stones ");
    game_write(&file->game, text);
    text_add(text, "\n");
    if (file->result != RESULT_NONE)
        text_add(text, "result %s\n", result_name(file->result));
    write_line("reason", file->reason, text);
    write_line("event", file->event, text);
    write_line("date", file->date, text);
    write_times(file, text);
}

// The state of the reader.
typedef struct {
    GameFile *file;
    bool has_game, has_stones;
    Rules rules;
    Text diagram; // rows and turn of a set-up position
} Reader;

static Status copy_name(Span value, char *name, size_t size, Error *error)
{
    if (value.length >= size)
        return error_set(error, STATUS_BAD_INPUT, "the text is longer than %zu characters", size - 1);
    if (memchr(value.at, '\0', value.length) != NULL)
        return error_set(error, STATUS_BAD_INPUT, "the text has a zero byte");
    // A carriage return within a line would be lost when the file is written again.
    for (size_t i = 0; i < value.length; i++)
        name[i] = value.at[i] == '\r' ? ' ' : value.at[i];
    name[value.length] = '\0';
    return STATUS_OK;
}

static Status begin_game(Reader *reader, Error *error)
{
    GameFile *file = reader->file;
    if (reader->diagram.length == 0) {
        game_init(&file->game, &reader->rules);
        return STATUS_OK;
    }
    Span drawn = {reader->diagram.data, reader->diagram.length};
    Status status = diagram_read(drawn, &reader->rules, &file->game, error);
    if (status != STATUS_OK) {
        error_prefix(error, "the set-up position: ");
        return status;
    }
    file->is_set_up = true;
    board_copy(&file->setup, &file->game.board);
    return STATUS_OK;
}

static Status read_result(Span value, Result *result, Error *error)
{
    *result = result_of_name(value);
    if (*result == RESULT_NONE)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is not one of: first, second, draw", SPAN_PRINT(value));
    return STATUS_OK;
}

static Status read_times(Span value, GameFile *file, Error *error)
{
    Span word = {0};
    file->timed = 0;
    while (span_next_word(&value, " \t", &word)) {
        int64_t ms = -1;
        if (file->timed == RULES_CELLS_MAX || (!span_is(word, "-") && !span_to_int(word, 0, INT32_MAX, &ms)))
            return error_set(error, STATUS_BAD_INPUT, "time %d, '%.*s', is not a number of milliseconds of a stone",
                             file->timed + 1, SPAN_PRINT(word));
        file->ms[file->timed++] = (int32_t)ms;
    }
    return STATUS_OK;
}

static Status read_line(Reader *reader, Span key, Span value, Error *error)
{
    GameFile *file = reader->file;
    if (span_is(key, "game")) {
        if (reader->has_game)
            return error_set(error, STATUS_BAD_INPUT, "'game' is repeated");
        reader->has_game = true;
        return rules_parse(value, &reader->rules, error);
    }
    if (span_is(key, "first"))
        return copy_name(value, file->first, sizeof file->first, error);
    if (span_is(key, "second"))
        return copy_name(value, file->second, sizeof file->second, error);
    if (span_is(key, "reason"))
        return copy_name(value, file->reason, sizeof file->reason, error);
    if (span_is(key, "event"))
        return copy_name(value, file->event, sizeof file->event, error);
    if (span_is(key, "date"))
        return copy_name(value, file->date, sizeof file->date, error);
    if (span_is(key, "times"))
        return read_times(value, file, error);
    if (span_is(key, "result"))
        return read_result(value, &file->result, error);
    if (!reader->has_game)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' comes before 'game'", SPAN_PRINT(key));
    if (reader->has_stones)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' comes after 'stones'", SPAN_PRINT(key));
    if (span_is(key, "row") || span_is(key, "turn")) {
        if (span_is(key, "turn"))
            text_add(&reader->diagram, "turn ");
        text_add_span(&reader->diagram, value);
        text_add(&reader->diagram, "\n");
        return STATUS_OK;
    }
    if (!span_is(key, "stones"))
        return error_set(error, STATUS_BAD_INPUT,
                         "'%.*s' is not one of: game, first, second, row, turn, stones, result, reason, event, date, "
                         "times",
                         SPAN_PRINT(key));
    reader->has_stones = true;
    Status status = begin_game(reader, error);
    return status == STATUS_OK ? game_read(&file->game, value, error) : status;
}

static Status check_whole(Reader *reader, Error *error)
{
    if (!reader->has_game)
        return error_set(error, STATUS_BAD_INPUT, "the line 'game' is missing");
    if (!reader->has_stones)
        return error_set(error, STATUS_BAD_INPUT, "the line 'stones' is missing; the file may be cut off");
    return gamefile_settle(&reader->file->result, &reader->file->game.board, error);
}

Status gamefile_read_at(Span text, size_t *line_number, GameFile *file, Error *error)
{
    *file = (GameFile){0};
    Reader reader = {.file = file};
    Status status = STATUS_OK;
    Span line = {0};
    for (; status == STATUS_OK && span_next_part(&text, '\n', &line); *line_number += status == STATUS_OK) {
        Span rest = span_trim(line), key = {0};
        if (rest.length == 0 || rest.at[0] == '#')
            continue;
        (void)span_next_word(&rest, " \t", &key);
        status = read_line(&reader, key, span_trim(rest), error);
    }
    if (status == STATUS_OK) {
        status = check_whole(&reader, error);
        *line_number = 0;
    }
    text_close(&reader.diagram);
    return status;
}

Status gamefile_read(Span text, GameFile *file, Error *error)
{
    size_t line = 1;
    Status status = gamefile_read_at(text, &line, file, error);
    if (status != STATUS_OK && line != 0)
        error_prefix(error, "line %zu: ", line);
    return status;
}

Status gamefile_save(const GameFile *file, const char *path, Error *error)
{
    Text text = {0};
    gamefile_write(file, &text);
    Status status = file_write_private(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

Status gamefile_load(const char *path, GameFile *file, Error *error)
{
    Text text = {0};
    Status status = file_read(path, GAMEFILE_SIZE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = gamefile_read((Span){text.data, text.length}, file, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}
