// The parser of command lines: the rows of a table become options of argp, and values go into the command's struct.
#include "cli/options.h"

#include "base/file.h"
#include "base/memory.h"
#include "game/diagram.h"
#include "game/notation.h"
#include "store/db/connection.h"

#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BOARD_FILE_MAX = 1 << 20, SCALE_MAX = 100, ROWS_MAX = 48, FIRST_KEY = 0x100 };

// A row of a table or of a table inside it.
typedef struct {
    const CliOption *option;
    size_t base; // offset of its struct
} Row;

typedef struct {
    const Command *command;
    ParsedCommand *parsed;
    int min_words, max_words;
    Row rows[ROWS_MAX];
    int count;
} Parsing;

static CommandLine *line_of(const Parsing *parsing)
{
    return parsing->parsed->options;
}

// Counts the arguments of a command by their names: those in brackets are optional, and dots mean any number.
static void count_words(Parsing *parsing)
{
    Span rest = span_of(parsing->command->words != NULL ? parsing->command->words : ""), word = {0};
    while (span_next_word(&rest, " ", &word)) {
        parsing->min_words += word.at[0] != '[';
        bool is_list = memmem(word.at, word.length, "...", 3) != NULL;
        parsing->max_words = is_list ? INT_MAX : parsing->max_words + 1;
    }
}

// Returns the end of the table.
static const CliOption *add_rows(Parsing *parsing, const CliOption *table, size_t base)
{
    const CliOption *option = table;
    for (; option->name != NULL; option++) {
        if (option->type == CLI_TABLE) {
            (void)add_rows(parsing, option->table, base + option->offset);
            continue;
        }
        assert(parsing->count < ROWS_MAX);
        parsing->rows[parsing->count++] = (Row){option, base};
    }
    return option;
}

// --- Values ---

// The list of processes shows a password on the command line until it is overwritten here; a copy is used.
static const char *hide_secret(ParsedCommand *parsed, char *where, const char *program)
{
    ConnectionSecret secret = connection_is_text(where) ? connection_secret(where) : SECRET_NONE;
    if (secret == SECRET_NONE || parsed->hidden_count == sizeof parsed->hidden / sizeof parsed->hidden[0])
        return where;
    char *copy = memory_copy_text(where);
    parsed->hidden[parsed->hidden_count++] = copy;
    memset(where, '*', strlen(where));
    if (secret == SECRET_CERTAIN)
        (void)fprintf(stderr,
                      "%s: other users may have seen the password on the command line; use ~/.pgpass, a service file "
                      "or PGPASSWORD\n",
                      program);
    return copy;
}

static void set_whole(struct argp_state *state, const CliOption *option, const char *text, void *place)
{
    int64_t number = 0;
    if (!span_to_int(span_of(text), option->min, option->max, &number)) {
        if (option->max == INT64_MAX)
            argp_error(state, "--%s: '%s' is not a whole number from %lld on", option->name, text,
                       (long long)option->min);
        else
            argp_error(state, "--%s: '%s' is not a whole number from %lld to %lld", option->name, text,
                       (long long)option->min, (long long)option->max);
    }
    if (option->size == sizeof(int64_t))
        *(int64_t *)place = number;
    else
        *(unsigned *)place = (unsigned)number;
}

static void set_real(struct argp_state *state, const CliOption *option, const char *text, void *place)
{
    double number = 0;
    bool is_number = span_to_real(span_of(text), &number);
    if (option->type == CLI_SECONDS && (!is_number || number <= 0 || number > 1e9))
        argp_error(state, "--%s: '%s' is not a number of seconds above 0", option->name, text);
    if (option->type == CLI_SHARE && (!is_number || number < 0 || number > 1))
        argp_error(state, "--%s: '%s' is not a number from 0 to 1", option->name, text);
    if (option->type == CLI_SCALE && (!is_number || number <= 0 || number > SCALE_MAX))
        argp_error(state, "--%s: '%s' is not a number above 0, up to %d", option->name, text, SCALE_MAX);
    *(double *)place = number;
}

static void set_given(struct argp_state *state, const CliOption *option, const char *text, void *place)
{
    if (option->type == CLI_TEXT)
        *(const char **)place = text;
    else if (option->type == CLI_WHOLE || option->type == CLI_SEED)
        set_whole(state, option, text, place);
    else
        set_real(state, option, text, place);
}

static void set_value(struct argp_state *state, Parsing *parsing, const Row *row, char *text)
{
    const CliOption *option = row->option;
    char *values = (char *)parsing->parsed->options + row->base;
    void *place = values + option->offset;
    if (option->type == CLI_FLAG)
        *(bool *)place = true;
    else if (option->type == CLI_DATABASE)
        *(const char **)place = hide_secret(parsing->parsed, text, state->name);
    else
        set_given(state, option, text, place);
    if (option->given != 0)
        *(bool *)(values + option->given) = true;
}

