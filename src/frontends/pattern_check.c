#include "frontends/pattern_check.h"

#include "base/clock.h"
#include "frontends/interrupt.h"

enum { NODES_USUAL = 10 * 1000 * 1000 };

Status pattern_check_open(PatternCheck *check, const Rules *rules, const Args *args, Error *error)
{
    *check = (PatternCheck){.k = rules->k, .seconds = args->budget.seconds};
    check->limits.nodes = args->budget.nodes > 0 ? args->budget.nodes : NODES_USUAL;
    check->limits.stop = interrupt_flag();
    interrupt_catch();
    return pattern_proof_open(&check->proof, rules, error);
}

void pattern_check_close(PatternCheck *check)
{
    pattern_proof_close(check->proof);
    *check = (PatternCheck){0};
}

bool pattern_check_run(PatternCheck *check, const Pattern *pattern, PatternProofResult *result)
{
    check->limits.deadline = check->seconds > 0 ? clock_seconds() + check->seconds : 0;
    pattern_proof_run(check->proof, pattern, &check->limits, result);
    if (interrupt_take())
        return false;
    if (result->verdict == PATTERN_PROVED && pattern->tier != pattern_lacking(pattern, check->k))
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
