// A game: a board and the stones that led to it, in order. Plain data; agents see a game.
#pragma once

#include "game/board.h"

typedef struct {
    Board board;
    BoardState start; // state of the board before stones[0]
    uint16_t played;  // number of `stones`; those of a set-up position are not included
    Cell stones[RULES_CELLS_MAX];
} Game;

void game_init(Game *game, const Rules *rules);

// Starts from a set-up position (board_put, board_set_turn).
void game_init_from(Game *game, const Board *board);

// Copies the part in use.
void game_copy(Game *to, const Game *from);

// Places the next stone on a legal cell.
void game_play(Game *game, Cell cell);

// The same for an unchecked cell: if it is illegal, nothing changes and the error gives the reason in the terms of
// players.
Status game_try(Game *game, Cell cell, Error *error);

// Takes back the last stone; false if there is none.
bool game_undo(Game *game);

// The number of stones of the last turn that was begun; 0 if none has been played.
unsigned game_last_turn(const Game *game);

static inline bool game_is_over(const Game *game)
{
    return board_is_over(&game->board);
}

static inline Cell game_last(const Game *game)
{
    return game->played > 0 ? game->stones[game->played - 1] : (Cell)CELL_NONE;
}

// The side of stone n, counted from 0.
Side game_side_of(const Game *game, unsigned n);

// "first" or "second", for people and JSON.
const char *side_name(Side side);
char side_letter(Side side); // X, O
