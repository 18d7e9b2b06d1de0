// A game: rules, board and the stones in order.
#include "game/game.h"

#include "game/notation.h"

#include <string.h>

void game_init(Game *game, const Rules *rules)
{
    board_init(&game->board, rules);
    game->start = game->board.state;
    game->played = 0;
}

void game_init_from(Game *game, const Board *board)
{
    board_copy(&game->board, board);
    game->start = board->state;
    game->played = 0;
}

void game_copy(Game *to, const Game *from)
{
    board_copy(&to->board, &from->board);
    to->start = from->start;
    to->played = from->played;
    memcpy(to->stones, from->stones, from->played * sizeof from->stones[0]);
}

void game_play(Game *game, Cell cell)
{
    (void)board_play(&game->board, cell);
    game->stones[game->played++] = cell;
}

// Sets the error for an illegal cell of a game that is not over.
static Status illegal_cell(const Board *board, Cell cell, Error *error)
{
    char name[CELL_TEXT_SIZE], column[CELL_TEXT_SIZE], lowest[CELL_TEXT_SIZE];
    cell_format(cell, name);
    column_format(cell_column(cell), column);
    Stone stone = board_stone(board, cell);
    unsigned row = board_drop_row(board, cell_column(cell));
    if (board->rules.gravity && row >= board->rules.height)
        return error_set(error, STATUS_BAD_INPUT, "%s is taken, and column %s is full", name, column);
    cell_format(cell_at(cell_column(cell), row), lowest);
    if (stone != STONE_NONE)
        return error_set(error, STATUS_BAD_INPUT, "%s is taken by %c%s%s", name, side_letter((Side)stone),
                         board->rules.gravity ? "; the next stone of its column falls to " : "",
                         board->rules.gravity ? lowest : "");
    return error_set(error, STATUS_BAD_INPUT, "%s would float: a stone in column %s falls to %s", name, column, lowest);
}

Status game_try(Game *game, Cell cell, Error *error)
{
    const Board *board = &game->board;
    if (board_winner(board) != WINNER_NONE)
        return error_set(error, STATUS_BAD_INPUT, "the game is over: the %s player has won",
                         board_winner(board) == WINNER_FIRST ? "first" : "second");
    if (board_is_over(board))
        return error_set(error, STATUS_BAD_INPUT, "the game is over: the board is full, a draw");
    if (!board_has(board, cell))
        return error_set(error, STATUS_BAD_INPUT, "the cell is outside the %dx%d board", board->rules.width,
                         board->rules.height);
    if (!board_is_legal(board, cell))
        return illegal_cell(board, cell, error);
    game_play(game, cell);
    return STATUS_OK;
}

bool game_undo(Game *game)
{
    if (game->played == 0)
        return false;
    Cell cell = game->stones[--game->played];
    BoardState before = {.turn = board_turn_after(&game->board, game->start.turn, game->played)};
    Side side = (Side)(before.turn >> 32 & 1);
    before.stones_key = game->board.state.stones_key ^ zobrist_stone[cell][side];
    board_undo(&game->board, cell, before);
    return true;
}

Side game_side_of(const Game *game, unsigned n)
{
    return (Side)(board_turn_after(&game->board, game->start.turn, n) >> 32 & 1);
}

unsigned game_last_turn(const Game *game)
{
    unsigned count = 0;
    while (count < game->played &&
           game_side_of(game, game->played - 1 - count) == game_side_of(game, game->played - 1u))
        count++;
    return count;
}

const char *side_name(Side side)
{
    return side == SIDE_FIRST ? "first" : "second";
}

char side_letter(Side side)
{
    return side == SIDE_FIRST ? 'X' : 'O';
}
