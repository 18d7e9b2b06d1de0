#include "analysis/book_graph.h"

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

static Status no_memory(Error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "no memory for an opening book");
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

// What an entry of a table is found by.
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

// The slot that has the key, or the empty one where it belongs.
static unsigned *find_slot(const BookGraph *graph, const BookTable *table, KeyOf *key_of, Key key)
{
    size_t at = hash_of(key.number, key.text) & (table->capacity - 1);
    for (;; at = (at + 1) & (table->capacity - 1)) {
        unsigned entry = table->slots[at];
        if (entry == 0)
            return &table->slots[at];
        Key there = key_of(graph, entry - 1);
        if (there.number == key.number && there.text.length == key.text.length &&
            memcmp(there.text.at, key.text.at, key.text.length) == 0)
            return &table->slots[at];
    }
}

// Makes room for one entry more; `count` are there.
static bool reserve_slot(const BookGraph *graph, BookTable *table, KeyOf *key_of, unsigned count)
{
    if (2 * ((size_t)count + 1) <= table->capacity)
        return true;
    size_t capacity = table->capacity > 0 ? 2 * table->capacity : 1024;
    BookTable larger = {calloc(capacity, sizeof *larger.slots), capacity};
    if (larger.slots == NULL)
        return false;
    for (unsigned i = 0; i < count; i++)
        *find_slot(graph, &larger, key_of, key_of(graph, i)) = i + 1;
    free(table->slots);
    *table = larger;
    return true;
}

// A list with room for one element more: itself, or a larger copy; NULL without memory, and then it is unchanged.
static void *grown(void *list, unsigned count, unsigned *capacity, size_t size)
{
    if (count < *capacity)
        return list;
    unsigned wanted = *capacity > 0 ? 2 * *capacity : 256;
    void *larger = realloc(list, wanted * size);
    *capacity = larger != NULL ? wanted : *capacity;
    return larger;
}

static bool keep_text(BookGraph *graph, Span text, size_t *at)
{
    *at = graph->texts.length;
    text_add_span(&graph->texts, text);
    text_add_span(&graph->texts, (Span){"\0", 1});
    return !graph->texts.failed;
}

// --- Nodes and links ---

Status book_graph_node(BookGraph *graph, unsigned depth, Span code, unsigned *node, bool *is_new, Error *error)
{
    BookNode *nodes = grown(graph->nodes, graph->node_count, &graph->node_capacity, sizeof *graph->nodes);
    graph->nodes = nodes != NULL ? nodes : graph->nodes;
    if (nodes == NULL || !reserve_slot(graph, &graph->node_table, key_of_node, graph->node_count))
        return no_memory(error);
    unsigned *slot = find_slot(graph, &graph->node_table, key_of_node, (Key){depth, code});
    bool adds = *slot == 0;
    if (adds) {
        BookNode made = {.depth = depth};
        if (!keep_text(graph, code, &made.code))
            return no_memory(error);
        graph->nodes[graph->node_count++] = made;
        *slot = graph->node_count;
    }
    *node = *slot - 1;
    if (is_new != NULL)
        *is_new = adds;
    return STATUS_OK;
}

Status book_graph_link(BookGraph *graph, unsigned from, Span turn, unsigned to, bool *is_new, Error *error)
{
    BookLink *links = grown(graph->links, graph->link_count, &graph->link_capacity, sizeof *graph->links);
    graph->links = links != NULL ? links : graph->links;
    if (links == NULL || !reserve_slot(graph, &graph->link_table, key_of_link, graph->link_count))
        return no_memory(error);
    unsigned *slot = find_slot(graph, &graph->link_table, key_of_link, (Key){from, turn});
    bool adds = *slot == 0;
    if (adds) {
        BookLink made = {.from = from, .to = to};
        if (!keep_text(graph, turn, &made.turn))
            return no_memory(error);
        graph->links[graph->link_count++] = made;
        *slot = graph->link_count;
    }
    if (is_new != NULL)
        *is_new = adds;
    return STATUS_OK;
}

bool book_graph_find(const BookGraph *graph, unsigned depth, Span code, unsigned *node)
{
    if (graph->node_table.capacity == 0)
        return false;
    unsigned entry = *find_slot(graph, &graph->node_table, key_of_node, (Key){depth, code});
    *node = entry - 1;
    return entry != 0;
}

// --- Games ---

// A walk down the graph.
typedef struct {
    BookGraph *graph;
    BookCounts outcome;
    Game game;
    BookView view; // of the position the walk has come to
    unsigned node;
    Text turn;
} Walk;

// Comes to the position on the board: finds or makes its node and counts the game.
static Status arrive(Walk *walk, unsigned depth, Error *error)
{
    if (!book_view(&walk->view, &walk->graph->spec, &walk->game, depth))
        return no_memory(error); // a game from the empty board always has a code
    Span code = {walk->view.code.data, walk->view.code.length};
    Status status = book_graph_node(walk->graph, depth, code, &walk->node, NULL, error);
    if (status != STATUS_OK)
        return status;
    BookCounts *counts = &walk->graph->nodes[walk->node].counts;
    counts->wins += walk->outcome.wins;
    counts->ties += walk->outcome.ties;
    counts->losses += walk->outcome.losses;
    return STATUS_OK;
}

