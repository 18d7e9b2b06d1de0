// A game: a board and the stones that led to it, in order. Plain data; this is what an agent sees.
#pragma once

#include "game/board.h"

typedef struct {
    Board board;
    BoardState start; // state of the board before stones[0]
    uint16_t played;  // stones in `stones`; those of a set-up position are not among them
    Cell stones[RULES_CELLS_MAX];
} Game;

void game_init(Game *game, const Rules *rules);

// Begins from a position that was set up on a board (board_put, board_set_turn).
void game_init_from(Game *game, const Board *board);

// Copies the part in use.
void game_copy(Game *to, const Game *from);

// Places the next stone on a legal cell.
void game_play(Game *game, Cell cell);

// The same for a cell from outside: if it is not legal, nothing changes and the error says why in the words of players.
Status game_try(Game *game, Cell cell, Error *error);

// Takes the last stone back; false when none has been played.
bool game_undo(Game *game);

// How many stones at the end of `stones` belong to the last turn that was begun: 0 when none has been played.
unsigned game_last_turn(const Game *game);

static inline bool game_is_over(const Game *game)
{
    return board_is_over(&game->board);
}

static inline Cell game_last(const Game *game)
{
    return game->played > 0 ? game->stones[game->played - 1] : (Cell)CELL_NONE;
}

// Whose stone the n-th played one is, n from 0.
Side game_side_of(const Game *game, unsigned n);

// Words for people and for JSON: "first", "second".
const char *side_name(Side side);
char side_letter(Side side); // X, O
