// Opening books in the database.
#include "store/db/database_books.h"

#include "base/memory.h"
#include "store/db/database_internal.h"

#include <stdlib.h>
#include <string.h>

// --- Saving ---

// The rules, encoding and symmetry of a spec, in the order of the statements that have them.
#define KIND_VALUES(spec)                                                                                              \
    value_rules(&(spec)->rules), value_text(encoding_name((spec)->encoding)), value_int((spec)->symmetric)

static Status remove_book(Database *db, const char *name, int64_t *id, Error *error)
{
    static const QueryName steps[] = {QUERY_BOOK_LINKS_REMOVE, QUERY_BOOK_NODES_REMOVE, QUERY_BOOK_REMOVE};
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == STATUS_OK; i++)
        status = query_execute(db, steps[i], VALUES(value_text(name)), id, error);
    return status;
}

// Finds the book to extend; `id` stays 0 if no book has this name.
static Status extend_book(Database *db, const BookGraph *graph, int64_t built, int64_t *id, Error *error)
{
    const BookSpec *spec = &graph->spec;
    Status status = query_execute(db, QUERY_BOOK_EXTEND,
                                  VALUES(value_int((int64_t)graph->games), value_int(built), value_text(spec->name),
                                         KIND_VALUES(spec), value_int(spec->turns)),
                                  id, error);
    if (status != STATUS_OK || *id != 0)
        return status;
    Query other = query_with(db, QUERY_BOOK_BY_NAME, VALUES(value_text(spec->name)));
    bool is_other = query_row(&other);
    status = query_end(&other, error);
    if (status == STATUS_OK && is_other)
        status = error_set(error, STATUS_BAD_INPUT,
                           "cannot extend the book '%s': it has another game, encoding, symmetry or number of turns; "
                           "replace it instead",
                           spec->name);
    return status;
}

static Status add_nodes(Database *db, const BookGraph *graph, int64_t book, int64_t *ids, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        const BookNode *node = &graph->nodes[i];
        const BookCounts *counts = &node->counts;
        status = query_execute(db, QUERY_BOOK_NODE_ADD,
                               VALUES(value_int(book), value_int(node->depth), value_int(counts->wins),
                                      value_int(counts->ties), value_int(counts->losses),
                                      value_text(book_graph_code(graph, i))),
                               &ids[i], error);
    }
    return status;
}

static Status add_links(Database *db, const BookGraph *graph, const int64_t *ids, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < graph->link_count && status == STATUS_OK; i++)
        status = query_execute(db, QUERY_BOOK_LINK_ADD,
                               VALUES(value_int(ids[graph->links[i].from]), value_int(ids[graph->links[i].to]),
                                      value_text(book_graph_turn(graph, i))),
                               NULL, error);
    return status;
}

static Status add_rows(Query query, const char *types, uint64_t *sum, Error *error)
{
    while (query_row(&query))
        *sum += checksum_of_row(&query, types);
    return query_end(&query, error);
}

// The checksum of a book with its nodes and links, by its number or name. `has_stored`: version 8 of the tables or a
// later one wrote it.
typedef struct {
    int64_t id;
    bool has_stored;
    uint64_t stored, now;
} BookChecksum;

static Status read_checksum(Database *db, const char *name, BookChecksum *sum, Error *error)
{
    Query book = query_with(db, QUERY_BOOK_ROW, VALUES(value_int(sum->id), value_text(name)));
    if (query_row(&book)) {
        sum->now = checksum_of_row(&book, "tttiiii");
        sum->has_stored = !query_is_null(&book, 7);
        sum->stored = (uint64_t)query_int(&book, 7);
        sum->id = query_int(&book, 8);
    }
    Status status = query_end(&book, error);
    if (status == STATUS_OK)
        status = add_rows(query_with(db, QUERY_BOOK_NODES, VALUES(value_int(sum->id))), "iiiiit", &sum->now, error);
    if (status == STATUS_OK)
        status = add_rows(query_with(db, QUERY_BOOK_LINKS, VALUES(value_int(sum->id))), "iit", &sum->now, error);
    return status;
}

static Status seal(Database *db, int64_t id, Error *error)
{
    BookChecksum sum = {.id = id};
    Status status = read_checksum(db, NULL, &sum, error);
    return status == STATUS_OK
               ? query_execute(db, QUERY_BOOK_SEAL, VALUES(value_int((int64_t)sum.now), value_int(id)), NULL, error)
               : status;
}

Status database_check_book(Database *db, const char *name, Error *error)
{
    BookChecksum sum = {0};
    Status status = IN_SNAPSHOT(db, read_checksum(db, name, &sum, error), error);
    if (status == STATUS_OK && sum.has_stored && sum.stored != sum.now)
        status = error_set(error, STATUS_FAILED, "the book was changed: its checksum is wrong");
    return status;
}

