// krow book build: an opening book from games of the database or of files.
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "lab/books.h"
#include "lab/damaged.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

typedef struct {
    CommandLine line;
    const char *game, *format, *encoding, *match, *agent; // NULL: not given
    bool is_symmetric, extends;
    unsigned turns;
} BookBuildArgs;

enum { BUILD_FILE_MAX = 1 << 30, TURNS_USUAL = 10, SHOWN_EVERY = 1000, COMPLAINTS_MAX = 20 };

// Games that are left out, by reason.
typedef struct {
    uint64_t unfinished, set_up, faulty, other_rules, damaged;
} LeftOut;

typedef struct {
    BookGraph graph;
    bool has_rules; // known from --game or from the first game
    bool is_chosen; // by --game
    const BookBuildArgs *args;
    const Format *format; // of all files, NULL: by ending and content
    const char *path;     // of the current file, NULL for the database
    uint64_t readable;    // undamaged games, including those left out
    LeftOut left_out;
    Status status;
    Error *error;
} Build;

static void show_progress(const Build *build)
{
    if (build->graph.games % SHOWN_EVERY == 0)
        reporter_show(build->args->line.quiet ? NULL : build->args->line.reporter, "%llu games, %u nodes",
                      (unsigned long long)build->graph.games, build->graph.node_count);
}

// Sets the rules of the book, and the encoding unless it was chosen.
static void set_rules(Build *build, const Rules *rules)
{
    build->graph.spec.rules = *rules;
    build->has_rules = true;
    if (build->args->encoding == NULL)
        build->graph.spec.encoding = book_usual_encoding(rules);
}

// Whether the game has the rules of the book; other rules are an error unless --game was given.
static bool takes(Build *build, const GameRecord *record, Fault fault)
{
    if (!build->has_rules)
        set_rules(build, &record->rules);
    if (!rules_equal(&record->rules, &build->graph.spec.rules)) {
        char one[RULES_TEXT_SIZE], other[RULES_TEXT_SIZE];
        rules_format(&build->graph.spec.rules, one);
        rules_format(&record->rules, other);
        build->left_out.other_rules++;
        if (!build->is_chosen)
            build->status = error_set(build->error, STATUS_BAD_INPUT,
                                      "there are games of %s and of %s; choose with --game", one, other);
        return false;
    }
    build->left_out.set_up += record->setup != NULL;
    build->left_out.faulty += record->setup == NULL && fault != FAULT_NONE;
    build->left_out.unfinished += record->setup == NULL && fault == FAULT_NONE && record->result == RESULT_NONE;
    return record->setup == NULL && fault == FAULT_NONE && record->result != RESULT_NONE;
}

static bool take_record(Build *build, const GameRecord *record, Fault fault)
{
    build->readable++;
    if (takes(build, record, fault)) {
        Cell stones[RULES_CELLS_MAX];
        for (unsigned i = 0; i < record->count; i++)
            stones[i] = record->stones[i].cell;
        BookCounts outcome = {record->result == RESULT_FIRST, record->result == RESULT_DRAW,
                              record->result == RESULT_SECOND};
        build->status = book_graph_add(&build->graph, stones, record->count, outcome, build->error);
        show_progress(build);
    }
    return build->status == STATUS_OK && !atomic_load(interrupt_flag());
}

// --- Sources of games ---

static bool take_stored(void *context, const DatabaseGame *game)
{
    Build *build = context;
    bool goes_on = take_record(build, game->record, game->fault);
    if (build->status == STATUS_BAD_INPUT && build->is_chosen)
        error_prefix(build->error, "game %lld of the database: ", (long long)game->id);
    return goes_on;
}

static bool take_read(void *context, const FormatItem *item)
{
    Build *build = context;
    if (item->record != NULL)
        return take_record(build, item->record, FAULT_NONE);
    if (build->left_out.damaged++ < COMPLAINTS_MAX)
        (void)fprintf(stderr, "%s:%zu: %s\n", build->path, item->line, item->error->text);
    return !atomic_load(interrupt_flag());
}

static Status from_file(Build *build, const char *path, Error *error)
{
    Text text = {0};
    FormatOptions options = {.format = build->format != NULL ? build->format : format_prefix(&path),
                             .rules = build->is_chosen ? &build->graph.spec.rules : NULL};
    build->path = path;
    Status status = file_read(path, BUILD_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        Span whole = {text.data, text.length};
        if (options.format == NULL)
            status = format_guess(path, whole, &options.format, error);
        if (status == STATUS_OK) {
            (void)formats_read(whole, &options, take_read, build, NULL); // damaged games are counted
            status = build->status;
        } else {
            error_prefix(error, "'%s' (see --format): ", path);
        }
    }
    text_close(&text);
    return status;
}

