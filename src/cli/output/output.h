// Results on standard output.
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "game/board.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

// Prints one object and a line end, and releases it (takes `object`).
Status output_json(json_t *object, Error *error);

// Writes a text to a file, or to standard output if `path` is NULL: without control characters if that is a terminal.
Status output_write(const Text *text, const char *path, Error *error);

// Prints the names of cells with blanks between them.
void output_print_cells(const Cell *cells, unsigned count, FILE *out);

// Whether stdout can take colours: a terminal, and NO_COLOR not set (no-color.org).
bool output_has_colours(void);
