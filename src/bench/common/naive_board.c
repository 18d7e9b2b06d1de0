// A second, plain implementation of the rules: the baseline of benchmarks and the reference of tests.
#include "bench/common/naive_board.h"

#include <string.h>

void naive_init(NaiveBoard *board, const Rules *rules)
{
    memset(board, 0, sizeof *board);
    board->rules = *rules;
    memset(board->cell, '.', sizeof board->cell);
}

static bool on_board(const NaiveBoard *board, int column, int row)
{
    return column >= 0 && column < board->rules.width && row >= 0 && row < board->rules.height;
}

char naive_side(const Rules *rules, int n)
{
    char side = 'X';
    int left = rules->q;
    for (int i = 0; i < n; i++) {
        left--;
        if (left == 0) {
            side = side == 'X' ? 'O' : 'X';
            left = rules->p;
        }
    }
    return side;
}

int naive_left(const Rules *rules, int n)
{
    int left = rules->q;
    for (int i = 0; i < n; i++)
        left = left == 1 ? rules->p : left - 1;
    return left;
}

// The number of stones of the same side from a cell onwards in one direction, the cell included.
static int count_along(const NaiveBoard *board, int column, int row, int dx, int dy)
{
    char side = board->cell[column][row];
    int count = 0;
    while (on_board(board, column, row) && board->cell[column][row] == side) {
        count++;
        column += dx;
        row += dy;
    }
    return count;
}

// Whether a winning row begins at this cell; the cell before it is not of the same side.
static bool begins_winning_row(const NaiveBoard *board, int column, int row, int dx, int dy)
{
    char side = board->cell[column][row];
    if (on_board(board, column - dx, row - dy) && board->cell[column - dx][row - dy] == side)
        return false;
    int count = count_along(board, column, row, dx, dy);
    return board->rules.exact ? count == board->rules.k : count >= board->rules.k;
}

char naive_winner(const NaiveBoard *board)
{
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int column = 0; column < board->rules.width; column++)
        for (int row = 0; row < board->rules.height; row++)
            for (int d = 0; d < 4; d++)
                if (board->cell[column][row] != '.' &&
                    begins_winning_row(board, column, row, directions[d][0], directions[d][1]))
                    return board->cell[column][row];
    return '.';
}

bool naive_is_over(const NaiveBoard *board)
{
    return naive_winner(board) != '.' || board->stones == board->rules.width * board->rules.height;
}

bool naive_is_legal(const NaiveBoard *board, int column, int row)
{
    if (!on_board(board, column, row) || board->cell[column][row] != '.' || naive_is_over(board))
        return false;
    return !board->rules.gravity || row == 0 || board->cell[column][row - 1] != '.';
}

void naive_play(NaiveBoard *board, int column, int row)
{
    board->cell[column][row] = naive_side(&board->rules, board->stones);
    board->column[board->stones] = column;
    board->row[board->stones] = row;
    board->stones++;
}

void naive_undo(NaiveBoard *board)
{
    board->stones--;
    board->cell[board->column[board->stones]][board->row[board->stones]] = '.';
}

uint64_t naive_perft(NaiveBoard *board, int depth)
{
    if (depth == 0)
        return 1;
    uint64_t count = 0;
    for (int column = 0; column < board->rules.width; column++)
        for (int row = 0; row < board->rules.height; row++)
            if (naive_is_legal(board, column, row)) {
                naive_play(board, column, row);
                count += naive_perft(board, depth - 1);
                naive_undo(board);
            }
    return count;
}
