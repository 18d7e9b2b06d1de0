// Builds a turn from the principal variation of a search.
#include "agents/expected.h"

#include <string.h>

static_assert((int)NEGAMAX_DEPTH_MAX <= (int)DECISION_LINE_MAX, "a decision has room for a principal variation");

static Proven proven_of(const NegamaxResult *result)
{
    return !result->proven ? PROVEN_NOTHING : result->won ? PROVEN_WIN : result->lost ? PROVEN_LOSS : PROVEN_DRAW;
}

static void report(const NegamaxResult *result, double score, Decision *decision)
{
    decision->score = score;
    decision->depth = result->depth;
    decision->line_count = result->line_count;
    memcpy(decision->line, result->line, result->line_count * sizeof(Cell));
    decision->proven = proven_of(result);
    if (result->proven)
        decision->distance = result->distance;
}

void expected_add(const NegamaxResult *result, double score, Board *after, Decision *decision)
{
    assert(result->line_count > 0);
    Side side = board_side(after);
    decision->nodes += result->nodes;
    if (decision->count == 0)
        report(result, score, decision);
    for (unsigned i = 0; i < result->line_count && !board_is_over(after) && board_side(after) == side; i++) {
        decision->stones[decision->count++] = result->line[i];
        (void)board_play(after, result->line[i]);
    }
}

uint64_t expected_nodes_left(uint64_t nodes, const Decision *decision)
{
    return nodes == 0 ? 0 : nodes > decision->nodes ? nodes - decision->nodes : 1;
}
