// krow patterns: the group of commands for learned patterns, with list and forget.
#include "cli/commands.h"
#include "lab/books.h"
#include "lab/learn/pattern_sets.h"
#include "view/json_view.h"

#include <string.h>

// --- list ---

typedef struct {
    Database *db;
    bool has_rules;
    Rules rules;
    const char *set; // NULL: all; else patterns are listed as well
    bool any;
    json_t *json; // NULL: as text
    Status status;
    Error *error;
} Listing;

static void print_tiers(const DatabasePatternSet *set)
{
    const char *between = "";
    for (int tier = 0; tier <= PATTERN_TIER_MAX; tier++)
        if (set->of_tier[tier] > 0) {
            (void)printf("%s%d: %llu", between, tier, (unsigned long long)set->of_tier[tier]);
            between = ", ";
        }
}

static void print_set(const DatabasePatternSet *set, bool is_first)
{
    char game[RULES_TEXT_SIZE], when[32];
    rules_format(&set->rules, game);
    if (is_first)
        (void)printf("%-32s %-12s %8s  %-10s  %s\n", "set", "game", "patterns", "last", "of each tier");
    (void)printf("%-32s %-12s %8llu  %-10.10s  ", set->name, game, (unsigned long long)set->count,
                 view_date(set->learned, when));
    print_tiers(set);
    (void)printf("\n");
}

static void print_patterns(const PatternList *list)
{
    for (size_t i = 0; i < list->count; i++) {
        char code[PATTERN_TEXT_SIZE];
        pattern_format(&list->list[i].pattern, code);
        (void)printf("%8lld  tier %-2u  %s\n", (long long)list->list[i].number, list->list[i].pattern.tier, code);
    }
}

static json_t *json_of_set(const DatabasePatternSet *set, const PatternList *list)
{
    json_t *object =
        json_pack("{s:s, s:o, s:I, s:o, s:I}", "set", set->name, "game", view_rules(&set->rules), "count",
                  (json_int_t)set->count, "tiers", pattern_tiers_json(set), "learned", (json_int_t)set->learned);
    if (list != NULL)
        (void)json_object_set_new(object, "patterns", pattern_list_json(list));
    return object;
}

static bool take_set(void *context, const DatabasePatternSet *set)
{
    Listing *listing = context;
    PatternList list = {0};
    if ((listing->has_rules && !rules_equal(&set->rules, &listing->rules)) ||
        (listing->set != NULL && strcmp(set->name, listing->set) != 0))
        return true;
    if (listing->set != NULL) {
        PatternSetName name = {.rules = set->rules, .set = set->name};
        listing->status =
            pattern_sets_read(listing->db, &name, (DatabasePatternChoice){.tier = -1}, &list, listing->error);
        if (listing->status != STATUS_OK)
            return false;
    }
    if (listing->json != NULL) {
        (void)json_array_append_new(listing->json, json_of_set(set, listing->set != NULL ? &list : NULL));
    } else {
        print_set(set, !listing->any);
        print_patterns(&list);
    }
    listing->any = true;
    pattern_list_close(&list);
    return true;
}

static Status prepare_list(const PatternsArgs *args, Listing *listing, Error *error)
{
    PatternSetName name;
    const char *game = args->line.words[0];
    Status status = patterns_args_set(args, game, &name, error);
    listing->has_rules = game != NULL || args->game != NULL;
    listing->rules = name.rules;
    return status == STATUS_OK ? database_for("patterns", args->line.db, OPEN_TO_READ, &listing->db, error) : status;
}

static Status run_list(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    Listing listing = {.set = args->set, .error = error, .json = args->line.json ? json_array() : NULL};
    Status status = prepare_list(args, &listing, error);
    if (status == STATUS_OK)
        status = database_each_pattern_set(listing.db, take_set, &listing, error);
    database_close(listing.db);
    status = status == STATUS_OK ? listing.status : status;
    if (status == STATUS_OK && args->line.json)
        return output_json(json_pack("{s:o}", "sets", listing.json), error);
    json_decref(listing.json);
    if (status == STATUS_OK && !listing.any)
        (void)printf("There are no such patterns; add some with 'krow patterns learn' or 'krow patterns import'.\n");
    return status;
}

// --- forget ---

