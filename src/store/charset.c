// Older encodings of game files.
#include "store/charset.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

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
