// What is known about a position: the continuations in the database's games, in opening books, and in the engine's
// book. For `krow explore` and the web board.
#pragma once

#include "engine/book/engine_book.h"
#include "lab/explorer.h"
#include "store/db/database_books.h"

#include <jansson.h>

enum {
    EXPLORER_BOOKS_MAX = 5,  // opening books that are looked up, the newest first
    EXPLORER_MOVES_MAX = 200 // continuations in JSON; the others are counted
};

// What an opening book says about a continuation.
typedef struct {
    unsigned book; // into `books`
    size_t move;   // into the moves of the position
    BookCounts counts;
    bool is_recommended;
} ExplorerBookMove;

typedef struct {
    Game game;
    uint64_t games; // of these rules in the database
    bool is_complete;
    ExplorerPosition found; // also the continuations that only books know, with no game
    DatabaseBook books[EXPLORER_BOOKS_MAX];
    BookCounts in_book[EXPLORER_BOOKS_MAX]; // of this position
    unsigned book_count;
    ExplorerBookMove *book_moves; // owned
    size_t book_move_count, book_move_capacity;
    size_t *engine; // owned: the moves of the engine's book, all of the same score
    unsigned engine_count;
    double engine_score; // for the side to move, in the unit of Decision
} ExplorerView;

// Fills a zeroed view whose `game` is set; the explorer has been updated. `db` may be NULL. Close it also after a
// failure.
Status explorer_view_fill(ExplorerView *view, const Explorer *explorer, Database *db, Error *error);
void explorer_view_close(ExplorerView *view);

// What a book says about a move; NULL: nothing.
const ExplorerBookMove *explorer_view_book(const ExplorerView *view, unsigned book, size_t move);
bool explorer_view_is_engine(const ExplorerView *view, size_t move);

// Why no game can have the position, or NULL.
const char *explorer_view_reason(const ExplorerView *view);

json_t *explorer_view_json(const ExplorerView *view);
