// Winning patterns in the database.
#include "store/db/database_patterns.h"

#include "base/memory.h"
#include "store/db/database_internal.h"
#include "store/files/patternfile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    DatabasePattern *list; // owned
    size_t count, capacity;
} Patterns;

static void add(Patterns *patterns, const DatabasePattern *pattern)
{
    patterns->list = array_grow(patterns->list, &patterns->capacity, patterns->count + 1, sizeof *patterns->list);
    patterns->list[patterns->count++] = *pattern;
}

#define PATTERN_VALUES(game, set, tier, learned, code)                                                                 \
    value_text(game), value_text(set), value_int(tier), value_int(learned), value_text(code)

static bool was_changed(const Query *row)
{
    if (!row->db->checks_changes || query_is_null(row, 4))
        return false;
    Value values[] = {query_value(row, 5, COLUMN_TEXT), query_value(row, 6, COLUMN_TEXT),
                      query_value(row, 1, COLUMN_INT), query_value(row, 2, COLUMN_INT),
                      query_value(row, 3, COLUMN_TEXT)};
    return checksum_of((Values){values, sizeof values / sizeof values[0]}) != (uint64_t)query_int(row, 4);
}

// In the order of the columns of QUERY_PATTERNS.
static Status read_pattern(const Query *row, DatabasePattern *stored, Error *error)
{
    Span code = query_bytes(row, 3);
    int64_t tier = query_int(row, 1);
    stored->number = query_int(row, 0);
    stored->learned = query_int(row, 2);
    if (tier < 0 || tier > PATTERN_TIER_MAX || pattern_parse(code, (unsigned)tier, &stored->pattern, NULL) != STATUS_OK)
        return error_set(error, STATUS_FAILED, "pattern %lld of the database is damaged: '%.*s' of tier %lld",
                         (long long)stored->number, SPAN_PRINT(code), (long long)tier);
    if (was_changed(row))
        return error_set(error, STATUS_FAILED, "pattern %lld of the database was changed: its checksum is wrong",
                         (long long)stored->number);
    return STATUS_OK;
}

// The lock must be held.
static Status read_set(Database *db, const AgentPatternRange *range, Patterns *patterns, Error *error)
{
    Status status = STATUS_OK;
    DatabasePattern stored;
    Query query = query_with(db, QUERY_PATTERNS,
                             VALUES(value_rules(range->rules), value_text(range->set), value_int(range->after)));
    while (status == STATUS_OK && query_row(&query)) {
        status = read_pattern(&query, &stored, error);
        if (status == STATUS_OK)
            add(patterns, &stored);
    }
    return query_end_after(&query, status, error);
}

Status database_each_pattern(Database *db, const AgentPatternRange *range, DatabasePatternSink *sink, void *context,
                             Error *error)
{
    Patterns patterns = {0};
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Status status = read_set(db, range, &patterns, error);
    database_unlock(db);
    for (size_t i = 0; i < patterns.count && status == STATUS_OK; i++)
        if (!sink(context, &patterns.list[i]))
            break;
    free(patterns.list);
    return status;
}

// A symmetric image of a stored pattern is a part of the new one if the stored one is a part of an image of the new
// one.
static bool has_part(const Patterns *known, const Pattern *pattern)
{
    Pattern versions[PATTERN_VERSIONS_MAX];
    unsigned count = pattern_versions(pattern, versions);
    for (size_t i = 0; i < known->count; i++)
        for (unsigned version = 0; version < count; version++)
            if (pattern_is_part(&known->list[i].pattern, &versions[version]))
                return true;
    return false;
}

// Within a transaction: the lock keeps other programs from adding patterns until the commit, so that numbers increase
// in the order of commits.
static Status learn(Database *db, const DatabaseLearned *learned, uint64_t *kept, Error *error)
{
    Patterns known = {0};
    *kept = 0;
    Status status = transaction_lock(db, LOCK_PATTERNS, error);
    if (status == STATUS_OK)
        status = read_set(db, &(AgentPatternRange){learned->set, learned->rules, 0}, &known, error);
    for (size_t i = 0; i < learned->count && status == STATUS_OK; i++) {
        const Pattern *pattern = &learned->patterns[i];
        assert(pattern_is_good(pattern));
        DatabasePattern made = {.learned = learned->learned};
        char code[PATTERN_TEXT_SIZE];
        if (has_part(&known, pattern))
            continue;
        pattern_canonical(pattern, &made.pattern);
        pattern_format(&made.pattern, code);
        char game[RULES_TEXT_SIZE];
        rules_format(learned->rules, game);
        uint64_t checksum =
            checksum_of(VALUES(PATTERN_VALUES(game, learned->set, made.pattern.tier, made.learned, code)));
        status = query_execute(db, QUERY_PATTERN_ADD,
                               VALUES(PATTERN_VALUES(game, learned->set, made.pattern.tier, made.learned, code),
                                      value_int((int64_t)checksum)),
                               NULL, error);
        if (status == STATUS_OK)
            add(&known, &made);
        ++*kept;
    }
    free(known.list);
    return status;
}

