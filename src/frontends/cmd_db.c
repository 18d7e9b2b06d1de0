// krow db: the database itself, whatever engine it has.
#include "base/clock.h"
#include "frontends/commands.h"
#include "frontends/interrupt.h"
#include "frontends/output.h"
#include "store/database_copy.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static Status open_database(const Args *args, Database **db, Error *error)
{
    if (args->db != NULL && strcmp(args->db, "none") == 0)
        return error_set(error, STATUS_BAD_INPUT, "--db: this is about a database, and none is none");
    Status status = database_open_to_read(args->db, db, error);
    return status == STATUS_OK && *db == NULL ? error_set(error, STATUS_FAILED, "there is no database yet") : status;
}

// --- info ---

// A list of tables, for people or as JSON.
typedef struct {
    json_t *list; // NULL: print
    uint64_t rows;
    bool with_checksums;
} Listing;

static bool list_table(void *context, const DatabaseTable *table)
{
    Listing *listing = context;
    char number[32], checksum[24] = "";
    (void)snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)table->checksum);
    listing->rows += table->rows;
    if (listing->list == NULL) {
        (void)printf("  %-12s %12s%s%s\n", table->name, output_number(table->rows, number),
                     listing->with_checksums ? "  " : "", listing->with_checksums ? checksum : "");
        return true;
    }
    json_t *object = json_pack("{s:s, s:I}", "name", table->name, "rows", (json_int_t)table->rows);
    if (listing->with_checksums)
        (void)json_object_set_new(object, "checksum", json_string(checksum));
    return json_array_append_new(listing->list, object) == 0;
}

