// krow openings: make or convert opening sets.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/match_run.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *game, *format;
    const char *agent, *filter, *output; // NULL: not given
    unsigned count, turns;
    uint64_t seed;
    double chance;
    Budget budget;
} OpeningsArgs;

// One opening as a game record, which every writable format accepts.
static Status write_opening(const Opening *opening, const Rules *rules, const Format *format, Text *text, Error *error)
{
    GameRecord record = {.rules = *rules};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < opening->count && status == STATUS_OK; i++)
        status = record_add(&record, (RecordStone){.cell = opening->stones[i], .ms = RECORD_MS_UNKNOWN}, error);
    if (status == STATUS_OK)
        status = formats_write(&record, format, text, error);
    record_close(&record);
    return status;
}

static Status write_openings(const Openings *openings, const Rules *rules, const Format *format, const char *path,
                             Error *error)
{
    Text text = {0};
    Status status = STATUS_OK;
    for (unsigned i = 0; i < openings->count && status == STATUS_OK; i++)
        status = write_opening(&openings->list[i], rules, format, &text, error);
    if (status == STATUS_OK)
        status = output_write(&text, path, error);
    text_close(&text);
    return status;
}

static Status print_json(const Openings *openings, const Rules *rules, uint64_t seed, Error *error)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < openings->count; i++)
        (void)json_array_append_new(list, view_cells(openings->list[i].stones, openings->list[i].count));
    return output_json(
        json_pack("{s:o, s:o, s:I}", "game", view_rules(rules), "openings", list, "seed", (json_int_t)seed), error);
}

// The depth to which a position is searched for wins: enough to see an open three.
enum { UNDECIDED_DEPTH = 3, BALANCED_NODES = 20000 };

static Status set_filter(const OpeningsArgs *args, OpeningRecipe *recipe, Error *error)
{
    const char *filter = args->filter != NULL ? args->filter : "quiet";
    recipe->keep_unquiet = strcmp(filter, "none") == 0 || strcmp(filter, "undecided") == 0;
    if (strcmp(filter, "undecided") == 0)
        recipe->undecided = UNDECIDED_DEPTH;
    else if (strcmp(filter, "balanced") == 0)
        recipe->balanced = args->budget.nodes > 0 ? args->budget.nodes : BALANCED_NODES;
    else if (strcmp(filter, "quiet") != 0 && strcmp(filter, "none") != 0)
        return error_set(error, STATUS_BAD_INPUT, "--filter: '%s' is not quiet, undecided, balanced or none", filter);
    if (args->budget.nodes > 0 && recipe->balanced == 0)
        return error_set(error, STATUS_BAD_INPUT, "--nodes needs --filter balanced");
    return STATUS_OK;
}

static void show_progress(void *context, unsigned made)
{
    progress_show(context, made, "");
}

static Status make(const OpeningsArgs *args, const Rules *rules, Openings *openings, Error *error)
{
    if (args->line.word_count > 0)
        return match_run_read_openings(args->line.words[0], rules, openings, error);
    OpeningRecipe recipe = opening_recipe(rules, args->seed);
    recipe.stop = interrupt_catch();
    if (args->agent != NULL)
        recipe.agent = args->agent;
    recipe.chance = args->chance;
    if (args->turns > 0)
        recipe.max_turns = args->turns;
    Status status = set_filter(args, &recipe, error);
    if (status != STATUS_OK)
        return status;
    unsigned wanted = args->count;
    Progress progress;
    progress_begin(&progress, recipe.balanced > 0 ? args->line.reporter : NULL, wanted, 0);
    progress.things = "openings";
    recipe.progress = show_progress;
    recipe.context = &progress;
    status = openings_make(&recipe, rules, wanted, openings, error);
    progress_end(&progress, openings->count, "");
    return status;
}

static Status run(const void *options, Error *error)
{
    const OpeningsArgs *args = options;
    Rules rules;
    Status status = rules_parse(span_of(args->game), &rules, error);
    const Format *format = format_find(span_of(args->format));
    if (status == STATUS_OK && (format == NULL || format->write == NULL))
        status = error_set(error, STATUS_BAD_INPUT,
                           "--format: there is no format '%s' to write; 'krow export --help' lists them", args->format);
    if (status != STATUS_OK)
        return status;
    Openings openings = {0};
    status = make(args, &rules, &openings, error);
    if (status == STATUS_OK)
        status = args->line.json ? print_json(&openings, &rules, args->seed, error)
                                 : write_openings(&openings, &rules, format, args->output, error);
    openings_close(&openings);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(OpeningsArgs, game, "game", CLI_TEXT, "GAME", "Game of the openings", .fallback = "gomoku"),
    CLI_OPTION(OpeningsArgs, count, "count", CLI_WHOLE, "N", "Number of openings", .fallback = "50", .min = 1,
               .max = 1000000),
    CLI_OPTION(OpeningsArgs, seed, "seed", CLI_SEED, "N", "Random seed", .max = INT64_MAX, .fallback = "1"),
    CLI_OPTION(OpeningsArgs, agent, "agent", CLI_TEXT, "AGENT", "Agent that plays them (default adjacent)"),
    CLI_OPTION(OpeningsArgs, chance, "chance", CLI_SHARE, "SHARE", "Share of random stones, 0 to 1", .fallback = "0.5"),
    CLI_OPTION(OpeningsArgs, turns, "turns", CLI_WHOLE, "N",
               "At most N turns (default a quarter of the board, at most 10)", .min = 1, .max = RULES_CELLS_MAX),
    CLI_OPTION(OpeningsArgs, filter, "filter", CLI_TEXT, "NAME",
               "quiet (the default): drop positions in which a side could complete a row in its next turn; undecided: "
               "play to the end, take any position up to --turns, drop those with a short forced win of either side, "
               "by alpha-beta to depth 3 with forcing sequences; balanced: as quiet, and keep only positions in which "
               "the engine gives each side a winning chance of 40 to 60 %; none: keep all"),
    CLI_OPTION(OpeningsArgs, budget.nodes, "nodes", CLI_WHOLE, "N",
               "With --filter balanced: search at most N positions per candidate (default 20000)", .min = 1,
               .max = INT64_MAX),
    OPTION_QUIET,
    CLI_OPTION(OpeningsArgs, format, "format", CLI_TEXT, "NAME",
               "Output format: krow, offset, pos-top, pos-bottom, sgf and others", .fallback = "krow"),
    OPTION_OUTPUT(OpeningsArgs),
    OPTION_JSON,
    CLI_END(OpeningsArgs),
};

const Command command_openings = {
    .name = "openings",
    .words = "[FILE]",
    .summary = "Make or convert opening sets",
    .about = "A shallow agent plays itself with many random stones; the openings are early positions, no two of them "
             "symmetric (Kulev and Wu, section 5). The same seed generates the same set. With FILE, converts its "
             "openings to another format.\n\nExample:\n  krow openings --game connect6 --count 100 --seed "
             "7 -o openings.txt",
    .options = options,
    .run = run,
};
