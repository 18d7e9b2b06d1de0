// The list of tables, iteration over rows, checksums, and the rights of workers.
#include "store/db/database_tables_internal.h"

#include <string.h>

// A new table needs one line here; a test compares the list with the tables that the migrations create.
const StoreTable store_tables[] = {
    {"agents", "id, name, is_foreign", "iti", 1, true, false, "SELECT, INSERT"},
    {"openings", "id, game, setup, stones, length", "ittti", 1, true, false, "SELECT, INSERT"},
    {"matches", "id, kind, game, spec, created, finished, sprt, origin", "itttiitt", 1, true, false, "SELECT"},
    {"sources", "id, name", "it", 1, true, false, "SELECT"},
    {"games",
     "id, match_id, number, source_id, game, first_id, second_id, opening_id, seed, result, fault, faulty, started, "
     "ended, reason, event, date, hash, copy, setup, stones, times, kept, checksum",
     "iiiitiiiitttiitttbitttbi", 1, true, false, "SELECT, INSERT"},
    {"game_counts", "game_id, side, name, value", "itti", 3, false, false, "SELECT, INSERT"},
    {"rating_lists", "id, name, game, computed", "itti", 1, true, false, NULL},
    {"ratings", "list_id, agent_id, rating, error, games", "iirri", 2, false, false, NULL},
    {"books", "id, name, game, encoding, is_symmetric, turns, games, built, checksum", "itttiiiii", 1, true, false,
     "SELECT"},
    {"book_nodes", "id, book_id, depth, wins, ties, losses, code", "iiiiiit", 1, true, false, "SELECT"},
    {"book_links", "from_id, turn, to_id", "iti", 2, false, false, "SELECT"},
    {"patterns", "id, game, set_name, tier, learned, code, checksum", "ittiiti", 1, true, true, "SELECT"},
    {"jobs", "id, kind, match_id, state, unit, lease, created, finished, build, title, spec, openings, verify",
     "ititiiiitttti", 1, true, false, "SELECT, UPDATE (state, finished)"},
    {"workers", "id, name, slots, started, seen, ended, games, build, words, label", "itiiiiittt", 1, true, false,
     "SELECT, INSERT, UPDATE (seen, ended, games, words)"},
    {"units",
     "id, job_id, first_game, games, state, failures, lost, worker_id, token, progress, claimed, expires, finished, "
     "reason, verifies, verdict",
     "iiiitiiiiiiiitit", 1, true, false,
     "SELECT, INSERT, UPDATE (first_game, games, state, failures, lost, worker_id, token, progress, claimed, expires, "
     "finished, reason)"},
    {"answers", "job_id, number, answer", "iit", 2, false, false, "SELECT, INSERT"},
    {"checks", "unit_id, number, answer", "iit", 2, false, false, "INSERT"},
    {"quarantine", "id, label, since, reason", "itit", 1, true, false, "SELECT"},
};
const unsigned store_table_count = sizeof store_tables / sizeof store_tables[0];

unsigned table_width(const StoreTable *table)
{
    return (unsigned)strlen(table->types);
}

// FNV-1a with 64 bits (Fowler, Noll, Vo), easy to implement for comparison. A value is its type, length and bytes;
// numbers are eight bytes, the most significant first.
static const uint64_t checksum_start = UINT64_C(0xcbf29ce484222325), checksum_prime = UINT64_C(0x100000001b3);

static uint64_t add_byte(uint64_t sum, uint8_t byte)
{
    return (sum ^ byte) * checksum_prime;
}

static uint64_t add_number(uint64_t sum, uint64_t number)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        sum = add_byte(sum, (uint8_t)(number >> shift));
    return sum;
}

