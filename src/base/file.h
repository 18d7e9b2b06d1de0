// Reads and writes whole files. A file is replaced atomically: even after a kill, a reader sees the old file or the new
// one.
#pragma once

#include "base/status.h"
#include "base/text.h"

// Reads a whole file of at most `limit` bytes ("-": standard input) into `text`, which is cleared first.
Status file_read(const char *path, size_t limit, Text *text, Error *error);

// Writes a temporary file next to it, flushes it to the disk and renames it over the old file.
Status file_write(const char *path, Span content, Error *error);

// The same for a file with secrets: only its owner may read it.
Status file_write_private(const char *path, Span content, Error *error);

// Whether file_write can create its file; call it before long work whose result goes there. Leaves no file behind.
Status file_check_writable(const char *path, Error *error);

// Creates a folder and its missing parents; the second function for their owner only. Existing ones stay as they are.
Status file_make_folder(const char *path, Error *error);
Status file_make_private_folder(const char *path, Error *error);
