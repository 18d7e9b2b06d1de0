// UTF-8: validation and cleaning.
#include "base/utf8.h"

#include <string.h>

size_t utf8_char(Span text)
{
    if (text.length == 0)
        return 0;
    unsigned char head = (unsigned char)text.at[0];
    if (head < 0x80)
        return 1;
    size_t length = head >= 0xc2 && head <= 0xdf ? 2 : (head & 0xf0) == 0xe0 ? 3 : head >= 0xf0 && head <= 0xf4 ? 4 : 0;
    if (length == 0 || text.length < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)text.at[i] & 0xc0) != 0x80)
            return 0;
    // The second byte shows overlong forms, surrogates and code points above U+10FFFF.
    unsigned char second = (unsigned char)text.at[1];
    if ((head == 0xe0 && second < 0xa0) || (head == 0xed && second > 0x9f) || (head == 0xf0 && second < 0x90) ||
        (head == 0xf4 && second > 0x8f))
        return 0;
    return length;
}

static Span without(Span text, size_t bytes)
{
    return (Span){text.at + bytes, text.length - bytes};
}

bool utf8_is_valid(Span text)
{
    while (text.length > 0) {
        size_t bytes = utf8_char(text);
        if (bytes == 0)
            return false;
        text = without(text, bytes);
    }
    return true;
}

unsigned utf8_code(const char *at, size_t bytes)
{
    unsigned char head = (unsigned char)at[0];
    unsigned code = bytes == 1 ? head : bytes == 2 ? head & 0x1fu : bytes == 3 ? head & 0x0fu : head & 0x07u;
    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | ((unsigned char)at[i] & 0x3fu);
    return code;
}

// The direction marks are those of Unicode's bidirectional algorithm (UAX 9, table 4 and 2.6).
bool utf8_is_control(const char *at, size_t bytes)
{
    unsigned code = utf8_code(at, bytes);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

void utf8_clean(Span from, char *to, size_t size)
{
    size_t used = 0;
    for (Span rest = span_trim(from); rest.length > 0;) {
        size_t bytes = utf8_char(rest);
        const char *piece = bytes > 0 ? rest.at : "\xef\xbf\xbd";
        size_t length = bytes > 0 ? bytes : 3;
        if (used + length >= size)
            break;
        if (bytes > 0 && utf8_is_control(piece, bytes)) {
            piece = " ";
            length = 1;
        }
        memcpy(to + used, piece, length);
        used += length;
        rest = without(rest, bytes > 0 ? bytes : 1);
    }
    // Control characters at the ends have become blanks, and cutting may have left one.
    Span trimmed = span_trim((Span){to, used});
    memmove(to, trimmed.at, trimmed.length);
    to[trimmed.length] = '\0';
}

static void clean_in_place(char *text, const char *kept)
{
    char *to = text;
    for (Span rest = span_of(text); rest.length > 0;) {
        size_t bytes = utf8_char(rest);
        if (bytes == 0) {
            *to++ = '?';
        } else if (utf8_is_control(rest.at, bytes) && strchr(kept, *rest.at) == NULL) {
            *to++ = ' ';
        } else {
            memmove(to, rest.at, bytes);
            to += bytes;
        }
        rest = without(rest, bytes > 0 ? bytes : 1);
    }
    *to = '\0';
}

void utf8_clean_line(char *text)
{
    clean_in_place(text, "");
}

void utf8_clean_lines(char *text)
{
    clean_in_place(text, "\t\n");
}
