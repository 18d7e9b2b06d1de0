// krow solve: the exact value of a position.
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "cli/output/solve_text.h"

typedef struct {
    CommandLine line;
    SolveBatchOptions batch;
    WorkersOption workers;
    bool from_stdin;
} SolveArgs;

static Status check_options(const SolveArgs *args, Error *error)
{
    if (args->batch.check && !args->from_stdin)
        return error_set(error, STATUS_BAD_INPUT, "--check needs --stdin");
    if (args->from_stdin && (args->line.word_count > 1 || args->line.board != NULL))
        return error_set(error, STATUS_BAD_INPUT,
                         "--stdin reads positions from standard input; remove the moves and --board");
    if (args->from_stdin && (args->line.json || args->batch.each.proof != NULL))
        return error_set(error, STATUS_BAD_INPUT, "--stdin cannot be combined with --json or --proof");
    if (args->workers.is_used && (!args->from_stdin || args->batch.each.threads > 0))
        return error_set(error, STATUS_BAD_INPUT,
                         args->from_stdin
                             ? "--workers cannot be combined with --threads: a worker uses one thread per position"
                             : "--workers needs --stdin");
    if (args->batch.resumes && !args->workers.is_used)
        return error_set(error, STATUS_BAD_INPUT, "--resume needs --workers");
    Status status = lab_check_workers(&args->workers, args->line.db, error);
    if (status != STATUS_OK)
        return status;
    return args->batch.each.proof != NULL ? file_check_writable(args->batch.each.proof, error) : STATUS_OK;
}

static SolveOptions options_of(const SolveArgs *args)
{
    SolveOptions options = args->batch.each;
    options.reporter = args->line.reporter;
    options.stop = interrupt_catch();
    return options;
}

static Status report(const Solving *solving, const SolveArgs *args, Error *error)
{
    if (args->line.json)
        return output_json(solve_json(solving), error);
    solve_print(solving);
    return STATUS_OK;
}

static Status solve_one(const SolveArgs *args, Exact *exact, Solving *solving, const Game *game, Error *error)
{
    SolveOptions options = options_of(args);
    Status status = solve_run(solving, exact, &options, game, error);
    if (status == STATUS_OK)
        status = report(solving, args, error);
    if (status == STATUS_OK && solving->interrupted)
        return error_set(error, STATUS_FAILED, "interrupted");
    if (status == STATUS_OK && args->batch.each.proof != NULL)
        status = solve_prove(solving, exact, &options, error);
    return status;
}

static void print_answer(const char *answer, const char *complaint)
{
    if (answer != NULL)
        (void)printf("%s\n", answer);
    (void)fflush(stdout);
    if (complaint != NULL)
        (void)fprintf(stderr, "%s\n", complaint);
}

static Status solve_many(const SolveArgs *args, const Rules *rules, Error *error)
{
    SolveBatchOptions batch = args->batch;
    batch.each = options_of(args);
    batch.game = args->line.words[0];
    batch.workers = args->workers.is_used;
    batch.how = args->workers.how;
    batch.db = args->line.db;
    batch.print = print_answer;
    return solve_batch(&batch, rules, error);
}

static Status run(const void *options, Error *error)
{
    const SolveArgs *args = options;
    Game game;
    Status status = check_options(args, error);
    if (status == STATUS_OK)
        status = line_position(&args->line, &game, error);
    if (status == STATUS_OK)
        status = exact_check(&game.board.rules, error);
    if (status != STATUS_OK)
        return status;
    if (args->from_stdin)
        return solve_many(args, &game.board.rules, error);
    Solving solving = {0};
    Exact *exact = NULL;
    SolveOptions how = options_of(args);
    status = solve_open(&how, &game.board.rules, &exact, error);
    if (status == STATUS_OK)
        status = solve_one(args, exact, &solving, &game, error);
    exact_close(exact);
    return status;
}

static const CliOption solve_options[] = {
    CLI_OPTION(SolveArgs, batch.each.weak, "weak", CLI_FLAG, NULL, "Find only who wins, not how soon (faster)"),
    CLI_OPTION(SolveArgs, from_stdin, "stdin", CLI_FLAG, NULL,
               "Solve one position per line of standard input, and print it with its score"),
    CLI_OPTION(SolveArgs, batch.check, "check", CLI_FLAG, NULL,
               "With --stdin: compare with the score that follows each position"),
    CLI_OPTION(SolveArgs, batch.each.threads, "threads", CLI_WHOLE, "N",
               "Threads per position in gravity games (default 1)", .min = 1, .max = 256),
    CLI_OPTION(SolveArgs, batch.each.memory, "memory", CLI_WHOLE, "MB", "Size of the transposition table in megabytes",
               .min = 1, .max = 1 << 20),
    CLI_OPTION(SolveArgs, batch.each.proof, "proof", CLI_TEXT, "FILE",
               "Write a proof of the value, which 'krow verify' checks"),
    CLI_OPTION(SolveArgs, batch.each.budget.seconds, "time", CLI_SECONDS, "SECONDS", "Search at most SECONDS"),
    CLI_OPTION(SolveArgs, batch.each.budget.nodes, "nodes", CLI_WHOLE, "N", "Search at most N positions", .min = 1,
               .max = INT64_MAX),
    OPTION_BOARD,
    CLI_OPTION(SolveArgs, workers.is_used, "workers", CLI_FLAG, NULL,
               "With --stdin: let workers of the database solve them (krow worker)"),
    CLI_OPTION(SolveArgs, batch.resumes, "resume", CLI_FLAG, NULL,
               "With --workers: continue the same positions if they were submitted before"),
    CLI_OPTION(SolveArgs, workers.how.unit, "unit", CLI_WHOLE, "N", "With --workers: positions per unit of work",
               .min = 1, .max = 2048),
    CLI_OPTION(SolveArgs, workers.how.lease, "lease", CLI_SECONDS, "SECONDS",
               "With --workers: reassign positions from a worker idle this long"),
    CLI_OPTION(SolveArgs, workers.how.verify, "verify", CLI_SHARE, "SHARE",
               "With --workers: let other workers solve this share of the units again, 0 to 1; quarantine false ones"),
    CLI_OPTION(SolveArgs, line.db, "db", CLI_DATABASE, "DB", "With --workers: database to use"),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(SolveArgs),
};

const Command command_solve = {
    .name = "solve",
    .words = "GAME [MOVES...]",
    .summary = "Find the exact value of a position",
    .about =
        "Finds who wins with best play, and the best cells. In gravity games with one stone per turn the value is a "
        "score for the side to move: 0 is a draw; a win counts 1, plus one point per stone the winner has left. Other "
        "games are solved up to 64 cells, in practice on much smaller boards. If --time, --nodes or Ctrl-C ends the "
        "search, the bounds found so far are printed. With --stdin and --nodes the result of a position does not "
        "depend on the other positions; otherwise positions share their search results.\n\nWith --workers all lines "
        "are read and checked, then workers solve them. The output is the same as without --workers. Ctrl-C stops "
        "waiting, not the workers; run the same command with --resume to continue.\n\nExamples:\n  krow solve connect4 "
        "4453\n  krow solve connect4 --weak --threads 2\n  krow solve "
        "6x6:k=4\n  krow solve connect4 --stdin --check < positions\n  krow solve connect4 --stdin --workers --db "
        "postgresql://lab/krow < positions\n  krow solve 5x5:k=4,p=2 --time 60 --proof five.proof",
    .options = solve_options,
    .run = run,
};
