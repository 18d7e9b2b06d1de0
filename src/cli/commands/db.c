// krow db: information, checks, rights and copies of a database.
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "lab/books.h"
#include "store/db/database_copy.h"
#include "view/json_view.h"

#include <stdio.h>
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

static Status run_check(const void *options, Error *error)
{
    const DbArgs *args = options;
    Database *db = NULL;
    Status status = open_database(args, &db, error);
    if (status == STATUS_OK)
        status = database_check(db, error);
    if (status == STATUS_OK && args->line.json)
        status = output_json(json_pack("{s:s, s:b}", "database", database_path(db), "whole", 1), error);
    else if (status == STATUS_OK && !args->line.quiet)
        (void)printf("the database '%s' is whole\n", database_path(db));
    database_close(db);
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
    .summary = "Check every page and every reference",
    .about = "Prints the first error and exits with status 1.",
    .options = check_options,
    .run = run_check,
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

static const Command *const parts[] = {&info, &copy, &check, &grants, NULL};

const Command command_db = {
    .name = "db",
    .words = "COMMAND",
    .summary = "Describe, copy and check the database; rights for workers",
    .about = "A database is an SQLite file or, for several machines, a PostgreSQL database:\n--db "
             "postgresql://host/name, or any other libpq connection string.",
    .parts = parts,
};
