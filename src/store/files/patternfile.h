// A set of winning patterns as a text file: the game and the name of the set, then the tier and the text of a pattern a
// line; # begins a comment line.
//
//     # krow patterns
//     game 15x15:k=5
//     set default            (may be missing: default)
//     patterns 2             (may be missing; a file that was cut has fewer)
//     1 .xxxx.
//     1 xxxx./x-----/x-----/x-----/.-----
//
// docs/patterns.md explains the text of a pattern.
#pragma once

#include "agents/book/book.h"
#include "threats/pattern.h"

#define PATTERNFILE_SET "default" // when the file names none

typedef struct {
    Rules rules;
    char name[BOOK_NAME_SIZE];
    Pattern *patterns; // owned
    size_t count, capacity;
} PatternSet;

// Whether a set may have this name, and whether there can be patterns for these rules; else STATUS_BAD_INPUT.
Status pattern_set_check_name(Span name, Error *error);
Status pattern_set_check_rules(const Rules *rules, Error *error);

void pattern_set_add(PatternSet *set, const Pattern *pattern);
void pattern_set_close(PatternSet *set);

void patternfile_write(const PatternSet *set, Text *text);

// Reads a file into a zeroed set, which is to be closed also after an error. Errors name the line, unless they are
// about the whole. Refused are games that do not suit patterns. Whether patterns win is for a search to prove.
Status patternfile_read(Span text, PatternSet *set, Error *error);
