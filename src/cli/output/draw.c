// Boards as text for people.
#include "cli/output/draw.h"

#include "cli/output/output.h"
#include "game/notation.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

DrawStyle draw_style(void)
{
    DrawStyle style = {.colours = output_has_colours()};
    (void)setlocale(LC_CTYPE, "");
    style.discs = style.colours && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        style.columns = size.ws_col;
    return style;
}

typedef struct {
    const Game *game;
    DrawStyle style;
    FILE *out;
    const DrawNumbers *numbers;       // NULL: none
    bool letters;                     // for numbers of two digits
    unsigned gap;                     // columns between cells, 0 to 2; with 2 there is room for two digits
    uint64_t last[RULES_SIDE_MAX];    // stones of the last turn, a word a row
    uint64_t winning[RULES_SIDE_MAX]; // stones of winning rows
} Drawing;

static bool has_bit(const uint64_t *rows, unsigned column, unsigned row)
{
    return (rows[row] >> column & 1) != 0;
}

static void mark(uint64_t *rows, const Cell *cells, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        rows[cell_row(cells[i])] |= UINT64_C(1) << cell_column(cells[i]);
}

// Column letters; beyond z in two lines, the first letter above the second.
static void draw_columns(const Drawing *drawing)
{
    unsigned width = drawing->game->board.rules.width;
    for (int line = width > 26 ? 0 : 1; line < 2; line++) {
        (void)fprintf(drawing->out, drawing->gap == 0 ? "   " : "  ");
        for (unsigned column = 0; column < width; column++) {
            char name[CELL_TEXT_SIZE];
            column_format(column, name);
            char letter = line == 1 ? name[strlen(name) - 1] : name[1] != '\0' ? name[0] : ' ';
            (void)fprintf(drawing->out, "%*s%c", (int)drawing->gap, "", letter);
        }
        (void)fputc('\n', drawing->out);
    }
}

static unsigned number_at(const Drawing *drawing, unsigned column, unsigned row)
{
    return drawing->numbers != NULL ? drawing->numbers->number[cell_at(column, row)] : 0;
}

// A number as one character. X and O would be taken for stones, and o and x nearly.
static char number_letter(unsigned number)
{
    static const char letters[] = "123456789abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ";
    return number < sizeof letters ? letters[number - 1] : '*';
}

static const char disc[] = "●";

static bool has_discs(const Drawing *drawing)
{
    return drawing->style.discs && drawing->game->board.rules.gravity;
}

// The text of a cell: one character, or two for a number that fits.
static void draw_cell(const Drawing *drawing, unsigned column, unsigned row)
{
    Stone stone = board_stone(&drawing->game->board, cell_at(column, row));
    unsigned number = number_at(drawing, column, row);
    char text[12] = {"XO."[stone]};
    if (number > 0 && (number < 10 || drawing->letters))
        text[0] = number_letter(number);
    else if (number > 0)
        (void)snprintf(text, sizeof text, "%u", number);
    if (!drawing->style.colours) {
        (void)fputs(text, drawing->out);
        return;
    }
    // X cyan or, as a disc, red; O yellow; both bold. An empty cell is dim; a number has the colour of its side.
    static const char *const colours[2][5] = {{"1;36", "1;33", "2", "36", "33"}, {"1;31", "1;33", "2", "31", "33"}};
    bool discs = has_discs(drawing);
    unsigned colour = (unsigned)stone;
    if (number > 0)
        colour = 3u + (unsigned)((number & 1) != 0 ? drawing->numbers->side : side_other(drawing->numbers->side));
    (void)fprintf(drawing->out, "\033[%s%s%sm%s\033[0m", colours[discs][colour],
                  has_bit(drawing->last, column, row) && !discs ? ";7" : "",
                  has_bit(drawing->winning, column, row) ? ";4" : "",
                  discs && number == 0 && stone != STONE_NONE ? disc : text);
}

