// Spans, numbers and growing text.
#include "base/text.h"

#include "base/memory.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

Span span_of(const char *text)
{
    return (Span){text, strlen(text)};
}

bool spans_equal(Span a, Span b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

bool span_is(Span span, const char *text)
{
    return spans_equal(span, span_of(text));
}

bool span_is_ignoring_case(Span span, const char *text)
{
    return span.length == strlen(text) && strncasecmp(span.at, text, span.length) == 0;
}

Span span_trim(Span span)
{
    while (span.length > 0 && is_blank(span.at[0])) {
        span.at++;
        span.length--;
    }
    while (span.length > 0 && is_blank(span.at[span.length - 1]))
        span.length--;
    return span;
}

bool span_next_word(Span *rest, const char *separators, Span *word)
{
    *word = *rest;
    if (rest->length == 0)
        return false;
    size_t begin = 0;
    while (begin < rest->length && rest->at[begin] != '\0' && strchr(separators, rest->at[begin]) != NULL)
        begin++;
    size_t end = begin;
    while (end < rest->length && (rest->at[end] == '\0' || strchr(separators, rest->at[end]) == NULL))
        end++;
    *word = (Span){rest->at + begin, end - begin};
    *rest = (Span){rest->at + end, rest->length - end};
    return word->length > 0;
}

bool span_next_part(Span *rest, char separator, Span *part)
{
    if (rest->length == 0)
        return false;
    const char *end = memchr(rest->at, separator, rest->length);
    size_t length = end != NULL ? (size_t)(end - rest->at) : rest->length;
    *part = (Span){rest->at, length};
    size_t used = end != NULL ? length + 1 : length;
    *rest = (Span){rest->at + used, rest->length - used};
    return true;
}

bool span_to_int(Span span, int64_t min, int64_t max, int64_t *number)
{
    bool negative = span.length > 0 && span.at[0] == '-';
    size_t i = span.length > 0 && (span.at[0] == '-' || span.at[0] == '+') ? 1 : 0;
    if (i == span.length)
        return false;
    int64_t value = 0;
    for (; i < span.length; i++) {
        if (span.at[i] < '0' || span.at[i] > '9')
            return false;
        int digit = span.at[i] - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    if (value < min || value > max)
        return false;
    *number = value;
    return true;
}

bool span_to_real(Span span, double *number)
{
    char copy[64];
    if (span.length == 0 || span.length >= sizeof copy)
        return false;
    for (size_t i = 0; i < span.length; i++) {
        // Rejects hexadecimal numbers, "inf", "nan" and blanks, which strtod accepts.
        if (strchr("0123456789+-.eE", span.at[i]) == NULL || span.at[i] == '\0')
            return false;
        copy[i] = span.at[i];
    }
    copy[span.length] = '\0';
    char *end = NULL;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    double value = strtod_l(copy, &end, plain);
    freelocale(plain);
    if (*end != '\0' || !isfinite(value))
        return false;
    *number = value;
    return true;
}

// Makes room for `more` characters and the terminator.
static void make_room(Text *text, size_t more)
{
    text->data = array_grow(text->data, &text->capacity, text->length + more + 1, 1);
}

bool text_reserve(Text *text, size_t more)
{
    char *data = array_try_grow(text->data, &text->capacity, text->length + more + 1, 1);
    text->data = data != NULL ? data : text->data;
    return data != NULL;
}

void text_add_list(Text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return;
    make_room(text, (size_t)length);
    (void)vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

void text_add(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

void text_add_span(Text *text, Span span)
{
    make_room(text, span.length);
    memcpy(text->data + text->length, span.at, span.length);
    text->length += span.length;
    text->data[text->length] = '\0';
}

void text_close(Text *text)
{
    free(text->data);
    *text = (Text){0};
}
