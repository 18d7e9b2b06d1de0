// krow tune: tunes the weights of the engine on games that it plays first, or on games of the database.
//
// The games are an ordinary match run. Two identical players would play both games of an opening in the same way, so
// the second one searches a quarter fewer positions.
#include "engine/tune/tune.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/lab_run.h"
#include "lab/damaged.h"
#include "lab/report.h"
#include "view/json_view.h"

#include <string.h>

// Without the exact solver, values are learned from unsolved positions; without the book, the games differ.
#define AGENT "engine:memory=4,exact=0,book=0"

typedef struct {
    CommandLine line;
    LabOptions lab;
    const char *agent;
    const char *match, *output; // NULL: not given
    bool fits_moves;
    uint64_t nodes;
    double pull;
} TuneArgs;

typedef struct {
    MatchRun run;
    Rules rules;
    Tuner *tuner;
    Weights weights;
    TuneReport report;
    unsigned strange; // games left out: without a result, or ended by a fault
    Status status;    // of taking games
    Error *error;
} Tune;

// --- Games ---

static Status add_agent(Tournament *event, const char *agent, uint64_t nodes, Error *error)
{
    Text text = {0};
    text_add(&text, "%s%cnodes=%llu", agent, strchr(agent, ':') != NULL ? ',' : ':', (unsigned long long)nodes);
    Status status = tournament_add_agent(event, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

static Status fill_event(const TuneArgs *args, const Rules *rules, Tournament *event, Error *error)
{
    const char *agent = args->agent;
    uint64_t nodes = args->nodes;
    Span rest = span_of(agent), name = {0};
    (void)span_next_part(&rest, ':', &name);
    if (!span_is(name, "engine"))
        return error_set(error, STATUS_BAD_INPUT, "--agent: '%.*s' has no weights; use engine with options",
                         SPAN_PRINT(name));
    tournament_init(event);
    event->rules = *rules;
    event->has_rules = true;
    event->openings = (args->lab.games + 1) / 2;
    Status status = add_agent(event, agent, nodes, error);
    return status == STATUS_OK ? add_agent(event, agent, nodes - nodes / 4, error) : status;
}

// Plays and stores the missing games.
static Status play(Tune *tune, const TuneArgs *args, Error *error)
{
    if (args->line.db != NULL && strcmp(args->line.db, "none") == 0)
        return error_set(error, STATUS_BAD_INPUT, "--db none is not supported: the games must be stored");
    Status status = fill_event(args, &tune->rules, &tune->run.event, error);
    if (status == STATUS_OK)
        status = lab_apply(&tune->run, &args->line, &args->lab, error);
    if (status == STATUS_OK)
        status = lab_open(&tune->run, &args->line, &args->lab, DATABASE_MATCH, error);
    if (status == STATUS_OK)
        status = lab_play(&tune->run, &args->lab.workers.how, error);
    if (status == STATUS_INTERRUPTED)
        return error_set(error, STATUS_FAILED, "%s",
                         args->lab.workers.is_used ? LAB_WORKERS_CONTINUE
                                                   : "interrupted; finished games are stored; --resume continues");
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
    // The two games of an opening go to the same sample set.
    unsigned group = (unsigned)(stored->match != 0 ? stored->number / 2 : stored->id);
    Game game;
    tune->status = record_replay(record, &game, NULL, tune->error);
    if (tune->status == STATUS_OK)
        tune->status = tune_add(tune->tuner, &(TuneGame){&game, stored->opening, score, group}, tune->error);
    return tune->status == STATUS_OK;
}

static Status take_games(Tune *tune, const TuneArgs *args, Error *error)
{
    DatabaseFilter filter = {.match = tune->run.match};
    Status status = tune->run.db != NULL ? STATUS_OK : database_open(args->line.db, &tune->run.db, error);
    if (status == STATUS_OK && filter.match == 0)
        status = lab_find_match(tune->run.db, args->match, &filter.match, error);
    tune->error = error;
    DamagedGames damaged;
    if (status != STATUS_OK)
        return status;
    damaged_watch(&damaged, tune->run.db, args->line.reporter);
    status = database_each_game(tune->run.db, &filter, take_game, tune, error);
    damaged_close(&damaged, tune->run.db);
    return status == STATUS_OK ? tune->status : status;
}

// --- Tuning ---

static void show_progress(void *context, const char *what, unsigned epoch, double loss)
{
    reporter_show(context, "tuning %s, epoch %u, loss %.5f", what, epoch, loss);
}

static Status fit(Tune *tune, const TuneArgs *args, Error *error)
{
    TuneOptions options = tune_options();
    options.seed = args->lab.has_seed ? args->lab.seed : options.seed;
    options.pull = args->pull;
    options.fits_moves = args->fits_moves;
    options.stop = interrupt_catch();
    options.progress = show_progress;
    options.context = args->line.reporter;
    Status status = tune_run(tune->tuner, &options, &tune->weights, &tune->report, error);
    reporter_end(args->line.reporter);
    if (status == STATUS_OK && interrupt_take())
        status = error_set(error, STATUS_FAILED, "interrupted; no weights were written");
    return status;
}

// --- Report ---

static void add_source(const Tune *tune, const TuneArgs *args, Text *text)
{
    const TuneReport *report = &tune->report;
    const MatchRun *run = &tune->run;
    text_add(text, "%u games", report->games);
    if (run->event.agent_count == 2) {
        char game[RULES_TEXT_SIZE];
        rules_format(&tune->rules, game);
        text_add(text, " of %s against %s, %s, seed %llu", run->event.agents[0], run->event.agents[1], game,
                 (unsigned long long)run->event.seed);
    }
    text_add(text, "\n%u positions, loss %.4f by the formula, %.4f by these, over %u that were held out\n",
             report->value.samples + report->value.held_out, report->value.before, report->value.after,
             report->value.held_out);
    if (args->fits_moves)
        text_add(text, "%u stones, loss %.4f by the formula, %.4f by these, over %u that were held out\n",
                 report->move.samples + report->move.held_out, report->move.before, report->move.after,
                 report->move.held_out);
    text_add(text, "tuned with seed %llu, pull %g, krow " KROW_VERSION "\n",
             (unsigned long long)(args->lab.has_seed ? args->lab.seed : 1), args->pull);
}

static Status write_weights(const Tune *tune, const TuneArgs *args, Error *error)
{
    Text source = {0}, text = {0};
    add_source(tune, args, &source);
    weights_format(&tune->weights, tune_line_patterns(tune->tuner), &tune->rules, (Span){source.data, source.length},
                   &text);
    Status status = file_write(args->output, (Span){text.data, text.length}, error);
    text_close(&source);
    text_close(&text);
    return status;
}

static json_t *loss_json(const TuneLoss *loss)
{
    return json_pack("{s:i, s:i, s:i, s:o, s:o}", "samples", (int)loss->samples, "held_out", (int)loss->held_out,
                     "epochs", (int)loss->epochs, "before", report_number(loss->before), "after",
                     report_number(loss->after));
}

static json_t *result_json(const Tune *tune, const TuneArgs *args)
{
    const TuneReport *report = &tune->report;
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

static void print_loss(const char *what, const TuneLoss *loss)
{
    (void)printf("%-7s %8u learned from, %7u held out, loss %.4f by the formula, %.4f by the weights (epoch %u)\n",
                 what, loss->samples, loss->held_out, loss->before, loss->after, loss->epochs);
}

static void print_result(const Tune *tune, const TuneArgs *args)
{
    const TuneReport *report = &tune->report;
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(&tune->rules, family);
    (void)printf("%s, %u game%s", family, report->games, view_plural(report->games));
    if (tune->strange > 0)
        (void)printf(", %u without a result left out", tune->strange);
    (void)printf("\n");
    print_loss("values", &report->value);
    if (args->fits_moves) {
        print_loss("moves", &report->move);
        (void)printf("the played stone is ranked first: %.1f %% by the formula, %.1f %% by the weights\n",
                     100 * report->first_before, 100 * report->first_after);
    }
    if (args->output == NULL)
        return;
    (void)printf("written to %s\n", args->output);
    // Weights with less loss have lost matches.
    (void)printf("Less loss does not prove strength; to measure it:\n  krow match engine:weights=%s engine --game %s\n",
                 args->output, args->line.words[0]);
}

// --- The command ---

static Status check_args(const TuneArgs *args, Rules *rules, Error *error)
{
    Status status = rules_parse(span_of(args->line.words[0]), rules, error);
    if (status == STATUS_OK && args->lab.games > 0 && args->match != NULL)
        status = error_set(error, STATUS_BAD_INPUT, "--games and --match cannot be combined");
    if (status == STATUS_OK && args->lab.workers.is_used && args->lab.games == 0)
        status = error_set(error, STATUS_BAD_INPUT, "--workers needs --games N");
    if (status == STATUS_OK && args->output != NULL)
        status = file_check_writable(args->output, error);
    return status;
}

static Status tune_game(Tune *tune, const TuneArgs *args, Error *error)
{
    Status status = check_args(args, &tune->rules, error);
    if (status == STATUS_OK)
        status = tune_open(&tune->tuner, &tune->rules, error);
    if (status == STATUS_OK && args->lab.games > 0)
        status = play(tune, args, error);
    if (status == STATUS_OK)
        status = take_games(tune, args, error);
    if (status == STATUS_OK)
        status = fit(tune, args, error);
    if (status == STATUS_OK && args->output != NULL)
        status = write_weights(tune, args, error);
    if (status != STATUS_OK)
        return status;
    if (args->line.json)
        return output_json(result_json(tune, args), error);
    print_result(tune, args);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const TuneArgs *args = options;
    Tune tune = {0};
    Status status = tune_game(&tune, args, error);
    tune_close(tune.tuner);
    match_run_close(&tune.run);
    return status;
}

static const CliOption tune_options_table[] = {
    CLI_OPTION(TuneArgs, lab.games, "games", CLI_WHOLE, "N",
               "Play N games and tune on them (default: tune on games of the database)", .min = 1, .max = 1000000),
    CLI_OPTION(TuneArgs, nodes, "nodes", CLI_WHOLE, "N", "Positions searched per turn of these games", .min = 1,
               .max = INT64_MAX, .fallback = "2000"),
    CLI_OPTION(TuneArgs, agent, "agent", CLI_TEXT, "AGENT", "Player of these games, such as engine:weights=FILE",
               .fallback = AGENT),
    CLI_OPTION(TuneArgs, lab.openings, "openings", CLI_TEXT, "FILE|N",
               "Start from the openings in FILE, or from N generated ones (default: one per two games)"),
    CLI_OPTION(TuneArgs, lab.jobs, "jobs", CLI_WHOLE, "J", "Number of games played at the same time", .min = 1,
               .max = 256),
    CLI_OPTION(TuneArgs, lab.seed, "seed", CLI_WHOLE, "N", "Random seed (default 1)", .max = INT64_MAX,
               .given = offsetof(TuneArgs, lab.has_seed)),
    CLI_ROWS(TuneArgs, lab, repeat_options),
    CLI_OPTION(TuneArgs, match, "match", CLI_TEXT, "N",
               "Tune on the games of match N or 'last' (default: all games of the family)"),
    CLI_OPTION(TuneArgs, pull, "pull", CLI_SCALE, "F", "Strength of the regularisation towards the formula weights",
               .fallback = "1"),
    CLI_OPTION(TuneArgs, fits_moves, "moves", CLI_FLAG, NULL, "Tune the order of moves as well"),
    CLI_OPTION(TuneArgs, output, "output", CLI_TEXT, "FILE", "Write the weights to FILE", .letter = 'o'),
    OPTION_NEEDED_DB,
    CLI_ROWS(TuneArgs, lab.workers, workers_options),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(TuneArgs),
};

const Command command_tune = {
    .name = "tune",
    .words = "GAME",
    .summary = "Tune the weights of the engine on games",
    .about =
        "The weights belong to the family of GAME: its k, p, exact and gravity, on boards of any size. With --games "
        "the engine plays itself; every finished game is stored in the database. One opening in ten is held out to "
        "measure the weights. The same games and the same seed give the same weights. With --workers the "
        "games are played by workers of the database, and the weights are tuned here.\n\nExamples:\n  krow tune "
        "gomoku --games 3000 --jobs 2 --db tune.db -o gomoku.txt\n  krow tune gomoku --db tune.db -o all.txt\n  "
        "krow tune gomoku --games 100000 --workers --db postgresql://lab/krow -o gomoku.txt\n  krow match "
        "engine:weights=gomoku.txt engine:weights=none --time 0.1",
    .options = tune_options_table,
    .run = run,
};
