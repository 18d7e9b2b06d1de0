// krow export: games of the database, or of other files, as game files.
#include "base/file.h"
#include "frontends/commands.h"
#include "frontends/lab_args.h"
#include "frontends/output.h"
#include "store/formats.h"

#include <limits.h>
#include <string.h>

enum { EXPORT_FILE_MAX = 1 << 30 };

typedef struct {
    const Format *format;
    Text text;
    bool no_times;
    uint64_t games;
    Status status;
    Error *error;
} Export;

// Writes a game; without times, what is written depends on the stones alone.
static bool write_record(Export *export, const GameRecord *record)
{
    RecordStone stones[RULES_CELLS_MAX];
    GameRecord timeless = *record;
    if (export->no_times) {
        for (unsigned i = 0; i < record->count; i++) {
            stones[i] = record->stones[i];
            stones[i].ms = RECORD_MS_UNKNOWN;
        }
        timeless.stones = stones;
    }
    export->status = formats_write(&timeless, export->format, &export->text, export->error);
    if (export->status != STATUS_OK)
        error_prefix(export->error, "game %llu: ", (unsigned long long)export->games + 1);
    else
        export->games++;
    return export->status == STATUS_OK;
}

static bool take_stored(void *context, const DatabaseGame *game)
{
    return write_record(context, game->record);
}

static bool take_read(void *context, const FormatItem *item)
{
    Export *export = context;
    return item->record == NULL || write_record(export, item->record);
}

static Status convert(Export *export, const char *path, const Rules *rules, Error *error)
{
    Text text = {0};
    const Format *format = NULL;
    FormatOptions options = {.rules = rules};
    Status status = file_read(path, EXPORT_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        Span whole = {text.data, text.length};
        status = format_guess(path, whole, &format, error);
        if (status == STATUS_OK)
            status = formats_read(whole, format, &options, take_read, export, error);
        if (status == STATUS_OK)
            status = export->status;
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}

static Status from_database(Export *export, const Args *args, const Rules *rules, Error *error)
{
    Database *db = NULL;
    Status status = database_open(args->db, &db, error);
    if (status == STATUS_OK) {
        DatabaseFilter filter = {.rules = rules, .agent = args->agent};
        status = lab_find_match(db, args->match, &filter.match, error);
        if (status == STATUS_OK)
            status = database_each_game(db, &filter, take_stored, export, error);
    }
    database_close(db);
    return status == STATUS_OK ? export->status : status;
}

static Status finish(const Export *export, const Args *args, Error *error)
{
    if (export->text.failed)
        return error_set(error, STATUS_NO_MEMORY, "no memory for %llu games", (unsigned long long)export->games);
    Span whole = {export->text.data != NULL ? export->text.data : "", export->text.length};
    if (args->output == NULL) {
        (void)fwrite(whole.at, 1, whole.length, stdout);
        return STATUS_OK;
    }
    Status status = file_write(args->output, whole, error);
    if (status == STATUS_OK && !args->quiet)
        (void)fprintf(stderr, "%llu games in %s\n", (unsigned long long)export->games, args->output);
    return status;
}

static Status run(const Args *args, Error *error)
{
    Rules rules;
    const Rules *wanted = NULL;
    if (args->game != NULL) {
        Status status = rules_parse(span_of(args->game), &rules, error);
        if (status != STATUS_OK)
            return status;
        wanted = &rules;
    }
    Export export = {.format = format_find(span_of(args->format != NULL ? args->format : "krow")),
                     .no_times = args->no_times,
                     .error = error};
    if (export.format == NULL || export.format->write == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--format: there is no format '%s' to write", args->format);
    Status status = STATUS_OK;
    if (args->word_count == 0)
        status = from_database(&export, args, wanted, error);
    for (int i = 0; i < args->word_count && status == STATUS_OK; i++)
        status = convert(&export, args->words[i], wanted, error);
    if (status == STATUS_OK)
        status = finish(&export, args, error);
    text_close(&export.text);
    return status;
}

static const struct argp_option options[] = {
    {"format", ARG_FORMAT, "NAME", 0, "krow (unless given), sgf, psq, rec, c6, digits, offset, pos-top or pos-bottom",
     0},
    {"game", ARG_GAME, "GAME", 0, "Only games of these rules; for files that do not carry rules, the rules", 0},
    {"agent", ARG_AGENT, "AGENT", 0, "Only games of this player", 0},
    {"match", ARG_MATCH, "N|last", 0, "Only games of this match of the database, in the order of their numbers", 0},
    {"no-times", ARG_NO_TIMES, NULL, 0, "Leave out how long each stone took", 0},
    {"output", ARG_OUTPUT, "FILE", 0, "Write to FILE instead of standard output", 0},
    OPTION_DB,
    OPTION_QUIET,
    {0},
};

const Command command_export = {
    .name = "export",
    .words = "[FILE...]",
    .summary = "Write games of the database, or of other files, as game files",
    .about =
        "Without FILE the games of the database are written; with FILE those of the files, converted. A game that the "
        "format cannot hold is refused, with the reason, and nothing is written.",
    .options = options,
    .min_words = 0,
    .max_words = INT_MAX,
    .run = run,
};
