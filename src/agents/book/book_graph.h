// An opening book in memory: the statistics tree of Levin et al. (section 3.3), which is a graph. A node is a position
// at a depth, however it was reached; links lead from it to the next depth, one for each turn played there.
#pragma once

#include "agents/book/book.h"

typedef struct {
    size_t code; // in `texts`
    unsigned depth;
    BookCounts counts; // of the games that had this position at this depth
} BookNode;

typedef struct {
    size_t turn; // in `texts`
    unsigned from, to;
} BookLink;

// Open addressing over nodes or links, at most half full; an entry is the number plus one, 0 empty.
typedef struct {
    unsigned *slots;
    size_t capacity; // a power of two, or 0
} BookTable;

// Zeroed except for `spec`, it is a book without games.
typedef struct {
    BookSpec spec;
    uint64_t games;
    BookNode *nodes;
    BookLink *links;
    unsigned node_count, link_count;
    size_t node_capacity, link_capacity;
    Text texts; // codes and turns, each with its zero
    BookTable node_table, link_table;
} BookGraph;

void book_graph_close(BookGraph *graph);

const char *book_graph_code(const BookGraph *graph, unsigned node);
const char *book_graph_turn(const BookGraph *graph, unsigned link);

// Finds or adds the node of a code at a depth. Returns whether it is new.
bool book_graph_node(BookGraph *graph, unsigned depth, Span code, unsigned *node);

// Adds a link from a node by a turn. Returns false if it exists; it then stays unchanged.
bool book_graph_link(BookGraph *graph, unsigned from, Span turn, unsigned to);

// Adds a game from the empty board: a walk down from the root, in which each node's counts grow by `outcome` (one of
// wins, ties, losses is 1). A last turn that neither was completed nor ended the game is left out. A stone that is not
// legal is refused; then the book is not good for anything any more.
Status book_graph_add(BookGraph *graph, const Cell *stones, unsigned count, BookCounts outcome, Error *error);

// Sorts a book: nodes breadth first from the root, links by their node and then by turn. So the same games give the
// same book in any order of addition, and entries that are looked up together are adjacent. Unreachable nodes come
// last.
void book_graph_sort(BookGraph *graph);
