// UTF-8: validation, cleaning, and conversion of the older encodings of game files.
#pragma once

#include "base/status.h"
#include "base/text.h"

// The length in bytes of the first character: 1 to 4, or 0 for invalid UTF-8 and for an empty text.
size_t utf8_char(Span text);

bool utf8_is_valid(Span text);

// Copies at most size - 1 bytes of whole characters and terminates them. Control characters become blanks, invalid
// bytes U+FFFD, and both ends are trimmed.
void utf8_clean(Span from, char *to, size_t size);

// Converts from a list of encodings that game files use (Latin, Cyrillic, Chinese, Japanese, Korean). Other names are
// errors, so that a file cannot choose among all converters of the system.
Status charset_to_utf8(Span text, const char *charset, Text *utf8, Error *error);
