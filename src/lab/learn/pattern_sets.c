// Implements AgentPatterns with a database, and functions shared by the pattern commands.
#include "lab/learn/pattern_sets.h"

#include "base/clock.h"
#include "base/memory.h"
#include "lab/books.h"
#include "store/files/patternfile.h"

#include <stdlib.h>
#include <string.h>

// After something was learned, reads use the writer; before, a missing database is not created. The reader stays open
// even then, since other threads may be using it.
static Status database_of(PatternSets *sets, DatabaseAccess access, Database **db, Error *error)
{
    Status status = STATUS_OK;
    (void)pthread_mutex_lock(&sets->lock);
    if (access == OPEN_TO_WRITE && sets->writer == NULL)
        status = database_open(sets->path, &sets->writer, error);
    if (access == OPEN_TO_READ && sets->writer == NULL && sets->reader == NULL)
        status = database_open_to_read(sets->path, &sets->reader, error);
    *db = access == OPEN_TO_WRITE || sets->writer != NULL ? sets->writer : sets->reader;
    (void)pthread_mutex_unlock(&sets->lock);
    return status;
}

typedef struct {
    AgentPatternSink *sink;
    void *context;
} PatternReceiver;

static bool pass_pattern(void *context, const DatabasePattern *pattern)
{
    const PatternReceiver *receiver = context;
    return receiver->sink(receiver->context, pattern->number, &pattern->pattern);
}

static Status each(void *context, const AgentPatternRange *range, AgentPatternSink *sink, void *sink_context,
                   Error *error)
{
    Database *db = NULL;
    PatternReceiver receiver = {sink, sink_context};
    Status status = database_of(context, OPEN_TO_READ, &db, error);
    return status == STATUS_OK ? database_each_pattern(db, range, pass_pattern, &receiver, error) : status;
}

static Status learn(void *context, const AgentLearned *learned, bool *kept, Error *error)
{
    Database *db = NULL;
    uint64_t count = 0;
    DatabaseLearned stored = {learned->set, learned->rules, learned->pattern, 1, clock_unix_ms()};
    Status status = database_of(context, OPEN_TO_WRITE, &db, error);
    if (status == STATUS_OK)
        status = database_learn_patterns(db, &stored, &count, error);
    *kept = count > 0;
    return status;
}

void pattern_sets_open(PatternSets *sets, const char *path)
{
    *sets = (PatternSets){.lent = {.context = sets, .each = each, .learn = learn}, .path = path};
    (void)pthread_mutex_init(&sets->lock, NULL);
}

void pattern_sets_close(PatternSets *sets)
{
    database_close(sets->reader);
    database_close(sets->writer);
    (void)pthread_mutex_destroy(&sets->lock);
}

const AgentPatterns *pattern_sets_lent(const PatternSets *sets)
{
    return database_is_none(sets->path) ? NULL : &sets->lent;
}

Status pattern_sets_name(const char *set, const char *game, PatternSetName *name, Error *error)
{
    *name = (PatternSetName){.set = set != NULL ? set : PATTERNFILE_SET};
    Status status = rules_parse(span_of(game != NULL ? game : "gomoku"), &name->rules, error);
    if (status == STATUS_OK)
        status = pattern_set_check_name(span_of(name->set), error);
    if (status == STATUS_OK)
        rules_format(&name->rules, name->game);
    return status;
}

typedef struct {
    DatabasePatternChoice choice;
    PatternList *list;
} Collecting;

static bool collect(void *context, const DatabasePattern *pattern)
{
    Collecting *collecting = context;
    PatternList *list = collecting->list;
    DatabasePatternChoice choice = collecting->choice;
    if ((choice.number != 0 && pattern->number != choice.number) ||
        (choice.tier >= 0 && pattern->pattern.tier != choice.tier))
        return true;
    list->list = array_grow(list->list, &list->capacity, list->count + 1, sizeof *list->list);
    list->list[list->count++] = *pattern;
    return true;
}

Status pattern_sets_read(Database *db, const PatternSetName *name, DatabasePatternChoice choice, PatternList *list,
                         Error *error)
{
    Collecting collecting = {.choice = choice, .list = list};
    *list = (PatternList){0};
    return database_each_pattern(db, &(AgentPatternRange){name->set, &name->rules, 0}, collect, &collecting, error);
}

void pattern_list_close(PatternList *list)
{
    free(list->list);
    *list = (PatternList){0};
}

json_t *pattern_list_json(const PatternList *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const DatabasePattern *stored = &list->list[i];
        char code[PATTERN_TEXT_SIZE];
        pattern_format(&stored->pattern, code);
        (void)json_array_append_new(array, json_pack("{s:I, s:i, s:s, s:i, s:i, s:I}", "number",
                                                     (json_int_t)stored->number, "tier", (int)stored->pattern.tier,
                                                     "pattern", code, "cells", (int)stored->pattern.count, "own",
                                                     (int)stored->pattern.own, "learned", (json_int_t)stored->learned));
    }
    return array;
}

json_t *pattern_tiers_json(const DatabasePatternSet *set)
{
    json_t *tiers = json_array();
    int last = PATTERN_TIER_MAX;
    while (last > 0 && set->of_tier[last] == 0)
        last--;
    for (int tier = 0; tier <= last; tier++)
        (void)json_array_append_new(tiers, json_integer((json_int_t)set->of_tier[tier]));
    return tiers;
}

Status pattern_sets_no_pattern(const PatternSetName *name, DatabasePatternChoice choice, Error *error)
{
    char what[64] = "no patterns";
    if (choice.number != 0)
        (void)snprintf(what, sizeof what, "no pattern %lld", (long long)choice.number);
    if (choice.tier >= 0)
        (void)snprintf(what + strlen(what), sizeof what - strlen(what), " of tier %d", choice.tier);
    return error_set(error, STATUS_BAD_INPUT, "there %s %s in the set '%s' for %s; run 'krow patterns list'",
                     choice.number != 0 ? "is" : "are", what, name->set, name->game);
}
