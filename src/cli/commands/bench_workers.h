// krow bench --load: what workers do to a database, measured. krow bench --fleet: many workers simulated.
#pragma once

#include "cli/options.h"

// `text` has the options, key=value,key=value.
Status bench_load(const char *text, const char *db, bool json, Error *error);
Status bench_fleet(const char *text, bool json, Error *error);
