// Word lists for command lines.
#include "base/process/words.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void words_add(Words *words, const char *format, ...)
{
    Text word = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&word, format, arguments);
    va_end(arguments);
    words->at = array_grow(words->at, &words->capacity, words->count + 2, sizeof *words->at);
    words->at[words->count++] = word.data;
    words->at[words->count] = NULL;
}

void words_add_list(Words *words, const char *const *list)
{
    for (; *list != NULL; list++)
        words_add(words, "%s", *list);
}

void words_close(Words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->at[i]);
    free(words->at);
    *words = (Words){0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Reads the word that starts at `*at`; false if a quote is not closed or a trailing backslash has no character.
static bool read_word(Span command, size_t *at, Text *word)
{
    char quote = '\0';
    for (; *at < command.length && (quote != '\0' || !is_blank(command.at[*at])); (*at)++) {
        char c = command.at[*at];
        // Inside double quotes a backslash is itself unless it stands before one of four characters.
        bool escapes = c == '\\' && quote != '\'' && *at + 1 < command.length &&
                       (quote == '\0' || strchr("\"\\$`", command.at[*at + 1]) != NULL);
        if (escapes) {
            (*at)++;
            text_add_span(word, (Span){command.at + *at, 1});
        } else if (c == '\\' && quote == '\0') {
            return false;
        } else if (quote == '\0' && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = '\0';
        } else {
            text_add_span(word, (Span){&c, 1});
        }
    }
    return quote == '\0';
}

Status words_split(Span command, Words *words, Error *error)
{
    for (size_t at = 0;; at++) {
        while (at < command.length && is_blank(command.at[at]))
            at++;
        if (at >= command.length)
            break;
        size_t begin = at;
        Text word = {0};
        bool closed = read_word(command, &at, &word);
        words_add(words, "%s", word.data != NULL ? word.data : "");
        text_close(&word);
        if (!closed)
            return error_set(error, STATUS_BAD_INPUT,
                             "character %d: the word that begins here has a quote without its end, or a backslash at "
                             "the end",
                             (int)begin + 1);
    }
    return STATUS_OK;
}
