// krow book: the group of commands for opening books, with list, remove, export and import.
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "lab/books.h"
#include "store/files/bookfile.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *output, *name; // NULL: not given
    bool extends;
} BookArgs;

enum { BOOK_FILE_MAX = 1 << 30 };

// --- list ---

// `nodes` and `links` of the book must be filled.
static json_t *json_of(const DatabaseBook *book)
{
    return view_book(&book->spec, json_pack("{s:I, s:I, s:I, s:I}", "games", (json_int_t)book->games, "nodes",
                                            (json_int_t)book->nodes, "links", (json_int_t)book->links, "built",
                                            (json_int_t)book->built));
}

static bool take_json(void *context, const DatabaseBook *book)
{
    (void)json_array_append_new(context, json_of(book));
    return true;
}

static bool take_line(void *context, const DatabaseBook *book)
{
    const BookSpec *spec = &book->spec;
    char game[RULES_TEXT_SIZE], when[32];
    rules_format(&spec->rules, game);
    if (!*(bool *)context)
        (void)printf("%-16s %-24s %-10s %5s %8s %8s %8s  %s\n", "name", "game", "encoding", "turns", "games", "nodes",
                     "links", "built");
    *(bool *)context = true;
    (void)printf("%-16s %-24s %s%s %5u %8llu %8llu %8llu  %s\n", spec->name, game, encoding_name(spec->encoding),
                 spec->symmetric ? "+s" : "  ", spec->turns, (unsigned long long)book->games,
                 (unsigned long long)book->nodes, (unsigned long long)book->links, view_date(book->built, when));
    return true;
}

static Status run_list(const void *options, Error *error)
{
    const BookArgs *args = options;
    Database *db = NULL;
    bool any = false;
    json_t *list = args->line.json ? json_array() : NULL;
    Status status = database_for("opening books", args->line.db, OPEN_TO_READ, &db, error);
    if (status == STATUS_OK)
        status = args->line.json ? database_each_book(db, take_json, list, error)
                                 : database_each_book(db, take_line, &any, error);
    database_close(db);
    if (status == STATUS_OK && args->line.json)
        return output_json(json_pack("{s:o}", "books", list), error);
    json_decref(list);
    if (status == STATUS_OK && !any)
        (void)printf("There are no opening books; 'krow book build NAME' makes one.\n");
    return status;
}

// --- remove ---

typedef struct {
    const char *name;
    bool found;
    DatabaseBook book;
} Wanted;

static bool take_wanted(void *context, const DatabaseBook *book)
{
    Wanted *wanted = context;
    wanted->found = strcmp(book->spec.name, wanted->name) == 0;
    if (wanted->found)
        wanted->book = *book;
    return !wanted->found;
}

