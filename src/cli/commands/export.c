// krow export: games of the database, or of other files, as game files.
#include "base/file.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/lab_run.h"
#include "lab/books.h"
#include "lab/damaged.h"
#include "lab/match_games.h"
#include "lab/train/positions_npz.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *format, *game, *agent, *match, *output; // NULL: not given
    bool no_times;
} ExportArgs;

enum { EXPORT_FILE_MAX = 1 << 30 };

typedef struct {
    const Format *format;
    Text text;
    bool no_times;
    uint64_t games;
    DamagedGames damaged;
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
    Export *export = context;
    GameRecord record = match_game_record(game);
    return write_record(export, export->no_times ? game->record : &record);
}

static bool take_read(void *context, const FormatItem *item)
{
    Export *export = context;
    return item->record == NULL || write_record(export, item->record);
}

static Status convert(Export *export, const char *path, const Rules *rules, Error *error)
{
    Text text = {0};
    FormatOptions options = {.rules = rules};
    Status status = file_read(path, EXPORT_FILE_MAX, &text, error);
    if (status == STATUS_OK) {
        Span whole = {text.data, text.length};
        status = format_guess(path, whole, &options.format, error);
        if (status == STATUS_OK)
            status = formats_read(whole, &options, take_read, export, error);
        if (status == STATUS_OK)
            status = export->status;
        if (status != STATUS_OK)
            error_prefix(error, "'%s': ", path);
    }
    text_close(&text);
    return status;
}

static Status from_database(Export *export, const ExportArgs *args, const Rules *rules, Error *error)
{
    Database *db = NULL;
    Status status = database_for_reports("stored games", args->line.db, &db, error);
    if (status == STATUS_OK) {
        DatabaseFilter filter = {.rules = rules, .agent = args->agent};
        status = lab_find_match(db, args->match, &filter.match, error);
        damaged_watch(&export->damaged, db, args->line.reporter);
        if (status == STATUS_OK)
            status = database_each_game(db, &filter, take_stored, export, error);
        if (status == STATUS_OK && export->status == STATUS_OK && export->games == 0 && export->damaged.count == 0)
            status = error_set(error, STATUS_FAILED, "the database has no such games");
    }
    database_close(db);
    return status == STATUS_OK ? export->status : status;
}

// Positions of the games of `krow train`.
static Status export_positions(const ExportArgs *args, Error *error)
{
    unsigned count = (unsigned)args->line.word_count;
    PositionsReport report = {0};
    if (count == 0 || args->output == NULL)
        return error_set(error, STATUS_BAD_INPUT,
                         "--format npz needs files of scored games (of krow train) and -o FILE");
    ScoredGames *files = memory_new(count, sizeof *files);
    Status status = file_check_writable(args->output, error);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = scored_games_read(&files[i], args->line.words[i], error);
    if (status == STATUS_OK)
        status = positions_write_npz(files, count, args->output, &report, error);
    for (unsigned i = 0; i < count; i++)
        scored_games_close(&files[i]);
    free(files);
    if (status == STATUS_OK && !args->line.quiet)
        (void)fprintf(stderr, "%llu positions of %u game%s in %s\n", (unsigned long long)report.positions, report.games,
                      view_plural(report.games), args->output);
    return status;
}

static Status run(const void *options, Error *error)
{
    const ExportArgs *args = options;
    if (args->format != NULL && strcmp(args->format, "npz") == 0)
        return export_positions(args, error);
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
    if (args->line.word_count == 0)
        status = from_database(&export, args, wanted, error);
    for (int i = 0; i < args->line.word_count && status == STATUS_OK; i++)
        status = convert(&export, args->line.words[i], wanted, error);
    if (status == STATUS_OK)
        status = output_write(&export.text, args->output, error);
    if (status == STATUS_OK && args->output != NULL && !args->line.quiet)
        (void)fprintf(stderr, "%llu game%s in %s\n", (unsigned long long)export.games, view_plural(export.games),
                      args->output);
    if (status == STATUS_OK)
        status = damaged_status(&export.damaged, error);
    damaged_close(&export.damaged, NULL);
    text_close(&export.text);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(ExportArgs, format, "format", CLI_TEXT, "NAME",
               "krow (default), sgf, psq, rec, c6, digits, offset, pos-top or pos-bottom; npz: positions with scores"),
    CLI_OPTION(ExportArgs, game, "game", CLI_TEXT, "GAME",
               "Only games of these rules; also the rules of files that contain none"),
    CLI_OPTION(ExportArgs, agent, "agent", CLI_TEXT, "AGENT", "Only games of this player"),
    CLI_OPTION(ExportArgs, match, "match", CLI_TEXT, "N|last",
               "Only games of this match of the database, in the order of their numbers"),
    CLI_OPTION(ExportArgs, no_times, "no-times", CLI_FLAG, NULL, "Leave out the time of each stone"),
    OPTION_OUTPUT(ExportArgs),
    OPTION_DB,
    OPTION_QUIET,
    CLI_END(ExportArgs),
};

const Command command_export = {
    .name = "export",
    .words = "[FILE...]",
    .summary = "Write games of the database, or of other files, as game files",
    .about = "Writes the games of the database, or converts the games of FILE. If the format cannot hold a game, the "
             "reason is reported and nothing is written. With --format npz, FILE are games with scores of krow train, "
             "and the output is a NumPy archive of their positions, scores and results (docs/networks.md).",
    .options = options,
    .run = run,
};