// Checks that exactly one of --number, --tier and --all is given.
static Status check_choice(const PatternsArgs *args, Error *error)
{
    if ((args->number != 0) + args->has_tier + args->all != 1)
        return error_set(error, STATUS_BAD_INPUT, "choose exactly one of --number N, --tier T and --all");
    if (args->all && args->set == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--all needs --set NAME: the set to remove");
    return STATUS_OK;
}

static Status report_forgotten(const PatternsArgs *args, const PatternSetName *name, const PatternList *list,
                               uint64_t forgotten, Error *error)
{
    char of_tier[32] = "";
    if (args->line.json)
        return output_json(json_pack("{s:s, s:s, s:I, s:o}", "game", name->game, "set", name->set, "forgotten",
                                     (json_int_t)forgotten, "patterns", pattern_list_json(list)),
                           error);
    if (args->line.quiet)
        return STATUS_OK;
    if (args->number != 0)
        print_patterns(list);
    if (args->has_tier)
        (void)snprintf(of_tier, sizeof of_tier, " of tier %u", args->tier);
    (void)printf("%llu pattern%s%s of the set '%s' for %s %s forgotten\n", (unsigned long long)forgotten,
                 view_plural(forgotten), of_tier, name->set, name->game, forgotten == 1 ? "is" : "are");
    return STATUS_OK;
}

static Status run_forget(const void *options, Error *error)
{
    const PatternsArgs *args = options;
    Database *db = NULL;
    PatternSetName name;
    PatternList list = {0};
    uint64_t forgotten = 0;
    Status status = check_choice(args, error);
    if (status == STATUS_OK)
        status = patterns_args_set(args, args->line.words[0], &name, error);
    if (status == STATUS_OK)
        status = patterns_args_read(args, &name, &list, error);
    // The database is opened for writing only if there is something to forget.
    if (status == STATUS_OK)
        status = database_for("patterns", args->line.db, OPEN_TO_WRITE, &db, error);
    DatabaseForget which = {name.set, &name.rules, patterns_args_choice(args)};
    if (status == STATUS_OK)
        status = database_forget_patterns(db, &which, &forgotten, error);
    database_close(db);
    if (status == STATUS_OK)
        status = report_forgotten(args, &name, &list, forgotten, error);
    pattern_list_close(&list);
    return status;
}

// --- The commands ---

static const CliOption list_options[] = {
    OPTION_PATTERN_GAME,
    CLI_OPTION(PatternsArgs, set, "set", CLI_TEXT, "NAME", "List only sets with this name, with their patterns"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    CLI_END(PatternsArgs),
};
static const CliOption forget_options[] = {
    OPTION_PATTERN_GAME,
    OPTION_SET,
    OPTION_NUMBER,
    OPTION_TIER,
    CLI_OPTION(PatternsArgs, all, "all", CLI_FLAG, NULL, "Remove the whole set given by --set"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(PatternsArgs),
};

static const Command command_patterns_list = {
    .name = "list",
    .words = "[GAME]",
    .summary = "List the sets of patterns with their sizes by tier",
    .about = "With --set, also lists the patterns: number, tier and text. The text has the rows from the top, "
             "separated by /; x is an own stone, . an empty cell, - any cell.",
    .options = list_options,
    .run = run_list,
};

static const Command command_patterns_forget = {
    .name = "forget",
    .words = "[GAME]",
    .summary = "Remove patterns from the database",
    .about = "Removes one pattern by its number, the patterns of a tier, or a whole set.\n\nExamples:\n  krow patterns "
             "forget --number 12\n  "
             "krow patterns forget gomoku --set mine --all",
    .options = forget_options,
    .run = run_forget,
};

static const Command *const parts[] = {
    &command_patterns_learn,  &command_patterns_list,  &command_patterns_show,   &command_patterns_export,
    &command_patterns_import, &command_patterns_check, &command_patterns_forget, NULL,
};

const Command command_patterns = {
    .name = "patterns",
    .words = "COMMAND",
    .summary = "Winning patterns: learn, list, draw, prove, import, export",
    .about = "A pattern is a set of cells marked own or empty. A side that has just moved and has this pattern "
             "wins.\nThe database stores patterns in named sets for each game.",
    .parts = parts,
};
