// Results of a match or a tournament, printed.
#pragma once

#include "lab/report.h"

void report_match_print(const MatchRun *run);
void report_tournament_print(const MatchRun *run, const RatedAgents *rated);
