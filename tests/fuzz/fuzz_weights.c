// Weights as text. Accepted weights are unchanged when written and read again, and their values are within limits. The
// first byte chooses the rules.
#include "base/memory.h"
#include "engine/eval/weights.h"
#include "fuzz/fuzz.h"

static void require_limits(const Weights *weights)
{
    for (unsigned i = 0; i < WEIGHTS_CODES; i++) {
        REQUIRE(weights->code[i] >= -WEIGHTS_VALUE_MAX && weights->code[i] <= WEIGHTS_VALUE_MAX);
        REQUIRE(weights->move[i].own >= -WEIGHTS_MOVE_MAX && weights->move[i].own <= WEIGHTS_MOVE_MAX);
        REQUIRE(weights->move[i].block >= -WEIGHTS_MOVE_MAX && weights->move[i].block <= WEIGHTS_MOVE_MAX);
    }
    for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
        REQUIRE(weights->situation[i] >= -WEIGHTS_VALUE_MAX && weights->situation[i] <= WEIGHTS_VALUE_MAX);
}

static void require_same_again(const Weights *weights, const LinePatterns *line_patterns, const Rules *rules)
{
    static Weights again;
    Text text = {0};
    weights_format(weights, line_patterns, rules, span_of("here\nthere"), &text);
    REQUIRE(weights_parse(&again, line_patterns, rules, (Span){text.data, text.length}, NULL) == STATUS_OK);
    REQUIRE(memcmp(weights, &again, sizeof again) == 0);
    text_close(&text);
}

// Building the line patterns of some rules takes longer than reading weights.
static const LinePatterns *patterns_of(const Rules *rules)
{
    static LinePatterns *kept[FUZZ_RULES];
    unsigned at = 0;
    while (at < FUZZ_RULES && kept[at] != NULL && !rules_equal(&kept[at]->rules, rules))
        at++;
    REQUIRE(at < FUZZ_RULES);
    if (kept[at] == NULL) {
        kept[at] = memory_new(1, sizeof *kept[at]);
        REQUIRE(line_patterns_open(kept[at], rules, NULL) == STATUS_OK);
    }
    return kept[at];
}

FUZZ_TARGET(weights)
{
    static Weights weights;
    Span text = {(const char *)data, size};
    Rules rules = fuzz_rules(&text);
    const LinePatterns *line_patterns = patterns_of(&rules);
    Error error = {0};
    Status status = weights_parse(&weights, line_patterns, &rules, text, &error);
    if (status != STATUS_OK)
        require_refusal(status, &error);
    else
        require_same_again(&weights, line_patterns, &rules);
    require_limits(&weights);
    return 0;
}
