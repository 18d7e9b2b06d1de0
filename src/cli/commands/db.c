// krow db: information, checks, rights and copies of a database.
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/books.h"
#include "lab/damaged.h"
#include "store/db/database_copy.h"
#include "view/json_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    CommandLine line;
    const char *name; // NULL: not given
    bool check, fresh;
} DbArgs;

static Status open_database(const DbArgs *args, Database **db, Error *error)
{
    return database_for_reports("information and checks", args->line.db, db, error);
}

// --- info ---

// A list of tables, for people or as JSON.
typedef struct {
    json_t *list; // NULL: print
    uint64_t rows;
    bool with_checksums;
    Reporter *reporter; // of a copy
} Listing;

static bool list_table(void *context, const DatabaseTable *table)
{
    Listing *listing = context;
    char number[32], checksum[24] = "";
    (void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)table->checksum);
    listing->rows += table->rows;
    if (listing->list == NULL) {
        (void)printf("  %-12s %12s%s%s\n", table->name, view_number(table->rows, number),
                     listing->with_checksums ? "  " : "", listing->with_checksums ? checksum : "");
        return true;
    }
    json_t *object = json_pack("{s:s, s:I}", "name", table->name, "rows", (json_int_t)table->rows);
    if (listing->with_checksums)
        (void)json_object_set_new(object, "checksum", json_string(checksum));
    return json_array_append_new(listing->list, object) == 0;
}

static Status run_info(const void *options, Error *error)
{
    const DbArgs *args = options;
    Database *db = NULL;
    DatabaseAbout about = {0};
    char bytes[32];
    Listing listing = {.list = args->line.json ? json_array() : NULL, .with_checksums = args->check};
    Status status = open_database(args, &db, error);
    if (status == STATUS_OK)
        status = database_describe(db, &about, error);
    if (status == STATUS_OK && !args->line.json)
        (void)printf("database  %s\nengine    %s %s\nversion   %lld\nsize      %s bytes\nrows\n", database_path(db),
                     about.engine, about.engine_version, (long long)about.version,
                     view_number((uint64_t)about.bytes, bytes));
    if (status == STATUS_OK)
        status = database_each_table(db, args->check, list_table, &listing, error);
    if (status == STATUS_OK && args->line.json)
        status =
            output_json(json_pack("{s:s, s:s, s:s, s:I, s:I, s:O}", "database", database_path(db), "engine",
                                  about.engine, "engine_version", about.engine_version, "version",
                                  (json_int_t)about.version, "bytes", (json_int_t)about.bytes, "tables", listing.list),
                        error);
    json_decref(listing.list);
    database_close(db);
    return status;
}

// --- check ---

typedef struct {
    Database *db;
    const DbArgs *args;
    json_t *damaged; // list of what is damaged
    DamageSearch search;
} Checking;

static void list_damage(void *context, const Damage *damage)
{
    Checking *checking = context;
    json_t *id = damage->id != 0 ? json_integer(damage->id) : json_null();
    (void)json_array_append_new(checking->damaged,
                                json_pack("{s:s, s:o, s:s}", "what", damage->what, "id", id, "reason", damage->reason));
    if (!checking->args->line.json && damage->id != 0)
        (void)printf("%s %lld: %s\n", damage->what, (long long)damage->id, damage->reason);
    else if (!checking->args->line.json)
        (void)printf("%s: %s\n", damage->what, damage->reason);
}

static bool show_games(void *context, uint64_t games)
{
    const Checking *checking = context;
    char number[32];
    reporter_show(checking->args->line.reporter, "%s games replayed", view_number(games, number));
    return !atomic_load(interrupt_flag());
}

