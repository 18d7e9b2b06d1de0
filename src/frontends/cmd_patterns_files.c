// krow patterns export and import: sets of patterns as text files.
#include "base/clock.h"
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/output.h"
#include "frontends/pattern_check.h"
#include "frontends/pattern_sets.h"
#include "store/patternfile.h"

#include <string.h>

enum { PATTERNS_FILE_MAX = 1 << 28 };

static bool is_standard(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

// --- export ---

static Status load(const Args *args, const PatternSetName *name, PatternSet *set, Error *error)
{
    Database *db = NULL;
    PatternList list = {0};
    DatabasePatternChoice choice = pattern_sets_choice(args);
    Status status = pattern_sets_database_to_read(args->db, &db, error);
    if (status == STATUS_OK)
        status = pattern_sets_read(db, name, choice, &list, error);
    if (status == STATUS_OK && list.count == 0)
        status = pattern_sets_no_pattern(name, choice, error);
    set->rules = name->rules;
    (void)snprintf(set->name, sizeof set->name, "%s", name->set);
    for (size_t i = 0; i < list.count && status == STATUS_OK; i++)
        status = pattern_set_add(set, &list.list[i].pattern, error);
    pattern_list_close(&list);
    database_close(db);
    return status;
}

static Status write_set(const PatternSet *set, const char *path, Error *error)
{
    Text text = {0};
    Status status = STATUS_OK;
    patternfile_write(set, &text);
    if (text.failed)
        status = error_set(error, STATUS_NO_MEMORY, "no memory for the text of the patterns");
    else if (is_standard(path))
        (void)fwrite(text.data, 1, text.length, stdout);
    else
        status = file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status run_export(const Args *args, Error *error)
{
    PatternSetName name;
    PatternSet set = {0};
    const char *path = args->word_count > 0 ? args->words[0] : NULL;
    if (args->json && is_standard(path))
        return error_set(error, STATUS_BAD_INPUT, "--json needs FILE: the patterns are written to standard output");
    Status status = pattern_sets_name(args, NULL, &name, error);
    if (status == STATUS_OK)
        status = load(args, &name, &set, error);
    if (status == STATUS_OK)
        status = write_set(&set, path, error);
    if (status == STATUS_OK && args->json)
        status = output_json(json_pack("{s:s, s:s, s:I, s:s}", "game", name.game, "set", name.set, "count",
                                       (json_int_t)set.count, "file", path),
                             error);
    else if (status == STATUS_OK && !is_standard(path) && !args->quiet)
        (void)fprintf(stderr, "%zu pattern%s in %s\n", set.count, output_plural(set.count), path);
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

// Where the patterns go: --game and --set before what the file says. A pattern is about rows of k stones and not about
// the size of a board, so it may go to another board of the same k.
static Status choose(const Args *args, const PatternSet *set, PatternSetName *name, Error *error)
{
    char game[RULES_TEXT_SIZE];
    Status status = pattern_sets_name(args, NULL, name, error);
    if (status == STATUS_OK)
        status = pattern_set_check_rules(&name->rules, error);
    if (status != STATUS_OK)
        return status;
    if (args->set == NULL)
        name->set = set->name;
    rules_format(&set->rules, game);
    if (args->game != NULL && name->rules.k != set->rules.k)
        return error_set(error, STATUS_BAD_INPUT, "the patterns are for %s, and rows of %s have another length", game,
                         name->game);
    if (args->game == NULL) {
        name->rules = set->rules;
        memcpy(name->game, game, sizeof name->game);
    }
    return STATUS_OK;
}

// What became of the patterns of a file.
typedef struct {
    uint64_t added, known, refuted, undecided;
} Imported;

// Leaves only those that are proved, in their order.
static Status verify(const Args *args, const Rules *rules, PatternSet *set, Imported *imported, Error *error)
{
    PatternCheck check = {0};
    PatternProofResult result;
    size_t left = 0;
    Status status = pattern_check_open(&check, rules, args, error);
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

static Status report_import(const Args *args, const PatternSetName *name, const Imported *imported, Error *error)
{
    if (args->json) {
        json_t *object =
            json_pack("{s:s, s:s, s:I, s:I, s:s}", "game", name->game, "set", name->set, "added",
                      (json_int_t)imported->added, "known", (json_int_t)imported->known, "file", args->words[0]);
        if (args->verifies) {
            (void)json_object_set_new(object, "refuted", json_integer((json_int_t)imported->refuted));
            (void)json_object_set_new(object, "undecided", json_integer((json_int_t)imported->undecided));
        }
        return output_json(object, error);
    }
    if (args->quiet)
        return STATUS_OK;
    (void)printf("set '%s' for %s: %llu pattern%s added, %llu known already", name->set, name->game,
                 (unsigned long long)imported->added, output_plural(imported->added),
                 (unsigned long long)imported->known);
    if (args->verifies)
        (void)printf(", %llu refuted and %llu undecided left out", (unsigned long long)imported->refuted,
                     (unsigned long long)imported->undecided);
    (void)printf("\n");
    return STATUS_OK;
}

static Status run_import(const Args *args, Error *error)
{
    Database *db = NULL;
    PatternSet set = {0};
    PatternSetName name;
    Imported imported = {0};
    Status status = read_set(args->words[0], &set, error);
    if (status == STATUS_OK)
        status = choose(args, &set, &name, error);
    if (status == STATUS_OK && args->verifies)
        status = verify(args, &name.rules, &set, &imported, error);
    if (status == STATUS_OK)
        status = pattern_sets_database(args->db, &db, error);
    if (status == STATUS_OK)
        status = database_learn_patterns(db, name.set, &name.rules, set.patterns, set.count, clock_unix_ms(),
                                         &imported.added, error);
    imported.known = set.count - imported.added;
    database_close(db);
    if (status == STATUS_OK)
        status = report_import(args, &name, &imported, error);
    pattern_set_close(&set);
    return status;
}

// --- The commands ---

static const struct argp_option export_options[] = {
    {"game", ARG_GAME, "GAME", 0, "The game (gomoku unless given)", 0},
    OPTION_SET,
    {"tier", ARG_TIER, "T", 0, "Only patterns of this tier", 0},
    OPTION_BOOK_DB,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};
static const struct argp_option import_options[] = {
    {"game", ARG_GAME, "GAME", 0, "For this game, instead of that of the file; rows of the same length", 0},
    {"set", ARG_SET, "NAME", 0, "Into this set, instead of that of the file", 0},
    {"verify", ARG_VERIFY, NULL, 0, "Take only patterns that are proved to win, as 'krow patterns check' does", 0},
    {"nodes", ARG_NODES, "N", 0, "With --verify: look at no more than N positions a pattern", 0},
    {"time", ARG_TIME, "SECONDS", 0, "With --verify: think no longer than this about a pattern", 0},
    OPTION_BOOK_DB,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_patterns_export = {
    .name = "export",
    .words = "[FILE]",
    .summary = "Write a set of patterns as a text file",
    .about =
        "To standard output without FILE. docs/patterns.md describes the format. An existing file is replaced in one "
        "step.",
    .options = export_options,
    .max_words = 1,
    .run = run_export,
};

const Command command_patterns_import = {
    .name = "import",
    .words = "FILE",
    .summary = "Take patterns from a text file into the database",
    .about =
        "They are added to the set, all in one step; a pattern is passed over where the set has one that is equal to "
        "it or a part of it, as it is or turned. An error names the line, and then nothing is changed.",
    .options = import_options,
    .min_words = 1,
    .max_words = 1,
    .run = run_import,
};
