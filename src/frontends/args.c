#include "frontends/args.h"

#include "agents/levels.h"

#include "base/file.h"
#include "rules/diagram.h"
#include "rules/notation.h"
#include "search/double_threat.h"
#include "store/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BOARD_FILE_MAX = 1 << 20, ARGS_SCALE_MAX = 100, ARGS_LINES_MAX = 100 };

typedef struct {
    const Command *command;
    Args *args;
    const char **words;
} Parsing;

static int64_t whole_number(struct argp_state *state, const char *option, const char *text, int64_t min, int64_t max)
{
    int64_t number = 0;
    if (!span_to_int(span_of(text), min, max, &number)) {
        if (max == INT64_MAX)
            argp_error(state, "--%s: '%s' is not a whole number from %lld on", option, text, (long long)min);
        else
            argp_error(state, "--%s: '%s' is not a whole number from %lld to %lld", option, text, (long long)min,
                       (long long)max);
    }
    return number;
}

static double seconds(struct argp_state *state, const char *option, const char *text)
{
    double number = 0;
    if (!span_to_real(span_of(text), &number) || number <= 0 || number > 1e9)
        argp_error(state, "--%s: '%s' is not a number of seconds above 0", option, text);
    return number;
}

// Options that are kept as they are written; NULL for the others.
static const char **text_option(Args *args, int key)
{
    switch (key) {
    case ARG_AGAINST:
        return &args->against;
    case ARG_AGENT:
        return &args->agent;
    case ARG_ANCHOR:
        return &args->anchor;
    case ARG_BIND:
        return &args->bind;
    case ARG_BOARD:
        return &args->board;
    case ARG_CLOCK:
        return &args->clock;
    case ARG_DB:
        return &args->db;
    case ARG_ENCODING:
        return &args->encoding;
    case ARG_ENGINES:
        return &args->engines;
    case ARG_FILTER:
        return &args->filter;
    case ARG_FIRST:
        return &args->first;
    case ARG_FLEET:
        return &args->fleet;
    case ARG_FORMAT:
        return &args->format;
    case ARG_GAME:
        return &args->game;
    case ARG_LOAD:
        return &args->load;
    case ARG_MATCH:
        return &args->match;
    case ARG_NAME:
        return &args->name;
    case ARG_OPENINGS:
        return &args->openings;
    case ARG_PROOF:
        return &args->proof;
    case ARG_OPPONENT:
        return &args->opponent;
    case ARG_OUTPUT:
        return &args->output;
    case ARG_PGN:
        return &args->pgn;
    case ARG_POSITIONS:
        return &args->positions;
    case ARG_REPORT:
        return &args->report;
    case ARG_SECOND:
        return &args->second;
    case ARG_SET:
        return &args->set;
    case ARG_SPRT:
        return &args->sprt;
    case ARG_SVG:
        return &args->svg;
    case ARG_VIEW:
        return &args->view;
    default:
        return NULL;
    }
}

static double share(struct argp_state *state, const char *option, const char *text)
{
    double number = 0;
    if (!span_to_real(span_of(text), &number) || number < 0 || number > 1)
        argp_error(state, "--%s: '%s' is not a number from 0 to 1", option, text);
    return number;
}

static double scale(struct argp_state *state, const char *name, const char *text)
{
    double number = 0;
    if (!span_to_real(span_of(text), &number) || number <= 0 || number > ARGS_SCALE_MAX)
        argp_error(state, "--%s: '%s' is not a number above 0, up to %d", name, text, ARGS_SCALE_MAX);
    return number;
}

