#include "frontends/draw.h"

#include "frontends/output.h"
#include "rules/notation.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

DrawStyle draw_style(void)
{
    DrawStyle style = {.colours = output_has_colours()};
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        style.columns = size.ws_col;
    return style;
}

typedef struct {
    const Game *game;
    DrawStyle style;
    FILE *out;
    bool close;                       // cells side by side, without room between them
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
        (void)fprintf(drawing->out, drawing->close ? "   " : "  ");
        for (unsigned column = 0; column < width; column++) {
            char name[CELL_TEXT_SIZE];
            column_format(column, name);
            char letter = line == 1 ? name[strlen(name) - 1] : name[1] != '\0' ? name[0] : ' ';
            (void)fprintf(drawing->out, "%s%c", drawing->close ? "" : " ", letter);
        }
        (void)fputc('\n', drawing->out);
    }
}

static void draw_stone(const Drawing *drawing, unsigned column, unsigned row)
{
    Stone stone = board_stone(&drawing->game->board, cell_at(column, row));
    char letter = "XO."[stone];
    if (!drawing->style.colours) {
        (void)fputc(letter, drawing->out);
        return;
    }
    // X cyan, O yellow, both bold; an empty cell dim.
    static const char *const colours[] = {"1;36", "1;33", "2"};
    (void)fprintf(drawing->out, "\033[%s%s%sm%c\033[0m", colours[stone],
                  has_bit(drawing->last, column, row) ? ";7" : "", has_bit(drawing->winning, column, row) ? ";4" : "",
                  letter);
}

static void draw_row(const Drawing *drawing, unsigned row)
{
    unsigned width = drawing->game->board.rules.width;
    (void)fprintf(drawing->out, drawing->close ? "%2u " : "%2u", row + 1);
    for (unsigned column = 0; column < width; column++) {
        bool after_last = column > 0 && has_bit(drawing->last, column - 1, row);
        if (!drawing->close)
            (void)fputc(has_bit(drawing->last, column, row) ? '(' : after_last ? ')' : ' ', drawing->out);
        draw_stone(drawing, column, row);
    }
    (void)fputc(!drawing->close && has_bit(drawing->last, width - 1, row) ? ')' : ' ', drawing->out);
    (void)fprintf(drawing->out, "%u\n", row + 1);
}

void draw_board(const Game *game, DrawStyle style, FILE *out)
{
    const Rules *rules = &game->board.rules;
    Drawing drawing = {.game = game, .style = style, .out = out};
    drawing.close = style.columns != 0 && 2u * rules->width + 5 > style.columns;
    unsigned last = game_last_turn(game);
    mark(drawing.last, game->stones + (game->played - last), last);
    Cell winning[RULES_CELLS_MAX];
    mark(drawing.winning, winning, board_winning_cells(&game->board, winning));
    draw_columns(&drawing);
    for (unsigned row = rules->height; row-- > 0;)
        draw_row(&drawing, row);
    draw_columns(&drawing);
}

static void draw_winning_row(const Board *board, FILE *out)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_winning_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        (void)fprintf(out, "%s%s", i > 0 ? " " : "", name);
    }
}

void draw_state(const Game *game, FILE *out)
{
    const Board *board = &game->board;
    if (board_winner(board) != WINNER_NONE) {
        Side side = board_winner(board) == WINNER_FIRST ? SIDE_FIRST : SIDE_SECOND;
        (void)fprintf(out, "%c wins with ", side_letter(side));
        draw_winning_row(board, out);
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
