// Learned patterns in the database: named sets, each for one rules (Szóts, Harmati, section 4.4). A call that changes
// data is one transaction, so stored patterns survive a kill, and several programs may learn into one set. Reading
// functions accept NULL as a database without patterns.
//
// A set exists as long as it has a pattern. Its name follows the rules for a book's name (agents/book/book.h).
#pragma once

#include "agents/book/book.h"
#include "store/db/database.h"
#include "threats/pattern.h"

// Stores patterns, except those for which the set or the list before them has an equal pattern or a part of it, in any
// symmetry. `*kept` is the number stored, 0 after a failure. STATUS_BAD_INPUT for other set names, and for rules that
// do not suit patterns.
typedef struct {
    const char *set;
    const Rules *rules;
    const Pattern *patterns;
    size_t count;
    int64_t learned; // time
} DatabaseLearned;

Status database_learn_patterns(Database *db, const DatabaseLearned *learned, uint64_t *kept, Error *error);

// A stored pattern in its canonical symmetry. Numbers increase in the order of learning over all sets and are never
// reused: patterns learned after an iteration have higher numbers than all it passed.
typedef struct {
    int64_t number;
    int64_t learned; // time
    Pattern pattern;
} DatabasePattern;

// The patterns of a set with a number above `after`, in increasing order.
typedef bool DatabasePatternSink(void *context, const DatabasePattern *pattern);
Status database_each_pattern(Database *db, const AgentPatternRange *range, DatabasePatternSink *sink, void *context,
                             Error *error);

typedef struct {
    char name[BOOK_NAME_SIZE];
    Rules rules;
    uint64_t count;
    uint64_t of_tier[PATTERN_TIER_MAX + 1];
    int64_t learned; // time of the last one
} DatabasePatternSet;

// All sets, by the text of their rules, then by name.
typedef bool DatabasePatternSetSink(void *context, const DatabasePatternSet *set);
Status database_each_pattern_set(Database *db, DatabasePatternSetSink *sink, void *context, Error *error);

// Which patterns of a set: one, those of a tier, or all.
typedef struct {
    int64_t number; // 0: any
    int tier;       // -1: any
} DatabasePatternChoice;

typedef struct {
    const char *set;
    const Rules *rules;
    DatabasePatternChoice choice;
} DatabaseForget;

// Removes patterns; `*forgotten` is the number removed, 0 after a failure.
Status database_forget_patterns(Database *db, const DatabaseForget *which, uint64_t *forgotten, Error *error);