static Status from_database(Build *build, Database *db, Error *error)
{
    DatabaseFilter filter = {.rules = build->is_chosen ? &build->graph.spec.rules : NULL,
                             .agent = build->args->agent,
                             .without_saved = true};
    Status status = lab_find_match(db, build->args->match, &filter.match, error);
    DamagedGames damaged;
    damaged_watch(&damaged, db, build->args->line.reporter);
    if (status == STATUS_OK)
        status = database_each_game(db, &filter, take_stored, build, error);
    damaged_close(&damaged, db);
    return status == STATUS_OK ? build->status : status;
}

// If most games cannot be read, probably the rules or the format are wrong; the rest must not replace a book.
static Status judge(const Build *build, Error *error)
{
    unsigned long long damaged = build->left_out.damaged, all = damaged + build->readable;
    if (damaged > COMPLAINTS_MAX)
        (void)fprintf(stderr, "and %llu more\n", damaged - COMPLAINTS_MAX);
    if (damaged > build->readable)
        return error_set(error, STATUS_FAILED,
                         "%llu of %llu games could not be read, so nothing was changed; check --game and --format",
                         damaged, all);
    return build->graph.games > 0 ? STATUS_OK
                                  : error_set(error, STATUS_FAILED, "there are no finished games to build a book from");
}

static Status collect(Build *build, Database *db, Error *error)
{
    const BookBuildArgs *args = build->args;
    Status status = args->line.word_count == 1 ? from_database(build, db, error) : STATUS_OK;
    for (int i = 1; i < args->line.word_count && status == STATUS_OK; i++)
        status = from_file(build, args->line.words[i], error);
    reporter_end(args->line.reporter);
    if (status == STATUS_OK && atomic_load(interrupt_flag()))
        status = error_set(error, STATUS_FAILED, "interrupted; nothing was changed");
    return status == STATUS_OK ? judge(build, error) : status;
}

// --- Report ---

static Status report(const Build *build, double seconds, Error *error)
{
    const BookGraph *graph = &build->graph;
    const BookSpec *spec = &graph->spec;
    const LeftOut *left = &build->left_out;
    char game[RULES_TEXT_SIZE];
    rules_format(&spec->rules, game);
    if (build->args->line.json)
        return output_json(
            view_book(spec,
                      json_pack("{s:I, s:i, s:i, s:f, s:{s:I, s:I, s:I, s:I, s:I}}", "games", (json_int_t)graph->games,
                                "nodes", (int)graph->node_count, "links", (int)graph->link_count, "ms", seconds * 1000,
                                "left_out", "unfinished", (json_int_t)left->unfinished, "set_up",
                                (json_int_t)left->set_up, "faulty", (json_int_t)left->faulty, "other_rules",
                                (json_int_t)left->other_rules, "damaged", (json_int_t)left->damaged)),
            error);
    (void)printf("book '%s' for %s, %s%s, %u turn%s: %llu game%s, %u node%s, %u link%s in %.2f s\n", spec->name, game,
                 encoding_name(spec->encoding), spec->symmetric ? " and symmetric" : "", spec->turns,
                 view_plural(spec->turns), (unsigned long long)graph->games, view_plural(graph->games),
                 graph->node_count, view_plural(graph->node_count), graph->link_count, view_plural(graph->link_count),
                 seconds);
    uint64_t all = left->unfinished + left->set_up + left->faulty + left->other_rules + left->damaged;
    if (all > 0)
        (void)printf("left out: %llu without a result, %llu set up, %llu that ended with a fault, %llu of other rules, "
                     "%llu damaged\n",
                     (unsigned long long)left->unfinished, (unsigned long long)left->set_up,
                     (unsigned long long)left->faulty, (unsigned long long)left->other_rules,
                     (unsigned long long)left->damaged);
    return STATUS_OK;
}

