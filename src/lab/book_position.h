// What an opening book says of a position: its counts, and the turns that were played there.
#pragma once

#include "store/db/database_books.h"

// A move that the book has here, and where its stones begin in the list of all.
typedef struct {
    BookCounts counts;
    size_t stones;
    unsigned count;
} BookPositionMove;

// Why a book does not know a position.
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
    unsigned depth; // turns played, where that can be reported
    Game game;
    BookView view;
    BookChoice choice;
    bool is_known;
    BookCounts counts;
    BookPositionMove *moves; // owned; most games first
    size_t move_count, move_capacity;
    Cell *stones; // owned
    size_t stone_count, stone_capacity;
    unsigned dropped;           // moves that do not fit on the board here
    Cell turn[RULES_CELLS_MAX]; // work space
} BookPosition;

// Looks position->game up in the book of this name, or with "" in the newest one for its rules; `found` says whether
// there is such a book. Everything but the game is zeroed before. To be closed also after a failure.
Status book_position_find(BookPosition *position, Database *db, const char *name, bool *found, Error *error);
void book_position_close(BookPosition *position);

uint64_t book_position_games(BookCounts counts);

// Why a position is not known: as a word, NULL where it is known, and as a sentence that follows "It does not know this
// position: ".
const char *book_unknown_word(BookUnknown why);
const char *book_unknown_sentence(BookUnknown why);
