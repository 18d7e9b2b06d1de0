// A game: rules, a board and the stones in the order in which they were played.
//
// Functions that list cells write at most `capacity` of them and return the number of cells that exist, which may be
// larger. KROW_CELLS_MAX cells are always enough.
#ifndef KROW_GAME_H
#define KROW_GAME_H

#include <krow/board.h>
#include <krow/rules.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct KrowGame KrowGame;

// A game that starts from the empty board. NULL if the rules are wrong. Free it with krow_game_free.
KROW_API KrowGame *krow_game_new(const KrowRules *rules, KrowError *error);

// An independent copy, to be freed as well.
KROW_API KrowGame *krow_game_copy(const KrowGame *game);

KROW_API void krow_game_free(KrowGame *game); // NULL is allowed

KROW_API void krow_game_rules(const KrowGame *game, KrowRules *rules);

// --- Playing ---

// Places the next stone of the side to move. If the cell is not legal, nothing changes and the error states the reason.
KROW_API KrowStatus krow_game_play(KrowGame *game, KrowCell cell, KrowError *error);

// Takes the last stone back; false if no stone has been played.
KROW_API bool krow_game_undo(KrowGame *game);

// --- State ---

KROW_API KrowSide krow_game_side(const KrowGame *game); // the side to move

// Stones that the side to move still places in this turn; 0 if the game is over.
KROW_API unsigned krow_game_stones_left(const KrowGame *game);

KROW_API bool krow_game_is_over(const KrowGame *game); // won, or the board is full

KROW_API KrowSide krow_game_winner(const KrowGame *game); // KROW_NONE: not decided, or a draw

// The stone on a cell; KROW_NONE for an empty cell and for a cell outside the board.
KROW_API KrowSide krow_game_at(const KrowGame *game, KrowCell cell);

// Stones played since the start position, and the n-th of them, from 0; KROW_CELL_NONE if there are not that many.
KROW_API size_t krow_game_played(const KrowGame *game);
KROW_API KrowCell krow_game_stone(const KrowGame *game, size_t n);

// A hash of the position: stones, side to move and stones left in the turn. Equal positions of the same rules have
// equal keys in every process of the same version.
KROW_API uint64_t krow_game_key(const KrowGame *game);

// --- Legal moves and wins ---

KROW_API bool krow_game_is_legal(const KrowGame *game, KrowCell cell);

// All legal cells for the next stone, row by row from a1; none if the game is over.
KROW_API size_t krow_game_legal(const KrowGame *game, KrowCell *cells, size_t capacity);

// The cells of all winning rows, row by row; none if there is no winner.
KROW_API size_t krow_game_winning_cells(const KrowGame *game, KrowCell *cells, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