Status database_learn_patterns(Database *db, const DatabaseLearned *learned, uint64_t *kept, Error *error)
{
    *kept = 0;
    Status status = pattern_set_check_name(span_of(learned->set), error);
    if (status == STATUS_OK)
        status = pattern_set_check_rules(learned->rules, error);
    if (status == STATUS_OK)
        status = IN_TRANSACTION(db, learn(db, learned, kept, error), error);
    if (status != STATUS_OK)
        *kept = 0;
    return status;
}

typedef struct {
    DatabasePatternSet *list; // owned
    size_t count;
} Sets;

// The set of a row: the last one or a new one; NULL and STATUS_FAILED if the row is damaged.
static DatabasePatternSet *set_of(Sets *sets, Span game, Span name, Error *error)
{
    char last[RULES_TEXT_SIZE];
    DatabasePatternSet *set = sets->count > 0 ? &sets->list[sets->count - 1] : NULL;
    if (set != NULL)
        rules_format(&set->rules, last);
    if (set != NULL && span_is(game, last) && span_is(name, set->name))
        return set;
    sets->list = memory_resize(sets->list, sets->count + 1, sizeof *sets->list);
    set = &sets->list[sets->count];
    *set = (DatabasePatternSet){0};
    if (!book_name_is_good(name) || rules_parse(game, &set->rules, NULL) != STATUS_OK) {
        (void)error_set(error, STATUS_FAILED, "the pattern set '%.*s' for '%.*s' in the database is damaged",
                        SPAN_PRINT(name), SPAN_PRINT(game));
        return NULL;
    }
    memcpy(set->name, name.at, name.length);
    sets->count++;
    return set;
}

// A row is one tier of a set; the rows of a set are adjacent.
static Status take_tier(Sets *sets, const Query *row, Error *error)
{
    int64_t tier = query_int(row, 2), count = query_int(row, 3), learned = query_int(row, 4);
    DatabasePatternSet *set = set_of(sets, query_bytes(row, 0), query_bytes(row, 1), error);
    if (set == NULL)
        return STATUS_FAILED;
    if (tier < 0 || tier > PATTERN_TIER_MAX)
        return error_set(error, STATUS_FAILED, "the pattern set '%s' is damaged: it has patterns of tier %lld",
                         set->name, (long long)tier);
    set->of_tier[tier] = (uint64_t)count;
    set->count += (uint64_t)count;
    set->learned = learned > set->learned ? learned : set->learned;
    return STATUS_OK;
}

Status database_each_pattern_set(Database *db, DatabasePatternSetSink *sink, void *context, Error *error)
{
    Sets sets = {0};
    Status status = STATUS_OK;
    if (db == NULL)
        return STATUS_OK;
    database_lock(db);
    Query query = query_use(db, QUERY_PATTERN_SETS);
    while (status == STATUS_OK && query_row(&query))
        status = take_tier(&sets, &query, error);
    status = query_end_after(&query, status, error);
    database_unlock(db);
    for (size_t i = 0; i < sets.count && status == STATUS_OK; i++)
        if (!sink(context, &sets.list[i]))
            break;
    free(sets.list);
    return status;
}

static Status forget(Database *db, const DatabaseForget *which, uint64_t *count, Error *error)
{
    DatabasePatternChoice choice = which->choice;
    Value number = value_int(choice.number), tier = value_int(choice.tier);
    Query query = query_with(db, QUERY_PATTERNS_FORGET,
                             VALUES(value_rules(which->rules), value_text(which->set), number, number, tier, tier));
    *count = 0;
    while (query_row(&query))
        ++*count;
    return query_end(&query, error);
}

Status database_forget_patterns(Database *db, const DatabaseForget *which, uint64_t *forgotten, Error *error)
{
    uint64_t count = 0;
    Status status = IN_TRANSACTION(db, forget(db, which, &count, error), error);
    *forgotten = status == STATUS_OK ? count : 0;
    return status;
}
