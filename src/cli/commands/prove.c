// krow prove: proves that a side wins on a large board.
#include "base/clock.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/prove/prove_join.h"
#include "lab/prove/prove_run.h"
#include "view/json_view.h"

#include <stdlib.h>

typedef struct {
    CommandLine line;
    ProveRunOptions how;
    const char *side, *parts; // NULL: not given
} ProveArgs;

static Status read_side(const ProveArgs *args, Side *side, Error *error)
{
    Span name = span_of(args->side != NULL ? args->side : side_name(SIDE_FIRST));
    for (*side = SIDE_FIRST; *side <= SIDE_SECOND; ++*side)
        if (span_is(name, side_name(*side)))
            return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "--side: '%s' is neither 'first' nor 'second'", args->side);
}

static Status check_game(const Game *game, Error *error)
{
    const Rules *rules = &game->board.rules;
    if (!prove_suits(rules))
        return error_set(error, STATUS_BAD_INPUT,
                         "krow prove supports games without gravity, with one stone per turn and rows of at least 3 "
                         "stones%s",
                         rules->gravity || rules_cells(rules) <= 64 ? "; try 'krow solve'" : "");
    if (board_is_over(&game->board))
        return error_set(error, STATUS_BAD_INPUT, "the game is over at this position");
    return STATUS_OK;
}

static void print_run(const ProveRun *run)
{
    char positions[32], searches[32], number[32], replies[32];
    unsigned proved = 0;
    for (unsigned i = 0; i < run->reply_count; i++)
        proved += run->replies[i].proof == 0;
    (void)printf("%s wins: %s", side_name(run->owner),
                 run->facts.state == PROVE_PROVED   ? "proved"
                 : run->facts.state == PROVE_FAILED ? "not proved, no stone that was tried wins"
                                                    : "not proved");
    if (run->ended != NULL)
        (void)printf(" (%s)", run->ended);
    if (run->facts.searches > 0)
        (void)printf(". %s positions, %s searches", view_number(run->facts.positions, positions),
                     view_number(run->facts.searches, searches));
    (void)printf("\n");
    if (run->reply_count > 0 && board_side(&run->game->board) != run->owner)
        (void)printf("%u of %u first replies proved\n", proved, run->reply_count);
    if (run->has_proof)
        (void)printf("proof: %s bytes, %s answers, %s replies checked, the longest line has %u stones\n",
                     view_number(run->report.bytes, positions), view_number(run->report.claims[0].answers, number),
                     view_number(run->report.claims[0].replies, replies), run->report.claims[0].depth);
}

static Status prove(const ProveArgs *args, ProveRunOptions *how, const Game *game, Error *error)
{
    ProveRun *run = malloc(sizeof *run);
    if (run == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the search");
    Status status = prove_run(run, game, how, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(prove_run_json(run), error);
    else if (status == STATUS_OK)
        print_run(run);
    if (status == STATUS_OK && run->facts.state != PROVE_PROVED)
        status =
            error_set(error, STATUS_FAILED, "%s",
                      how->log != NULL && run->ended != NULL ? "not proved; the same command continues" : "not proved");
    free(run);
    return status;
}

static Status join(const ProveArgs *args, const ProveRunOptions *how, const Game *game, Error *error)
{
    if (how->proof == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--parts needs -o FILE");
    if (how->log != NULL)
        return error_set(error, STATUS_BAD_INPUT, "--parts cannot be combined with --log: nothing is searched");
    ProveRun *run = malloc(sizeof *run);
    if (run == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the proof");
    *run = (ProveRun){.game = game, .owner = how->owner, .facts.state = PROVE_PROVED, .has_proof = true};
    ProveJoinOptions options = {how->owner, args->parts, how->proof, how->stop, how->reporter};
    double begun = clock_seconds();
    Status status = prove_join(game, &options, &run->report, error);
    run->seconds = clock_seconds() - begun;
    if (status == STATUS_OK && args->line.json)
        status = output_json(prove_run_json(run), error);
    else if (status == STATUS_OK)
        print_run(run);
    free(run);
    return status;
}

static Status run(const void *options, Error *error)
{
    const ProveArgs *args = options;
    ProveRunOptions how = args->how;
    Game *game = malloc(sizeof *game);
    if (game == NULL)
        return error_set(error, STATUS_NO_MEMORY, "not enough memory for the game");
    how.stop = interrupt_catch();
    how.reporter = args->line.reporter;
    Status status = read_side(args, &how.owner, error);
    if (status == STATUS_OK)
        status = line_position(&args->line, game, error);
    if (status == STATUS_OK)
        status = check_game(game, error);
    if (status == STATUS_OK && how.proof != NULL)
        status = file_check_writable(how.proof, error);
    if (status == STATUS_OK)
        status = args->parts != NULL ? join(args, &how, game, error) : prove(args, &how, game, error);
    free(game);
    return status;
}

static const CliOption prove_options[] = {
    CLI_OPTION(ProveArgs, side, "side", CLI_TEXT, "SIDE", "The side that wins: first (default) or second"),
    CLI_OPTION(ProveArgs, how.proof, "output", CLI_TEXT, "FILE", "Write the proof to FILE, for krow verify",
               .letter = 'o'),
    CLI_OPTION(ProveArgs, parts, "parts", CLI_TEXT, "DIR",
               "Search nothing: join the proofs DIR/*.proof of the positions after each reply"),
    CLI_OPTION(ProveArgs, how.log, "log", CLI_TEXT, "FILE", "Keep all findings in FILE, and continue from it"),
    CLI_OPTION(ProveArgs, how.seconds, "time", CLI_SECONDS, "SECONDS", "Search at most SECONDS"),
    CLI_OPTION(ProveArgs, how.searches, "searches", CLI_WHOLE, "N", "Do at most N searches", .min = 1,
               .max = INT64_MAX),
    CLI_OPTION(ProveArgs, how.memory, "memory", CLI_WHOLE, "MB", "Use at most MB megabytes (default 2048)", .min = 16,
               .max = 1 << 20),
    CLI_OPTION(ProveArgs, how.threat_nodes, "threat-nodes", CLI_WHOLE, "N",
               "Positions of the first search for a win by threats (default 30000)", .min = 1, .max = 100000),
    CLI_OPTION(ProveArgs, how.engine_nodes, "engine-nodes", CLI_WHOLE, "N",
               "Positions of the engine's search that orders stones (default 8000)", .min = 1, .max = 1000000000),
    OPTION_BOARD,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(ProveArgs),
};

const Command command_prove = {
    .name = "prove",
    .words = "GAME [MOVES...]",
    .summary = "Prove that a side wins on a large board",
    .about =
        "Searches for a proof that SIDE wins from the position after MOVES, for games without gravity and with one "
        "stone per turn. The engine chooses the stones of SIDE; replies that cannot disturb its threats share one "
        "answer. With --log everything that is found is kept, and the same command continues after Ctrl-C or a kill. "
        "The proof is checked before it is written; 'krow verify' checks it again by the rules alone "
        "(docs/proofs.md). The exit status is 1 if nothing was proved.\n\nExamples:\n  krow prove 15x15:k=5 h8 h14 g7 "
        "h11 g9 -o win.proof\n  krow prove gomoku h8 h14 --log h14.log -o h14.proof",
    .options = prove_options,
    .run = run,
};
