// Statements and transactions, through the driver.
#include "store/db/database_driver_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/rng.h"
#include "base/utf8.h"

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

void dialect_expand(const Driver *driver, Span sql, Text *text)
{
    Span plain = {0}, mark = {0};
    while (span_next_part(&sql, '{', &plain)) {
        text_add_span(text, plain);
        if (!span_next_part(&sql, '}', &mark))
            break;
        const char *word = word_of(driver, mark);
        assert(word != NULL);
        text_add_span(text, span_of(word));
    }
}

static int prepare(Database *db, const char *sql, QueryName kept, void **statement)
{
    Text text = {0};
    dialect_expand(db->driver, span_of(sql), &text);
    int code = db->driver->statements->prepare(db, text.data, kept, statement);
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

void query_bind(Query *query, Value value)
{
    char rules[RULES_TEXT_SIZE];
    if (value.rules != NULL) {
        rules_format(value.rules, rules);
        value.bytes = span_of(rules);
    }
    query->bound++;
    if (query->code == 0)
        query->code = query->db->driver->statements->bind(query->statement, query->bound, &value);
}

Query query_with(Database *db, QueryName name, Values values)
{
    Query query = query_use(db, name);
    for (size_t i = 0; i < values.count; i++)
        query_bind(&query, values.list[i]);
    return query;
}

bool query_row(Query *query)
{
    bool has_row = false;
    if (query->code == 0 && !query->is_over)
        query->code = query->db->driver->statements->step(query->db, query->statement, query->bound, &has_row);
    query->is_over = !has_row;
    return has_row;
}

void query_set_deadline(Database *db, double deadline)
{
    db->deadline = deadline;
    db->driver->statements->set_deadline(db);
}

bool query_ran_out(Query *query)
{
    if (query->code == 0 || query->db->driver->failure(query->code) != FAILURE_LATE)
        return false;
    query->code = 0;
    return true;
}

Value query_value(const Query *query, int column, ColumnType type)
{
    return query->db->driver->statements->column(query->statement, column, type);
}

bool query_is_null(const Query *query, int column)
{
    return query_value(query, column, COLUMN_INT).is_null;
}

int64_t query_int(const Query *query, int column)
{
    return query_value(query, column, COLUMN_INT).number;
}

Span query_bytes(const Query *query, int column)
{
    return query_value(query, column, COLUMN_BLOB).bytes;
}

const char *query_text(const Query *query, int column)
{
    return query_value(query, column, COLUMN_TEXT).bytes.at;
}

Status query_end(Query *query, Error *error)
{
    const DriverStatements *driver = query->db->driver->statements;
    Status status = STATUS_OK;
    int settled = driver->settle != NULL ? driver->settle(query->db) : 0;
    if (settled != 0)
        query->code = settled; // the rows, or the failure, are not valid
    if (query->code != 0)      // before anything else: the connection has the message of its last call only
        status = database_failed(query->db, query->code, error);
    if (query->is_kept && query->statement != NULL) // NULL if the preparation failed
        driver->reset(query->statement);
    else if (!query->is_kept)
        driver->finalize(query->statement);
    query->statement = NULL;
    return status;
}

Status query_end_after(Query *query, Status status, Error *error)
{
    Status ended = query_end(query, status == STATUS_OK ? error : NULL);
    return status != STATUS_OK ? status : ended;
}

Status query_text_list(Query *query, TextList *texts, Error *error)
{
    while (query_row(query)) {
        texts->list = memory_resize(texts->list, texts->count + 1, sizeof *texts->list);
        texts->list[texts->count++] = memory_copy_text(query_text(query, 0));
    }
    return query_end(query, error);
}

void text_list_close(TextList *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->list[i]);
    free(texts->list);
    *texts = (TextList){0};
}

Status query_run(Query *query, Error *error)
{
    while (query_row(query))
        continue;
    return query_end(query, error);
}

Status query_number(Query *query, int64_t *number, Error *error)
{
    int64_t first = query_row(query) ? query_int(query, 0) : 0;
    if (number != NULL)
        *number = first;
    return query_run(query, error);
}

Status query_execute(Database *db, QueryName name, Values values, int64_t *number, Error *error)
{
    Query query = query_with(db, name, values);
    return query_number(&query, number, error);
}

Status database_get(Database *db, QueryName name, Values values, int64_t *number, Error *error)
{
    database_lock(db);
    Status status = query_execute(db, name, values, number, error);
    database_unlock(db);
    return status;
}

Status database_change(Database *db, QueryName name, Values values, int64_t *number, Error *error)
{
    Status status = IN_TRANSACTION(db, query_execute(db, name, values, number, error), error);
    if (status != STATUS_OK && number != NULL)
        *number = 0;
    return status;
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

const char *row_text(RowTexts *texts, const Query *row, int column)
{
    assert(texts->count < sizeof texts->list / sizeof texts->list[0]);
    Text *text = &texts->list[texts->count++];
    text->length = 0;
    text_add_span(text, query_bytes(row, column));
    utf8_clean_lines(text->data);
    return query_is_null(row, column) ? NULL : text->data;
}

const char *row_line(RowTexts *texts, const Query *row, int column)
{
    const char *text = row_text(texts, row, column);
    if (text != NULL)
        utf8_clean_line(texts->list[texts->count - 1].data);
    return text;
}

void row_texts_close(RowTexts *texts)
{
    for (size_t i = 0; i < sizeof texts->list / sizeof texts->list[0]; i++)
        text_close(&texts->list[i]);
}

Side row_side(const Query *row, int column)
{
    return strcmp(query_text(row, column), side_name(SIDE_SECOND)) == 0 ? SIDE_SECOND : SIDE_FIRST;
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
    return query_number(&query, number, error);
}

Status database_check_reference(Database *db, const char *sql, Error *error)
{
    Status complaint = STATUS_OK;
    Query query = query_prepare(db, sql);
    if (query_row(&query))
        complaint = error_set(error, STATUS_FAILED,
                              "the database '%s' is damaged: row %lld of %s refers to a missing row of %s", db->path,
                              (long long)query_int(&query, 0), query_text(&query, 1), query_text(&query, 2));
    Status status = query_end(&query, error);
    return status != STATUS_OK ? status : complaint;
}

// --- Transactions ---

// How often a transaction is tried when it has conflicts with others.
enum { TRIES = 12 };

static double pause_before(unsigned tries)
{
    const double shortest = 0.002, longest = 0.5; // in seconds
    double pause = shortest;
    for (unsigned i = 1; i < tries && pause < longest; i++)
        pause *= 2;
    // Two programs that had a conflict must not have it again: the seed need only differ between them.
    Rng rng = rng_make((uint64_t)(clock_seconds() * 1e9));
    return pause * (0.5 + (double)rng_below(&rng, 1000) / 1000);
}

static Status run(Database *db, QueryName name, Error *error)
{
    return query_execute(db, name, NO_VALUES, NULL, error);
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
    // After some failures, such as a full disk, the engine has already ended the transaction.
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
    return query_execute(db, QUERY_LOCK, VALUES(value_int((int64_t)what)), NULL, error);
}

Status transaction_notify(Database *db, const char *channel, Error *error)
{
    assert(db->is_in_transaction);
    if (db->driver->has_one_writer)
        return STATUS_OK;
    return query_execute(db, QUERY_NOTIFY, VALUES(value_text(channel)), NULL, error);
}
