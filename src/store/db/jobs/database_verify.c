// Verification of workers: draws, confirmations, quarantine, and the results that it makes invalid.
#include "store/db/jobs/database_verify.h"
#include "base/memory.h"
#include "store/db/database_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Quarantine ---

static Status release_units(Database *db, Error *error)
{
    int64_t released = 0;
    Status status = query_execute(db, QUERY_UNITS_RELEASE_QUARANTINED, NO_VALUES, &released, error);
    return status == STATUS_OK && released != 0 ? transaction_notify(db, "krow_jobs", error) : status;
}

static Status add_quarantine(Database *db, const char *label, const char *reason, bool *is_new, Error *error)
{
    int64_t id = 0;
    Status status = query_execute(db, QUERY_QUARANTINE_ADD, VALUES(value_text(label), value_text(reason)), &id, error);
    *is_new = id != 0;
    return status == STATUS_OK ? release_units(db, error) : status;
}

Status database_quarantine(Database *db, const char *label, const char *reason, bool *is_new, Error *error)
{
    return IN_TRANSACTION(db, add_quarantine(db, label, reason, is_new, error), error);
}

static void copy_line(const Query *row, int column, char *text, size_t size)
{
    RowTexts texts = {0};
    (void)snprintf(text, size, "%s", row_line(&texts, row, column));
    row_texts_close(&texts);
}

typedef struct {
    int64_t worker;
    const char *reason;
    char label[DATABASE_LABEL_SIZE];
    bool is_new;
} Blame;

// By the number, since a label may have characters that are not shown.
static Status quarantine_worker(Database *db, Blame *blame, Error *error)
{
    int64_t id = 0;
    Value worker = value_int(blame->worker);
    Status status = query_execute(db, QUERY_WORKER_LABEL_ADD, VALUES(worker), NULL, error);
    if (status == STATUS_OK)
        status = query_execute(db, QUERY_QUARANTINE_ADD_WORKER, VALUES(value_text(blame->reason), worker), &id, error);
    if (status != STATUS_OK)
        return status;
    blame->is_new = id != 0;
    Query row = query_with(db, QUERY_WORKER_LABEL, VALUES(worker));
    bool is_found = query_row(&row);
    if (is_found)
        copy_line(&row, 0, blame->label, DATABASE_LABEL_SIZE);
    status = query_end(&row, error);
    if (status == STATUS_OK && !is_found)
        return error_set(error, STATUS_FAILED, "there is no worker %lld", (long long)blame->worker);
    return status == STATUS_OK ? release_units(db, error) : status;
}

Status database_quarantine_worker(Database *db, int64_t worker, const char *reason, char label[DATABASE_LABEL_SIZE],
                                  bool *is_new, Error *error)
{
    Blame blame = {.worker = worker, .reason = reason};
    Status status = IN_TRANSACTION(db, quarantine_worker(db, &blame, error), error);
    *is_new = blame.is_new;
    memcpy(label, blame.label, sizeof blame.label);
    return status;
}