static Status save(Database *db, const BookGraph *graph, DatabaseBookMode mode, int64_t built, Error *error)
{
    int64_t *ids = memory_new((size_t)graph->node_count + 1, sizeof *ids);
    const BookSpec *spec = &graph->spec;
    int64_t book = 0, removed = 0;
    Status status = transaction_lock(db, LOCK_BOOKS, error);
    if (status == STATUS_OK)
        status = mode == DATABASE_BOOK_REPLACE ? remove_book(db, spec->name, &removed, error)
                                               : extend_book(db, graph, built, &book, error);
    if (status == STATUS_OK && book == 0)
        status = query_execute(db, QUERY_BOOK_ADD,
                               VALUES(value_text(spec->name), KIND_VALUES(spec), value_int(spec->turns),
                                      value_int((int64_t)graph->games), value_int(built)),
                               &book, error);
    if (status == STATUS_OK)
        status = add_nodes(db, graph, book, ids, error);
    if (status == STATUS_OK)
        status = add_links(db, graph, ids, error);
    if (status == STATUS_OK)
        status = seal(db, book, error);
    free(ids);
    return status;
}

Status database_save_book(Database *db, const BookGraph *graph, DatabaseBookMode mode, int64_t built, Error *error)
{
    return IN_TRANSACTION(db, save(db, graph, mode, built, error), error);
}

Status database_no_book(const char *name, Error *error)
{
    return error_set(error, STATUS_BAD_INPUT, "there is no opening book '%s'; run 'krow book list'", name);
}

static Status lock_and_remove(Database *db, const char *name, int64_t *id, Error *error)
{
    Status status = transaction_lock(db, LOCK_BOOKS, error);
    return status == STATUS_OK ? remove_book(db, name, id, error) : status;
}

Status database_remove_book(Database *db, const char *name, Error *error)
{
    int64_t id = 0;
    Status status = IN_TRANSACTION(db, lock_and_remove(db, name, &id, error), error);
    return status == STATUS_OK && id == 0 ? database_no_book(name, error) : status;
}

// --- Finding ---

// In the order of the columns of QUERY_BOOK_BY_NAME.
static Status read_book(const Query *row, DatabaseBook *book, int64_t *id, Error *error)
{
    Span name = query_bytes(row, 0);
    *book = (DatabaseBook){.games = (uint64_t)query_int(row, 5), .built = query_int(row, 6)};
    BookSpec *spec = &book->spec;
    int64_t turns = query_int(row, 4);
    bool good = book_name_is_good(name) && encoding_find(query_bytes(row, 2), &spec->encoding) && turns > 0 &&
                turns <= RULES_CELLS_MAX;
    if (good)
        memcpy(spec->name, name.at, name.length);
    spec->symmetric = query_int(row, 3) != 0;
    spec->turns = (unsigned)turns;
    *id = query_int(row, 7);
    if (!good)
        return error_set(error, STATUS_FAILED, "the opening book '%.*s' in the database is damaged", SPAN_PRINT(name));
    return rules_parse(query_bytes(row, 1), &spec->rules, error);
}

// `value` is the parameter: a name or rules.
static Status find_book(Database *db, QueryName name, Value value, DatabaseBook *book, int64_t *id, Error *error)
{
    Status status = STATUS_OK;
    *book = (DatabaseBook){0};
    *id = 0;
    Query query = query_with(db, name, VALUES(value));
    if (query_row(&query))
        status = read_book(&query, book, id, error);
    return query_end_after(&query, status, error);
}

static Status find_named(Database *db, const char *name, DatabaseBook *book, int64_t *id, Error *error)
{
    return find_book(db, QUERY_BOOK_BY_NAME, value_text(name), book, id, error);
}

Status database_find_book(Database *db, const char *name, const Rules *rules, DatabaseBook *book, bool *found,
                          Error *error)
{
    int64_t id = 0;
    *found = false;
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Status status = name[0] != '\0' ? find_named(db, name, book, &id, error)
                                    : find_book(db, QUERY_BOOK_BY_RULES, value_rules(rules), book, &id, error);
    database_unlock(db);
    *found = status == STATUS_OK && id != 0;
    if (*found && rules != NULL && !rules_equal(rules, &book->spec.rules)) {
        char wanted[RULES_TEXT_SIZE], there[RULES_TEXT_SIZE];
        rules_format(rules, wanted);
        rules_format(&book->spec.rules, there);
        *found = false;
        return error_set(error, STATUS_BAD_INPUT, "the opening book '%s' is for %s, not for %s", name, there, wanted);
    }
    return status;
}

static Status read_size(Database *db, DatabaseBook *book, Error *error)
{
    Query query = query_with(db, QUERY_BOOK_SIZE, VALUES(value_text(book->spec.name)));
    if (query_row(&query)) {
        book->nodes = (uint64_t)query_int(&query, 0);
        book->links = (uint64_t)query_int(&query, 1);
    }
    return query_end(&query, error);
}

typedef struct {
    DatabaseBookSink *sink;
    void *context;
    bool sizes; // fill `nodes` and `links`
} BookPass;

// Calls the sink with the books of a list of names, which was read with `status` and is closed.
static Status pass_books(Database *db, TextList *names, const BookPass *pass, Status status, Error *error)
{
    bool has_more = true;
    for (size_t i = 0; i < names->count && status == STATUS_OK && has_more; i++) {
        DatabaseBook book;
        int64_t id = 0;
        database_lock(db);
        status = find_named(db, names->list[i], &book, &id, error);
        if (status == STATUS_OK && id != 0 && pass->sizes)
            status = read_size(db, &book, error);
        database_unlock(db);
        if (status == STATUS_OK && id != 0) // else it was removed meanwhile
            has_more = pass->sink(pass->context, &book);
    }
    text_list_close(names);
    return status;
}

