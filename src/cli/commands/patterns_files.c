// krow patterns export and import: sets of patterns as text files.
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/books.h"
#include "lab/learn/pattern_sets.h"
#include "papers/patterns/pattern_check.h"
#include "store/files/patternfile.h"
#include "view/json_view.h"

#include <string.h>

enum { PATTERNS_FILE_MAX = 1 << 28 };

static bool is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

// --- export ---

static Status load(const PatternsArgs *args, const PatternSetName *name, PatternSet *set, Error *error)
{
    PatternList list = {0};
    Status status = patterns_args_read(args, name, &list, error);
    set->rules = name->rules;
    (void)snprintf(set->name, sizeof set->name, "%s", name->set);
    for (size_t i = 0; i < list.count && status == STATUS_OK; i++)
        pattern_set_add(set, &list.list[i].pattern);
    pattern_list_close(&list);
    return status;
}

static Status run_export(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    PatternSetName name;
    PatternSet set = {0};
    Text text = {0};
    const char *path = args->line.words[0];
    if (args->line.json && is_standard(path))
        return error_set(error, STATUS_BAD_INPUT, "--json needs FILE: the patterns are written to standard output");
    Status status = patterns_args_set(args, NULL, &name, error);
    if (status == STATUS_OK)
        status = load(args, &name, &set, error);
    if (status == STATUS_OK) {
        patternfile_write(&set, &text);
        status = output_write(&text, is_standard(path) ? NULL : path, error);
    }
    text_close(&text);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_pack("{s:s, s:s, s:I, s:s}", "game", name.game, "set", name.set, "count",
                                       (json_int_t)set.count, "file", path),
                             error);
    else if (status == STATUS_OK && !is_standard(path) && !args->line.quiet)
        (void)fprintf(stderr, "%zu pattern%s in %s\n", set.count, view_plural(set.count), path);
    pattern_set_close(&set);
    return status;
}

// --- import ---