// Short enough to be typed again.
static uint64_t seed_of_clock(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return rng_derive((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec) % 1000000000;
}

static void set_defaults(struct argp_state *state, Parsing *parsing)
{
    for (int i = 0; i < parsing->count; i++) {
        const Row *row = &parsing->rows[i];
        const CliOption *option = row->option;
        char *values = (char *)parsing->parsed->options + row->base;
        void *place = values + option->offset;
        if (option->fallback != NULL)
            set_given(state, option, option->fallback, place);
        else if (option->type == CLI_SEED)
            *(uint64_t *)place = seed_of_clock();
    }
}

// --- argp ---

static error_t take(int key, char *text, struct argp_state *state)
{
    Parsing *parsing = state->input;
    const Command *command = parsing->command;
    CommandLine *line = line_of(parsing);
    switch (key) {
    case ARGP_KEY_INIT:
        set_defaults(state, parsing);
        return 0;
    case ARGP_KEY_ARG:
        if (line->word_count == parsing->max_words)
            argp_error(state, "unexpected argument '%s'", text);
        parsing->parsed->words[line->word_count++] =
            command->has_databases ? hide_secret(parsing->parsed, text, state->name) : text;
        return 0;
    case ARGP_KEY_END:
        if (line->word_count < parsing->min_words)
            argp_error(state, "missing arguments: %s", command->words);
        return 0;
    default:
        break;
    }
    for (int i = 0; i < parsing->count; i++)
        if (key == (parsing->rows[i].option->letter != 0 ? parsing->rows[i].option->letter : FIRST_KEY + i)) {
            set_value(state, parsing, &parsing->rows[i], text);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

static char *help_of(const CliOption *option)
{
    Text text = {0};
    text_add(&text, "%s", option->help);
    if (option->fallback != NULL)
        text_add(&text, " (default %s)", option->fallback);
    return text.data;
}

void options_read(const Command *command, int argc, char **argv, ParsedCommand *parsed)
{
    Parsing parsing = {.command = command, .parsed = parsed};
    size_t size = add_rows(&parsing, command->options, 0)->size;
    *parsed =
        (ParsedCommand){.options = memory_new(1, size), .words = memory_new((size_t)argc + 1, sizeof *parsed->words)};
    line_of(&parsing)->words = parsed->words;
    line_of(&parsing)->change = command->change;
    count_words(&parsing);
    struct argp_option options[ROWS_MAX + 1] = {0};
    char *helps[ROWS_MAX] = {0};
    for (int i = 0; i < parsing.count; i++) {
        const CliOption *option = parsing.rows[i].option;
        helps[i] = help_of(option);
        options[i] = (struct argp_option){.name = option->name,
                                          .key = option->letter != 0 ? option->letter : FIRST_KEY + i,
                                          .arg = option->argument,
                                          .flags = option->may_lack_argument ? OPTION_ARG_OPTIONAL : 0,
                                          .doc = helps[i]};
    }
    Text doc = {0};
    text_add(&doc, "%s.\v%s", command->summary, command->about);
    const struct argp parser = {.options = options, .parser = take, .args_doc = command->words, .doc = doc.data};
    argp_err_exit_status = 2;
    // The parser itself ends the program at wrong options, so that a failure can only be a lack of memory.
    if (argp_parse(&parser, argc, argv, 0, NULL, &parsing) != 0)
        memory_exhausted();
    const char *usual = getenv("KROW_DB");
    if (line_of(&parsing)->db == NULL && usual != NULL && strcmp(usual, "none") == 0)
        line_of(&parsing)->db = "none";
    text_close(&doc);
    for (int i = 0; i < parsing.count; i++)
        free(helps[i]);
}

void options_close(ParsedCommand *parsed)
{
    for (unsigned i = 0; i < parsed->hidden_count; i++)
        free(parsed->hidden[i]);
    free(parsed->words);
    free(parsed->options);
    *parsed = (ParsedCommand){0};
}

// --- Arguments ---

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

Status line_position(const CommandLine *line, Game *game, Error *error)
{
    Rules rules;
    Status status = rules_parse(span_of(line->words[0]), &rules, error);
    if (status != STATUS_OK)
        return status;
    if (line->board != NULL)
        status = read_board(line->board, &rules, game, error);
    else
        game_init(game, &rules);
    if (status != STATUS_OK)
        return status;
    Text moves = {0};
    for (int i = 1; i < line->word_count; i++)
        text_add(&moves, "%s ", line->words[i]);
    status = game_read(game, (Span){moves.data, moves.length}, error);
    text_close(&moves);
    return status;
}
