// Consistency checks for nodes and links from external sources, as far as possible without the games.
//
// Relative symmetric books with q > 1 allow fewer checks: their codes do not tell which stones were the first turn, but
// that decides where the first stone is in the other images of the position. A link of such a book must lead to some
// image of the position around some stone of the first player. Two paths to a node may continue to two nodes by a turn
// of the same name, of which one keeps the link, so a node without links is valid there.
#pragma once

#include "agents/book/book_graph.h"

// Zeroed except for `graph` before its first use.
typedef struct {
    const BookGraph *graph;
    Game game; // only the part that book_view reads
    BookView view;
    StoneLists before, after, pictures;
    int16_t turn[RULES_CELLS_MAX];
    Cell cells[RULES_CELLS_MAX]; // of the turn
    Text text;
} BookCheck;

void book_check_close(BookCheck *check);

// Checks that the code is a position on the board without floating stones, and in a symmetric book the canonical image.
Status book_check_code(BookCheck *check, unsigned depth, Span code, Error *error);

// Checks that the turn belongs to this node, has its proper name and leads to that node. Codes have been checked.
Status book_check_link(BookCheck *check, unsigned from, Span turn, unsigned to, Error *error);

// Checks the graph: the root has all games, every node is reached by links, and no games appear on the way. `node` is
// the one with the error, node_count if none is.
Status book_check_graph(const BookGraph *graph, unsigned *node, Error *error);
