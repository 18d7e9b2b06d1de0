// Looks up a node of a book graph, for tests.
#pragma once

#include "agents/book/book_graph.h"

#include <string.h>

// The node of a code at a depth, or false.
static inline bool book_find(const BookGraph *graph, unsigned depth, Span code, unsigned *node)
{
    for (*node = 0; *node < graph->node_count; ++*node) {
        const char *text = book_graph_code(graph, *node);
        if (graph->nodes[*node].depth == depth && strlen(text) == code.length &&
            memcmp(text, code.at, code.length) == 0)
            return true;
    }
    return false;
}
