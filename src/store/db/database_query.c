// Statements and transactions, through the driver.
#include "store/db/database_driver_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void database_lock(Database *db)
{
    int code = pthread_mutex_lock(&db->lock);
    assert(code == 0);
    (void)code;
}

void database_unlock(Database *db)
{
    int code = pthread_mutex_unlock(&db->lock);
    assert(code == 0);
    (void)code;
}

Status database_failed(Database *db, int code, Error *error)
{
    if (db->driver->failure(code) == FAILURE_CONFLICT)
        db->had_conflict = true;
    return db->driver->explain(db, code, error);
}

// --- Texts ---

static const char *word_of(const Driver *driver, Span mark)
{
    for (const DialectWord *word = driver->dialect; word->mark != NULL; word++)
        if (span_is(mark, word->mark))
            return word->text;
    return NULL;
}

void dialect_expand(const Driver *driver, const char *sql, Text *text)
{
    for (const char *open = strchr(sql, '{'); open != NULL; open = strchr(sql, '{')) {
        const char *close = strchr(open, '}');
        const char *word = close != NULL ? word_of(driver, (Span){open + 1, (size_t)(close - open - 1)}) : NULL;
        assert(word != NULL);
        text_add_span(text, (Span){sql, (size_t)(open - sql)});
        text_add_span(text, span_of(word));
        sql = close + 1;
    }
    text_add_span(text, span_of(sql));
}

// Most texts have no marks.
static int prepare(Database *db, const char *sql, QueryName kept, void **statement)
{
    if (strchr(sql, '{') == NULL)
        return db->driver->prepare(db, sql, kept, statement);
    Text text = {0};
    dialect_expand(db->driver, sql, &text);
    int code = db->driver->prepare(db, text.data, kept, statement);
    text_close(&text);
    return code;
}

// --- Statements ---

Query query_prepare(Database *db, const char *sql)
{
    Query query = {.db = db};
    query.code = prepare(db, sql, QUERY_COUNT, &query.statement);
    return query;
}

Query query_use(Database *db, QueryName name)
{
    Query query = {.db = db, .is_kept = true};
    if (db->kept[name] == NULL)
        query.code = prepare(db, query_texts[name], name, &db->kept[name]);
    query.statement = db->kept[name];
    return query;
}

void query_bind_int(Query *query, int64_t value)
{
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->bind_int(query->statement, query->bound, value);
}

void query_bind_null(Query *query, ColumnType type)
{
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->bind_null(query->statement, query->bound, type);
}

void query_bind_id(Query *query, int64_t value)
{
    if (value != 0)
        query_bind_int(query, value);
    else
        query_bind_null(query, COLUMN_INT);
}

void query_bind_real(Query *query, double value)
{
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->bind_real(query->statement, query->bound, value);
}

static void bind_span(Query *query, Span text, bool is_copied)
{
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->bind_text(query->statement, query->bound, text, is_copied);
}

void query_bind_span(Query *query, Span text)
{
    bind_span(query, text, false);
}

void query_bind_text(Query *query, const char *text)
{
    if (text != NULL)
        bind_span(query, span_of(text), false);
    else
        query_bind_null(query, COLUMN_TEXT);
}

void query_bind_rules(Query *query, const Rules *rules)
{
    char text[RULES_TEXT_SIZE];
    rules_format(rules, text);
    bind_span(query, span_of(text), true); // `text` ends here
}

void query_bind_blob(Query *query, Span bytes)
{
    if (bytes.length == 0) {
        query_bind_null(query, COLUMN_BLOB);
        return;
    }
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->bind_blob(query->statement, query->bound, bytes);
}

bool query_row(Query *query)
{
    bool has_row = false;
    if (query->code == 0)
        query->code = query->db->driver->step(query->db, query->statement, query->bound, &has_row);
    return has_row;
}

void query_set_deadline(Database *db, double deadline)
{
    db->deadline = deadline;
    db->driver->set_deadline(db);
}

bool query_ran_out(Query *query)
{
    if (query->code == 0 || query->db->driver->failure(query->code) != FAILURE_LATE)
        return false;
    query->code = 0;
    return true;
}

bool query_is_null(const Query *query, int column)
{
    return query->db->driver->is_null(query->statement, column);
}

int64_t query_int(const Query *query, int column)
{
    return query->db->driver->column_int(query->statement, column);
}

double query_real(const Query *query, int column)
{
    return query->db->driver->column_real(query->statement, column);
}

Span query_bytes(const Query *query, int column)
{
    return query->db->driver->column_bytes(query->statement, column);
}

