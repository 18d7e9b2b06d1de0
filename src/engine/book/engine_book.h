// The opening book of the engine: what it found about the first turns of the main games when it had more time than a
// game gives. tools/make-engine-book rebuilds it with the engine itself.
//
// The file (engine/book/engine_book.def) has positions as the stones that lead there, for each the turns that are best,
// all equally good, and their score. A position is found in all its symmetric pictures. Of equal turns, and of
// symmetries that lead to the same picture, one is chosen at random.
#pragma once

#include "base/rng.h"
#include "base/status.h"
#include "game/board.h"

enum { ENGINE_BOOK_STONES = 8 }; // of a turn at most

typedef struct {
    Cell stones[ENGINE_BOOK_STONES];
    unsigned count;
    int score; // for the side to move, in the engine's unit
} EngineBookTurn;

// A position of a book: the stones that lead there, and the turns that are best, with "," between the stones of one.
typedef struct {
    const char *game, *stones, *turns;
    int score;
} EngineBookLine;

typedef struct EngineBook EngineBook;

// The book that comes with krow. *book is NULL if these rules have no book.
Status engine_book_open(EngineBook **book, const Rules *rules, Error *error);

// The same from other lines, each for the game that it names; they are read and not kept.
Status engine_book_read(EngineBook **book, const Rules *rules, const EngineBookLine *lines, unsigned line_count,
                        Error *error);
void engine_book_close(EngineBook *book); // NULL is fine

unsigned engine_book_count(const EngineBook *book); // positions

// The turn for a position of a game that is not over; false if the book has none.
bool engine_book_find(const EngineBook *book, const Board *board, Rng *rng, EngineBookTurn *turn);