// Draws the gap before a cell or after the last one.
static void draw_gap(const Drawing *drawing, unsigned column, unsigned row)
{
    bool is_cell = column < drawing->game->board.rules.width;
    char gap[] = "  ";
    if (column > 0 && has_bit(drawing->last, column - 1, row))
        gap[0] = ')';
    // Neighbours share a gap of one character: "(X X)".
    bool shares = gap[0] == ')' && drawing->gap == 1;
    if (is_cell && drawing->gap > 0 && has_bit(drawing->last, column, row))
        gap[drawing->gap - 1] = shares ? ' ' : '(';
    bool has_two = is_cell && !drawing->letters && number_at(drawing, column, row) > 9;
    (void)fprintf(drawing->out, "%.*s", (int)drawing->gap - has_two, gap);
}

static void draw_row(const Drawing *drawing, unsigned row)
{
    unsigned width = drawing->game->board.rules.width;
    (void)fprintf(drawing->out, drawing->gap == 0 ? "%2u " : "%2u", row + 1);
    for (unsigned column = 0; column < width; column++) {
        draw_gap(drawing, column, row);
        draw_cell(drawing, column, row);
    }
    (void)fputc(drawing->gap > 0 && has_bit(drawing->last, width - 1, row) ? ')' : ' ', drawing->out);
    (void)fprintf(drawing->out, "%u\n", row + 1);
}

static void draw_legend(const Drawing *drawing)
{
    (void)fprintf(drawing->out, "turns from 10 on:");
    for (unsigned number = drawing->numbers->first > 10 ? drawing->numbers->first : 10;
         number <= drawing->numbers->highest; number++)
        (void)fprintf(drawing->out, " %c = %u", number_letter(number), number);
    (void)fputc('\n', drawing->out);
}

static bool fits(const Game *game, DrawStyle style, unsigned gap)
{
    return style.columns == 0 || (gap + 1) * game->board.rules.width + 5 <= style.columns;
}

void draw_number(DrawNumbers *numbers, Cell cell, unsigned number)
{
    numbers->number[cell] = (uint8_t)number;
    if (number > numbers->highest)
        numbers->highest = (uint8_t)number;
}

void draw_numbered(const Game *game, const DrawNumbers *numbers, DrawStyle style, FILE *out)
{
    const Rules *rules = &game->board.rules;
    Drawing drawing = {.game = game, .style = style, .out = out, .numbers = numbers};
    bool has_two = numbers != NULL && numbers->highest > 9;
    drawing.gap = has_two && fits(game, style, 2) ? 2 : fits(game, style, 1) ? 1 : 0;
    drawing.letters = has_two && drawing.gap < 2;
    unsigned last = game_last_turn(game);
    mark(drawing.last, game->stones + (game->played - last), last);
    Cell winning[RULES_CELLS_MAX];
    mark(drawing.winning, winning, board_winning_cells(&game->board, winning));
    draw_columns(&drawing);
    for (unsigned row = rules->height; row-- > 0;)
        draw_row(&drawing, row);
    draw_columns(&drawing);
    if (has_discs(&drawing))
        (void)fprintf(out, "X \033[1;31m%s\033[0m   O \033[1;33m%s\033[0m\n", disc, disc);
    if (drawing.letters)
        draw_legend(&drawing);
}

void draw_board(const Game *game, DrawStyle style, FILE *out)
{
    draw_numbered(game, NULL, style, out);
}

void draw_state(const Game *game, FILE *out)
{
    const Board *board = &game->board;
    if (board_winner(board) != WINNER_NONE) {
        Side side = board_winner(board) == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND;
        Cell cells[RULES_CELLS_MAX];
        (void)fprintf(out, "%c wins with ", side_letter(side));
        output_print_cells(cells, board_winning_cells(board, cells), out);
        (void)fprintf(out, " after %u stones.\n", board_count(board));
        return;
    }
    if (board_is_over(board)) {
        (void)fprintf(out, "The board is full: a draw.\n");
        return;
    }
    unsigned left = board_stones_left(board);
    (void)fprintf(out, "%c to move, %u stone%s.\n", side_letter(board_side(board)), left, left == 1 ? "" : "s");
}