const char *query_text(const Query *query, int column)
{
    return query->db->driver->column_text(query->statement, column);
}

Status query_end(Query *query, Error *error)
{
    const Driver *driver = query->db->driver;
    Status status = STATUS_OK;
    int settled = driver->settle != NULL ? driver->settle(query->db) : 0;
    if (settled != 0)
        query->code = settled; // rows or a failure, they are not to be trusted
    if (query->code != 0)      // first: the words of the connection are those of its last call
        status = database_failed(query->db, query->code, error);
    if (query->is_kept && query->statement != NULL) // one that could not be prepared is not there
        driver->reset(query->statement);
    else if (!query->is_kept)
        driver->finalize(query->statement);
    query->statement = NULL;
    return status;
}

Status query_run(Query *query, Error *error)
{
    while (query_row(query))
        continue;
    return query_end(query, error);
}

bool query_is_orphan(const Query *query)
{
    return query->code != 0 && query->db->driver->failure(query->code) == FAILURE_ORPHAN;
}

void numbers_add(Numbers *numbers, int64_t number)
{
    numbers->list = array_grow(numbers->list, &numbers->capacity, numbers->count + 1, sizeof *numbers->list);
    numbers->list[numbers->count++] = number;
}

Status query_numbers(Query *query, Numbers *numbers, Error *error)
{
    while (query_row(query))
        numbers_add(numbers, query_int(query, 0));
    return query_end(query, error);
}

Status database_ask(Database *db, const char *sql, int64_t *number, Error *error)
{
    Query query = query_prepare(db, sql);
    *number = query_row(&query) ? query_int(&query, 0) : 0;
    return query_end(&query, error);
}

// --- Transactions ---

// How often a transaction is begun again when others are in its way, and for how long it waits before.
enum { TRIES = 12 };

static double pause_before(unsigned tries)
{
    const double shortest = 0.002, longest = 0.5; // in seconds
    double pause = shortest;
    for (unsigned i = 1; i < tries && pause < longest; i++)
        pause *= 2;
    // Two that met once shall not meet again: any number that differs between programs will do.
    Rng rng = rng_make((uint64_t)(clock_seconds() * 1e9));
    return pause * (0.5 + (double)rng_below(&rng, 1000) / 1000);
}

static Status run(Database *db, QueryName name, Error *error)
{
    Query query = query_use(db, name);
    return query_run(&query, error);
}

static Status begin(Database *db, QueryName name, Error *error)
{
    database_lock(db);
    db->had_conflict = false;
    Status status = run(db, name, error);
    if (status == STATUS_OK)
        db->is_in_transaction = true;
    else
        database_unlock(db);
    return status;
}

bool transaction_try(Database *db, Attempt *attempt, Status *status, Error *error)
{
    bool is_wanted = attempt->tries == 0 ? *status == STATUS_OK
                                         : *status != STATUS_OK && attempt->had_conflict && attempt->tries < TRIES;
    if (!is_wanted)
        return false;
    if (attempt->tries > 0)
        clock_sleep(pause_before(attempt->tries));
    attempt->tries++;
    attempt->had_conflict = false;
    *status = begin(db, QUERY_BEGIN, error);
    if (*status == STATUS_OK)
        db->attempt = attempt;
    return *status == STATUS_OK;
}

Status transaction_begin_to_read(Database *db, Error *error)
{
    return begin(db, QUERY_BEGIN_TO_READ, error);
}

Status transaction_end(Database *db, Status status, Error *error)
{
    if (status == STATUS_OK)
        status = run(db, QUERY_COMMIT, error);
    // After some failures, a full disk for one, the engine has ended the transaction already.
    if (status != STATUS_OK && db->driver->is_in_transaction(db))
        (void)run(db, QUERY_ROLLBACK, NULL);
    if (db->attempt != NULL)
        db->attempt->had_conflict = db->had_conflict;
    db->attempt = NULL;
    db->is_in_transaction = false;
    database_unlock(db);
    return status;
}

Status transaction_lock(Database *db, TransactionLock what, Error *error)
{
    assert(db->is_in_transaction);
    if (db->driver->has_one_writer)
        return STATUS_OK;
    Query query = query_use(db, QUERY_LOCK);
    query_bind_int(&query, (int64_t)what);
    return query_run(&query, error);
}

Status transaction_notify(Database *db, const char *channel, Error *error)
{
    assert(db->is_in_transaction);
    if (db->driver->has_one_writer)
        return STATUS_OK;
    Query query = query_use(db, QUERY_NOTIFY);
    query_bind_text(&query, channel);
    return query_run(&query, error);
}