static error_t take_option(int key, char *text, struct argp_state *state)
{
    Args *args = ((Parsing *)state->input)->args;
    const char **plain = text_option(args, key);
    if (plain != NULL) {
        *plain = text;
        return 0;
    }
    switch (key) {
    case ARG_ALL:
        args->all = true;
        return 0;
    case ARG_CHANCE:
        args->chance = share(state, "chance", text);
        args->has_chance = true;
        return 0;
    case ARG_COUNT:
        args->count = (unsigned)whole_number(state, "count", text, 1, 1000000);
        return 0;
    case ARG_FORGET_REFUTED:
        args->forgets_refuted = true;
        return 0;
    case ARG_FRESH:
        args->fresh = true;
        return 0;
    case ARG_GAMES:
        args->games = (unsigned)whole_number(state, "games", text, 1, 1000000);
        return 0;
    case ARG_IDLE:
        args->idle = seconds(state, "idle", text);
        return 0;
    case ARG_LEASE:
        args->lease = seconds(state, "lease", text);
        return 0;
    case ARG_UNIT:
        args->unit = (unsigned)whole_number(state, "unit", text, 1, 2048);
        return 0;
    case ARG_WORKERS:
        args->workers = true;
        return 0;
    case ARG_JOBS:
        args->jobs = (unsigned)whole_number(state, "jobs", text, 1, 256);
        return 0;
    case ARG_LINES:
        args->lines = (unsigned)whole_number(state, "lines", text, 1, ARGS_LINES_MAX);
        return 0;
    case ARG_NO_OPEN:
        args->opens_not = true;
        return 0;
    case ARG_OPEN:
        args->opens = true;
        return 0;
    case ARG_PORT:
        args->port = (unsigned)whole_number(state, "port", text, 1, 65535);
        return 0;
    case ARG_NO_TIMES:
        args->no_times = true;
        return 0;
    case ARG_NUMBER:
        args->number = whole_number(state, "number", text, 1, INT64_MAX);
        return 0;
    case ARG_CHECK:
        args->check = true;
        return 0;
    case ARG_STDIN:
        args->from_stdin = true;
        return 0;
    case ARG_STREAM:
        args->streams = true;
        return 0;
    case ARG_WEAK:
        args->weak = true;
        return 0;
    case ARG_MEMORY:
        args->memory = (unsigned)whole_number(state, "memory", text, 1, 1 << 20);
        return 0;
    case ARG_THREADS:
        args->threads = (unsigned)whole_number(state, "threads", text, 1, 256);
        return 0;
    case ARG_LEVEL:
        args->level = (unsigned)whole_number(state, "level", text, 1, LEVELS_MAX);
        return 0;
    case ARG_TURNS:
        args->turns = (unsigned)whole_number(state, "turns", text, 1, RULES_CELLS_MAX);
        return 0;
    case ARG_DEPTH:
        args->budget.depth = (unsigned)whole_number(state, "depth", text, 1, RULES_CELLS_MAX);
        return 0;
    case ARG_DIAGRAM:
        args->diagram = true;
        return 0;
    case ARG_EXTEND:
        args->extends = true;
        return 0;
    case ARG_JSON:
        args->json = true;
        return 0;
    case ARG_NODES:
        args->budget.nodes = (uint64_t)whole_number(state, "nodes", text, 1, INT64_MAX);
        return 0;
    case ARG_PONDER:
        args->ponders = true;
        return 0;
    case ARG_PROTOCOL:
        args->protocol = text;
        return 0;
    case ARG_MOVES:
        args->fits_moves = true;
        return 0;
    case ARG_PULL:
        args->pull = scale(state, "pull", text);
        return 0;
    case ARG_NO_SANDBOX:
        args->host.no_sandbox = true;
        return 0;
    case ARG_QUIET:
        args->quiet = true;
        return 0;
    case ARG_RESUME:
        args->resumes = true;
        args->resume = text;
        return 0;
    case ARG_SCALE:
        args->scale = scale(state, "scale", text);
        return 0;
    case ARG_SEED:
        args->seed = (uint64_t)whole_number(state, "seed", text, 0, INT64_MAX);
        args->has_seed = true;
        return 0;
    case ARG_SINGLES:
        args->singles = (unsigned)whole_number(state, "singles", text, 0, DOUBLE_THREAT_SINGLES_MAX);
        return 0;
    case ARG_SYMMETRIC:
        args->is_symmetric = true;
        return 0;
    case ARG_TIER:
        args->tier = (unsigned)whole_number(state, "tier", text, 0, PATTERN_TIER_MAX);
        args->has_tier = true;
        return 0;
    case ARG_TIME:
        args->budget.seconds = seconds(state, "time", text);
        args->has_time = true;
        return 0;
    case ARG_VERIFY:
        args->verifies = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// A password on the command line is in the list of processes until it is overwritten here; what is used is a copy.
static const char *hide_secret(Args *args, char *where, struct argp_state *state)
{
    ConnectionSecret secret = connection_is_text(where) ? connection_secret(where) : SECRET_NONE;
    if (secret == SECRET_NONE)
        return where;
    char *copy = strdup(where);
    if (copy == NULL || args->hidden_count == sizeof args->hidden / sizeof args->hidden[0])
        argp_failure(state, 1, 0, "no memory for the command line");
    args->hidden[args->hidden_count++] = copy;
    memset(where, '*', strlen(where));
    if (secret == SECRET_CERTAIN)
        (void)fprintf(
            stderr,
            "%s: others may have seen a password on the command line; better are ~/.pgpass, a service file or "
            "PGPASSWORD\n",
            state->name);
    return copy;
}

static error_t take(int key, char *text, struct argp_state *state)
{
    Parsing *parsing = state->input;
    const Command *command = parsing->command;
    if (key == ARGP_KEY_ARG) {
        if (parsing->args->word_count == command->max_words)
            argp_error(state, "'%s' is one word too many", text);
        parsing->words[parsing->args->word_count++] =
            command->has_databases ? hide_secret(parsing->args, text, state) : text;
        return 0;
    }
    if (key == ARGP_KEY_END) {
        if (parsing->args->word_count < command->min_words)
            argp_error(state, "it takes %s", command->words);
        return 0;
    }
    error_t result = take_option(key, text, state);
    if (key == ARG_DB)
        parsing->args->db = hide_secret(parsing->args, text, state);
    return result;
}

void args_parse(const Command *command, int argc, char **argv, Args *args)
{
    *args = (Args){0};
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (words == NULL) {
        (void)fprintf(stderr, "krow: no memory for the command line\n");
        exit(1);
    }
    Parsing parsing = {.command = command, .args = args, .words = words};
    char *doc = NULL;
    if (asprintf(&doc, "%s.\v%s", command->summary, command->about) < 0)
        doc = NULL;
    const struct argp parser = {.options = command->options, .parser = take, .args_doc = command->words, .doc = doc};
    (void)argp_parse(&parser, argc, argv, 0, NULL, &parsing);
    free(doc);
    args->words = words;
}

void args_close(Args *args)
{
    for (unsigned i = 0; i < args->hidden_count; i++)
        free(args->hidden[i]);
    free(args->words);
}

void args_join(const Args *args, int from, Text *text)
{
    for (int i = from; i < args->word_count; i++)
        text_add(text, "%s%s", i > from ? " " : "", args->words[i]);
    text_add(text, "%s", "");
}

static Status read_board(const char *path, const Rules *rules, Game *game, Error *error)
{
    Text text = {0};
    Status status = file_read(path, BOARD_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        status = diagram_read((Span){text.data, text.length}, rules, game, error);
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", strcmp(path, "-") == 0 ? "standard input" : path);
    }
    text_close(&text);
    return status;
}

Status args_position(const Args *args, Game *game, Error *error)
{
    Rules rules;
    Status status = rules_parse(span_of(args->words[0]), &rules, error);
    if (status != STATUS_OK)
        return status;
    if (args->board != NULL)
        status = read_board(args->board, &rules, game, error);
    else
        game_init(game, &rules);
    if (status != STATUS_OK)
        return status;
    Text moves = {0};
    args_join(args, 1, &moves);
    status = moves.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for the moves")
                          : game_read(game, (Span){moves.data, moves.length}, error);
    text_close(&moves);
    return status;
}

uint64_t args_seed(const Args *args)
{
    if (args->has_seed)
        return args->seed;
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    // Short enough to be typed again.
    return rng_derive((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec) % 1000000000;
}
