// The entry of a position in an opening book: its counts, and the turns played there.
#pragma once

#include "store/db/database_books.h"

// A move of the book, and the index of its first stone in `stones`.
typedef struct {
    BookCounts counts;
    size_t stones;
    unsigned count;
} BookPositionMove;

// Whether a book knows a position, or why not.
typedef enum {
    BOOK_KNOWN,
    BOOK_UNSEEN,
    BOOK_BEYOND,
    BOOK_MIDDLE,
    BOOK_OVER,
    BOOK_SET_UP_RELATIVE,
    BOOK_SET_UP
} BookUnknown;

typedef struct {
    DatabaseBook book;
    BookUnknown why;
    unsigned depth; // turns played, if known
    Game game;
    BookView view;
    BookChoice choice;
    bool is_known;
    BookCounts counts;
    BookPositionMove *moves; // owned; most games first
    size_t move_count, move_capacity;
    Cell *stones; // owned
    size_t stone_count, stone_capacity;
    unsigned dropped;           // number of moves that do not fit on the board
    Cell turn[RULES_CELLS_MAX]; // work space
} BookPosition;

// Looks up position->game in the book of this name, or with "" in the most recently built one for its rules; `found` is
// false if there is no such book. Zero everything but the game before. Close also after a failure.
Status book_position_find(BookPosition *position, Database *db, const char *name, bool *found, Error *error);
void book_position_close(BookPosition *position);

uint64_t book_position_games(BookCounts counts);

// Why a position is not known: as a word (NULL if it is known), and as a clause that completes "The book does not know
// this position: ".
const char *book_unknown_word(BookUnknown why);
const char *book_unknown_sentence(BookUnknown why);
