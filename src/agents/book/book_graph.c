// The graph of positions and turns that a book is made of.
#include "agents/book/book_graph.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void book_graph_close(BookGraph *graph)
{
    free(graph->nodes);
    free(graph->links);
    free(graph->node_table.slots);
    free(graph->link_table.slots);
    text_close(&graph->texts);
    *graph = (BookGraph){0};
}

const char *book_graph_code(const BookGraph *graph, unsigned node)
{
    return graph->texts.data + graph->nodes[node].code;
}

const char *book_graph_turn(const BookGraph *graph, unsigned link)
{
    return graph->texts.data + graph->links[link].turn;
}

// --- Tables ---

// FNV-1a with 64 bits over a number and a text (Fowler, Noll, Vo).
static uint64_t hash_of(unsigned number, Span text)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t hash = (UINT64_C(0xcbf29ce484222325) ^ number) * prime;
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (uint8_t)text.at[i]) * prime;
    return hash ^ hash >> 32;
}

// The key of a table entry.
typedef struct {
    unsigned number; // depth of a node, or the node a link comes from
    Span text;
} Key;

typedef Key KeyOf(const BookGraph *graph, unsigned entry);

static Key key_of_node(const BookGraph *graph, unsigned entry)
{
    return (Key){graph->nodes[entry].depth, span_of(book_graph_code(graph, entry))};
}

static Key key_of_link(const BookGraph *graph, unsigned entry)
{
    return (Key){graph->links[entry].from, span_of(book_graph_turn(graph, entry))};
}

// The slot of a key, or the empty one where it belongs.
static unsigned *find_slot(const BookGraph *graph, const BookTable *table, KeyOf *key_of, Key key)
{
    size_t at = hash_of(key.number, key.text) & (table->capacity - 1);
    for (;; at = (at + 1) & (table->capacity - 1)) {
        unsigned entry = table->slots[at];
        if (entry == 0)
            return &table->slots[at];
        Key there = key_of(graph, entry - 1);
        if (there.number == key.number && spans_equal(there.text, key.text))
            return &table->slots[at];
    }
}

// Enters the first `count` nodes or links.
static void fill_table(const BookGraph *graph, BookTable *table, KeyOf *key_of, unsigned count)
{
    memset(table->slots, 0, table->capacity * sizeof *table->slots);
    for (unsigned i = 0; i < count; i++)
        *find_slot(graph, table, key_of, key_of(graph, i)) = i + 1;
}

// Makes room for one more entry; `count` exist.
static void reserve_slot(const BookGraph *graph, BookTable *table, KeyOf *key_of, unsigned count)
{
    if (2 * ((size_t)count + 1) <= table->capacity)
        return;
    size_t capacity = table->capacity > 0 ? 2 * table->capacity : 1024;
    BookTable larger = {memory_new(capacity, sizeof *larger.slots), capacity};
    fill_table(graph, &larger, key_of, count);
    free(table->slots);
    *table = larger;
}

// Adds a text to the book and returns its offset.
static size_t keep_text(BookGraph *graph, Span text)
{
    size_t at = graph->texts.length;
    text_add_span(&graph->texts, text);
    text_add_span(&graph->texts, (Span){"\0", 1});
    return at;
}

// --- Nodes and links ---

bool book_graph_node(BookGraph *graph, unsigned depth, Span code, unsigned *node)
{
    reserve_slot(graph, &graph->node_table, key_of_node, graph->node_count);
    unsigned *slot = find_slot(graph, &graph->node_table, key_of_node, (Key){depth, code});
    bool is_new = *slot == 0;
    if (is_new) {
        graph->nodes =
            array_grow(graph->nodes, &graph->node_capacity, (size_t)graph->node_count + 1, sizeof *graph->nodes);
        graph->nodes[graph->node_count++] = (BookNode){.depth = depth, .code = keep_text(graph, code)};
        *slot = graph->node_count;
    }
    *node = *slot - 1;
    return is_new;
}

bool book_graph_link(BookGraph *graph, unsigned from, Span turn, unsigned to)
{
    reserve_slot(graph, &graph->link_table, key_of_link, graph->link_count);
    unsigned *slot = find_slot(graph, &graph->link_table, key_of_link, (Key){from, turn});
    if (*slot != 0)
        return false;
    graph->links = array_grow(graph->links, &graph->link_capacity, (size_t)graph->link_count + 1, sizeof *graph->links);
    graph->links[graph->link_count++] = (BookLink){.from = from, .to = to, .turn = keep_text(graph, turn)};
    *slot = graph->link_count;
    return true;
}

// --- Games ---

// A walk down the graph.
typedef struct {
    BookGraph *graph;
    BookCounts outcome;
    Game game;
    BookView view; // of the position the walk has come to
    unsigned node, depth;
    Text turn;
} Walk;

// Finds or adds the node of the position on the board and counts the game.
static void arrive(Walk *walk)
{
    bool has_code = book_view(&walk->view, &walk->graph->spec, &walk->game, walk->depth);
    assert(has_code); // every game from the empty board has one
    (void)has_code;
    Span code = {walk->view.code.data, walk->view.code.length};
    (void)book_graph_node(walk->graph, walk->depth, code, &walk->node);
    BookCounts *counts = &walk->graph->nodes[walk->node].counts;
    counts->wins += walk->outcome.wins;
    counts->ties += walk->outcome.ties;
    counts->losses += walk->outcome.losses;
}

