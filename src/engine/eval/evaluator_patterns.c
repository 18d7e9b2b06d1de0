// The evaluation by patterns: the sum over all empty cells of what their line patterns are worth for either side, plus
// a term for the threats on the board. The pattern board keeps the sums with every stone.
#include "engine/eval/evaluator.h"

static bool supports(const Rules *rules)
{
    (void)rules;
    return true;
}

static int value(void *state, const PatternBoard *patterns, int alpha, int beta)
{
    (void)state, (void)alpha, (void)beta;
    return pattern_board_value(patterns);
}

// evaluator.c declares all evaluators itself, so no header declares this one; without the line, analysers suggest
// `static`.
extern const EvaluatorKind evaluator_patterns;
const EvaluatorKind evaluator_patterns = {
    .name = "patterns",
    .summary = "line patterns with tuned weights, and the threats of both sides",
    .supports = supports,
    .value = value,
};