static uint64_t add_bytes(uint64_t sum, Span bytes)
{
    sum = add_number(sum, bytes.length);
    for (size_t i = 0; i < bytes.length; i++)
        sum = add_byte(sum, (uint8_t)bytes.at[i]);
    return sum;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    value = value == 0 ? 0 : value; // SQLite stores only one of the two zeros
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t add_value(uint64_t sum, Value value)
{
    static const char letters[] = {[COLUMN_INT] = 'i', [COLUMN_REAL] = 'r', [COLUMN_TEXT] = 't', [COLUMN_BLOB] = 'b'};
    sum = add_byte(sum, value.is_null ? 'n' : (uint8_t)letters[value.type]);
    if (value.is_null)
        return sum;
    return value.type == COLUMN_INT    ? add_number(sum, (uint64_t)value.number)
           : value.type == COLUMN_REAL ? add_number(sum, bits_of(value.real))
                                       : add_bytes(sum, value.bytes);
}

uint64_t checksum_of(Values values)
{
    uint64_t sum = checksum_start;
    for (size_t i = 0; i < values.count; i++)
        sum = add_value(sum, values.list[i]);
    return sum;
}

uint64_t checksum_of_row(const Query *row, const char *types)
{
    uint64_t sum = checksum_start;
    for (int i = 0; types[i] != '\0'; i++)
        sum = add_value(sum, query_value(row, i, column_type_of(types[i])));
    return sum;
}

static uint64_t add_row(uint64_t sum, const StoreTable *table, const Query *row)
{
    for (unsigned i = 0; i < table_width(table); i++)
        sum = add_value(sum, query_value(row, (int)i, table_type(table, i)));
    return sum;
}

static void add_key(Text *sql, const StoreTable *table)
{
    Span rest = span_of(table->columns), column = {0};
    for (unsigned i = 0; i < table->key; i++) {
        (void)span_next_part(&rest, ',', &column);
        text_add(sql, "%s", i > 0 ? ", " : "");
        text_add_span(sql, span_trim(column));
    }
}

static Query begin_page(const TableWalk *walk, unsigned most)
{
    const StoreTable *table = walk->table;
    Text sql = {0};
    text_add(&sql, "SELECT %s FROM %s", table->columns, table->name);
    if (walk->rows > 0) {
        text_add(&sql, " WHERE (");
        add_key(&sql, table);
        text_add(&sql, ") > (?%s%s)", table->key > 1 ? ", ?" : "", table->key > 2 ? ", ?" : "");
    }
    text_add(&sql, " ORDER BY ");
    add_key(&sql, table);
    text_add(&sql, " LIMIT ?");
    Query query = query_prepare(walk->db, sql.data);
    text_close(&sql);
    for (unsigned i = 0; i < table->key && walk->rows > 0; i++)
        if (table_type(table, i) == COLUMN_INT)
            query_bind(&query, value_int(walk->numbers[i]));
        else
            query_bind(&query, value_text(walk->texts[i].data));
    query_bind(&query, value_int(most));
    return query;
}

// Copies the key of a row: the row is valid only until the next step.
static void keep_key(TableWalk *next, const Query *row)
{
    for (unsigned i = 0; i < next->table->key; i++)
        if (table_type(next->table, i) == COLUMN_INT) {
            next->numbers[i] = query_int(row, (int)i);
        } else {
            next->texts[i].length = 0;
            text_add_span(&next->texts[i], query_bytes(row, (int)i));
        }
}

Status table_walk_page(TableWalk *walk, unsigned most, TableRowSink *sink, void *context, Error *error)
{
    TableWalk next = {.db = walk->db, .table = walk->table, .rows = walk->rows, .checksum = walk->checksum};
    Status status = STATUS_OK;
    if (walk->rows == 0)
        next.checksum = checksum_start;
    Query row = begin_page(walk, most);
    while (status == STATUS_OK && query_row(&row)) {
        next.checksum = add_row(next.checksum, next.table, &row);
        next.rows++;
        keep_key(&next, &row);
        if (sink != NULL)
            status = sink(context, &row, error);
    }
    status = query_end_after(&row, status, error);
    bool has_moved = status == STATUS_OK && next.rows > walk->rows;
    table_walk_close(has_moved ? walk : &next);
    if (has_moved)
        *walk = next;
    return status;
}

void table_walk_close(TableWalk *walk)
{
    for (unsigned i = 0; i < TABLE_KEY_MAX; i++)
        text_close(&walk->texts[i]);
}

Status table_count(Database *db, const StoreTable *table, uint64_t *count, Error *error)
{
    int64_t number = 0;
    Text sql = {0};
    text_add(&sql, "SELECT count(*) FROM %s", table->name);
    Status status = database_ask(db, sql.data, &number, error);
    text_close(&sql);
    *count = (uint64_t)number;
    return status;
}

static Status sum_table(Database *db, const StoreTable *table, DatabaseTable *summary, Error *error)
{
    TableWalk walk = {.db = db, .table = table};
    uint64_t before = 0;
    Status status = STATUS_OK;
    do {
        before = walk.rows;
        status = table_walk_page(&walk, TABLE_PAGE, NULL, NULL, error);
    } while (status == STATUS_OK && walk.rows == before + TABLE_PAGE);
    *summary = (DatabaseTable){.name = table->name, .rows = walk.rows, .checksum = walk.checksum};
    table_walk_close(&walk);
    return status;
}

static Status each_table(Database *db, bool with_checksums, DatabaseTableSink *sink, void *context, Error *error)
{
    Status status = STATUS_OK;
    bool has_more = true;
    for (unsigned i = 0; i < store_table_count && status == STATUS_OK && has_more; i++) {
        DatabaseTable reported = {.name = store_tables[i].name};
        status = with_checksums ? sum_table(db, &store_tables[i], &reported, error)
                                : table_count(db, &store_tables[i], &reported.rows, error);
        if (status == STATUS_OK)
            has_more = sink(context, &reported);
    }
    return status;
}

Status database_each_table(Database *db, bool with_checksums, DatabaseTableSink *sink, void *context, Error *error)
{
    return IN_SNAPSHOT(db, each_table(db, with_checksums, sink, context, error), error);
}

// A name or text as quoted SQL: quotes within it are doubled.
static void add_quoted(Text *sql, const char *text, char quote)
{
    text_add(sql, "%c", quote);
    for (const char *at = text; *at != '\0'; at++)
        text_add(sql, *at == quote ? "%c%c" : "%c", *at, *at);
    text_add(sql, "%c", quote);
}

// Uses the current database and schema of the session that runs the text.
static void add_role(Text *sql, const char *role)
{
    text_add(sql, "DO $krow$\nDECLARE worker TEXT := ");
    add_quoted(sql, role, '\'');
    text_add(sql, ";\nBEGIN\n"
                  "  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = worker) THEN\n"
                  "    EXECUTE format('CREATE ROLE %%I LOGIN', worker);\n"
                  "  END IF;\n"
                  "  EXECUTE format('GRANT CONNECT ON DATABASE %%I TO %%I', current_database(), worker);\n"
                  "  EXECUTE format('GRANT USAGE ON SCHEMA %%I TO %%I', current_schema(), worker);\n"
                  "  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %%I FROM %%I', current_schema(), worker);\n"
                  // PUBLIC means every role. Until PostgreSQL 14 it may create objects in the schema `public`, which
                  // could stand in for functions and operators of krow; temporary tables could fill the disk.
                  "  EXECUTE format('REVOKE CREATE ON SCHEMA %%I FROM PUBLIC', current_schema());\n"
                  "  EXECUTE format('REVOKE TEMPORARY ON DATABASE %%I FROM PUBLIC', current_database());\n"
                  "  EXECUTE format('REVOKE CREATE ON SCHEMA %%I FROM %%I', current_schema(), worker);\n"
                  "  EXECUTE format('REVOKE TEMPORARY, CREATE ON DATABASE %%I FROM %%I', current_database(), worker);\n"
                  "END\n$krow$;\n");
}

// Triggers that let a worker add games, answers and checks only of a unit that the same transaction finishes: the store
// marks the unit before it adds them (database_units.c). A unit that is done stays as it is, so that its results cannot
// be blamed on another worker. Members of the role that owns the table, who play matches without workers, are not
// bound. xmin is the transaction that wrote the version of a row, without its upper half.
static const char guard[] =
    "CREATE OR REPLACE FUNCTION krow_guard_results() RETURNS trigger LANGUAGE plpgsql AS $krow$\n"
    "DECLARE\n"
    "  allowed BOOLEAN := FALSE;\n"
    "  parent BIGINT;\n"
    "BEGIN\n"
    "  IF pg_catalog.pg_has_role(current_user,\n"
    "      (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN RETURN NEW; END IF;\n"
    "  EXECUTE pg_catalog.format('SELECT ($1).%I', TG_ARGV[0]) INTO parent USING NEW;\n"
    "  EXECUTE pg_catalog.format('SELECT EXISTS (SELECT FROM %1$I.units u JOIN %1$I.jobs j ON j.id = u.job_id'\n"
    "      ' WHERE ' || TG_ARGV[1] || ' AND u.state = ''done'' AND $2 >= u.first_game AND $2 < u.first_game + "
    "u.games'\n"
    "      ' AND u.xmin::text = (pg_catalog.txid_current() %% 4294967296)::text)', TG_TABLE_SCHEMA)\n"
    "    INTO allowed USING parent, NEW.number;\n"
    "  IF NOT allowed THEN\n"
    "    RAISE EXCEPTION 'permission denied: the % belongs to no unit that its worker holds', TG_ARGV[2]\n"
    "      USING ERRCODE = 'insufficient_privilege';\n"
    "  END IF;\n"
    "  RETURN NEW;\n"
    "END\n$krow$;\n"
    "CREATE OR REPLACE FUNCTION krow_guard_units() RETURNS trigger LANGUAGE plpgsql AS $krow$\n"
    "BEGIN\n"
    "  IF OLD.state IN ('done', 'aside', 'dropped') AND NOT pg_catalog.pg_has_role(current_user,\n"
    "      (SELECT relowner FROM pg_catalog.pg_class WHERE oid = TG_RELID), 'MEMBER') THEN\n"
    "    RAISE EXCEPTION 'permission denied: the unit has ended' USING ERRCODE = 'insufficient_privilege';\n"
    "  END IF;\n"
    "  RETURN NEW;\n"
    "END\n$krow$;\n"
    "DROP TRIGGER IF EXISTS krow_guard ON games;\n"
    "DROP TRIGGER IF EXISTS krow_guard ON answers;\n"
    "DROP TRIGGER IF EXISTS krow_guard ON checks;\n"
    "DROP TRIGGER IF EXISTS krow_guard ON units;\n"
    "DROP FUNCTION IF EXISTS krow_guard_games();\n"
    "CREATE TRIGGER krow_guard BEFORE INSERT ON games FOR EACH ROW\n"
    "  EXECUTE FUNCTION krow_guard_results('match_id', 'j.match_id = $1 AND u.verifies IS NULL', 'game');\n"
    "CREATE TRIGGER krow_guard BEFORE INSERT ON answers FOR EACH ROW\n"
    "  EXECUTE FUNCTION krow_guard_results('job_id', 'j.id = $1 AND u.verifies IS NULL', 'answer');\n"
    "CREATE TRIGGER krow_guard BEFORE INSERT ON checks FOR EACH ROW\n"
    "  EXECUTE FUNCTION krow_guard_results('unit_id', 'u.id = $1 AND u.verifies IS NOT NULL', 'answer');\n"
    "CREATE TRIGGER krow_guard BEFORE UPDATE ON units FOR EACH ROW EXECUTE FUNCTION krow_guard_units();\n";

static void add_grant(Text *sql, const char *rights, const char *table, const char *role)
{
    text_add(sql, "GRANT %s ON %s TO ", rights, table);
    add_quoted(sql, role, '"');
    text_add(sql, ";\n");
}

Status database_grants(const char *role, Text *sql, Error *error)
{
    if (role[0] == '\0' || strlen(role) > 63 || strstr(role, "$krow$") != NULL)
        return error_set(error, STATUS_BAD_INPUT, "invalid role name '%s'", role);
    text_add(sql, "BEGIN;\nSET LOCAL client_min_messages = warning;\n");
    add_role(sql, role);
    text_add(sql, "%s", guard);
    add_grant(sql, "SELECT", "krow_schema", role);
    for (unsigned i = 0; i < store_table_count; i++)
        if (store_tables[i].worker != NULL)
            add_grant(sql, store_tables[i].worker, store_tables[i].name, role);
    text_add(sql, "COMMIT;\n");
    return STATUS_OK;
}
