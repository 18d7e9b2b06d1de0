// Claims of patterns checked by the exact search (search/pattern_proof.h), within the limits of a command line.
#pragma once

#include "frontends/args.h"
#include "search/pattern_proof.h"

typedef struct {
    PatternProof *proof;
    PatternProofLimits limits;
    unsigned k;
    double seconds; // a pattern; 0: no limit
    uint64_t of_verdict[PATTERN_UNDECIDED + 1];
} PatternCheck;

// For rules that suit patterns. --nodes and --time limit each pattern; some nodes are a limit in any case. Ctrl-C ends
// a check.
Status pattern_check_open(PatternCheck *check, const Rules *rules, const Args *args, Error *error);
void pattern_check_close(PatternCheck *check); // safe on a zeroed one

// Proves a pattern and counts the verdict. A tier that its cells do not speak of is a wrong claim as well. False after
// Ctrl-C: there is none.
bool pattern_check_run(PatternCheck *check, const Pattern *pattern, PatternProofResult *result);

const char *pattern_verdict_name(PatternVerdict verdict);
