// The list of evaluators, and the memory of one.
#include "engine/eval/evaluator.h"

#include "base/memory.h"

#include <stdlib.h>

#define EVALUATOR(name) extern const EvaluatorKind evaluator_##name;
#include "engine/eval/evaluators.def"
#undef EVALUATOR

#define EVALUATOR(name) &evaluator_##name,
static const EvaluatorKind *const evaluators[] = {
#include "engine/eval/evaluators.def"
};
#undef EVALUATOR

const EvaluatorKind *evaluator_default(const Rules *rules)
{
    size_t last = sizeof evaluators / sizeof evaluators[0] - 1;
    while (last > 0 && !evaluators[last]->supports(rules)) // the first one supports all rules
        last--;
    return evaluators[last];
}

Status evaluator_open(Evaluator *evaluator, const EvaluatorKind *kind, const PatternBoard *patterns, Error *error)
{
    *evaluator = (Evaluator){.kind = kind};
    if (kind->state_size > 0)
        evaluator->state = memory_new(1, kind->state_size);
    Status status = kind->open != NULL ? kind->open(evaluator->state, patterns, error) : STATUS_OK;
    if (status != STATUS_OK) {
        free(evaluator->state);
        *evaluator = (Evaluator){0};
    }
    return status;
}

void evaluator_close(Evaluator *evaluator)
{
    if (evaluator->kind != NULL && evaluator->kind->close != NULL)
        evaluator->kind->close(evaluator->state);
    free(evaluator->state);
    *evaluator = (Evaluator){0};
}
