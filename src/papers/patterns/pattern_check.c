// Checks patterns by the exact search.
#include "papers/patterns/pattern_check.h"

#include "base/clock.h"

enum { NODES_USUAL = 10 * 1000 * 1000 };

void pattern_check_open(PatternCheck *check, const Rules *rules, const Budget *budget, const atomic_bool *stop)
{
    *check = (PatternCheck){.rules = *rules, .seconds = budget->seconds};
    check->limits.nodes = budget->nodes > 0 ? budget->nodes : NODES_USUAL;
    check->limits.stop = stop;
    check->proof = pattern_proof_open(rules);
}

void pattern_check_close(PatternCheck *check)
{
    pattern_proof_close(check->proof);
    *check = (PatternCheck){0};
}

bool pattern_check_run(PatternCheck *check, const Pattern *pattern, PatternProofResult *result)
{
    check->limits.deadline = check->seconds > 0 ? clock_seconds() + check->seconds : 0;
    *result = pattern_proof_run(check->proof, pattern, &check->limits);
    if (atomic_load(check->limits.stop))
        return false;
    if (result->verdict == PATTERN_PROVED && pattern->tier != pattern_lacking(pattern, &check->rules))
        result->verdict = PATTERN_REFUTED;
    check->of_verdict[result->verdict]++;
    return true;
}

const char *pattern_verdict_name(PatternVerdict verdict)
{
    static const char *const names[] = {
        [PATTERN_PROVED] = "proved", [PATTERN_REFUTED] = "refuted", [PATTERN_UNDECIDED] = "undecided"};
    return names[verdict];
}