// Plays the next turn; tells its stones, 0 when there is no whole one left.
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

// One turn: the link is named by the position before it, which the view still shows.
static Status step(Walk *walk, unsigned depth, const Cell *stones, unsigned count, unsigned *played, Error *error)
{
    unsigned from = walk->node;
    Status status = play_turn(walk, stones, count, played, error);
    if (status != STATUS_OK || *played == 0)
        return status;
    walk->turn.length = 0;
    book_write_turn(&walk->view, stones, *played, &walk->turn);
    if (walk->turn.failed)
        return no_memory(error);
    status = arrive(walk, depth + 1, error);
    Span turn = {walk->turn.data, walk->turn.length};
    return status == STATUS_OK ? book_graph_link(walk->graph, from, turn, walk->node, NULL, error) : status;
}

static Status walk_down(Walk *walk, const Cell *stones, unsigned count, Error *error)
{
    Status status = arrive(walk, 0, error);
    unsigned at = 0;
    for (unsigned depth = 0; status == STATUS_OK && depth < walk->graph->spec.turns && at < count; depth++) {
        unsigned played = 0;
        status = step(walk, depth, stones + at, count - at, &played, error);
        if (played == 0)
            break;
        at += played;
    }
    return status;
}

Status book_graph_add(BookGraph *graph, const Cell *stones, unsigned count, BookCounts outcome, Error *error)
{
    assert(outcome.wins + outcome.ties + outcome.losses == 1);
    Walk *walk = calloc(1, sizeof *walk);
    if (walk == NULL)
        return no_memory(error);
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

// The first link of each node in sorted links; one more entry for their end.
static void find_first_links(const BookGraph *graph, unsigned *first)
{
    unsigned link = 0;
    for (unsigned node = 0; node <= graph->node_count; node++) {
        while (link < graph->link_count && graph->links[link].from < node)
            link++;
        first[node] = link;
    }
}

// Fills `order` with nodes from `at` on, breadth first, and `place` with their places plus one; returns the new end.
static unsigned order_from(const BookGraph *graph, const unsigned *first, unsigned node, unsigned at, unsigned *order,
                           unsigned *place)
{
    unsigned end = at;
    order[end++] = node;
    place[node] = end;
    for (; at < end; at++)
        for (unsigned link = first[order[at]]; link < first[order[at] + 1]; link++) {
            unsigned to = graph->links[link].to;
            if (place[to] == 0) {
                order[end++] = to;
                place[to] = end;
            }
        }
    return end;
}

// Moves nodes to their new places and numbers links anew.
static void move_nodes(BookGraph *graph, const unsigned *order, const unsigned *place, BookNode *moved)
{
    for (unsigned i = 0; i < graph->node_count; i++)
        moved[i] = graph->nodes[order[i]];
    memcpy(graph->nodes, moved, graph->node_count * sizeof *moved);
    for (unsigned i = 0; i < graph->link_count; i++) {
        BookLink *link = &graph->links[i];
        link->from = place[link->from] - 1;
        link->to = place[link->to] - 1;
    }
    sort_links(graph);
}

static void fill_table(const BookGraph *graph, BookTable *table, KeyOf *key_of, unsigned count)
{
    memset(table->slots, 0, table->capacity * sizeof *table->slots);
    for (unsigned i = 0; i < count; i++)
        *find_slot(graph, table, key_of, key_of(graph, i)) = i + 1;
}

static void sort(BookGraph *graph, unsigned *first, unsigned *order, unsigned *place, BookNode *moved)
{
    sort_links(graph);
    find_first_links(graph, first);
    unsigned end = 0;
    for (unsigned node = 0; node < graph->node_count; node++)
        if (graph->nodes[node].depth == 0)
            end = order_from(graph, first, node, end, order, place);
    for (unsigned node = 0; node < graph->node_count; node++)
        if (place[node] == 0)
            end = order_from(graph, first, node, end, order, place);
    move_nodes(graph, order, place, moved);
    fill_table(graph, &graph->node_table, key_of_node, graph->node_count);
    if (graph->link_count > 0)
        fill_table(graph, &graph->link_table, key_of_link, graph->link_count);
}

Status book_graph_sort(BookGraph *graph, Error *error)
{
    if (graph->node_count == 0)
        return STATUS_OK;
    size_t nodes = graph->node_count;
    unsigned *numbers = calloc(3 * nodes + 1, sizeof *numbers);
    BookNode *moved = malloc(nodes * sizeof *moved);
    bool good = numbers != NULL && moved != NULL;
    if (good)
        sort(graph, numbers, numbers + nodes + 1, numbers + 2 * nodes + 1, moved);
    free(numbers);
    free(moved);
    return good ? STATUS_OK : no_memory(error);
}
