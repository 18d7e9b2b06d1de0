// Puzzles on the web board. Requests keep no state: the collections are embedded or files, and attempts are appended to
// a file (lab/puzzles/puzzle_history.h).
#pragma once

#include "web/http/api.h"

extern const WebRoute web_puzzles_routes[];
