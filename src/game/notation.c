// Names of cells and moves.
#include "game/notation.h"

#include <stdio.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static unsigned letter_value(char c)
{
    return (unsigned)(c >= 'a' ? c - 'a' : c - 'A');
}

void column_format(unsigned column, char text[CELL_TEXT_SIZE])
{
    if (column < 26)
        (void)snprintf(text, CELL_TEXT_SIZE, "%c", (char)('a' + column));
    else
        (void)snprintf(text, CELL_TEXT_SIZE, "%c%c", (char)('a' + column / 26 - 1), (char)('a' + column % 26));
}

void cell_format(Cell cell, char text[CELL_TEXT_SIZE])
{
    column_format(cell_column(cell), text);
    size_t length = strlen(text);
    (void)snprintf(text + length, CELL_TEXT_SIZE - length, "%u", cell_row(cell) + 1);
}

void cell_write_list(Text *text, const Cell *cells, unsigned count, const char *between)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        text_add(text, "%s%s", i > 0 ? between : "", name);
    }
}

// Parses column letters: one, or two from aa on. False for columns beyond the board and for anything else.
static bool column_parse(Span letters, unsigned width, unsigned *column)
{
    unsigned value = 0;
    if (letters.length == 1)
        value = letter_value(letters.at[0]);
    else if (letters.length == 2)
        value = 26 * (letter_value(letters.at[0]) + 1) + letter_value(letters.at[1]);
    else
        return false;
    *column = value;
    return value < width;
}

static Span leading_letters(Span word)
{
    size_t length = 0;
    while (length < word.length && is_letter(word.at[length]))
        length++;
    return (Span){word.at, length};
}

Status cell_parse(Span word, const Rules *rules, Cell *cell, Error *error)
{
    char last[CELL_TEXT_SIZE];
    cell_format(cell_at(rules->width - 1u, rules->height - 1u), last);
    Span letters = leading_letters(word), digits = {word.at + letters.length, word.length - letters.length};
    int64_t row = 0;
    unsigned column = 0;
    bool looks_right =
        letters.length >= 1 && digits.length >= 1 && is_digit(digits.at[0]) && span_to_int(digits, 0, INT64_MAX, &row);
    if (!looks_right)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is no cell; cells go from a1 to %s", SPAN_PRINT(word), last);
    if (!column_parse(letters, rules->width, &column) || row < 1 || row > rules->height)
        return error_set(error, STATUS_BAD_INPUT, "'%.*s' is outside the %dx%d board; cells go from a1 to %s",
                         SPAN_PRINT(word), rules->width, rules->height, last);
    *cell = cell_at(column, (unsigned)row - 1);
    return STATUS_OK;
}

// Drops a stone in a column; messages quote the player's text.
static Status drop(Game *game, Span written, unsigned column, Error *error)
{
    const Rules *rules = &game->board.rules;
    if (column >= rules->width)
        return error_set(error, STATUS_BAD_INPUT, "there is no column '%.*s'; the board has %d", SPAN_PRINT(written),
                         rules->width);
    unsigned row = board_drop_row(&game->board, column);
    if (row >= rules->height && !game_is_over(game))
        return error_set(error, STATUS_BAD_INPUT, "column '%.*s' is full", SPAN_PRINT(written));
    return game_try(game, cell_at(column, row < rules->height ? row : 0), error);
}

// Reads a word of column digits or letters. On boards of more than 26 columns a word of letters is one column, since
// "ab" would be ambiguous.
static Status read_columns(Game *game, Span word, Error *error)
{
    const Rules *rules = &game->board.rules;
    if (is_letter(word.at[0]) && rules->width > 26) {
        unsigned column = 0;
        return drop(game, word, column_parse(word, rules->width, &column) ? column : rules->width, error);
    }
    for (size_t i = 0; i < word.length; i++) {
        char c = word.at[i];
        Span written = {word.at + i, 1};
        if (c == '0')
            return error_set(error, STATUS_BAD_INPUT, "there is no column '0'; columns count from 1");
        unsigned column = is_digit(c) ? (unsigned)(c - '1') : letter_value(c);
        Status status = drop(game, written, column, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static bool all_of(Span word, bool (*is)(char))
{
    for (size_t i = 0; i < word.length; i++)
        if (!is(word.at[i]))
            return false;
    return true;
}

static Status read_word(Game *game, Span word, Error *error)
{
    const Rules *rules = &game->board.rules;
    if (rules->gravity && (all_of(word, is_digit) || all_of(word, is_letter)))
        return read_columns(game, word, error);
    Cell cell = CELL_NONE;
    Status status = cell_parse(word, rules, &cell, error);
    return status == STATUS_OK ? game_try(game, cell, error) : status;
}

Status game_read(Game *game, Span text, Error *error)
{
    Span rest = text, word = {0};
    while (span_next_word(&rest, " ,\t\r\n", &word)) {
        Status status = read_word(game, word, error);
        if (status != STATUS_OK) {
            error_prefix(error, "stone %d, '%.*s', at character %d: ", game->played + 1, SPAN_PRINT(word),
                         (int)(word.at - text.at) + 1);
            return status;
        }
    }
    return STATUS_OK;
}

void game_write(const Game *game, Text *text)
{
    for (unsigned i = 0; i < game->played; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(game->stones[i], name);
        text_add(text, "%s%s", i > 0 ? " " : "", name);
    }
}
