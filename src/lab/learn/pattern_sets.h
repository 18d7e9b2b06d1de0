// Learned patterns of the database for agents, and functions shared by the `krow patterns` commands. The database is
// opened at the first use of patterns, and created only when one is learned.
#pragma once

#include "store/db/database_patterns.h"

#include <jansson.h>
#include <pthread.h>

typedef struct {
    AgentPatterns lent; // for an AgentHost
    const char *path;
    pthread_mutex_t lock; // protects the databases: agents use several threads
    Database *reader;     // used until something is learned
    Database *writer;     // opened for learning
} PatternSets;

// `path` as for --db: NULL for the default database, "none" for none.
void pattern_sets_open(PatternSets *sets, const char *path);
void pattern_sets_close(PatternSets *sets);

// For an AgentHost; NULL with "none".
const AgentPatterns *pattern_sets_lent(const PatternSets *sets);

// A set of patterns and the rules it is for.
typedef struct {
    Rules rules;
    char game[RULES_TEXT_SIZE];
    const char *set;
} PatternSetName;

// NULL: the default set, gomoku.
Status pattern_sets_name(const char *set, const char *game, PatternSetName *name, Error *error);

// The patterns that a command has selected: those of a tier, the one with a number, or all.
typedef struct {
    DatabasePattern *list; // owned
    size_t count, capacity;
} PatternList;

Status pattern_sets_read(Database *db, const PatternSetName *name, DatabasePatternChoice choice, PatternList *list,
                         Error *error);
void pattern_list_close(PatternList *list);

// Number, tier, text, cells, own cells, and time of learning of each pattern.
json_t *pattern_list_json(const PatternList *list);
json_t *pattern_tiers_json(const DatabasePatternSet *set); // counts by tier, from 0 to the last one present

// Sets the error for an empty selection.
Status pattern_sets_no_pattern(const PatternSetName *name, DatabasePatternChoice choice, Error *error);