// Plays the next turn; returns its stones, 0 if no whole turn is left.
static Status play_turn(Walk *walk, const Cell *stones, unsigned count, unsigned *played, Error *error)
{
    *played = 0;
    unsigned wanted = board_stones_left(&walk->game.board), i = 0;
    for (; i < wanted && i < count && !game_is_over(&walk->game); i++) {
        Status status = game_try(&walk->game, stones[i], error);
        if (status != STATUS_OK)
            return status;
    }
    if (i == wanted || game_is_over(&walk->game))
        *played = i;
    return STATUS_OK;
}

// Plays one turn. The link is named by the position before it, which the view still has.
static Status step(Walk *walk, const Cell *stones, unsigned count, unsigned *played, Error *error)
{
    unsigned from = walk->node;
    Status status = play_turn(walk, stones, count, played, error);
    if (status != STATUS_OK || *played == 0)
        return status;
    walk->turn.length = 0;
    book_write_turn(&walk->view, stones, *played, &walk->turn);
    walk->depth++;
    arrive(walk);
    (void)book_graph_link(walk->graph, from, (Span){walk->turn.data, walk->turn.length}, walk->node);
    return STATUS_OK;
}

static Status walk_down(Walk *walk, const Cell *stones, unsigned count, Error *error)
{
    arrive(walk);
    Status status = STATUS_OK;
    unsigned played = 0;
    for (unsigned at = 0; status == STATUS_OK && walk->depth < walk->graph->spec.turns && at < count; at += played) {
        status = step(walk, stones + at, count - at, &played, error);
        if (played == 0)
            break;
    }
    return status;
}

Status book_graph_add(BookGraph *graph, const Cell *stones, unsigned count, BookCounts outcome, Error *error)
{
    assert(outcome.wins + outcome.ties + outcome.losses == 1);
    Walk *walk = memory_new(1, sizeof *walk);
    walk->graph = graph;
    walk->outcome = outcome;
    game_init(&walk->game, &graph->spec.rules);
    Status status = walk_down(walk, stones, count, error);
    graph->games += status == STATUS_OK;
    book_view_close(&walk->view);
    text_close(&walk->turn);
    free(walk);
    return status;
}

// --- Order ---

static int compare_links(const void *a, const void *b, void *context)
{
    const BookLink *x = a, *y = b;
    const char *texts = context;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return strcmp(texts + x->turn, texts + y->turn);
}

static void sort_links(BookGraph *graph)
{
    if (graph->link_count > 0) // else there is no list at all
        qsort_r(graph->links, graph->link_count, sizeof *graph->links, compare_links, graph->texts.data);
}

// The first link of each node in sorted links, plus the end.
static void find_first_links(const BookGraph *graph, unsigned *first)
{
    unsigned link = 0;
    for (unsigned node = 0; node <= graph->node_count; node++) {
        while (link < graph->link_count && graph->links[link].from < node)
            link++;
        first[node] = link;
    }
}

// The new order of the nodes, as far as it is known.
typedef struct {
    unsigned *nodes, count;
    unsigned *place; // of each node in `nodes`, plus one; 0: none yet
} Order;

static void order_add(Order *order, unsigned node)
{
    order->nodes[order->count++] = node;
    order->place[node] = order->count;
}

// Orders a node and everything reachable from it without a place, breadth first.
static void order_from(const BookGraph *graph, const unsigned *first, unsigned node, Order *order)
{
    unsigned at = order->count;
    for (order_add(order, node); at < order->count; at++)
        for (unsigned link = first[order->nodes[at]]; link < first[order->nodes[at] + 1]; link++)
            if (order->place[graph->links[link].to] == 0)
                order_add(order, graph->links[link].to);
}

// Moves nodes to their new places and renumbers links.
static void move_nodes(BookGraph *graph, const Order *order)
{
    BookNode *moved = memory_new(graph->node_count, sizeof *moved);
    for (unsigned i = 0; i < graph->node_count; i++)
        moved[i] = graph->nodes[order->nodes[i]];
    free(graph->nodes);
    graph->nodes = moved;
    graph->node_capacity = graph->node_count;
    for (unsigned i = 0; i < graph->link_count; i++) {
        BookLink *link = &graph->links[i];
        link->from = order->place[link->from] - 1;
        link->to = order->place[link->to] - 1;
    }
    sort_links(graph);
}

void book_graph_sort(BookGraph *graph)
{
    if (graph->node_count == 0)
        return;
    size_t nodes = graph->node_count;
    unsigned *first = memory_new(nodes + 1, sizeof *first);
    Order order = {.nodes = memory_new(nodes, sizeof *order.nodes), .place = memory_new(nodes, sizeof *order.place)};
    sort_links(graph);
    find_first_links(graph, first);
    for (unsigned node = 0; node < nodes; node++)
        if (graph->nodes[node].depth == 0)
            order_from(graph, first, node, &order);
    for (unsigned node = 0; node < nodes; node++)
        if (order.place[node] == 0)
            order_from(graph, first, node, &order);
    move_nodes(graph, &order);
    fill_table(graph, &graph->node_table, key_of_node, graph->node_count);
    if (graph->link_count > 0)
        fill_table(graph, &graph->link_table, key_of_link, graph->link_count);
    free(first);
    free(order.nodes);
    free(order.place);
}