static Status read_set(const char *path, PatternSet *set, Error *error)
{
    Text text = {0};
    Status status = file_read(path, PATTERNS_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = patternfile_read((Span){text.data, text.length}, set, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", is_standard(path) ? "standard input" : path);
    }
    text_close(&text);
    return status;
}

// The target set: --game and --set override the file. A pattern depends on k and on the rule for longer rows, not on
// the size of the board.
static Status choose(const PatternsArgs *args, const PatternSet *set, PatternSetName *name, Error *error)
{
    char game[RULES_TEXT_SIZE];
    Status status = patterns_args_set(args, NULL, name, error);
    if (status == STATUS_OK)
        status = pattern_set_check_rules(&name->rules, error);
    if (status != STATUS_OK)
        return status;
    if (args->set == NULL)
        name->set = set->name;
    rules_format(&set->rules, game);
    if (args->game != NULL && (name->rules.k != set->rules.k || name->rules.exact != set->rules.exact))
        return error_set(error, STATUS_BAD_INPUT, "the patterns are for %s; rows of %s have another length", game,
                         name->game);
    if (args->game == NULL) {
        name->rules = set->rules;
        memcpy(name->game, game, sizeof name->game);
    }
    return STATUS_OK;
}

typedef struct {
    uint64_t added, known, refuted, undecided;
} Imported;

// Keeps only proved patterns, in their order.
static Status verify(const PatternsArgs *args, const Rules *rules, PatternSet *set, Imported *imported)
{
    PatternCheck check = {0};
    PatternProofResult result;
    size_t left = 0;
    Status status = STATUS_OK;
    pattern_check_open(&check, rules, &args->budget, interrupt_catch());
    for (size_t i = 0; i < set->count && status == STATUS_OK; i++) {
        if (!pattern_check_run(&check, &set->patterns[i], &result))
            status = STATUS_INTERRUPTED;
        else if (result.verdict == PATTERN_PROVED)
            set->patterns[left++] = set->patterns[i];
    }
    set->count = left;
    imported->refuted = check.of_verdict[PATTERN_REFUTED];
    imported->undecided = check.of_verdict[PATTERN_UNDECIDED];
    pattern_check_close(&check);
    return status;
}

static Status report_import(const PatternsArgs *args, const PatternSetName *name, const Imported *imported,
                            Error *error)
{
    if (args->line.json) {
        json_t *object =
            json_pack("{s:s, s:s, s:I, s:I, s:s}", "game", name->game, "set", name->set, "added",
                      (json_int_t)imported->added, "known", (json_int_t)imported->known, "file", args->line.words[0]);
        if (args->verifies) {
            (void)json_object_set_new(object, "refuted", json_integer((json_int_t)imported->refuted));
            (void)json_object_set_new(object, "undecided", json_integer((json_int_t)imported->undecided));
        }
        return output_json(object, error);
    }
    if (args->line.quiet)
        return STATUS_OK;
    (void)printf("set '%s' for %s: %llu pattern%s added, %llu known already", name->set, name->game,
                 (unsigned long long)imported->added, view_plural(imported->added),
                 (unsigned long long)imported->known);
    if (args->verifies)
        (void)printf(", %llu refuted and %llu undecided left out", (unsigned long long)imported->refuted,
                     (unsigned long long)imported->undecided);
    (void)printf("\n");
    return STATUS_OK;
}

static Status run_import(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    Database *db = NULL;
    PatternSet set = {0};
    PatternSetName name;
    Imported imported = {0};
    Status status = read_set(args->line.words[0], &set, error);
    if (status == STATUS_OK)
        status = choose(args, &set, &name, error);
    if (status == STATUS_OK && args->verifies)
        status = verify(args, &name.rules, &set, &imported);
    if (status == STATUS_OK)
        status = database_for("patterns", args->line.db, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_learn_patterns(
            db, &(DatabaseLearned){name.set, &name.rules, set.patterns, set.count, clock_unix_ms()}, &imported.added,
            error);
    imported.known = set.count - imported.added;
    database_close(db);
    if (status == STATUS_OK)
        status = report_import(args, &name, &imported, error);
    pattern_set_close(&set);
    return status;
}

// --- The commands ---

static const CliOption export_options[] = {
    CLI_OPTION(PatternsArgs, game, "game", CLI_TEXT, "GAME", "Game (default gomoku)"),
    OPTION_SET,
    OPTION_TIER,
    OPTION_NEEDED_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(PatternsArgs),
};
static const CliOption import_options[] = {
    CLI_OPTION(PatternsArgs, game, "game", CLI_TEXT, "GAME",
               "Game with the same k and rule for longer rows (default: the game in the file)"),
    CLI_OPTION(PatternsArgs, set, "set", CLI_TEXT, "NAME", "Set of patterns (default: the set in the file)"),
    CLI_OPTION(PatternsArgs, verifies, "verify", CLI_FLAG, NULL,
               "Import only patterns that are proved to win, as by 'krow patterns check'"),
    CLI_OPTION(PatternsArgs, budget.nodes, "nodes", CLI_WHOLE, "N",
               "With --verify: search at most N positions per pattern", .min = 1, .max = INT64_MAX),
    CLI_OPTION(PatternsArgs, budget.seconds, "time", CLI_SECONDS, "SECONDS",
               "With --verify: search at most SECONDS per pattern"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(PatternsArgs),
};

const Command command_patterns_export = {
    .name = "export",
    .words = "[FILE]",
    .summary = "Write a set of patterns as a text file",
    .about = "Writes to standard output without FILE. docs/patterns.md describes the format. Replaces an existing file "
             "in one step.",
    .options = export_options,
    .run = run_export,
};

const Command command_patterns_import = {
    .name = "import",
    .words = "FILE",
    .summary = "Import patterns from a text file",
    .about = "Adds the patterns to the set in one step. Skips a pattern if the set already contains it or a part of "
             "it, in any orientation. On an error, reports the line and changes nothing.",
    .options = import_options,
    .run = run_import,
};
