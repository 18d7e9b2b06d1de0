// Learned patterns in the database: named sets of them, for rules each (Szóts, Harmati, section 4.4). As everywhere
// there, a call that changes something is one transaction: what was reported as kept survives a kill at any instant,
// and several programs may learn into one set at the same time. To those that only read, a database that is NULL is
// one without patterns.
//
// A set is there as long as it has a pattern. Its name is made of the letters of a book's name (agents/book/book.h).
#pragma once

#include "agents/book/book.h"
#include "store/db/database.h"
#include "threats/pattern.h"

// Keeps patterns for good, in one transaction; each unless the set has one that is equal to it or a part of it, as it
// is or turned, among them those of the list before it. `*kept` is how many were kept, 0 after a failure. Refused with
// STATUS_BAD_INPUT are other names for sets, and rules that do not suit patterns.
typedef struct {
    const char *set;
    const Rules *rules;
    const Pattern *patterns;
    size_t count;
    int64_t learned; // moment
} DatabaseLearned;

Status database_learn_patterns(Database *db, const DatabaseLearned *learned, uint64_t *kept, Error *error);

// A pattern that is stored, in the picture whose text comes first. Numbers rise in the order of learning over all sets
// and are never given again: what is learned after a walk has numbers above all that the walk met.
typedef struct {
    int64_t number;
    int64_t learned; // moment
    Pattern pattern;
} DatabasePattern;

// Every pattern of a set with a number above `after`, numbers rising. The sink may use the database, and false ends the
// walk.
typedef bool DatabasePatternSink(void *context, const DatabasePattern *pattern);
Status database_each_pattern(Database *db, const AgentPatternRange *range, DatabasePatternSink *sink, void *context,
                             Error *error);

typedef struct {
    char name[BOOK_NAME_SIZE];
    Rules rules;
    uint64_t count;
    uint64_t of_tier[PATTERN_TIER_MAX + 1];
    int64_t learned; // moment of the last one
} DatabasePatternSet;

// All sets, by the text of their rules, then by name. The sink as above.
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

// Removes patterns; `*forgotten` is how many there were, 0 after a failure.
Status database_forget_patterns(Database *db, const DatabaseForget *which, uint64_t *forgotten, Error *error);
