// The SQL that both engines share: the statements that are kept, and those that depend on a filter.
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

#include <string.h>

#define WORKER_COLUMNS                                                                                                 \
    "w.id, w.name, w.slots, w.build, w.words, w.games, w.started, w.seen, w.ended,"                                    \
    " (SELECT CAST(coalesce(sum(u.games), 0) AS {int}) FROM units u WHERE u.worker_id = w.id AND u.state = 'held'),"   \
    " CASE WHEN w.ended IS NULL AND w.seen > {now} - 60000 THEN 1 ELSE 0 END AS is_alive, w.label,"                    \
    " (SELECT q.reason FROM quarantine q WHERE q.label = w.label)"

// The games of units of a job `j` that are not computed again, under a condition.
#define SUM_OF_UNITS(condition)                                                                                        \
    "CAST(coalesce(sum(u.games) FILTER (WHERE u.verifies IS NULL AND " condition "), 0) AS {int})"

// Each has a parameter, the number of a worker: a worker never verifies its own unit `u`, and gets no unit in
// quarantine.
#define UNIT_IS_FOR_WORKER                                                                                             \
    "(u.verifies IS NULL OR NOT EXISTS (SELECT 1 FROM units o JOIN workers a ON a.id = o.worker_id JOIN workers b ON"  \
    " b.id = ? WHERE o.id = u.verifies AND (a.id = b.id OR a.label = b.label)))"
#define WORKER_IS_FREE "NOT EXISTS (SELECT 1 FROM quarantine q JOIN workers w ON w.label = q.label WHERE w.id = ?)"

#define QUARANTINED_WORKERS "SELECT w.id FROM workers w JOIN quarantine q ON q.label = w.label"

const char *const query_texts[QUERY_COUNT] = {
#define QUERY(name, text) [QUERY_##name] = (text),
#include "store/db/database_queries.def"
#undef QUERY
};

#define NAMES_LIKE                                                                                                     \
    "g.first_id IN (SELECT id FROM agents WHERE lower(name) LIKE lower(?) ESCAPE '!')"                                 \
    " OR g.second_id IN (SELECT id FROM agents WHERE lower(name) LIKE lower(?) ESCAPE '!')"

// The condition of a filter: fixed pieces, so that an index is used where one helps.
static void add_conditions(Text *text, const DatabaseFilter *filter)
{
    if (filter->match != 0)
        text_add(text, " AND g.match_id = ?");
    if (filter->rules != NULL)
        text_add(text, " AND g.game = ?");
    if (filter->agent != NULL)
        text_add(text, " AND (g.first_id IN (SELECT id FROM agents WHERE name = ?)"
                       " OR g.second_id IN (SELECT id FROM agents WHERE name = ?))");
    if (filter->origin == DATABASE_PLAYED || filter->origin == DATABASE_IMPORTED)
        text_add(text, " AND g.match_id IS %s", filter->origin == DATABASE_PLAYED ? "NOT NULL" : "NULL");
    if (filter->origin == DATABASE_SAVED)
        text_add(text, " AND g." GAME_IS_SAVED);
    if (filter->without_saved || filter->origin == DATABASE_IMPORTED)
        text_add(text, " AND coalesce(g.source_id, 0) <> coalesce((SELECT id FROM sources WHERE name = '%s'), -1)",
                 GAME_SAVED_SOURCE);
    if (filter->result != RESULT_NONE)
        text_add(text, " AND g.result = ?");
    if (filter->player != NULL)
        text_add(text, " AND (" NAMES_LIKE ")");
    if (filter->text != NULL)
        text_add(text, " AND (" NAMES_LIKE
                       " OR lower(g.event) LIKE lower(?) ESCAPE '!' OR lower(g.reason) LIKE lower(?) ESCAPE '!'"
                       " OR g.date LIKE ? ESCAPE '!' OR g.stones LIKE lower(?) ESCAPE '!')");
    if (filter->since != 0)
        text_add(text, " AND g.ended >= ?");
    if (filter->until != 0)
        text_add(text, " AND g.ended < ?");
    if (filter->before != 0)
        text_add(text, " AND g.id < ?");
}

static const struct {
    const char *head, *tail;
} filtered_texts[] = {
    [FILTERED_IDS] = {"SELECT g.id FROM games g WHERE 1 = 1", " ORDER BY g.id"},
    [FILTERED_PAIRS] =
        {"SELECT a.name, a.is_foreign, b.name, b.is_foreign,"
         " count(*) FILTER (WHERE g.result = 'first'), count(*) FILTER (WHERE g.result = 'draw'),"
         " count(*) FILTER (WHERE g.result = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'illegal' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'timeout' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'crash' AND g.faulty = 'first'),"
         " count(*) FILTER (WHERE g.fault = 'illegal' AND g.faulty = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'timeout' AND g.faulty = 'second'),"
         " count(*) FILTER (WHERE g.fault = 'crash' AND g.faulty = 'second')"
         " FROM games g JOIN agents a ON a.id = g.first_id JOIN agents b ON b.id = g.second_id WHERE 1 = 1",
         " GROUP BY a.id, b.id"},
    [FILTERED_COUNT] = {"SELECT count(*) FROM games g WHERE 1 = 1", ""},
    [FILTERED_NEWEST] = {"SELECT g.id FROM games g WHERE 1 = 1", " ORDER BY g.id DESC LIMIT ? OFFSET ?"},
    [FILTERED_STONES] = {"SELECT g.id, g.setup, g.stones FROM games g WHERE 1 = 1", " ORDER BY g.id DESC LIMIT ?"},
};

// Binds a part of a text as the pattern of LIKE, `times` times.
static void bind_part(Query *query, const char *part, unsigned times)
{
    Text pattern = {0};
    text_add(&pattern, "%%");
    for (const char *at = part; *at != '\0'; at++)
        text_add(&pattern, strchr("%_!", *at) != NULL ? "!%c" : "%c", *at);
    text_add(&pattern, "%%");
    Value value = value_text(pattern.data);
    value.is_copied = true;
    for (unsigned i = 0; i < times; i++)
        query_bind(query, value);
    text_close(&pattern);
}

// In the order of add_conditions.
static void bind_conditions(Query *query, const DatabaseFilter *filter)
{
    if (filter->match != 0)
        query_bind(query, value_int(filter->match));
    if (filter->rules != NULL)
        query_bind(query, value_rules(filter->rules));
    for (int side = 0; side < 2 && filter->agent != NULL; side++)
        query_bind(query, value_text(filter->agent));
    if (filter->result != RESULT_NONE)
        query_bind(query, value_text(result_name(filter->result)));
    if (filter->player != NULL)
        bind_part(query, filter->player, 2);
    if (filter->text != NULL)
        bind_part(query, filter->text, 6);
    if (filter->since != 0)
        query_bind(query, value_int(filter->since));
    if (filter->until != 0)
        query_bind(query, value_int(filter->until));
    if (filter->before != 0)
        query_bind(query, value_int(filter->before));
}

Query query_filtered(Database *db, FilteredName name, const DatabaseFilter *filter)
{
    static const DatabaseFilter everything = {0};
    const DatabaseFilter *wanted = filter != NULL ? filter : &everything;
    bool by_number = name == FILTERED_IDS && wanted->match != 0;
    Text text = {0};
    text_add(&text, "%s", filtered_texts[name].head);
    add_conditions(&text, wanted);
    text_add(&text, "%s", by_number ? " ORDER BY g.number" : filtered_texts[name].tail);
    Query query = query_prepare(db, text.data);
    text_close(&text);
    bind_conditions(&query, wanted);
    return query;
}
