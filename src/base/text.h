// Text spans without copies, words of a line, numbers, and a growing buffer.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A borrowed piece of text, not terminated.
typedef struct {
    const char *at;
    size_t length;
} Span;

// For printf("%.*s", SPAN_PRINT(span)): cut at 40 characters to keep messages readable.
#define SPAN_PRINT(span) (int)((span).length < 40 ? (span).length : 40), (span).at

Span span_of(const char *text);
bool spans_equal(Span a, Span b);
bool span_is(Span span, const char *text);
bool span_is_ignoring_case(Span span, const char *text);
Span span_trim(Span span); // without leading and trailing blanks

// Cuts the first word off `rest`; words are separated by any of `separators`. False when none is left.
bool span_next_word(Span *rest, const char *separators, Span *word);

// Cuts off the part before the first `separator`, or all, and drops the separator. False if `rest` is empty.
bool span_next_part(Span *rest, char separator, Span *part);

// Parses a decimal integer with an optional sign; false for anything else and for numbers outside min to max.
bool span_to_int(Span span, int64_t min, int64_t max, int64_t *number);

// Parses a finite decimal number such as 1.5, -2 or 3e6, independent of the locale.
bool span_to_real(Span span, double *number);

// A growing text. A zeroed struct is empty.
typedef struct {
    char *data; // terminated, or NULL while empty
    size_t length;
    size_t capacity;
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(Text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
void text_add_span(Text *text, Span span);

// Reserves memory for `more` characters, which can then be added without allocation; false if memory runs out.
bool text_reserve(Text *text, size_t more);
void text_close(Text *text);
