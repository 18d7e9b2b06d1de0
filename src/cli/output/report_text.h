// Prints results of matches and tournaments.
#pragma once

#include "lab/report.h"

bool report_faults_print(const char *name, const FaultCounts *faults); // nothing and false where there are none
void report_match_print(const MatchRun *run);
void report_openbench_print(const MatchRun *run);
void report_tournament_print(const MatchRun *run, const RatedAgents *rated);
