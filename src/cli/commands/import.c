// krow import: game files into the database.
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "store/db/database.h"
#include "store/formats/formats.h"
#include "view/json_view.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    CommandLine line;
    const char *format, *game; // NULL: not given
} ImportArgs;

enum { IMPORT_FILE_MAX = 1 << 30, IMPORT_BATCH = 2000, FOLDER_DEPTH_MAX = 32 };

typedef struct {
    Database *db;
    const Format *format; // NULL: by ending and content
    FormatOptions options;
    DatabaseImport import; // of the current file
    GameRecord *batch;
    size_t batched;
    uint64_t added, known, files;
    json_t *errors;
    bool quiet;
    Status status; // of the database; damaged files do not stop the import
    Error *error;
} Import;

static void complain(Import *import, const char *path, size_t line, const char *message)
{
    char *shown = memory_copy_text(path);
    utf8_clean_line(shown); // a folder may hold names of any bytes
    const char *name = utf8_is_valid(span_of(path)) ? path : shown;
    (void)json_array_append_new(
        import->errors, json_pack("{s:s, s:I, s:s}", "file", name, "line", (json_int_t)line, "message", message));
    if (!import->quiet && line > 0)
        (void)fprintf(stderr, "%s:%zu: %s\n", shown, line, message);
    else if (!import->quiet)
        (void)fprintf(stderr, "%s: %s\n", shown, message);
    free(shown);
}

// Stores the batched games in one transaction.
static void flush(Import *import)
{
    if (import->batched > 0 && import->status == STATUS_OK)
        import->status = database_import(import->db, &import->import, import->batch, import->batched, import->error);
    for (size_t i = 0; i < import->batched; i++)
        record_close(&import->batch[i]);
    import->batched = 0;
}

static bool take_game(void *context, const FormatItem *item)
{
    Import *import = context;
    if (item->record == NULL) {
        complain(import, import->import.source, item->line, item->error->text);
        return true;
    }
    import->batch[import->batched++] = *item->record;
    *item->record = (GameRecord){0};
    if (import->batched == IMPORT_BATCH)
        flush(import);
    return import->status == STATUS_OK && !atomic_load(interrupt_flag());
}

static void import_file(Import *import, const char *path)
{
    Text text = {0};
    Error error = {0};
    import->files++;
    if (file_read(path, IMPORT_FILE_MAX, &text, &error) != STATUS_OK) {
        complain(import, path, 0, error.text);
        return;
    }
    Span whole = {text.data, text.length};
    FormatOptions options = import->options;
    if (options.format == NULL && format_guess(path, whole, &options.format, &error) != STATUS_OK) {
        complain(import, path, 0, error.text);
    } else {
        size_t complaints = json_array_size(import->errors);
        import->import = (DatabaseImport){.source = path};
        Status status = formats_read(whole, &options, take_game, import, &error);
        flush(import);
        // A file without a game, or one that is too large.
        if (status != STATUS_OK && json_array_size(import->errors) == complaints && import->status == STATUS_OK)
            complain(import, path, 0, error.text);
        import->added += import->import.added;
        import->known += import->import.known;
        database_import_close(&import->import);
    }
    text_close(&text);
}

static void import_path(Import *import, const char *path, int depth);

// Imports a folder in the order of names, so that every run is the same.
static void import_folder(Import *import, const char *path, int depth)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        complain(import, path, 0, strerror(errno));
        return;
    }
    for (int i = 0; i < count; i++) {
        char *below = NULL;
        if (entries[i]->d_name[0] != '.' && asprintf(&below, "%s/%s", path, entries[i]->d_name) >= 0) {
            import_path(import, below, depth + 1);
            free(below);
        }
        free(entries[i]);
    }
    free(entries);
}

static void import_path(Import *import, const char *path, int depth)
{
    struct stat about = {0};
    if (import->status != STATUS_OK || atomic_load(interrupt_flag()))
        return;
    if (strcmp(path, "-") != 0 && stat(path, &about) != 0)
        complain(import, path, 0, strerror(errno));
    else if (S_ISDIR(about.st_mode) && depth < FOLDER_DEPTH_MAX)
        import_folder(import, path, depth);
    else
        import_file(import, path);
}

static Status report(const Import *import, const ImportArgs *args, Error *error)
{
    size_t errors = json_array_size(import->errors);
    if (args->line.json) {
        Status status = output_json(json_pack("{s:I, s:I, s:I, s:O}", "games", (json_int_t)import->added, "files",
                                              (json_int_t)import->files, "known", (json_int_t)import->known, "errors",
                                              import->errors),
                                    error);
        if (status != STATUS_OK)
            return status;
    } else {
        (void)printf("%llu game%s imported from %llu file%s, %llu already known, %zu error%s\n",
                     (unsigned long long)import->added, view_plural(import->added), (unsigned long long)import->files,
                     view_plural(import->files), (unsigned long long)import->known, errors, view_plural(errors));
    }
    if (atomic_load(interrupt_flag()))
        return error_set(error, STATUS_FAILED, "interrupted; the games imported so far are stored");
    if (errors > 0)
        return error_set(error, STATUS_FAILED, "%zu %s could not be read", errors,
                         errors == 1 ? "game or file" : "games or files");
    return import->files > 0 ? STATUS_OK : error_set(error, STATUS_FAILED, "there are no files to import");
}

static Status run(const void *options, Error *error)
{
    const ImportArgs *args = options;
    Rules rules;
    Import import = {.quiet = args->line.quiet, .error = error};
    if (args->game != NULL) {
        Status status = rules_parse(span_of(args->game), &rules, error);
        if (status != STATUS_OK)
            return status;
        import.options.rules = &rules;
    }
    if (args->format != NULL && (import.options.format = format_find(span_of(args->format))) == NULL)
        return error_set(error, STATUS_BAD_INPUT, "--format: there is no format '%s'", args->format);
    Status status = database_open(args->line.db, &import.db, error);
    if (status != STATUS_OK)
        return status;
    (void)interrupt_catch();
    import.batch = memory_new(IMPORT_BATCH, sizeof *import.batch);
    import.errors = json_array();
    for (int i = 0; i < args->line.word_count; i++)
        import_path(&import, args->line.words[i], 0);
    status = import.status == STATUS_OK ? report(&import, args, error) : import.status;
    json_decref(import.errors);
    free(import.batch);
    database_close(import.db);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(
        ImportArgs, format, "format", CLI_TEXT, "NAME",
        "krow, sgf, psq, rec, c6, digits, offset, pos-top, pos-bottom, csv, rif or cells (default: by the name and "
        "content of the file)"),
    CLI_OPTION(ImportArgs, game, "game", CLI_TEXT, "GAME", "Rules of files that contain none"),
    OPTION_DB,
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(ImportArgs),
};

const Command command_import = {
    .name = "import",
    .words = "FILE|FOLDER...",
    .summary = "Import game files into the database",
    .about = "Every game is replayed by the rules first. Damaged games are reported by line and the rest are imported; "
             "the exit status is then 1. A game that is already in the database is not imported again.",
    .options = options,
    .run = run,
};
