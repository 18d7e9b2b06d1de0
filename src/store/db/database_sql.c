// The SQL that both engines share: the statements that are kept, and those that depend on a filter.
#include "store/db/database_game_columns_internal.h"
#include "store/db/database_internal.h"

#define WORKER_COLUMNS                                                                                                 \
    "w.id, w.name, w.slots, w.build, w.words, w.games, w.started, w.seen, w.ended,"                                    \
    " (SELECT CAST(coalesce(sum(u.games), 0) AS {int}) FROM units u WHERE u.worker_id = w.id AND u.state = 'held'),"   \
    " CASE WHEN w.ended IS NULL AND w.seen > {now} - 60000 THEN 1 ELSE 0 END AS is_alive"

const char *const query_texts[QUERY_COUNT] = {
#define QUERY(name, text) [QUERY_##name] = (text),
#include "store/db/database_queries.def"
#undef QUERY
};

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
    if (filter->origin != DATABASE_ALL)
        text_add(text, " AND g.match_id IS %s", filter->origin == DATABASE_PLAYED ? "NOT NULL" : "NULL");
    if (filter->result != RESULT_NONE)
        text_add(text, " AND g.result = ?");
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
    if (wanted->match != 0)
        query_bind(&query, value_int(wanted->match));
    if (wanted->rules != NULL)
        query_bind(&query, value_rules(wanted->rules));
    for (int side = 0; side < 2 && wanted->agent != NULL; side++)
        query_bind(&query, value_text(wanted->agent));
    if (wanted->result != RESULT_NONE)
        query_bind(&query, value_text(result_name(wanted->result)));
    if (wanted->before != 0)
        query_bind(&query, value_int(wanted->before));
    return query;
}
