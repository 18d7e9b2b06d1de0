// krow tune: the weights of the engine fitted on games, its own ones or those of the database.
//
// The games are a match like any other, which the laboratory plays, keeps and goes on with. Two players that are the
// same would play every opening twice in the same way, so the second one has a quarter fewer positions to look at.
#include "analysis/fitting.h"
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/interrupt.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "frontends/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Values are to be learned from what is not solved, in games that are not all the same.
#define AGENT "engine:memory=4,exact=0,book=0"

enum { NODES = 2000 };

typedef struct {
    Lab lab;
    Rules rules;
    Fitting *fitting;
    Weights weights;
    FittingReport report;
    unsigned strange; // games that say nothing: without a result, or ended by a fault
    Status status;    // of taking games
    Error *error;
    bool is_terminal;
} Tune;

// --- Games ---

static Status add_agent(Event *event, const char *agent, uint64_t nodes, Error *error)
{
    Text text = {0};
    text_add(&text, "%s%cnodes=%llu", agent, strchr(agent, ':') != NULL ? ',' : ':', (unsigned long long)nodes);
    Status status = text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the name of an agent")
                                : event_add_agent(event, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status fill_event(const Args *args, const Rules *rules, Event *event, Error *error)
{
    const char *agent = args->agent != NULL ? args->agent : AGENT;
    uint64_t nodes = args->budget.nodes > 0 ? args->budget.nodes : NODES;
    Span rest = span_of(agent), name = {0};
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "engine"))
        return error_set(error, STATUS_BAD_INPUT, "--agent: '%.*s' has no weights; it must be engine with options",
                         SPAN_PRINT(name));
    event_init(event);
    event->rules = *rules;
    event->has_rules = true;
    event->openings = (args->games + 1) / 2;
    Status status = add_agent(event, agent, nodes, error);
    return status == STATUS_OK ? add_agent(event, agent, nodes - nodes / 4, error) : status;
}

// Plays what is left to play, and keeps it.
static Status play(Tune *tune, const Args *args, Error *error)
{
    Args event_args = *args;
    event_args.budget.nodes = 0; // the players have limits of their own
    if (args->db != NULL && strcmp(args->db, "none") == 0)
        return error_set(error, STATUS_BAD_INPUT, "--db: the games must be kept somewhere");
    Status status = fill_event(args, &tune->rules, &tune->lab.event, error);
    if (status == STATUS_OK)
        status = lab_read_args(&tune->lab, &event_args, error);
    if (status == STATUS_OK)
        status = lab_open(&tune->lab, args, DATABASE_MATCH, error);
    if (status == STATUS_OK)
        status = lab_run_as_asked(&tune->lab, args, error);
    if (status == STATUS_INTERRUPTED)
        return error_set(error, STATUS_FAILED, "%s",
                         args->workers ? LAB_WORKERS_GO_ON
                                       : "interrupted; what was played is kept, and --resume goes on");
    return status;
}

static bool is_same_family(const Rules *a, const Rules *b)
{
    return a->k == b->k && a->p == b->p && a->gravity == b->gravity && a->exact == b->exact;
}

static bool take_game(void *context, const DatabaseGame *stored)
{
    Tune *tune = context;
    const GameRecord *record = stored->record;
    if (!is_same_family(&record->rules, &tune->rules))
        return true;
    if (record->result == RESULT_NONE || stored->fault != FAULT_NONE) {
        tune->strange++;
        return true;
    }
    double score = record->result == RESULT_FIRST ? 1 : record->result == RESULT_DRAW ? 0.5 : 0;
    // The two games of an opening belong together.
    unsigned group = (unsigned)(stored->match != 0 ? stored->number / 2 : stored->id);
    Game *game = malloc(sizeof *game);
    if (game == NULL)
        tune->status = error_set(tune->error, STATUS_NO_MEMORY, "no memory for a game");
    else
        tune->status = record_replay(record, game, NULL, tune->error);
    if (tune->status == STATUS_OK)
        tune->status = fitting_add(tune->fitting, game, stored->opening, score, group, tune->error);
    free(game);
    return tune->status == STATUS_OK;
}

static Status take_games(Tune *tune, const Args *args, Error *error)
{
    DatabaseFilter filter = {.match = tune->lab.match};
    Status status = tune->lab.db != NULL ? STATUS_OK : database_open(args->db, &tune->lab.db, error);
    if (status == STATUS_OK && filter.match == 0)
        status = lab_find_match(tune->lab.db, args->match, &filter.match, error);
    tune->error = error;
    if (status == STATUS_OK)
        status = database_each_game(tune->lab.db, &filter, take_game, tune, error);
    return status == STATUS_OK ? tune->status : status;
}

