// Checks patterns by the exact search (papers/patterns/pattern_proof.h) within limits.
#pragma once

#include "agents/agent.h"
#include "papers/patterns/pattern_proof.h"

typedef struct {
    PatternProof *proof;
    Limits limits;
    Rules rules;
    double seconds; // a pattern; 0: no limit
    uint64_t of_verdict[PATTERN_UNDECIDED + 1];
} PatternCheck;

// For rules that suit patterns. The budget limits each pattern; without a limit of nodes a default applies.
void pattern_check_open(PatternCheck *check, const Rules *rules, const Budget *budget, const atomic_bool *stop);
void pattern_check_close(PatternCheck *check); // safe on a zeroed one

// Proves a pattern and counts the verdict. A tier that does not fit the cells is a wrong claim as well. False, without
// a verdict, when `stop` was raised.
bool pattern_check_run(PatternCheck *check, const Pattern *pattern, PatternProofResult *result);

const char *pattern_verdict_name(PatternVerdict verdict);
