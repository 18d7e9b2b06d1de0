// Copies a database to another one, possibly of the other engine.
//
// The source is read as a snapshot. The target must be empty, or hold an unfinished copy of the same source, which is
// then continued. Until counts and checksums of all tables have been compared, only another copy can open the target.
#pragma once

#include "store/db/database_tables.h"

typedef enum { COPY_COMPARING, COPY_WRITING, COPY_VERIFYING } DatabaseCopyStage;

typedef struct {
    DatabaseCopyStage stage;
    const char *table;
    uint64_t done, total; // rows of all tables; each stage counts from 0
} DatabaseCopyStep;

typedef struct {
    bool is_fresh;                                                 // first remove the rows of an unfinished copy
    bool (*watch)(void *context, const DatabaseCopyStep *step);    // called repeatedly; false: STATUS_INTERRUPTED
    bool (*take_table)(void *context, const DatabaseTable *table); // called for each verified table of the target
    void *context;
} DatabaseCopy;

// A target that already has the same content is verified and not changed. One with other content is an error.
Status database_copy(const char *from, const char *to, const DatabaseCopy *copy, Error *error);