// --- Fitting ---

static void tell(void *context, const char *what, unsigned epoch, double loss)
{
    const Tune *tune = context;
    if (tune->is_terminal)
        (void)fprintf(stderr, "\rfitting %s, epoch %u, loss %.5f\033[K", what, epoch, loss);
}

static Status fit(Tune *tune, const Args *args, Error *error)
{
    FittingOptions options = fitting_options();
    options.seed = args->has_seed ? args->seed : options.seed;
    options.pull = args->pull > 0 ? args->pull : options.pull;
    options.fits_moves = args->fits_moves;
    options.stop = interrupt_flag();
    options.told = tell;
    options.context = tune;
    tune->is_terminal = !args->quiet && isatty(STDERR_FILENO) != 0;
    interrupt_catch();
    Status status = fitting_run(tune->fitting, &options, &tune->weights, &tune->report, error);
    if (tune->is_terminal)
        (void)fprintf(stderr, "\r\033[K");
    if (status == STATUS_OK && interrupt_take())
        status = error_set(error, STATUS_FAILED, "interrupted; no weights were written");
    return status;
}

// --- What came of it ---

static void add_source(const Tune *tune, const Args *args, Text *text)
{
    const FittingReport *report = &tune->report;
    const Lab *lab = &tune->lab;
    text_add(text, "%u games", report->games);
    if (lab->event.agent_count == 2) {
        char game[RULES_TEXT_SIZE];
        rules_format(&tune->rules, game);
        text_add(text, " of %s against %s, %s, seed %llu", lab->event.agents[0], lab->event.agents[1], game,
                 (unsigned long long)lab->event.seed);
    }
    text_add(text, "\n%u positions, loss %.4f by the law, %.4f by these, over %u that were held out\n",
             report->value.samples + report->value.held_out, report->value.before, report->value.after,
             report->value.held_out);
    if (args->fits_moves)
        text_add(text, "%u stones, loss %.4f by the law, %.4f by these, over %u that were held out\n",
                 report->move.samples + report->move.held_out, report->move.before, report->move.after,
                 report->move.held_out);
    text_add(text, "fitted with seed %llu, pull %g, krow " KROW_VERSION "\n",
             (unsigned long long)(args->has_seed ? args->seed : 1), args->pull > 0 ? args->pull : 1);
}

static Status write_weights(const Tune *tune, const Args *args, Error *error)
{
    Text source = {0}, text = {0};
    add_source(tune, args, &source);
    weights_format(&tune->weights, fitting_shapes(tune->fitting), &tune->rules, (Span){source.data, source.length},
                   &text);
    Status status = source.failed || text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the weights")
                                                 : file_write(args->output, (Span){text.data, text.length}, error);
    text_close(&source);
    text_close(&text);
    return status;
}

static json_t *loss_json(const FittingLoss *loss)
{
    return json_pack("{s:i, s:i, s:i, s:o, s:o}", "samples", (int)loss->samples, "held_out", (int)loss->held_out,
                     "epochs", (int)loss->epochs, "before", report_number(loss->before), "after",
                     report_number(loss->after));
}

static json_t *result_json(const Tune *tune, const Args *args)
{
    const FittingReport *report = &tune->report;
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(&tune->rules, family);
    json_t *moves = args->fits_moves ? loss_json(&report->move) : json_null();
    if (args->fits_moves) {
        (void)json_object_set_new(moves, "first_before", report_number(report->first_before));
        (void)json_object_set_new(moves, "first_after", report_number(report->first_after));
    }
    return json_pack("{s:s, s:i, s:i, s:o, s:o, s:s?}", "family", family, "games", (int)report->games, "left_out",
                     (int)tune->strange, "values", loss_json(&report->value), "moves", moves, "output", args->output);
}

static void print_loss(const char *what, const FittingLoss *loss)
{
    (void)printf("%-7s %8u learned from, %7u held out, loss %.4f by the law, %.4f by the weights (epoch %u)\n", what,
                 loss->samples, loss->held_out, loss->before, loss->after, loss->epochs);
}

