// The evaluation by a network, added to the evaluation that the family has without one.
#include "engine/eval/evaluator.h"
#include "engine/eval/network.h"

// The network seldom changes a value by this much.
enum { FAR = 200 };

typedef struct {
    Evaluator simple;
    const Network *network;
    NetworkState *state;
} NetworkEvaluator;

static bool supports(const Rules *rules)
{
    return network_suits(rules);
}

static void close(void *state)
{
    NetworkEvaluator *self = state;
    network_state_close(self->state);
    evaluator_close(&self->simple);
}

static Status open(void *state, const PatternBoard *patterns, Error *error)
{
    NetworkEvaluator *self = state;
    self->network = patterns->tables->network;
    Status status = evaluator_open(&self->simple, evaluator_default(&patterns->rules), patterns, error);
    if (status == STATUS_OK)
        status = network_state_open(&self->state, self->network, error);
    if (status != STATUS_OK)
        close(self);
    return status;
}

static void set(void *state, const PatternBoard *patterns)
{
    NetworkEvaluator *self = state;
    evaluator_set(&self->simple, patterns);
    network_state_set(self->state, patterns);
}

static int value(void *state, const PatternBoard *patterns, int alpha, int beta)
{
    NetworkEvaluator *self = state;
    int simple = evaluator_value(&self->simple, patterns, alpha, beta);
    if (simple <= alpha - FAR || simple >= beta + FAR)
        return simple;
    return network_value(self->network, network_odds(self->state, patterns, simple));
}

const EvaluatorKind evaluator_network = {
    .name = "network",
    .summary = "a network over line shapes, added to the simpler evaluation",
    .supports = supports,
    .state_size = sizeof(NetworkEvaluator),
    .open = open,
    .close = close,
    .set = set,
    .value = value,
};
