// krow bench --load: what workers do to a database, measured. krow bench --fleet: many workers simulated.
#pragma once

#include "frontends/args.h"

Status bench_load(const Args *args, Error *error);
Status bench_fleet(const Args *args, Error *error);