static Status run_info(const Args *args, Error *error)
{
    Database *db = NULL;
    DatabaseAbout about = {0};
    char bytes[32];
    Listing listing = {.list = args->json ? json_array() : NULL, .with_checksums = args->check};
    Status status = open_database(args, &db, error);
    if (status == STATUS_OK)
        status = database_describe(db, &about, error);
    if (status == STATUS_OK && !args->json)
        (void)printf("database  %s\nengine    %s %s\nversion   %lld\nsize      %s bytes\nrows\n", database_path(db),
                     about.engine, about.engine_version, (long long)about.version,
                     output_number((uint64_t)about.bytes, bytes));
    if (status == STATUS_OK)
        status = database_each_table(db, args->check, list_table, &listing, error);
    if (status == STATUS_OK && args->json)
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

static Status run_check(const Args *args, Error *error)
{
    Database *db = NULL;
    Status status = open_database(args, &db, error);
    if (status == STATUS_OK)
        status = database_check(db, error);
    if (status == STATUS_OK && args->json)
        status = output_json(json_pack("{s:s, s:b}", "database", database_path(db), "whole", 1), error);
    else if (status == STATUS_OK && !args->quiet)
        (void)printf("the database '%s' is whole\n", database_path(db));
    database_close(db);
    return status;
}

// --- grants ---

static Status run_grants(const Args *args, Error *error)
{
    Text sql = {0};
    const char *role = args->name != NULL ? args->name : "krow_worker";
    Status status = database_grants(role, &sql, error);
    if (status == STATUS_OK && args->json)
        status = output_json(json_pack("{s:s, s:s}", "role", role, "sql", sql.data), error);
    else if (status == STATUS_OK)
        (void)fputs(sql.data, stdout);
    text_close(&sql);
    return status;
}

// --- copy ---

typedef struct {
    bool quiet, is_terminal, has_line;
    double shown; // clock_seconds
    Listing listing;
} CopyView;

// A line that renews itself on a terminal, a line now and then in a log.
static bool watch_copy(void *context, const DatabaseCopyStep *step)
{
    static const char *const stages[] = {
        [COPY_COMPARING] = "comparing", [COPY_WRITING] = "copying", [COPY_VERIFYING] = "verifying"};
    CopyView *view = context;
    double now = clock_seconds();
    if (!view->quiet && now - view->shown >= (view->is_terminal ? 0.2 : 15)) {
        char done[32], total[32];
        (void)fprintf(stderr, "%s%s %s, %s of %s rows%s", view->is_terminal ? "\r" : "", stages[step->stage],
                      step->table, output_number(step->done, done), output_number(step->total, total),
                      view->is_terminal ? "\033[K" : "\n");
        view->shown = now;
        view->has_line = view->is_terminal;
    }
    return !atomic_load(interrupt_flag());
}

static bool take_table(void *context, const DatabaseTable *table)
{
    return list_table(&((CopyView *)context)->listing, table);
}

static Status finish_copy(const Args *args, const CopyView *view, Status status, Error *error)
{
    if (view->has_line)
        (void)fprintf(stderr, "\r\033[K");
    if (status == STATUS_INTERRUPTED)
        (void)fprintf(stderr, "krow db copy: interrupted; the same command goes on\n");
    if (status == STATUS_OK && args->json)
        return output_json(
            json_pack("{s:I, s:O}", "rows", (json_int_t)view->listing.rows, "tables", view->listing.list), error);
    if (status == STATUS_OK) {
        char rows[32];
        (void)printf("%s rows, counts and checksums agree\n", output_number(view->listing.rows, rows));
    }
    return status;
}

static Status run_copy(const Args *args, Error *error)
{
    CopyView view = {.quiet = args->quiet, .is_terminal = isatty(STDERR_FILENO) != 0, .shown = clock_seconds()};
    view.listing = (Listing){.list = args->json ? json_array() : NULL, .with_checksums = true};
    DatabaseCopy copy = {.is_fresh = args->fresh, .watch = watch_copy, .take_table = take_table, .context = &view};
    interrupt_catch();
    Status status = database_copy(args->words[0], args->words[1], &copy, error);
    status = finish_copy(args, &view, status, error);
    json_decref(view.listing.list);
    return status;
}

// --- The commands ---

static const struct argp_option info_options[] = {
    {"check", ARG_CHECK, NULL, 0, "Print a checksum of each table as well", 0},
    OPTION_BOOK_DB,
    OPTION_JSON,
    {0},
};
static const struct argp_option check_options[] = {OPTION_BOOK_DB, OPTION_JSON, OPTION_QUIET, {0}};
static const struct argp_option grants_options[] = {
    {"name", ARG_NAME, "ROLE", 0, "The role (krow_worker unless given)", 0},
    OPTION_JSON,
    {0},
};
static const struct argp_option copy_options[] = {
    {"fresh", ARG_FRESH, NULL, 0, "Begin anew where an unfinished copy is", 0},
    OPTION_JSON,
    OPTION_QUIET,
    {0},
};

static const Command info = {
    .name = "info",
    .words = "",
    .summary = "Tell what the database is and holds",
    .about = "The checksums are the same for the same content on either engine.",
    .options = info_options,
    .run = run_info,
};

static const Command check = {
    .name = "check",
    .words = "",
    .summary = "Look at every page and every reference",
    .about = "The first complaint is told, with exit status 1.",
    .options = check_options,
    .run = run_check,
};

static const Command grants = {
    .name = "grants",
    .words = "",
    .summary = "Print the SQL for a role with the rights of a worker",
    .about = "For PostgreSQL; run it as the owner of the tables, in their database:\n"
             "  krow db grants --name krow_worker | psql mydatabase\n"
             "The role is made if there is none, and loses all other rights on tables of the schema.",
    .options = grants_options,
    .run = run_grants,
};

static const Command copy = {
    .name = "copy",
    .words = "FROM TO",
    .summary = "Copy a whole database, also to the other engine",
    .about =
        "FROM and TO are files or connection texts of PostgreSQL. TO must be empty, or hold what a copy left that was\n"
        "interrupted: then the copy goes on. At the end the counts and checksums of all tables are compared.\n"
        "Example:\n  krow db copy ~/.local/share/krow/krow.db postgresql://lab.example/krow",
    .options = copy_options,
    .min_words = 2,
    .max_words = 2,
    .has_databases = true,
    .run = run_copy,
};

static const Command *const parts[] = {&info, &copy, &check, &grants, NULL};

const Command command_db = {
    .name = "db",
    .words = "COMMAND",
    .summary = "The database: what it holds, copies, checks, rights",
    .about = "A database is a file of SQLite or, for many machines, a database of a PostgreSQL server:\n"
             "--db postgresql://host/name, or any other connection text of libpq.",
    .parts = parts,
};
