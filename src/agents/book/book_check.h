// Whether nodes and links from outside can be those of a book: what can be known without its games.
//
// One kind of book says less than the others: with q > 1, a relative and symmetric one. Which stones were the first
// turn is not in a code, but decides where the first stone is in the other pictures of the position. Of those books a
// link must lead to some picture of the position around some stone of the first player; and two ways to a node may
// lead on to two nodes by a turn of one name, of which one keeps the link, so a node without any is no fault there.
#pragma once

#include "agents/book/book_graph.h"

// Zeroed but for `graph` before its first use.
typedef struct {
    const BookGraph *graph;
    Game game; // only what book_view looks at
    BookView view;
    StoneLists before, after, pictures;
    int16_t turn[RULES_CELLS_MAX];
    Cell cells[RULES_CELLS_MAX]; // of the turn
    Text text;
} BookCheck;

void book_check_close(BookCheck *check);

// The code is a position on the board, under gravity with nothing in the air, and in a symmetric book the picture that
// stands for all.
Status book_check_code(BookCheck *check, unsigned depth, Span code, Error *error);

// The turn is one from this node, named as books do, and leads to that node. Codes have been checked.
Status book_check_link(BookCheck *check, unsigned from, Span turn, unsigned to, Error *error);

// The whole: the root has all games, every node comes from others by links, and no game appears on the way. `node` is
// the one an error is about, if it is about one: else it is node_count.
Status book_check_graph(const BookGraph *graph, unsigned *node, Error *error);
