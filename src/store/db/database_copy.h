// A database copied to another one, which may be of the other engine.
//
// The source is read as it is at one moment. The target must be empty, or hold what an earlier copy of the same source
// left there when it was interrupted or killed: then the copy continues. Until it is whole, and counts and checksums of
// all tables have been compared, nothing but another copy opens the target.
#pragma once

#include "store/db/database_tables.h"

typedef enum { COPY_COMPARING, COPY_WRITING, COPY_VERIFYING } DatabaseCopyStage;

typedef struct {
    DatabaseCopyStage stage;
    const char *table;
    uint64_t done, total; // rows of all tables; each stage counts from 0
} DatabaseCopyStep;

typedef struct {
    bool is_fresh;                                                 // what an unfinished copy left is removed first
    bool (*watch)(void *context, const DatabaseCopyStep *step);    // now and then; false: STATUS_INTERRUPTED
    bool (*take_table)(void *context, const DatabaseTable *table); // each table of the target, once it is verified
    void *context;
} DatabaseCopy;

// A target that holds the same already is verified, and left as it is. One that holds other things is refused.
Status database_copy(const char *from, const char *to, const DatabaseCopy *copy, Error *error);