static Status lift(Database *db, const char *label, bool *was_there, Error *error)
{
    int64_t id = 0;
    Status status = query_execute(db, QUERY_QUARANTINE_LIFT, VALUES(value_text(label)), &id, error);
    *was_there = id != 0;
    return status == STATUS_OK && id != 0 ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_lift_quarantine(Database *db, const char *label, bool *was_there, Error *error)
{
    return IN_TRANSACTION(db, lift(db, label, was_there, error), error);
}

Status database_each_quarantine(Database *db, DatabaseQuarantineSink *sink, void *context, Error *error)
{
    RowTexts texts = {0};
    bool has_more = true;
    database_lock(db);
    Query row = query_use(db, QUERY_QUARANTINE);
    while (has_more && query_row(&row)) {
        texts.count = 0;
        DatabaseQuarantine quarantine = {
            .label = row_line(&texts, &row, 1), .since = query_int(&row, 2), .reason = row_line(&texts, &row, 3)};
        has_more = sink(context, &quarantine);
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    row_texts_close(&texts);
    return status;
}

Status database_is_quarantined(Database *db, const char *label, char reason[ERROR_TEXT_SIZE], bool *found, Error *error)
{
    database_lock(db);
    Query row = query_with(db, QUERY_QUARANTINE_OF, VALUES(value_text(label)));
    *found = query_row(&row);
    if (*found)
        copy_line(&row, 0, reason, ERROR_TEXT_SIZE);
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

// --- Drawing ---

// Units of a query with the columns id, first_game, games and, if `has_verdict`, verdict.
typedef struct {
    int64_t id, job;
    unsigned first, games;
    bool is_chosen;
} Row;

typedef struct {
    Row *list; // owned
    size_t count, capacity;
} Rows;

static Row *add_row(Rows *rows)
{
    rows->list = array_grow(rows->list, &rows->capacity, rows->count + 1, sizeof *rows->list);
    return &rows->list[rows->count++];
}

// Units per transaction.
enum { DRAWN_MAX = 500 };

static bool chance(Rng *rng, double share)
{
    enum { STEPS = 1 << 24 };
    return rng_below(rng, STEPS) < share * STEPS;
}

// What is drawn again was chosen before.
static Status list_undrawn(Database *db, int64_t job, double share, Rng *rng, Rows *rows, Error *error)
{
    Query query = query_with(db, QUERY_UNITS_UNDRAWN, VALUES(value_int(job), value_int(DRAWN_MAX)));
    while (query_row(&query))
        *add_row(rows) = (Row){.id = query_int(&query, 0),
                               .first = (unsigned)query_int(&query, 1),
                               .games = (unsigned)query_int(&query, 2),
                               .is_chosen = !query_is_null(&query, 3) || chance(rng, share)};
    return query_end(&query, error);
}

static Status draw_unit(Database *db, int64_t job, const Row *row, Error *error)
{
    int64_t id = 0;
    const char *verdict = row->is_chosen ? "pending" : "unchecked";
    Status status = query_execute(db, QUERY_UNIT_DRAW, VALUES(value_text(verdict), value_int(row->id)), &id, error);
    if (status != STATUS_OK || id == 0 || !row->is_chosen)
        return status;
    return query_execute(
        db, QUERY_UNIT_ADD,
        VALUES(value_int(job), value_int(row->first), value_int(row->games), value_int(0), value_int(row->id)), NULL,
        error);
}

static Status draw_all(Database *db, int64_t job, const Rows *rows, Error *error)
{
    bool is_any = false;
    Status status = STATUS_OK;
    for (size_t i = 0; i < rows->count && status == STATUS_OK; i++) {
        status = draw_unit(db, job, &rows->list[i], error);
        is_any = is_any || rows->list[i].is_chosen;
    }
    if (status == STATUS_OK && is_any)
        status = query_execute(db, QUERY_JOB_REOPEN, VALUES(value_int(job)), NULL, error);
    return status == STATUS_OK && is_any ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_draw_units(Database *db, int64_t job, double share, Rng *rng, unsigned *drawn, Error *error)
{
    Rows rows = {0};
    *drawn = 0;
    database_lock(db);
    Status status = list_undrawn(db, job, share, rng, &rows, error);
    database_unlock(db);
    if (status == STATUS_OK && rows.count > 0)
        status = IN_TRANSACTION(db, draw_all(db, job, &rows, error), error);
    if (status == STATUS_OK)
        *drawn = (unsigned)rows.count;
    free(rows.list);
    return status;
}

// --- Invalid results ---

static Status list_false(Database *db, int64_t job, Rows *rows, Error *error)
{
    Query query = query_with(db, QUERY_UNITS_FALSE, VALUES(value_int(job)));
    while (query_row(&query))
        *add_row(rows) = (Row){.id = query_int(&query, 0),
                               .job = query_int(&query, 1),
                               .first = (unsigned)query_int(&query, 2),
                               .games = (unsigned)query_int(&query, 3)};
    return query_end(&query, error);
}

// Forgets what was computed again, and stops those who are computing it.
static Status forget_checks(Database *db, int64_t unit, Error *error)
{
    Status status = query_execute(db, QUERY_CHECKS_INVALIDATE, VALUES(value_int(unit)), NULL, error);
    return status == STATUS_OK ? query_execute(db, QUERY_UNITS_STOP_CHECK, VALUES(value_int(unit)), NULL, error)
                               : status;
}

static Status invalidate_unit(Database *db, int64_t job, const Row *row, Error *error)
{
    static const QueryName removals[] = {QUERY_GAME_COUNTS_INVALIDATE, QUERY_GAMES_INVALIDATE,
                                         QUERY_ANSWERS_INVALIDATE};
    int64_t id = 0;
    const char *state = row->job == job ? "open" : "dropped";
    Status status = query_execute(db, QUERY_UNIT_INVALIDATE, VALUES(value_text(state), value_int(row->id)), &id, error);
    if (status != STATUS_OK || id == 0)
        return status;
    for (size_t i = 0; i < sizeof removals / sizeof removals[0] && status == STATUS_OK; i++)
        status = query_execute(
            db, removals[i],
            VALUES(value_int(row->job), value_int(row->first), value_int((int64_t)row->first + row->games)), NULL,
            error);
    if (status == STATUS_OK)
        status = forget_checks(db, row->id, error);
    return status == STATUS_OK && row->job == job
               ? query_execute(db, QUERY_JOB_REOPEN, VALUES(value_int(job)), NULL, error)
               : status;
}

static Status draw_again(Database *db, int64_t job, Error *error)
{
    Numbers units = {0};
    Query query = query_with(db, QUERY_UNITS_CONFIRMED, VALUES(value_int(job)));
    Status status = query_numbers(&query, &units, error);
    for (size_t i = 0; i < units.count && status == STATUS_OK; i++) {
        status = forget_checks(db, units.list[i], error);
        if (status == STATUS_OK)
            status = query_execute(db, QUERY_UNIT_DRAW_AGAIN, VALUES(value_int(units.list[i])), NULL, error);
    }
    free(units.list);
    return status;
}

static Status invalidate_all(Database *db, int64_t job, uint64_t *games, Error *error)
{
    Rows rows = {0};
    int64_t released = 0;
    *games = 0;
    Status status = list_false(db, job, &rows, error);
    for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
        status = invalidate_unit(db, job, &rows.list[i], error);
        *games += rows.list[i].games;
    }
    if (status == STATUS_OK)
        status = query_execute(db, QUERY_UNITS_RELEASE_QUARANTINED, NO_VALUES, &released, error);
    if (status == STATUS_OK)
        status = draw_again(db, job, error);
    bool is_open = rows.count > 0 || released != 0;
    free(rows.list);
    return status == STATUS_OK && is_open ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_invalidate(Database *db, int64_t job, uint64_t *games, Error *error)
{
    int64_t suspect = 0;
    *games = 0;
    Status status = database_get(db, QUERY_UNITS_SUSPECT, VALUES(value_int(job)), &suspect, error);
    return status == STATUS_OK && suspect > 0 ? IN_TRANSACTION(db, invalidate_all(db, job, games, error), error)
                                              : status;
}

// --- Comparing ---

Status database_take_over_units(Database *db, int64_t job, Error *error)
{
    return database_change(db, QUERY_UNITS_TAKE_OVER, VALUES(value_int(job)), NULL, error);
}

Status database_pending_unit(Database *db, int64_t job, int64_t after, DatabasePendingUnit *unit, Error *error)
{
    *unit = (DatabasePendingUnit){0};
    database_lock(db);
    Query row = query_with(db, QUERY_UNIT_PENDING, VALUES(value_int(job), value_int(after)));
    if (query_row(&row)) {
        *unit = (DatabasePendingUnit){.id = query_int(&row, 0),
                                      .first = (unsigned)query_int(&row, 1),
                                      .games = (unsigned)query_int(&row, 2),
                                      .worker = query_int(&row, 3)};
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    return status;
}

Status database_each_check(Database *db, int64_t unit, DatabaseCheckSink *sink, void *context, Error *error)
{
    RowTexts texts = {0};
    bool has_more = true;
    database_lock(db);
    Query row = query_with(db, QUERY_CHECKS, VALUES(value_int(unit)));
    while (has_more && query_row(&row)) {
        texts.count = 0;
        has_more = sink(context, (unsigned)query_int(&row, 0), row_text(&texts, &row, 1), query_int(&row, 2));
    }
    Status status = query_end(&row, error);
    database_unlock(db);
    row_texts_close(&texts);
    return status;
}

Status database_agree(Database *db, int64_t unit, Error *error)
{
    return database_change(db, QUERY_UNIT_AGREE, VALUES(value_int(unit)), NULL, error);
}

static Status redo(Database *db, int64_t job, const DatabasePendingUnit *unit, Error *error)
{
    Row row = {.id = unit->id, .job = job, .first = unit->first, .games = unit->games};
    Status status = invalidate_unit(db, job, &row, error);
    return status == STATUS_OK ? transaction_notify(db, "krow_jobs", error) : status;
}

Status database_redo_unit(Database *db, int64_t job, const DatabasePendingUnit *unit, Error *error)
{
    return IN_TRANSACTION(db, redo(db, job, unit, error), error);
}

Status database_count_unsettled(Database *db, int64_t job, int64_t *units, Error *error)
{
    return database_get(db, QUERY_UNITS_UNSETTLED, VALUES(value_int(job)), units, error);
}

Status database_unsettled_job(Database *db, int64_t match, int64_t *job, Error *error)
{
    return database_get(db, QUERY_JOB_UNSETTLED, VALUES(value_int(match)), job, error);
}

Status database_share_of_match(Database *db, int64_t match, double *share, Error *error)
{
    int64_t millionths = 0;
    Status status = database_get(db, QUERY_JOB_SHARE, VALUES(value_int(match)), &millionths, error);
    *share = (double)millionths / 1e6;
    return status;
}

Status database_drop_rest(Database *db, int64_t job, Error *error)
{
    return database_change(db, QUERY_UNITS_DROP_REST, VALUES(value_int(job)), NULL, error);
}

Status database_submitter(Database *db, int64_t match, int64_t number, int64_t *worker, Error *error)
{
    return database_get(db, QUERY_UNIT_WORKER, VALUES(value_int(match), value_int(number), value_int(number)), worker,
                        error);
}