static Status report_check(Checking *checking, Error *error)
{
    size_t damaged = json_array_size(checking->damaged);
    char games[32];
    Status status = STATUS_OK;
    if (checking->args->line.json)
        status = output_json(json_pack("{s:s, s:b, s:I, s:O}", "database", database_path(checking->db), "whole",
                                       damaged == 0, "games", (json_int_t)checking->search.games, "damaged",
                                       checking->damaged),
                             error);
    else if (damaged == 0 && !checking->args->line.quiet)
        (void)printf("the database '%s' is whole; %s game%s replayed\n", database_path(checking->db),
                     view_number(checking->search.games, games), view_plural(checking->search.games));
    if (status != STATUS_OK || damaged == 0)
        return status;
    return error_set(error, STATUS_FAILED, "%zu part%s of the database %s damaged", damaged, view_plural(damaged),
                     damaged == 1 ? "is" : "are");
}

static Status run_check(const void *options, Error *error)
{
    const DbArgs *args = options;
    Checking checking = {.args = args, .damaged = json_array()};
    checking.search = (DamageSearch){.found = list_damage, .goes_on = show_games, .context = &checking};
    (void)interrupt_catch();
    Status status = open_database(args, &checking.db, error);
    if (status == STATUS_OK)
        status = damage_search(&checking.search, checking.db, error);
    reporter_end(args->line.reporter);
    if (status == STATUS_OK)
        status = report_check(&checking, error);
    json_decref(checking.damaged);
    database_close(checking.db);
    return status;
}

// --- remove ---

static Status run_remove(const void *options, Error *error)
{
    const DbArgs *args = options;
    Database *db = NULL;
    size_t count = (size_t)args->line.word_count;
    int64_t *ids = memory_new(count, sizeof *ids);
    uint64_t removed = 0;
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (!span_to_int(span_of(args->line.words[i]), 1, INT64_MAX, &ids[i]))
            status = error_set(error, STATUS_BAD_INPUT, "'%s' is not the number of a game", args->line.words[i]);
    if (status == STATUS_OK)
        status = database_open(args->line.db, &db, error);
    if (status == STATUS_OK)
        status = database_remove_games(db, ids, count, &removed, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_pack("{s:I}", "removed", (json_int_t)removed), error);
    else if (status == STATUS_OK && !args->line.quiet)
        (void)printf("%llu game%s removed\n", (unsigned long long)removed, view_plural(removed));
    if (status == STATUS_OK && removed < count)
        status = error_set(error, STATUS_FAILED, "%llu of these games are not in the database",
                           (unsigned long long)(count - removed));
    database_close(db);
    free(ids);
    return status;
}

// --- grants ---

static Status run_grants(const void *options, Error *error)
{
    const DbArgs *args = options;
    Text sql = {0};
    const char *role = args->name != NULL ? args->name : "krow_worker";
    Status status = database_grants(role, &sql, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_pack("{s:s, s:s}", "role", role, "sql", sql.data), error);
    else if (status == STATUS_OK)
        (void)fputs(sql.data, stdout);
    text_close(&sql);
    return status;
}

// --- copy ---

static bool watch_copy(void *context, const DatabaseCopyStep *step)
{
    static const char *const stages[] = {
        [COPY_COMPARING] = "comparing", [COPY_WRITING] = "copying", [COPY_VERIFYING] = "verifying"};
    char done[32], total[32];
    reporter_show(((Listing *)context)->reporter, "%s %s, %s of %s rows", stages[step->stage], step->table,
                  view_number(step->done, done), view_number(step->total, total));
    return !atomic_load(interrupt_flag());
}

static Status immediate_copy(const DbArgs *args, const Listing *listing, Status status, Error *error)
{
    reporter_end(listing->reporter);
    if (status == STATUS_INTERRUPTED)
        (void)fprintf(stderr, "krow db copy: interrupted; run the same command again to continue\n");
    if (status == STATUS_OK && args->line.json)
        return output_json(json_pack("{s:I, s:O}", "rows", (json_int_t)listing->rows, "tables", listing->list), error);
    if (status == STATUS_OK) {
        char rows[32];
        (void)printf("%s rows, counts and checksums agree\n", view_number(listing->rows, rows));
    }
    return status;
}

