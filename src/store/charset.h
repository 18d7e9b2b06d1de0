// UTF-8: checking, cleaning, and turning the older encodings of game files into it.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Bytes of the character a text begins with: 1 to 4, or 0 where no valid UTF-8 begins (also for an empty text).
size_t utf8_char(Span text);

bool utf8_is_valid(Span text);

// Copies at most size - 1 bytes and ends them with 0: no half characters, blanks for control characters and at neither
// end, U+FFFD for bytes that are no UTF-8.
void utf8_clean(Span from, char *to, size_t size);

// Converts from one of the encodings game files come in (Latin, Cyrillic, Chinese, Japanese, Korean). A name that is
// not on the list is refused, so that a file cannot choose among all converters of the system.
Status charset_to_utf8(Span text, const char *charset, Text *utf8, Error *error);
