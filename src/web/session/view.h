// The evaluation of a position as a sentence and as JSON, for analysis and scans.
#pragma once

#include "analysis/analyze_parts.h"
#include "web/session/session.h"

// Fields of the analysis event besides counts: chance_first, verdict, proven, distance, lines, and cells if `cells`.
json_t *web_view_json(const Analysis *analysis, bool cells, bool exact);
