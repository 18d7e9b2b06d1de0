// Conversion of the older encodings of game files to UTF-8.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Converts from a list of encodings that game files use (Latin, Cyrillic, Chinese, Japanese, Korean). Other names are
// errors, so that a file cannot choose among all converters of the system.
Status charset_to_utf8(Span text, const char *charset, Text *utf8, Error *error);
