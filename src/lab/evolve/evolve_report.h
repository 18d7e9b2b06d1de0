// Results of `krow evolve` as JSON and as curves.
#pragma once

#include "lab/evolve/evolve.h"

#include <jansson.h>

json_t *evolve_json(const Evolve *evolve);

// The score against the start with its limits, and the values of the options as shares of their ranges.
void evolve_svg(const Evolve *evolve, Text *text);
