#include "frontends/output.h"

#include "rules/notation.h"
#include "store/charset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Status output_json(json_t *object, Error *error)
{
    int failed = object == NULL || json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(15)) != 0;
    json_decref(object);
    if (failed)
        return error_set(error, STATUS_IO, "the JSON could not be written");
    (void)putchar('\n');
    return STATUS_OK;
}

json_t *output_cells(const Cell *cells, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)json_array_append_new(list, json_string(name));
    }
    return list;
}

json_t *output_rows(const Board *board)
{
    json_t *list = json_array();
    for (unsigned row = board->rules.height; row-- > 0;) {
        char text[RULES_SIDE_MAX + 1] = "";
        for (unsigned column = 0; column < board->rules.width; column++)
            text[column] = "XO."[board_stone(board, cell_at(column, row))];
        (void)json_array_append_new(list, json_string(text));
    }
    return list;
}

json_t *output_winner(const Board *board)
{
    if (!board_is_over(board))
        return json_null();
    Winner winner = board_winner(board);
    return json_string(winner == WINNER_NONE ? "draw" : side_name(winner == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND));
}

json_t *output_position(const Game *game)
{
    const Board *board = &game->board;
    char text[RULES_TEXT_SIZE], key[24];
    rules_format(&board->rules, text);
    (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)board_key(board));
    Cell line[RULES_CELLS_MAX];
    unsigned line_count = board_winning_cells(board, line);
    json_t *object = json_object();
    (void)json_object_set_new(object, "game", json_string(text));
    (void)json_object_set_new(object, "stones", output_cells(game->stones, game->played));
    (void)json_object_set_new(object, "turn", json_string(side_name(board_side(board))));
    (void)json_object_set_new(object, "stones_left", json_integer(board_stones_left(board)));
    (void)json_object_set_new(object, "over", json_boolean(board_is_over(board)));
    (void)json_object_set_new(object, "winner", output_winner(board));
    (void)json_object_set_new(object, "line", output_cells(line, line_count));
    (void)json_object_set_new(object, "rows", output_rows(board));
    (void)json_object_set_new(object, "key", json_string(key));
    return object;
}

void output_proven(const Decision *decision, char *text, size_t size)
{
    static const char *const names[] = {"", "win", "loss", "draw"};
    if (decision->proven != PROVEN_NOTHING && decision->distance >= 0)
        (void)snprintf(text, size, "%s in %d", names[decision->proven], decision->distance);
    else
        (void)snprintf(text, size, "%s", names[decision->proven]);
}

const char *output_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

const char *output_number(uint64_t number, char text[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

bool output_has_colours(void)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

json_t *output_text(const char *text)
{
    char clean[1024];
    utf8_clean(span_of(text), clean, sizeof clean);
    return json_string(clean);
}