static Status run_remove(const void *options, Error *error)
{
    const BookArgs *args = options;
    Database *db = NULL;
    Wanted wanted = {.name = args->line.words[0]};
    // Opened for reading first, so that no database is created.
    Status status = database_for("opening books", args->line.db, OPEN_TO_READ, &db, error);
    if (status == STATUS_OK)
        status = database_each_book(db, take_wanted, &wanted, error);
    database_close(db);
    if (status == STATUS_OK && !wanted.found)
        status = database_no_book(wanted.name, error);
    db = NULL;
    if (status == STATUS_OK)
        status = database_for("opening books", args->line.db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_remove_book(db, wanted.name, error);
    database_close(db);
    if (status != STATUS_OK)
        return status;
    if (args->line.json)
        return output_json(json_of(&wanted.book), error);
    if (!args->line.quiet)
        (void)printf("book '%s' is removed: it had %llu game%s, %llu node%s, %llu link%s\n", wanted.name,
                     (unsigned long long)wanted.book.games, view_plural(wanted.book.games),
                     (unsigned long long)wanted.book.nodes, view_plural(wanted.book.nodes),
                     (unsigned long long)wanted.book.links, view_plural(wanted.book.links));
    return STATUS_OK;
}

// --- export ---

// A book that has just been read or stored.
static json_t *json_of_graph(const BookGraph *graph, const char *file)
{
    return view_book(&graph->spec, json_pack("{s:I, s:I, s:I, s:s%}", "games", (json_int_t)graph->games, "nodes",
                                             (json_int_t)graph->node_count, "links", (json_int_t)graph->link_count,
                                             "file", file, strlen(file)));
}

static Status run_export(const void *options, Error *error)
{
    const BookArgs *args = options;
    Database *db = NULL;
    BookGraph graph = {0};
    Text text = {0};
    if (args->line.json && args->output == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--json needs -o FILE: the book is written to standard output");
    Status status = database_for("opening books", args->line.db, OPEN_TO_READ, &db, error);
    if (status == STATUS_OK)
        status = database_load_book(db, args->line.words[0], &graph, error);
    book_graph_sort(&graph);
    if (status == STATUS_OK) {
        bookfile_write(&graph, &text);
        status = output_write(&text, args->output, error);
    }
    text_close(&text);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_of_graph(&graph, args->output), error);
    else if (status == STATUS_OK && args->output != NULL && !args->line.quiet)
        (void)fprintf(stderr, "%u node%s, %u link%s in %s\n", graph.node_count, view_plural(graph.node_count),
                      graph.link_count, view_plural(graph.link_count), args->output);
    book_graph_close(&graph);
    database_close(db);
    return status;
}

// --- import ---

static Status read_book(const char *path, BookGraph *graph, Error *error)
{
    Text text = {0};
    Status status = file_read(path, BOOK_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = bookfile_read((Span){text.data, text.length}, graph, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", strcmp(path, "-") == 0 ? "standard input" : path);
    }
    text_close(&text);
    return status;
}

static Status run_import(const void *options, Error *error)
{
    const BookArgs *args = options;
    Database *db = NULL;
    BookGraph graph = {0};
    Status status = read_book(args->line.words[0], &graph, error);
    if (status == STATUS_OK && args->name != NULL) {
        if (book_name_is_good(span_of(args->name)))
            (void)snprintf(graph.spec.name, sizeof graph.spec.name, "%s", args->name);
        else
            status = error_set(error, STATUS_BAD_INPUT, "--name: '%s' is not a book name", args->name);
    }
    if (status == STATUS_OK)
        status = database_for("opening books", args->line.db, OPEN_TO_WRITE, &db, error);
    book_graph_sort(&graph);
    if (status == STATUS_OK)
        status = database_save_book(db, &graph, args->extends ? DATABASE_BOOK_EXTEND : DATABASE_BOOK_REPLACE,
                                    clock_unix_ms(), error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_of_graph(&graph, args->line.words[0]), error);
    else if (status == STATUS_OK && !args->line.quiet)
        (void)printf("book '%s': %llu game%s, %u node%s, %u link%s\n", graph.spec.name, (unsigned long long)graph.games,
                     view_plural(graph.games), graph.node_count, view_plural(graph.node_count), graph.link_count,
                     view_plural(graph.link_count));
    book_graph_close(&graph);
    database_close(db);
    return status;
}

// --- The commands ---

static const CliOption list_options[] = {OPTION_NEEDED_DB, OPTION_JSON, CLI_END(BookArgs)};
static const CliOption remove_options[] = {OPTION_NEEDED_DB, OPTION_JSON, OPTION_QUIET, CLI_END(BookArgs)};
static const CliOption export_options[] = {
    OPTION_OUTPUT(BookArgs), OPTION_NEEDED_DB, OPTION_JSON, OPTION_QUIET, CLI_END(BookArgs),
};
static const CliOption import_options[] = {
    CLI_OPTION(BookArgs, name, "name", CLI_TEXT, "NAME", "Name of the book (default: the name in the file)"),
    CLI_OPTION(BookArgs, extends, "extend", CLI_FLAG, NULL,
               "Add the counts to the book of that name instead of replacing it"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(BookArgs),
};

static const Command command_book_list = {
    .name = "list",
    .summary = "List the opening books of the database",
    .about = "'+s' marks books that treat symmetric positions as the same.",
    .options = list_options,
    .run = run_list,
};

static const Command command_book_remove = {
    .name = "remove",
    .words = "NAME",
    .summary = "Remove an opening book from the database",
    .about = "The games of the book stay in the database.",
    .options = remove_options,
    .run = run_remove,
};

static const Command command_book_export = {
    .name = "export",
    .words = "NAME",
    .summary = "Write an opening book as a text file",
    .about = "docs/book.md describes the format. Replaces an existing file in one step.",
    .options = export_options,
    .run = run_export,
};

static const Command command_book_import = {
    .name = "import",
    .words = "FILE",
    .summary = "Import an opening book from a text file",
    .about =
        "Replaces a book of the same name unless --extend is given. On an error, reports the line and changes nothing.",
    .options = import_options,
    .run = run_import,
};

static const Command *const parts[] = {
    &command_book_build,
    &command_book_show,
    &command_book_list,
    &command_book_export,
    &command_book_import,
    &command_book_remove,
    NULL,
};

const Command command_book = {
    .name = "book",
    .words = "COMMAND",
    .summary = "Opening books: build, look up, import, export",
    .about = "A book counts which turns followed the positions of the first turns of games, and how the games "
             "ended.\nThe agent 'book' plays by it: krow play connect6 --second book",
    .parts = parts,
};
