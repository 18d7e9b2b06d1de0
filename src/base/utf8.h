// UTF-8: validation, and removal of characters that control a terminal or the direction of text.
//
// Names, comments and messages from files, databases, engines and other people pass through here before anything shows
// them. Unsafe are the control characters of ASCII (C0) and Latin-1 (C1), the marks that change the direction of text,
// line and paragraph separators, and invalid bytes, which some terminals read as C1.
#pragma once

#include "base/text.h"

// The length in bytes of the first character: 1 to 4, or 0 for invalid UTF-8 and for an empty text.
size_t utf8_char(Span text);

bool utf8_is_valid(Span text);

// The code point of a valid character of `bytes` bytes.
unsigned utf8_code(const char *at, size_t bytes);

// Copies at most size - 1 bytes of whole characters and terminates them. Control characters and direction marks become
// blanks, invalid bytes U+FFFD, and both ends are trimmed.
void utf8_clean(Span from, char *to, size_t size);

// Replaces unsafe characters of a terminated text by blanks, and invalid bytes by question marks. utf8_clean_lines
// keeps tabs and line ends.
void utf8_clean_line(char *text);
void utf8_clean_lines(char *text);

// Whether the first character, of `bytes` bytes, is a control character or changes the direction of text.
bool utf8_is_control(const char *at, size_t bytes);