Status database_each_book(Database *db, DatabaseBookSink *sink, void *context, Error *error)
{
    TextList names = {0};
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Query query = query_use(db, QUERY_BOOK_NAMES);
    Status status = query_text_list(&query, &names, error);
    database_unlock(db);
    return pass_books(db, &names, &(BookPass){sink, context, true}, status, error);
}

Status database_books_of(Database *db, const DatabaseBookRange *range, DatabaseBookSink *sink, void *context,
                         Error *error)
{
    TextList names = {0};
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Query query = query_with(db, QUERY_BOOK_NAMES_OF_RULES, VALUES(value_rules(range->rules), value_int(range->most)));
    Status status = query_text_list(&query, &names, error);
    database_unlock(db);
    return pass_books(db, &names, &(BookPass){sink, context, false}, status, error);
}

// --- Reading ---

static uint32_t count_of(const Query *query, int column)
{
    int64_t number = query_int(query, column);
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static BookCounts counts_of(const Query *query, int column)
{
    return (BookCounts){count_of(query, column), count_of(query, column + 1), count_of(query, column + 2)};
}

// Binary search: nodes are read in the order of their ids.
static bool number_of(const Numbers *ids, int64_t id, unsigned *number)
{
    size_t low = 0, high = ids->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ids->list[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    *number = (unsigned)low;
    return low < ids->count && ids->list[low] == id;
}

static Status load_nodes(Database *db, int64_t book, BookGraph *graph, Numbers *ids, Error *error)
{
    Status status = STATUS_OK;
    Query query = query_with(db, QUERY_BOOK_NODES, VALUES(value_int(book)));
    while (status == STATUS_OK && query_row(&query)) {
        unsigned node = 0;
        int64_t depth = query_int(&query, 1);
        bool is_good = depth >= 0 && depth <= (int64_t)graph->spec.turns;
        // Every node is a new one, so that its number is its place among the ids.
        if (is_good && book_graph_node(graph, (unsigned)depth, query_bytes(&query, 5), &node)) {
            numbers_add(ids, query_int(&query, 0));
            graph->nodes[node].counts = counts_of(&query, 2);
        } else {
            status = error_set(error, STATUS_FAILED, "the opening book '%s' is damaged: node %lld %s", graph->spec.name,
                               (long long)query_int(&query, 0), is_good ? "is there twice" : "is deeper than the book");
        }
    }
    return query_end_after(&query, status, error);
}

static Status load_links(Database *db, int64_t book, BookGraph *graph, const Numbers *ids, Error *error)
{
    Status status = STATUS_OK;
    Query query = query_with(db, QUERY_BOOK_LINKS, VALUES(value_int(book)));
    while (status == STATUS_OK && query_row(&query)) {
        unsigned from = 0, to = 0;
        bool known = number_of(ids, query_int(&query, 0), &from) && number_of(ids, query_int(&query, 1), &to);
        if (known)
            (void)book_graph_link(graph, from, query_bytes(&query, 2), to);
        else
            status = error_set(error, STATUS_FAILED, "the opening book '%s' is damaged: a link refers to no node of it",
                               graph->spec.name);
    }
    return query_end_after(&query, status, error);
}

static Status load(Database *db, const char *name, BookGraph *graph, Numbers *ids, Error *error)
{
    DatabaseBook book;
    int64_t id = 0;
    Status status = find_named(db, name, &book, &id, error);
    if (status == STATUS_OK && id == 0)
        status = database_no_book(name, error);
    if (status != STATUS_OK)
        return status;
    graph->spec = book.spec;
    graph->games = book.games;
    status = load_nodes(db, id, graph, ids, error);
    return status == STATUS_OK ? load_links(db, id, graph, ids, error) : status;
}

Status database_load_book(Database *db, const char *name, BookGraph *graph, Error *error)
{
    Numbers ids = {0};
    if (db == NULL)
        return database_no_book(name, error);
    // A snapshot, so that spec, nodes and links are of the same state.
    Status status = IN_SNAPSHOT(db, load(db, name, graph, &ids, error), error);
    free(ids.list);
    return status;
}

Status database_look_up(Database *db, const BookKey *key, const BookSink *sink, Error *error)
{
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Query query = query_with(
        db, QUERY_BOOK_LOOK_UP,
        VALUES(value_text(key->spec->name), KIND_VALUES(key->spec), value_int(key->depth), value_text(key->code)));
    for (bool is_first = true; query_row(&query); is_first = false) {
        if (is_first && sink->position != NULL)
            sink->position(sink->context, counts_of(&query, 0));
        if (!query_is_null(&query, 3))
            sink->turn(sink->context, query_bytes(&query, 3), counts_of(&query, 4));
    }
    Status status = query_end(&query, error);
    database_unlock(db);
    return status;
}
