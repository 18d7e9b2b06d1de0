// A list of words (argv), and a command line split into words.
#pragma once

#include "base/status.h"
#include "base/text.h"

// A zeroed list is empty; `at[count]` is NULL once there is a word.
typedef struct {
    char **at; // owned, as are the words
    size_t count, capacity;
} Words;

void words_add(Words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void words_add_list(Words *words, const char *const *list); // `list` ends with NULL
void words_close(Words *words);

// Adds the words of a command. Quotes and backslashes work as in a shell; variables, patterns and pipes do not. The
// error locates an unclosed quote.
Status words_split(Span command, Words *words, Error *error);
