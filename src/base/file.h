// Whole files in and out. A file is replaced in one step: a reader, also after a kill, sees the old or the new one.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Reads all of a file, "-" for standard input, into `text` (which it clears first). At most `limit` bytes.
Status file_read(const char *path, size_t limit, Text *text, Error *error);

// Writes through a temporary file beside it, flushed to the disk, then renamed over the old one.
Status file_write(const char *path, Span content, Error *error);

// Whether file_write could begin: before long work whose result goes there. Leaves nothing behind.
Status file_check_writable(const char *path, Error *error);

// Makes a folder and those above it.
Status file_make_folder(const char *path, Error *error);
