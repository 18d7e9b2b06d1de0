// What there is to understand about a position: analysis, scans, hints, threats, forced wins.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_insight_routes[];
