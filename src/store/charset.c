// UTF-8 and older encodings.
#include "store/charset.h"

#include <errno.h>
#include <iconv.h>
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

void utf8_clean(Span from, char *to, size_t size)
{
    size_t used = 0;
    for (Span rest = span_trim(from); rest.length > 0;) {
        size_t bytes = utf8_char(rest);
        const char *piece = bytes > 0 ? rest.at : "\xef\xbf\xbd";
        size_t length = bytes > 0 ? bytes : 3;
        if (used + length >= size)
            break;
        if (bytes == 1 && ((unsigned char)*piece < ' ' || *piece == 0x7f))
            piece = " ";
        memcpy(to + used, piece, length);
        used += length;
        rest = without(rest, bytes > 0 ? bytes : 1);
    }
    // Control characters at the ends have become blanks, and cutting may have left one.
    Span trimmed = span_trim((Span){to, used});
    memmove(to, trimmed.at, trimmed.length);
    to[trimmed.length] = '\0';
}

static const char *known_charset(const char *name)
{
    static const char *const known[] = {
        "ISO-8859-1", "ISO-8859-2", "ISO-8859-15", "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "KOI8-R",
        "GB18030",    "GBK",        "GB2312",      "BIG5",         "SHIFT_JIS",    "EUC-JP",       "EUC-KR",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (span_is_ignoring_case(span_of(name), known[i]))
            return known[i];
    return NULL;
}

// Invalid input becomes U+FFFD, one byte at a time, so that line numbers are kept.
static void convert_all(iconv_t converter, Span text, Text *utf8)
{
    char *from = NULL;
    memcpy(&from, &text.at, sizeof from); // iconv does not write there; its type is older than const
    size_t left = text.length;
    while (left > 0) {
        char piece[4096], *to = piece;
        size_t room = sizeof piece;
        size_t result = iconv(converter, &from, &left, &to, &room);
        bool stuck = result == (size_t)-1 && errno != E2BIG;
        text_add_span(utf8, (Span){piece, sizeof piece - room});
        if (stuck) {
            text_add(utf8, "\xef\xbf\xbd");
            from++;
            left--;
        }
    }
}

Status charset_to_utf8(Span text, const char *charset, Text *utf8, Error *error)
{
    const char *known = known_charset(charset);
    iconv_t none = (iconv_t)-1; // NOLINT(performance-no-int-to-ptr): this is how iconv_open fails
    iconv_t converter = known != NULL ? iconv_open("UTF-8", known) : none;
    if (converter == none)
        return error_set(error, STATUS_BAD_INPUT, "the text is not UTF-8, and the encoding '%.20s' is not supported",
                         charset);
    // Two bytes of these encodings become at most three.
    bool fits = text_reserve(utf8, text.length + text.length / 2);
    if (fits)
        convert_all(converter, text, utf8);
    (void)iconv_close(converter);
    return fits ? STATUS_OK : error_set(error, STATUS_NO_MEMORY, "no memory to convert the text");
}
