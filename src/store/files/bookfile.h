// An opening book as a text file: keys, then a node or link per line; # begins a comment line.
//
//     # krow book
//     name masters
//     game 19x19:k=6,p=2,q=1
//     encoding relative      (or absolute)
//     symmetric 1            (or 0)
//     turns 10
//     games 8282
//     nodes 49775
//     links 52291
//     node 0 5119 18 3145 /              depth; wins, ties, losses of the first player; code
//     node 1 5119 18 3145 0/
//     node 2 402 1 288 0/1 38
//     link 1 2 0                         from the first node to the second by this turn
//     link 2 3 1 38
//
// Nodes are numbered from 1 in the order of their lines; a link names nodes above it. Codes and turns are those of
// game/encoding.h. docs/book.md explains them.
#pragma once

#include "agents/book/book_graph.h"

void bookfile_write(const BookGraph *graph, Text *text);

// Reads a book into a zeroed graph. Close it also after an error. Errors name the line unless they concern the whole
// file. Checks what can be checked without the games: keys, numbers of nodes and links, and agents/book/book_check.h.
Status bookfile_read(Span text, BookGraph *graph, Error *error);
