// A list of words as programs are started with, and a command line split into them.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Zeroed is empty; `at[count]` is NULL once there is a word.
typedef struct {
    char **at; // owned, as are the words
    size_t count, capacity;
} Words;

void words_add(Words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_add_list(Words *words, const char *const *list); // up to NULL
void words_close(Words *words);

// Adds the words of a command. Quotes and backslashes mean what they mean to a shell; nothing else does: no variables,
// no patterns, no pipes. The error names the place of a quote that is not closed.
Status words_split(Span command, Words *words, Error *error);
