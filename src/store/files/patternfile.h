// A set of winning patterns as a text file: the game, the name of the set, then the tier and the text of a pattern per
// line; # begins a comment line.
//
//     # krow patterns
//     game 15x15:k=5
//     set default            (optional, default "default")
//     patterns 2             (optional; detects truncated files)
//     1 .xxxx.
//     1 xxxx./x-----/x-----/x-----/.-----
//
// docs/patterns.md explains the text of a pattern.
#pragma once

#include "agents/book/book.h"
#include "threats/pattern.h"

#define PATTERNFILE_SET "default" // for files without a name

typedef struct {
    Rules rules;
    char name[BOOK_NAME_SIZE];
    Pattern *patterns; // owned
    size_t count, capacity;
} PatternSet;

// STATUS_BAD_INPUT if a set cannot have this name, or if patterns do not suit these rules.
Status pattern_set_check_name(Span name, Error *error);
Status pattern_set_check_rules(const Rules *rules, Error *error);

void pattern_set_add(PatternSet *set, const Pattern *pattern);
void pattern_set_close(PatternSet *set);

void patternfile_write(const PatternSet *set, Text *text);

// Reads a file into a zeroed set. Close it also after an error. Errors name the line unless they concern the whole
// file. Games that do not suit patterns are errors. Whether the patterns win is not checked.
Status patternfile_read(Span text, PatternSet *set, Error *error);
