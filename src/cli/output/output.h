// Results on standard output.
#pragma once

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

// Prints one object and a line end, and releases it (takes `object`).
Status output_json(json_t *object, Error *error);

// Whether stdout can take colours: a terminal, and NO_COLOR not set (no-color.org).
bool output_has_colours(void);
