// krow puzzles make: puzzles from games.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/match_run.h"
#include "lab/puzzles/puzzle_library.h"
#include "lab/puzzles/puzzle_make.h"
#include "view/json_view.h"

#include <string.h>

typedef struct {
    CommandLine line;
    const char *output, *from; // NULL: not given
    unsigned count, jobs, least_turns;
    double easy;
    bool has_seed;
    uint64_t seed;
    Budget budget;
} MakeArgs;

typedef struct {
    const char *path;
    Progress progress;
} Keeper;

// The file gets all puzzles in one step, so that it is whole after a kill.
static Status keep(void *context, const Puzzles *puzzles, Error *error)
{
    Keeper *keeper = context;
    Text text = {0};
    char words[64], games[32];
    puzzles_write(puzzles, &text);
    Status status = file_write(keeper->path, (Span){text.data, text.length}, error);
    text_close(&text);
    (void)snprintf(words, sizeof words, "from %s games", view_number(puzzles->games, games));
    progress_show(&keeper->progress, puzzles->count, words);
    return status;
}

// Reads the collection to continue, if there is one.
static Status begin(const MakeArgs *args, const char *path, const Rules *rules, Puzzles *puzzles, Error *error)
{
    Text text = {0};
    puzzles->rules = *rules;
    puzzles->seed = args->has_seed ? args->seed : 1;
    if (file_read(path, PUZZLE_FILE_MAX, &text, NULL) != STATUS_OK)
        return file_check_writable(path, error);
    Status status = puzzles_read((Span){text.data, text.length}, puzzles, error);
    text_close(&text);
    if (status != STATUS_OK)
        error_prefix(error, "'%s': ", path);
    else if (!rules_equal(&puzzles->rules, rules))
        status = error_set(error, STATUS_BAD_INPUT, "'%s' has puzzles of another game", path);
    else if (args->has_seed && puzzles->seed != args->seed)
        status = error_set(error, STATUS_BAD_INPUT, "'%s' was made with --seed %llu; use that, or another --output",
                           path, (unsigned long long)puzzles->seed);
    return status;
}

static Status print_result(const MakeArgs *args, const Puzzles *puzzles, const char *path, Error *error)
{
    char games[32];
    if (args->line.json)
        return output_json(json_pack("{s:o, s:s%, s:i, s:I, s:I}", "game", view_rules(&puzzles->rules), "file", path,
                                     strlen(path), "puzzles", (int)puzzles->count, "games", (json_int_t)puzzles->games,
                                     "seed", (json_int_t)puzzles->seed),
                           error);
    (void)printf("%u puzzle%s from %s games in %s\n", puzzles->count, view_plural(puzzles->count),
                 view_number(puzzles->games, games), path);
    return STATUS_OK;
}

static Status make(const MakeArgs *args, const char *path, Puzzles *puzzles, const Openings *given, Error *error)
{
    Keeper keeper = {.path = path};
    PuzzleRecipe recipe = {
        .count = args->count,
        .first = args->output == NULL ? PUZZLE_OWN_FIRST : 1,
        .jobs = args->jobs > 0 ? args->jobs : 1,
        .given = given,
        .least_turns = args->least_turns,
        .most_easy = args->easy,
        .nodes = args->budget.nodes,
        .stop = interrupt_catch(),
        .keep = keep,
        .context = &keeper,
    };
    progress_begin(&keeper.progress, args->line.reporter, args->count, puzzles->count);
    keeper.progress.things = "puzzles";
    Status status = puzzles_make(puzzles, &recipe, error);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        progress_end(&keeper.progress, puzzles->count, "");
    else
        reporter_end(args->line.reporter);
    if (status == STATUS_INTERRUPTED)
        return error_set(error, STATUS_FAILED, "interrupted; %u puzzle%s stored; the same command continues",
                         puzzles->count, puzzles->count == 1 ? " is" : "s are");
    return status;
}

static Status run(const void *options, Error *error)
{
    const MakeArgs *args = options;
    Rules rules;
    Puzzles puzzles = {0};
    Openings given = {0};
    Status status = rules_parse(span_of(args->line.words[0]), &rules, error);
    Text own = {0};
    if (status == STATUS_OK && args->output == NULL)
        status = puzzle_library_path(&rules, false, &own, error);
    const char *path = args->output != NULL ? args->output : own.data;
    if (status == STATUS_OK && args->from != NULL)
        status = match_run_read_openings(args->from, &rules, &given, error);
    if (status == STATUS_OK)
        status = begin(args, path, &rules, &puzzles, error);
    if (status == STATUS_OK)
        status = make(args, path, &puzzles, &given, error);
    if (status == STATUS_OK)
        status = print_result(args, &puzzles, path, error);
    openings_close(&given);
    puzzles_close(&puzzles);
    text_close(&own);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(MakeArgs, count, "count", CLI_WHOLE, "N", "Puzzles in the collection at the end", .fallback = "10",
               .min = 1, .max = PUZZLES_MAX),
    CLI_OPTION(MakeArgs, seed, "seed", CLI_SEED, "N", "Random seed (default 1)", .max = INT64_MAX, .fallback = "1",
               .given = offsetof(MakeArgs, has_seed)),
    CLI_OPTION(MakeArgs, jobs, "jobs", CLI_WHOLE, "J", "Number of threads", .min = 1, .max = 256),
    CLI_OPTION(MakeArgs, from, "from", CLI_TEXT, "FILE",
               "Use the games in FILE, of any format of 'krow import', instead of games between levels"),
    CLI_OPTION(MakeArgs, least_turns, "turns", CLI_WHOLE, "N",
               "Leave out wins in fewer than N turns of the winner (default 3, or 2 with several stones per turn)",
               .min = 2, .max = 32),
    CLI_OPTION(MakeArgs, easy, "easy", CLI_SHARE, "SHARE",
               "Leave out puzzles that level 3, or the levels 1 to 3 together, solve more often (default 0.5)"),
    CLI_OPTION(MakeArgs, budget.nodes, "nodes", CLI_WHOLE, "N",
               "Search N positions for the opponent's win after a turn, if it does not win by threats (default 3000)",
               .min = 1, .max = INT64_MAX / 4),
    CLI_OPTION(MakeArgs, output, "output", CLI_TEXT, "FILE",
               "Store the puzzles in FILE (default: your own puzzles of the game, for 'krow puzzles solve')",
               .letter = 'o'),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(MakeArgs),
};

const Command command_puzzles_make = {
    .name = "make",
    .words = "GAME",
    .summary = "Make puzzles from games",
    .about = "Players that make errors play games against each other. Positions in which exactly one turn wins, or "
             "exactly one does not lose, become puzzles: exact solvers or searches for wins by threats verify them, a "
             "proof of each is stored, and the levels of play grade them. docs/puzzles.md describes the "
             "conditions.\n\nA collection that exists is continued until it has N puzzles. Ctrl-C interrupts; the same "
             "command continues. The same seed makes the same puzzles, whatever --jobs.\n\nExample:\n  krow puzzles "
             "make gomoku --count 50 --jobs 2",
    .options = options,
    .run = run,
};
