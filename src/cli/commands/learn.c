// krow learn: the weights of the agent `learned`, by games against itself.
#include "base/file.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "engine/eval/weights.h"
#include "papers/learned/training.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <unistd.h>

enum { STATE_MAX = 64 << 20, GAMES_BETWEEN_STATES = 100, GAMES_BETWEEN_MESSAGES = 10 };

typedef struct {
    CommandLine line;
    TrainingOptions how;
    const char *output; // NULL: not given
    bool resumes;
} LearnArgs;

// The file of the state, next to the output.
static void state_path(const LearnArgs *args, Text *path)
{
    text_add(path, "%s.state", args->output);
}

static Status save(const LearnArgs *args, const Training *training, Error *error)
{
    Text path = {0}, state = {0};
    if (args->output == NULL)
        return STATUS_OK;
    state_path(args, &path);
    training_save(training, &state);
    Status status = file_write(path.data, (Span){state.data, state.length}, error);
    text_close(&path);
    text_close(&state);
    return status;
}

// Without a stored state, --resume starts from the beginning.
static Status restore(const LearnArgs *args, Training *training, Error *error)
{
    Text path = {0}, state = {0};
    Status status = STATUS_OK;
    state_path(args, &path);
    if (access(path.data, F_OK) == 0) {
        status = file_read(path.data, STATE_MAX, &state, error);
        if (status == STATUS_OK)
            status = training_restore(training, (Span){state.data, state.length}, error);
        if (status != STATUS_OK && error != NULL)
            error_prefix(error, "%s: ", path.data);
    }
    text_close(&path);
    text_close(&state);
    return status;
}

static Status learn(const LearnArgs *args, Training *training, Error *error)
{
    const atomic_bool *stop = interrupt_catch();
    Status status = STATUS_OK;
    while (status == STATUS_OK && !atomic_load(stop) && training_step(training)) {
        TrainingReport report = training_report(training);
        if (report.games % GAMES_BETWEEN_MESSAGES == 0)
            reporter_show(args->line.reporter, "game %u of %u, %.1f stones per game", report.games, args->how.games,
                          (double)report.stones / report.games);
        if (report.games % GAMES_BETWEEN_STATES == 0)
            status = save(args, training, error);
    }
    reporter_end(args->line.reporter);
    if (status != STATUS_OK || !interrupt_take())
        return status;
    status = save(args, training, error);
    return status != STATUS_OK ? status
                               : error_set(error, STATUS_FAILED, "interrupted%s",
                                           args->output != NULL ? "; --resume continues" : "; nothing was written");
}

static Status write_weights(const LearnArgs *args, const Training *training, const Rules *rules, Error *error)
{
    Text source = {0}, text = {0}, path = {0};
    char game[RULES_TEXT_SIZE];
    LearnedWeights *weights = memory_new(1, sizeof *weights);
    rules_format(rules, game);
    text_add(&source, "%u games, %s, seed %llu, lambda %g, rate %g, exploration %g, krow " KROW_VERSION,
             args->how.games, game, (unsigned long long)args->how.seed, args->how.lambda, args->how.rate,
             args->how.exploration);
    training_weights(training, weights);
    learned_format(weights, rules, (Span){source.data, source.length}, &text);
    Status status = file_write(args->output, (Span){text.data, text.length}, error);
    if (status == STATUS_OK) {
        state_path(args, &path);
        (void)unlink(path.data);
    }
    text_close(&source);
    text_close(&text);
    text_close(&path);
    free(weights);
    return status;
}

static Status report(const LearnArgs *args, const Training *training, const Rules *rules, Error *error)
{
    TrainingReport report = training_report(training);
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(rules, family);
    unsigned draws = report.games - report.won[0] - report.won[1];
    if (args->line.json)
        return output_json(json_pack("{s:s, s:i, s:I, s:i, s:i, s:i, s:f, s:s?}", "family", family, "games",
                                     (int)report.games, "stones", (json_int_t)report.stones, "first",
                                     (int)report.won[0], "second", (int)report.won[1], "draws", (int)draws, "loss",
                                     report.loss, "output", args->output),
                           error);
    (void)printf("%s: %u games (%u won by the first side, %u by the second, %u drawn), %.1f stones per game\n", family,
                 report.games, report.won[0], report.won[1], draws, (double)report.stones / report.games);
    (void)printf("loss %.4f per stone over the last tenth of the games\n", report.loss);
    if (args->output != NULL)
        (void)printf("written to %s\n", args->output);
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const LearnArgs *args = options;
    Rules rules;
    Status status = rules_parse(span_of(args->line.words[0]), &rules, error);
    if (status == STATUS_OK && args->resumes && args->output == NULL)
        status = error_set(error, STATUS_BAD_INPUT, "--resume needs -o FILE: the state is stored next to it");
    if (status == STATUS_OK && args->output != NULL)
        status = file_check_writable(args->output, error);
    if (status != STATUS_OK)
        return status;
    Training *training = training_open(&rules, &args->how);
    if (args->resumes)
        status = restore(args, training, error);
    if (status == STATUS_OK)
        status = learn(args, training, error);
    if (status == STATUS_OK && args->output != NULL)
        status = write_weights(args, training, &rules, error);
    if (status == STATUS_OK)
        status = report(args, training, &rules, error);
    training_close(training);
    return status;
}

static const CliOption learn_options[] = {
    CLI_OPTION(LearnArgs, how.games, "games", CLI_WHOLE, "N", "Number of games to learn from", .min = 1,
               .max = 10000000, .fallback = "2000"),
    CLI_OPTION(LearnArgs, how.seed, "seed", CLI_WHOLE, "N", "Random seed", .max = INT64_MAX, .fallback = "1"),
    CLI_OPTION(LearnArgs, how.lambda, "lambda", CLI_SHARE, "F",
               "Share that each later position has in the value of the one before it", .fallback = "0.9"),
    CLI_OPTION(LearnArgs, how.rate, "rate", CLI_SCALE, "F", "Size of the first steps", .fallback = "0.1"),
    CLI_OPTION(LearnArgs, how.exploration, "exploration", CLI_SHARE, "F", "Share of random stones", .fallback = "0.05"),
    CLI_OPTION(LearnArgs, resumes, "resume", CLI_FLAG, NULL, "Continue an interrupted run with the same options"),
    CLI_OPTION(LearnArgs, output, "output", CLI_TEXT, "FILE", "Write the weights to FILE", .letter = 'o'),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(LearnArgs),
};

const Command command_learn = {
    .name = "learn",
    .words = "GAME",
    .summary = "Learn the weights of the agent 'learned'",
    .about = "The agent plays against itself and learns by temporal differences; the weights are for the family of "
             "GAME: its k, p, exact and gravity, on boards of any size. The same options and the same seed give the "
             "same weights. With -o, the state is stored in FILE.state every 100 games, and --resume continues from "
             "it, with the same result as without an interruption.\n\nExamples:\n  krow learn 9x9:k=4 --games 2000 "
             "-o four.txt\n  krow match learned:weights=four.txt sequences --game 9x9:k=4 --games 200 --openings 100",
    .options = learn_options,
    .run = run,
};
