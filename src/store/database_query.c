// Statements and transactions of SQLite.
#include "store/database_internal.h"

#include <assert.h>
#include <sqlite3.h>
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

// --- Statements ---

Query query_prepare(Database *db, const char *sql)
{
    Query query = {.db = db};
    query.code = sql == NULL ? SQLITE_NOMEM : sqlite3_prepare_v3(db->connection, sql, -1, 0, &query.statement, NULL);
    return query;
}

Query query_use(Database *db, QueryName name)
{
    Query query = {.db = db, .is_kept = true};
    if (db->kept[name] == NULL)
        query.code =
            sqlite3_prepare_v3(db->connection, query_texts[name], -1, SQLITE_PREPARE_PERSISTENT, &db->kept[name], NULL);
    query.statement = db->kept[name];
    return query;
}

void query_bind_int(Query *query, int64_t value)
{
    query->bound++;
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, query->bound, value);
}

void query_bind_id(Query *query, int64_t value)
{
    if (value != 0)
        query_bind_int(query, value);
    else
        query->bound++; // NULL is what an unbound parameter is
}

void query_bind_real(Query *query, double value)
{
    query->bound++;
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_double(query->statement, query->bound, value);
}

void query_bind_text(Query *query, const char *text)
{
    query->bound++;
    if (query->code == SQLITE_OK && text != NULL)
        query->code =
            sqlite3_bind_text64(query->statement, query->bound, text, strlen(text), SQLITE_STATIC, SQLITE_UTF8);
}

void query_bind_rules(Query *query, const Rules *rules)
{
    char text[RULES_TEXT_SIZE];
    rules_format(rules, text);
    char *copy = strdup(text); // given away, since `text` ends here
    query->bound++;
    if (copy == NULL)
        query->code = query->code == SQLITE_OK ? SQLITE_NOMEM : query->code;
    else if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_text64(query->statement, query->bound, copy, strlen(copy), free, SQLITE_UTF8);
    else
        free(copy);
}

void query_bind_blob(Query *query, Span bytes)
{
    query->bound++;
    if (query->code == SQLITE_OK && bytes.length > 0)
        query->code = sqlite3_bind_blob64(query->statement, query->bound, bytes.at, bytes.length, SQLITE_STATIC);
}

bool query_row(Query *query)
{
    if (query->code != SQLITE_OK)
        return false;
    assert(query->bound == sqlite3_bind_parameter_count(query->statement));
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        query->code = code;
    return code == SQLITE_ROW;
}

bool query_is_null(const Query *query, int column)
{
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

int64_t query_int(const Query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

double query_real(const Query *query, int column)
{
    return sqlite3_column_double(query->statement, column);
}

Span query_bytes(const Query *query, int column)
{
    const char *at = sqlite3_column_blob(query->statement, column);
    int length = sqlite3_column_bytes(query->statement, column);
    return at != NULL ? (Span){at, (size_t)length} : (Span){"", 0};
}

const char *query_text(const Query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text != NULL ? (const char *)text : "";
}

Status query_end(Query *query, Error *error)
{
    Status status = STATUS_OK;
    if (query->db->is_frozen && database_has_changed(query->db))
        query->code = SQLITE_BUSY_SNAPSHOT; // rows or a failure, they are not to be trusted
    if (query->code != SQLITE_OK)           // first: the words of the connection are those of its last call
        status = database_failed(query->db, query->code, error);
    if (query->is_kept) {
        (void)sqlite3_reset(query->statement);
        (void)sqlite3_clear_bindings(query->statement);
    } else {
        (void)sqlite3_finalize(query->statement);
    }
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
    return query->code == SQLITE_CONSTRAINT_FOREIGNKEY;
}

bool numbers_add(Numbers *numbers, int64_t number)
{
    if (numbers->count == numbers->capacity) {
        size_t capacity = numbers->capacity > 0 ? 2 * numbers->capacity : 256;
        int64_t *list = realloc(numbers->list, capacity * sizeof *list);
        if (list == NULL)
            return false;
        numbers->list = list;
        numbers->capacity = capacity;
    }
    numbers->list[numbers->count++] = number;
    return true;
}

Status query_numbers(Query *query, Numbers *numbers, Error *error)
{
    while (query_row(query))
        if (!numbers_add(numbers, query_int(query, 0)))
            query->code = SQLITE_NOMEM;
    return query_end(query, error);
}

// --- Transactions ---

static Status run(Database *db, QueryName name, Error *error)
{
    Query query = query_use(db, name);
    return query_run(&query, error);
}

static Status begin(Database *db, QueryName name, Error *error)
{
    database_lock(db);
    Status status = run(db, name, error);
    if (status != STATUS_OK)
        database_unlock(db);
    return status;
}

Status transaction_begin(Database *db, Error *error)
{
    return begin(db, QUERY_BEGIN, error);
}

Status transaction_begin_to_read(Database *db, Error *error)
{
    return begin(db, QUERY_BEGIN_TO_READ, error);
}

Status transaction_end(Database *db, Status status, Error *error)
{
    if (status == STATUS_OK)
        status = run(db, QUERY_COMMIT, error);
    // After some failures, a full disk for one, SQLite has ended the transaction already.
    if (status != STATUS_OK && sqlite3_get_autocommit(db->connection) == 0)
        (void)run(db, QUERY_ROLLBACK, NULL);
    database_unlock(db);
    return status;
}
