// Learned patterns of the database for agents, and what the commands of `krow patterns` share. The database is opened
// when patterns are first asked for, and made only when one is learned.
#pragma once

#include "store/db/database_patterns.h"

#include <jansson.h>
#include <pthread.h>

typedef struct {
    AgentPatterns lent; // what goes into an AgentHost
    const char *path;
    pthread_mutex_t lock; // of what follows; agents ask in several threads
    Database *reader;     // opened for asking; used until something was learned
    Database *writer;     // opened for learning
} PatternSets;

// `path` as --db says it: NULL for the usual database, "none" for none.
void pattern_sets_open(PatternSets *sets, const char *path);
void pattern_sets_close(PatternSets *sets);

// What goes into the host of agents; NULL with "none".
const AgentPatterns *pattern_sets_lent(const PatternSets *sets);

// A set of patterns and the rules it is for.
typedef struct {
    Rules rules;
    char game[RULES_TEXT_SIZE];
    const char *set;
} PatternSetName;

// NULL: the default set, gomoku.
Status pattern_sets_name(const char *set, const char *game, PatternSetName *name, Error *error);

// The patterns that a command is about, read into memory: those of a tier, or the one with a number, or all.
typedef struct {
    DatabasePattern *list; // owned
    size_t count, capacity;
} PatternList;

Status pattern_sets_read(Database *db, const PatternSetName *name, DatabasePatternChoice choice, PatternList *list,
                         Error *error);
void pattern_list_close(PatternList *list);

// Its number, tier, text, cells, how many of them are own, and when it was learned.
json_t *pattern_list_json(const PatternList *list);
json_t *pattern_tiers_json(const DatabasePatternSet *set); // how many of each tier, from 0 up to the last there is

// Says that there are no patterns of this choice.
Status pattern_sets_no_pattern(const PatternSetName *name, DatabasePatternChoice choice, Error *error);
