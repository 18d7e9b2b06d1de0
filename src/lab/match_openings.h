// The openings of a match: from a file, or generated.
#pragma once

#include "lab/match_run.h"

// Fills run->openings as the event demands. Balanced ones are kept in the user's cache folder, because searches judge
// them; docs/laboratory.md describes how they are made.
Status match_openings_get(MatchRun *run, Error *error);
