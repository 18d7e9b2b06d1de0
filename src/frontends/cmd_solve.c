// krow solve: the exact value of a position.
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "frontends/solving.h"

#include <limits.h>
#include <stdlib.h>

static Status check_options(const Args *args, Error *error)
{
    if (args->check && !args->from_stdin)
        return error_set(error, STATUS_BAD_INPUT, "--check is for positions of --stdin");
    if (args->from_stdin && (args->word_count > 1 || args->board != NULL))
        return error_set(error, STATUS_BAD_INPUT, "with --stdin the positions stand on standard input, and only there");
    if (args->from_stdin && (args->json || args->proof != NULL))
        return error_set(error, STATUS_BAD_INPUT, "--stdin goes neither with --json nor with --proof");
    if (args->workers && (!args->from_stdin || args->threads > 0))
        return error_set(error, STATUS_BAD_INPUT,
                         args->from_stdin ? "--workers search a position with one thread each: no --threads"
                                          : "--workers is for positions of --stdin");
    if (args->resumes && !args->workers)
        return error_set(error, STATUS_BAD_INPUT, "--resume is for --workers");
    Status status = lab_check_workers(args, error);
    if (status != STATUS_OK)
        return status;
    return args->proof != NULL ? file_check_writable(args->proof, error) : STATUS_OK;
}

static Status report(const Solving *solving, const Args *args, Error *error)
{
    if (args->json)
        return output_json(solving_json(solving), error);
    solving_print(solving);
    return STATUS_OK;
}

static Status solve_one(const Args *args, Exact *exact, Solving *solving, const Game *game, Error *error)
{
    Status status = solving_run(solving, exact, args, game, error);
    if (status == STATUS_OK)
        status = report(solving, args, error);
    if (status == STATUS_OK && solving->interrupted)
        return error_set(error, STATUS_FAILED, "interrupted");
    if (status == STATUS_OK && args->proof != NULL)
        status = solving_prove(solving, exact, args, error);
    return status;
}

static Status run(const Args *args, Error *error)
{
    Game game;
    Status status = check_options(args, error);
    if (status == STATUS_OK)
        status = args_position(args, &game, error);
    if (status == STATUS_OK)
        status = exact_check(&game.board.rules, error);
    if (status != STATUS_OK)
        return status;
    if (args->from_stdin)
        return solving_batch(args, &game.board.rules, error);
    Solving *solving = malloc(sizeof *solving);
    Exact *exact = NULL;
    if (solving == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a solver");
    status = solving_open(args, &game.board.rules, &exact, error);
    if (status == STATUS_OK)
        status = solve_one(args, exact, solving, &game, error);
    exact_close(exact);
    free(solving);
    return status;
}

static const struct argp_option options[] = {
    {"weak", ARG_WEAK, NULL, 0, "Only who wins, not how soon: faster", 0},
    {"stdin", ARG_STDIN, NULL, 0, "Solve a position a line of standard input, and print it with its score", 0},
    {"check", ARG_CHECK, NULL, 0, "With --stdin: compare with the score that stands behind each position", 0},
    {"threads", ARG_THREADS, "N", 0, "Threads that search one position together, where stones fall (1 unless given)",
     0},
    {"memory", ARG_MEMORY, "MB", 0, "Megabytes of the table", 0},
    {"proof", ARG_PROOF, "FILE", 0, "Write a proof of the value, which 'krow verify' checks", 0},
    OPTION_TIME,
    OPTION_NODES,
    OPTION_BOARD,
    {"workers", ARG_WORKERS, NULL, 0, "With --stdin: let workers of the database solve them (krow worker)", 0},
    {"resume", ARG_RESUME, NULL, 0, "Of --workers: go on with the same positions, if they were put up before", 0},
    {"unit", ARG_UNIT, "N", 0, "Of --workers: positions given to a worker at once", 0},
    {"lease", ARG_LEASE, "SECONDS", 0, "Of --workers: without a sign of work for so long a worker loses its positions",
     0},
    {"db", ARG_DB, "DB", 0, "Of --workers: the database", 0},
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_solve = {
    .name = "solve",
    .words = "GAME [MOVES...]",
    .summary = "Find the exact value of a position",
    .about =
        "Who wins with best play of both, and the best cells. Where stones fall one a turn there is a score, seen from "
        "the "
        "side to move: 0 is a draw, and a win is worth one more for every stone of the winner's that is left over. "
        "Other "
        "games are solved as far as they are small: at most 64 cells, and mostly far fewer. Where --time, --nodes or "
        "Ctrl-C end the search, what is known by then is told. With --stdin and --nodes what is known of a position "
        "does not depend on the others; else what was found out about one helps the next.\n\n"
        "With --workers all lines are read and checked, then workers solve them, and the answers come in the order of "
        "the lines, the same as without. Ctrl-C ends the waiting and not the work; the same command with --resume goes "
        "on.\n\n"
        "Examples:\n  krow solve connect4 4453\n  krow solve connect4 --weak --threads 2\n  krow solve 6x6:k=4\n"
        "  krow solve connect4 --stdin --check < positions\n  krow solve connect4 --stdin --workers --db "
        "postgresql://lab/krow "
        "< positions\n  krow solve 5x5:k=4,p=2 --time 60 --proof five.proof",
    .options = options,
    .min_words = 1,
    .max_words = INT_MAX,
    .run = run,
};
