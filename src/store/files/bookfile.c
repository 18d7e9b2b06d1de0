// Reads and writes opening book files.
#include "store/files/bookfile.h"

#include "agents/book/book_check.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void bookfile_write(const BookGraph *graph, Text *text)
{
    const BookSpec *spec = &graph->spec;
    char game[RULES_TEXT_SIZE];
    rules_format(&spec->rules, game);
    text_add(text,
             "# krow book\nname %s\ngame %s\nencoding %s\nsymmetric %d\nturns %u\ngames %llu\nnodes %u\nlinks %u\n",
             spec->name, game, encoding_name(spec->encoding), spec->symmetric, spec->turns,
             (unsigned long long)graph->games, graph->node_count, graph->link_count);
    for (unsigned i = 0; i < graph->node_count; i++) {
        const BookNode *node = &graph->nodes[i];
        text_add(text, "node %u %u %u %u %s\n", node->depth, node->counts.wins, node->counts.ties, node->counts.losses,
                 book_graph_code(graph, i));
    }
    for (unsigned i = 0; i < graph->link_count; i++)
        text_add(text, "link %u %u %s\n", graph->links[i].from + 1, graph->links[i].to + 1, book_graph_turn(graph, i));
}

typedef struct {
    BookGraph *graph;
    BookCheck check;
    size_t line;
    size_t *lines; // line number of each node; owned
    size_t capacity;
    unsigned keys;         // number of keys read
    unsigned nodes, links; // as declared by the keys
} Reader;

static Status bad(Error *error, const char *what, Span word)
{
    return error_set(error, STATUS_BAD_INPUT, "%s: '%.*s'", what, SPAN_PRINT(word));
}

static Status read_name(BookSpec *spec, Span value, Error *error)
{
    if (!book_name_is_good(value))
        return bad(error, "invalid book name (use letters, digits, - _ . and at most 63)", value);
    memcpy(spec->name, value.at, value.length);
    return STATUS_OK;
}

static Status read_number(Span word, int64_t min, int64_t max, int64_t *number, const char *what, Error *error)
{
    return span_to_int(word, min, max, number) ? STATUS_OK : bad(error, what, word);
}

// The keys in their order; all are required before the first node.
static const char *const keys[] = {"name", "game", "encoding", "symmetric", "turns", "games", "nodes", "links"};
enum { KEYS = sizeof keys / sizeof keys[0] };

static Status read_key(Reader *reader, Span key, Span value, Error *error)
{
    BookSpec *spec = &reader->graph->spec;
    int64_t number = 0;
    if (reader->keys == KEYS || !span_is(key, keys[reader->keys]))
        return error_set(error, STATUS_BAD_INPUT, "expected %s, found '%.*s'",
                         reader->keys == KEYS ? "a node or a link" : keys[reader->keys], SPAN_PRINT(key));
    Status status = STATUS_OK;
    switch (reader->keys++) {
    case 0:
        return read_name(spec, value, error);
    case 1:
        return rules_parse(value, &spec->rules, error);
    case 2:
        return encoding_find(value, &spec->encoding) ? STATUS_OK : bad(error, "not one of: relative, absolute", value);
    case 3:
        status = read_number(value, 0, 1, &number, "not 0 or 1", error);
        spec->symmetric = number == 1;
        return status;
    case 4:
        status = read_number(value, 1, RULES_CELLS_MAX, &number, "not a number of turns", error);
        spec->turns = (unsigned)number;
        return status;
    case 5:
        status = read_number(value, 0, UINT32_MAX, &number, "not a number of games", error);
        reader->graph->games = (uint64_t)number;
        return status;
    case 6:
        status = read_number(value, 0, UINT32_MAX, &number, "not a number of nodes", error);
        reader->nodes = (unsigned)number;
        return status;
    default:
        status = read_number(value, 0, UINT32_MAX, &number, "not a number of links", error);
        reader->links = (unsigned)number;
        return status;
    }
}