static Status prepare(Build *build, const BookBuildArgs *args, Error *error)
{
    BookSpec *spec = &build->graph.spec;
    if (!book_name_is_good(span_of(args->line.words[0])))
        return error_set(error, STATUS_BAD_INPUT, "'%s' is not a book name; use letters, digits, - _ . and at most %d",
                         args->line.words[0], BOOK_NAME_SIZE - 1);
    (void)snprintf(spec->name, sizeof spec->name, "%s", args->line.words[0]);
    spec->symmetric = args->is_symmetric;
    spec->turns = args->turns > 0 ? args->turns : TURNS_USUAL;
    if (args->line.word_count > 1 && (args->match != NULL || args->agent != NULL))
        return error_set(error, STATUS_BAD_INPUT,
                         "--match and --agent select games of the database and cannot be combined with FILE");
    if (args->format != NULL && args->line.word_count == 1)
        return error_set(error, STATUS_BAD_INPUT, "--format needs FILE");
    if (args->format != NULL && (build->format = format_find(span_of(args->format))) == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--format: there is no format '%s'", args->format);
    if (args->encoding != NULL && !encoding_find(span_of(args->encoding), &spec->encoding))
        return error_set(error, STATUS_BAD_INPUT, "--encoding: '%s' is neither relative nor absolute", args->encoding);
    if (args->game == NULL)
        return STATUS_OK;
    Rules rules;
    Status status = rules_parse(span_of(args->game), &rules, error);
    if (status == STATUS_OK)
        set_rules(build, &rules);
    build->is_chosen = true;
    return status;
}

static Status build_and_save(Build *build, const BookBuildArgs *args, Error *error)
{
    Database *db = NULL;
    double begin = clock_seconds();
    Status status = prepare(build, args, error);
    if (status == STATUS_OK)
        status = database_for("opening books", args->line.db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = collect(build, db, error);
    book_graph_sort(&build->graph);
    if (status == STATUS_OK)
        status = database_save_book(db, &build->graph, args->extends ? DATABASE_BOOK_EXTEND : DATABASE_BOOK_REPLACE,
                                    clock_unix_ms(), error);
    database_close(db);
    if (status == STATUS_OK)
        status = report(build, clock_seconds() - begin, error);
    if (status == STATUS_OK && build->left_out.damaged > 0)
        status = error_set(error, STATUS_FAILED, "%llu game%s could not be read; the book is without %s",
                           (unsigned long long)build->left_out.damaged, view_plural(build->left_out.damaged),
                           build->left_out.damaged == 1 ? "it" : "them");
    return status;
}

static Status run(const void *options, Error *error)
{
    const BookBuildArgs *args = options;
    Build build = {.args = args, .error = error};
    (void)interrupt_catch();
    Status status = build_and_save(&build, args, error);
    book_graph_close(&build.graph);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(BookBuildArgs, game, "game", CLI_TEXT, "GAME",
               "Only games of these rules; also the rules of files that contain none"),
    CLI_OPTION(BookBuildArgs, format, "format", CLI_TEXT, "NAME",
               "Format of the files, as for import (default: detected); csv:FILE sets the format of one file"),
    CLI_OPTION(BookBuildArgs, turns, "turns", CLI_WHOLE, "N", "Store positions of the first N turns (default 10)",
               .min = 1, .max = RULES_CELLS_MAX),
    CLI_OPTION(BookBuildArgs, encoding, "encoding", CLI_TEXT, "NAME",
               "relative (to the first stone) or absolute (default: depends on the game)"),
    CLI_OPTION(BookBuildArgs, is_symmetric, "symmetric", CLI_FLAG, NULL, "Treat symmetric positions as the same"),
    CLI_OPTION(BookBuildArgs, match, "match", CLI_TEXT, "N|last", "Only games of this match of the database"),
    CLI_OPTION(BookBuildArgs, agent, "agent", CLI_TEXT, "AGENT", "Only games of this player"),
    CLI_OPTION(BookBuildArgs, extends, "extend", CLI_FLAG, NULL,
               "Add the games to the book of that name instead of replacing it"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(BookBuildArgs),
};

const Command command_book_build = {
    .name = "build",
    .words = "NAME [FILE...]",
    .summary = "Build an opening book from games",
    .about = "Reads the games of the database, or of the game files FILE in any format. Leaves out games without a "
             "result, games from set-up positions and games that ended with a fault of an agent. Replaces a book of "
             "the same name in one step. Damaged games are left out too and cause exit status 1; if they are more than "
             "half of all games, nothing is stored.\n\nExamples:\n  "
             "krow book build masters games.csv\n  krow book build ours --game connect6 --symmetric",
    .options = options,
    .run = run,
};
