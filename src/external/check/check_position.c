// Positions for the checks: quiet stones that never complete a row, and full boards.
#include "external/check/check_internal.h"

void check_new_game(Check *check)
{
    Rules rules = check->game.board.rules;
    game_init(&check->game, &rules);
    check->lattice = 0;
}

Cell check_quiet_cell(Check *check)
{
    const Board *board = &check->game.board;
    const Rules *rules = &board->rules;
    while (check->lattice < rules_cells(rules)) {
        unsigned i = check->lattice++, x = i % rules->width, y = i / rules->width;
        Cell cell = cell_at(x, y);
        if ((x + 2 * y) % 5 == 0 && board_is_legal(board, cell))
            return cell;
    }
    return CELL_NONE;
}

// `run` stones of one side, then as many of the other along a row; each row is shifted by `shift` cells.
static Side side_in_pattern(unsigned x, unsigned y, unsigned run, unsigned shift)
{
    return (x + shift * y) / run % 2 == 0 ? SIDE_FIRST : SIDE_SECOND;
}

static bool fill(const Rules *rules, unsigned run, unsigned shift, Cell free_cell, Game *game)
{
    Board board;
    unsigned count[2] = {0};
    board_init(&board, rules);
    for (unsigned y = 0; y < rules->height; y++)
        for (unsigned x = 0; x < rules->width; x++)
            if (cell_at(x, y) != free_cell) {
                Side side = side_in_pattern(x, y, run, shift);
                board_put(&board, cell_at(x, y), side);
                count[side == SIDE_FIRST ? 0 : 1]++;
            }
    if (board_set_turn(&board, count[0] <= count[1] ? SIDE_FIRST : SIDE_SECOND, 1) != 0)
        return false;
    game_init_from(game, &board);
    return !game_is_over(game);
}

// The free cell is in the top row, so that it exists under gravity, and not on a diagonal of the board.
bool check_full_board(const Rules *rules, Game *game, Cell *free_cell)
{
    *free_cell = cell_at(rules->width > 2 ? rules->width - 3u : 0, rules->height - 1u);
    for (unsigned run = 1; run <= 3; run++)
        for (unsigned shift = 1; shift <= 3; shift++)
            if (fill(rules, run, shift, *free_cell, game))
                return true;
    return false;
}
