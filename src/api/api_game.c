// Public library: games and their notation.
#include "api/api_internal.h"

#include "base/memory.h"
#include "game/fen.h"
#include "game/notation.h"

#include <stdlib.h>

static_assert((int)KROW_FIRST == STONE_FIRST && (int)KROW_SECOND == STONE_SECOND && (int)KROW_NONE == STONE_NONE &&
                  (int)KROW_FIRST == SIDE_FIRST && (int)KROW_SECOND == SIDE_SECOND,
              "public and internal sides are equal");
static_assert((int)KROW_CELL_NONE == CELL_NONE && (int)KROW_CELL_TEXT_SIZE == CELL_TEXT_SIZE,
              "public and internal cells are equal");

KrowGame *krow_game_new(const KrowRules *rules, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) != STATUS_OK) {
        (void)api_error(error, &failure);
        return NULL;
    }
    KrowGame *game = memory_new(1, sizeof *game);
    game_init(&game->game, &checked);
    return game;
}

KrowGame *krow_game_copy(const KrowGame *game)
{
    KrowGame *copy = memory_new(1, sizeof *copy);
    game_copy(&copy->game, &game->game);
    return copy;
}

void krow_game_free(KrowGame *game)
{
    free(game);
}

void krow_game_rules(const KrowGame *game, KrowRules *rules)
{
    api_rules_out(&game->game.board.rules, rules);
}

KrowStatus krow_game_play(KrowGame *game, KrowCell cell, KrowError *error)
{
    Error failure = {0};
    return game_try(&game->game, cell, &failure) == STATUS_OK ? KROW_OK : api_error(error, &failure);
}

bool krow_game_undo(KrowGame *game)
{
    return game_undo(&game->game);
}

KrowSide krow_game_side(const KrowGame *game)
{
    return (KrowSide)board_side(&game->game.board);
}

unsigned krow_game_stones_left(const KrowGame *game)
{
    return board_stones_left(&game->game.board);
}

bool krow_game_is_over(const KrowGame *game)
{
    return game_is_over(&game->game);
}

KrowSide krow_game_winner(const KrowGame *game)
{
    Winner winner = board_winner(&game->game.board);
    return winner == WINNER_FIRST ? KROW_FIRST : winner == WINNER_SECOND ? KROW_SECOND : KROW_NONE;
}

KrowSide krow_game_at(const KrowGame *game, KrowCell cell)
{
    const Board *board = &game->game.board;
    return board_has(board, cell) ? (KrowSide)board_stone(board, cell) : KROW_NONE;
}

size_t krow_game_played(const KrowGame *game)
{
    return game->game.played;
}

KrowCell krow_game_stone(const KrowGame *game, size_t n)
{
    return n < game->game.played ? game->game.stones[n] : (KrowCell)KROW_CELL_NONE;
}

uint64_t krow_game_key(const KrowGame *game)
{
    return board_key(&game->game.board);
}

bool krow_game_is_legal(const KrowGame *game, KrowCell cell)
{
    return board_is_legal(&game->game.board, cell);
}

size_t krow_game_legal(const KrowGame *game, KrowCell *cells, size_t capacity)
{
    Cell list[RULES_CELLS_MAX];
    return api_cells(list, board_legal_cells(&game->game.board, list), cells, capacity);
}

size_t krow_game_winning_cells(const KrowGame *game, KrowCell *cells, size_t capacity)
{
    Cell list[RULES_CELLS_MAX];
    return api_cells(list, board_winning_cells(&game->game.board, list), cells, capacity);
}

void krow_cell_format(KrowCell cell, char text[KROW_CELL_TEXT_SIZE])
{
    if (cell < RULES_CELLS_MAX)
        cell_format(cell, text);
    else
        text[0] = '\0';
}

KrowStatus krow_cell_parse(const char *text, const KrowRules *rules, KrowCell *cell, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) != STATUS_OK ||
        cell_parse(span_of(text), &checked, cell, &failure) != STATUS_OK)
        return api_error(error, &failure);
    return KROW_OK;
}

KrowStatus krow_game_read(KrowGame *game, const char *text, KrowError *error)
{
    Error failure = {0};
    return game_read(&game->game, span_of(text), &failure) == STATUS_OK ? KROW_OK : api_error(error, &failure);
}

size_t krow_game_write(const KrowGame *game, char *text, size_t size)
{
    Text stones = {0};
    game_write(&game->game, &stones);
    return api_give_text(&stones, text, size);
}

KrowGame *krow_game_from_fen(const char *text, const KrowRules *rules, KrowError *error)
{
    KrowGame *game = krow_game_new(rules, error);
    if (game == NULL)
        return NULL;
    Error failure = {0};
    Rules checked = game->game.board.rules;
    if (fen_read(span_of(text), &checked, &game->game, &failure) == STATUS_OK)
        return game;
    krow_game_free(game);
    (void)api_error(error, &failure);
    return NULL;
}

size_t krow_game_to_fen(const KrowGame *game, char *text, size_t size)
{
    Text position = {0};
    fen_write(&game->game.board, &position);
    return api_give_text(&position, text, size);
}
