// Cells, move lists and positions as text.
//
// Columns are a to z, then aa, ab and so on; row 1 is the lowest one: h8, aa12. Letters are read in either case.
// Functions that write text work like snprintf: they write at most `size` bytes with the terminating zero and return
// the length of the whole text.
#ifndef KROW_NOTATION_H
#define KROW_NOTATION_H

#include <krow/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KROW_CELL_TEXT_SIZE = 8 };

// The name of a cell, "h8". `cell` must be a cell of a 64 x 64 board.
KROW_API void krow_cell_format(KrowCell cell, char text[KROW_CELL_TEXT_SIZE]);

// Reads a cell of a board of these rules.
KROW_API KrowStatus krow_cell_parse(const char *text, const KrowRules *rules, KrowCell *cell, KrowError *error);

// Plays a move list: "h8 i9, j10"; with gravity also columns, "4453". On an error, the stones before the wrong word
// have been played.
KROW_API KrowStatus krow_game_read(KrowGame *game, const char *text, KrowError *error);

// Writes the stones played, separated by blanks.
KROW_API size_t krow_game_write(const KrowGame *game, char *text, size_t size);

// A game that starts from a position in one line: rows from the top separated by '/', X and O for stones, numbers for
// runs of empty cells, then the side to move and its stones left in the turn: "3/1X1/3 O 1". NULL on an error.
KROW_API KrowGame *krow_game_from_fen(const char *text, const KrowRules *rules, KrowError *error);

// Writes the current position in this form.
KROW_API size_t krow_game_to_fen(const KrowGame *game, char *text, size_t size);

// Writes a game as an SGF file; `first` and `second` are the names of the players and may be NULL.
KROW_API size_t krow_game_to_sgf(const KrowGame *game, const char *first, const char *second, char *text, size_t size);

// The main line of the first game of an SGF file. `rules` are for files that do not state them, and may be NULL. NULL
// on an error, also for a file without a game.
KROW_API KrowGame *krow_game_from_sgf(const char *text, const KrowRules *rules, KrowError *error);

#ifdef __cplusplus
}
#endif

#endif
