// The opening book of the engine: results of long searches of the first turns of the main games. tools/make-engine-book
// rebuilds it with the engine itself.
//
// The file (engine/book/engine_book.def) has positions as sequences of stones, for each the best turns, all equally
// good, and their score. A position is found in all symmetric images. Ties between turns, and between symmetries that
// lead to the same image, are broken at random.
#pragma once

#include "base/rng.h"
#include "base/status.h"
#include "game/board.h"

enum { ENGINE_BOOK_STONES = 8 }; // of a turn at most
#define ENGINE_BOOK_UNIT 100.0   // a score of a Decision is one of the book, divided by this

typedef struct {
    Cell stones[ENGINE_BOOK_STONES];
    unsigned count;
    int score; // for the side to move, in the engine's unit
} EngineBookTurn;

// A position of a book: the stones that lead to it, and the best turns, with "," between the stones of a turn.
typedef struct {
    const char *game, *stones, *turns;
    int score;
} EngineBookLine;

typedef struct EngineBook EngineBook;

// Opens the compiled-in book. *book is NULL if these rules have no book.
Status engine_book_open(EngineBook **book, const Rules *rules, Error *error);

// Opens a book from other lines, each for the game that it names; they need not outlive the call.
Status engine_book_read(EngineBook **book, const Rules *rules, const EngineBookLine *lines, unsigned line_count,
                        Error *error);
void engine_book_close(EngineBook *book); // NULL is fine

// The turns for a position, at most `most`: one of the symmetric images of each. Returns their number.
unsigned engine_book_turns(const EngineBook *book, const Board *board, EngineBookTurn *turns, unsigned most);

// The turn for a position of a game that is not over; false if the book has none.
bool engine_book_find(const EngineBook *book, const Board *board, Rng *rng, EngineBookTurn *turn);