static Status run_copy(const void *options, Error *error)
{
    const DbArgs *args = options;
    Listing listing = {
        .list = args->line.json ? json_array() : NULL, .with_checksums = true, .reporter = args->line.reporter};
    DatabaseCopy copy = {.is_fresh = args->fresh, .watch = watch_copy, .take_table = list_table, .context = &listing};
    (void)interrupt_catch();
    Status status = database_copy(args->line.words[0], args->line.words[1], &copy, error);
    status = immediate_copy(args, &listing, status, error);
    json_decref(listing.list);
    return status;
}

// --- The commands ---

static const CliOption info_options[] = {
    CLI_OPTION(DbArgs, check, "check", CLI_FLAG, NULL, "Print a checksum of each table as well"),
    OPTION_NEEDED_DB,
    OPTION_JSON,
    CLI_END(DbArgs),
};
static const CliOption check_options[] = {OPTION_NEEDED_DB, OPTION_JSON, OPTION_QUIET, CLI_END(DbArgs)};
static const CliOption remove_options[] = {OPTION_NEEDED_DB, OPTION_JSON, OPTION_QUIET, CLI_END(DbArgs)};
static const CliOption grants_options[] = {
    CLI_OPTION(DbArgs, name, "name", CLI_TEXT, "ROLE", "Name of the role (default krow_worker)"),
    OPTION_JSON,
    CLI_END(DbArgs),
};
static const CliOption copy_options[] = {
    CLI_OPTION(DbArgs, fresh, "fresh", CLI_FLAG, NULL, "Restart an unfinished copy from the beginning"),
    OPTION_JSON,
    OPTION_QUIET,
    CLI_END(DbArgs),
};

static const Command info = {
    .name = "info",
    .summary = "Describe the database and its tables",
    .about = "The same content has the same checksums on SQLite and PostgreSQL.",
    .options = info_options,
    .run = run_info,
};

static const Command check = {
    .name = "check",
    .summary = "Check every page, reference, game, book and pattern",
    .about = "Replays every game. Lists what is damaged and then exits with status 1. 'krow db remove' deletes damaged "
             "games; commands that read games leave them out.",
    .options = check_options,
    .run = run_check,
};

static const Command remove_games = {
    .name = "remove",
    .words = "GAME...",
    .summary = "Delete games by their numbers, such as damaged ones",
    .about =
        "'krow db check' prints the numbers of damaged games. 'krow match --resume' and 'krow tournament --resume' "
        "play games of their match that were deleted again.",
    .options = remove_options,
    .run = run_remove,
};

static const Command grants = {
    .name = "grants",
    .summary = "Print the SQL for a role with the rights of a worker",
    .about =
        "For PostgreSQL; run it as the owner of the tables, in their database:\n  krow db grants --name krow_worker | "
        "psql mydatabase\nThe role is created if necessary and loses all other rights on tables of the schema.",
    .options = grants_options,
    .run = run_grants,
};

static const Command copy = {
    .name = "copy",
    .words = "FROM TO",
    .summary = "Copy a whole database, also between SQLite and PostgreSQL",
    .about = "FROM and TO are files or PostgreSQL connection strings. TO must be empty or hold an interrupted "
             "copy,\nwhich is then continued. At the end the counts and checksums of all tables are "
             "compared.\nExample:\n  krow db copy ~/.local/share/krow/krow.db postgresql://lab.example/krow",
    .options = copy_options,
    .has_databases = true,
    .run = run_copy,
};

static const Command *const parts[] = {&info, &copy, &check, &remove_games, &grants, NULL};

const Command command_db = {
    .name = "db",
    .words = "COMMAND",
    .summary = "Describe, copy and check the database; rights for workers",
    .about = "A database is an SQLite file or, for several machines, a PostgreSQL database:\n--db "
             "postgresql://host/name, or any other libpq connection string.",
    .parts = parts,
};