static void print_result(const Tune *tune, const Args *args)
{
    const FittingReport *report = &tune->report;
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(&tune->rules, family);
    (void)printf("%s, %u game%s", family, report->games, output_plural(report->games));
    if (tune->strange > 0)
        (void)printf(", %u without a result left out", tune->strange);
    (void)printf("\n");
    print_loss("values", &report->value);
    if (args->fits_moves) {
        print_loss("moves", &report->move);
        (void)printf("the stone that was played comes first: %.1f %% by the law, %.1f %% by the weights\n",
                     100 * report->first_before, 100 * report->first_after);
    }
    if (args->output != NULL)
        (void)printf("written to %s\n", args->output);
}

// --- The command ---

static Status check_args(const Args *args, Rules *rules, Error *error)
{
    Status status = rules_parse(span_of(args->words[0]), rules, error);
    if (status == STATUS_OK && args->games > 0 && args->match != NULL)
        status = error_set(error, STATUS_BAD_INPUT, "--games plays a match and --match takes one: only one of them");
    if (status == STATUS_OK && args->workers && args->games == 0)
        status = error_set(error, STATUS_BAD_INPUT, "--workers is for games, and none are to be played: name --games");
    if (status == STATUS_OK && args->output != NULL)
        status = file_check_writable(args->output, error);
    return status;
}

static Status tune_game(Tune *tune, const Args *args, Error *error)
{
    Status status = check_args(args, &tune->rules, error);
    if (status == STATUS_OK)
        status = fitting_open(&tune->fitting, &tune->rules, error);
    if (status == STATUS_OK && args->games > 0)
        status = play(tune, args, error);
    if (status == STATUS_OK)
        status = take_games(tune, args, error);
    if (status == STATUS_OK)
        status = fit(tune, args, error);
    if (status == STATUS_OK && args->output != NULL)
        status = write_weights(tune, args, error);
    if (status != STATUS_OK)
        return status;
    if (args->json)
        return output_json(result_json(tune, args), error);
    print_result(tune, args);
    return STATUS_OK;
}

static Status run(const Args *args, Error *error)
{
    Tune *tune = calloc(1, sizeof *tune);
    if (tune == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for tuning");
    Status status = tune_game(tune, args, error);
    fitting_close(tune->fitting);
    lab_close(&tune->lab);
    free(tune);
    return status;
}

static const struct argp_option options[] = {
    {"games", ARG_GAMES, "N", 0, "Play N games first, and fit on these; else on what the database has", 0},
    {"nodes", ARG_NODES, "N", 0, "Positions of a turn in these games (2000 unless given)", 0},
    {"agent", ARG_AGENT, "AGENT", 0, "Who plays them, such as engine:weights=FILE (" AGENT " unless given)", 0},
    {"openings", ARG_OPENINGS, "FILE|N", 0,
     "Begin from the openings of FILE, or from N made by krow (half as many "
     "as games unless given)",
     0},
    OPTION_JOBS,
    OPTION_SEED,
    {"resume", ARG_RESUME, NULL, 0, "Go on with the same games, if they were begun before", 0},
    {"match", ARG_MATCH, "N", 0, "Fit on the games of match N, or of the 'last', instead of all of the family", 0},
    {"pull", ARG_PULL, "F", 0, "How strongly weights are pulled towards the law (1 unless given)", 0},
    {"moves", ARG_MOVES, NULL, 0, "Fit the order of moves as well", 0},
    {"output", ARG_OUTPUT, "FILE", 0, "Write the weights to FILE", 0},
    {"db", ARG_DB, "DB", 0, "The database", 0},
    OPTION_WORKERS,
    OPTION_UNIT,
    OPTION_LEASE,
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

const Command command_tune = {
    .name = "tune",
    .words = "GAME",
    .summary = "Fit the engine's weights on games",
    .about = "The weights are for the family of GAME: its k, p, exact and gravity, on boards of any size. With --games "
             "the engine plays itself; every game is kept in the database when it is finished. Of ten openings one is "
             "held out and tells how good the weights are. The same games and the same seed give the same weights. "
             "With --workers the games are played by workers of the database, and the weights are fitted here.\n\n"
             "Examples:\n  krow tune gomoku --games 3000 --jobs 2 --db tune.db -o gomoku.txt\n"
             "  krow tune gomoku --db tune.db -o all.txt\n"
             "  krow tune gomoku --games 100000 --workers --db postgresql://lab/krow -o gomoku.txt\n"
             "  krow match engine:weights=gomoku.txt engine:weights=none --time 0.1",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