static Status read_node(Reader *reader, Span rest, Error *error)
{
    BookGraph *graph = reader->graph;
    int64_t numbers[4];
    for (int i = 0; i < 4; i++) {
        Span word = {0};
        (void)span_next_part(&rest, ' ', &word);
        int64_t max = i == 0 ? graph->spec.turns : UINT32_MAX;
        Status status =
            read_number(word, 0, max, &numbers[i], i == 0 ? "not a depth of this book" : "not a count", error);
        if (status != STATUS_OK)
            return status;
    }
    Status status = book_check_code(&reader->check, (unsigned)numbers[0], rest, error);
    const unsigned *count = reader->check.before.count;
    if (status == STATUS_OK && (numbers[0] == 0) != (count[0] == 0 && count[1] == 0))
        status = error_set(error, STATUS_BAD_INPUT, "only the empty board has depth 0");
    unsigned node = 0;
    if (status == STATUS_OK && !book_graph_node(graph, (unsigned)numbers[0], rest, &node))
        status = bad(error, "repeated node", rest);
    if (status != STATUS_OK)
        return status;
    graph->nodes[node].counts = (BookCounts){(uint32_t)numbers[1], (uint32_t)numbers[2], (uint32_t)numbers[3]};
    reader->lines = array_grow(reader->lines, &reader->capacity, graph->node_count, sizeof *reader->lines);
    reader->lines[node] = reader->line;
    return STATUS_OK;
}

static Status read_link(Reader *reader, Span rest, Error *error)
{
    BookGraph *graph = reader->graph;
    int64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        Span word = {0};
        (void)span_next_part(&rest, ' ', &word);
        Status status = read_number(word, 1, graph->node_count, &nodes[i], "not a node above this line", error);
        if (status != STATUS_OK)
            return status;
    }
    unsigned from = (unsigned)nodes[0] - 1, to = (unsigned)nodes[1] - 1;
    Status status = book_check_link(&reader->check, from, rest, to, error);
    if (status == STATUS_OK && !book_graph_link(graph, from, rest, to))
        status = bad(error, "repeated link", rest);
    return status;
}

static Status read_line(Reader *reader, Span line, Error *error)
{
    Span key = {0};
    (void)span_next_part(&line, ' ', &key);
    if (reader->keys == KEYS && span_is(key, "node"))
        return read_node(reader, line, error);
    if (reader->keys == KEYS && span_is(key, "link"))
        return read_link(reader, line, error);
    return read_key(reader, key, line, error);
}

// Detects truncated files.
static Status check_size(unsigned there, unsigned promised, const char *what, Error *error)
{
    return there == promised ? STATUS_OK
                             : error_set(error, STATUS_BAD_INPUT, "the opening book is incomplete: it has %u of %u %s",
                                         there, promised, what);
}

static Status finish(const Reader *reader, Error *error)
{
    const BookGraph *graph = reader->graph;
    if (reader->keys < KEYS)
        return error_set(error, STATUS_BAD_INPUT, "the opening book is incomplete: '%s' is missing",
                         keys[reader->keys]);
    Status status = check_size(graph->node_count, reader->nodes, "nodes", error);
    if (status == STATUS_OK)
        status = check_size(graph->link_count, reader->links, "links", error);
    if (status != STATUS_OK)
        return status;
    unsigned node = 0;
    status = book_check_graph(graph, &node, error);
    if (status != STATUS_OK && node < graph->node_count)
        error_prefix(error, "line %zu: ", reader->lines[node]);
    return status;
}

static Status read_lines(Reader *reader, Span text, Error *error)
{
    Span line = {0};
    Status status = STATUS_OK;
    while (status == STATUS_OK && span_next_part(&text, '\n', &line)) {
        reader->line++;
        if (line.length > 0 && line.at[line.length - 1] == '\r')
            line.length--;
        if (line.length == 0 || line.at[0] == '#')
            continue;
        status = read_line(reader, line, error);
        if (status != STATUS_OK)
            error_prefix(error, "line %zu: ", reader->line);
    }
    return status == STATUS_OK ? finish(reader, error) : status;
}

Status bookfile_read(Span text, BookGraph *graph, Error *error)
{
    Reader *reader = memory_new(1, sizeof *reader);
    reader->graph = graph;
    reader->check.graph = graph;
    Status status = read_lines(reader, text, error);
    book_check_close(&reader->check);
    free(reader->lines);
    free(reader);
    return status;
}
