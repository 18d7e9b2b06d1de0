#include "agents/expected.h"

#include <string.h>

static void tell(const Expected *expected, Decision *decision)
{
    assert(expected->count > 0 && expected->count <= DECISION_LINE_MAX);
    decision->score = expected->score;
    decision->depth = expected->depth;
    decision->line_count = expected->count;
    memcpy(decision->line, expected->line, expected->count * sizeof(Cell));
    decision->proven = expected->proven;
    if (expected->proven != PROVEN_NOTHING)
        decision->distance = expected->distance;
}

void expected_add(const Expected *expected, Board *after, Decision *decision)
{
    Side side = board_side(after);
    decision->nodes += expected->nodes;
    if (decision->count == 0)
        tell(expected, decision);
    for (unsigned i = 0; i < expected->count && !board_is_over(after) && board_side(after) == side; i++) {
        decision->stones[decision->count++] = expected->line[i];
        (void)board_play(after, expected->line[i]);
    }
}

uint64_t expected_nodes_left(uint64_t nodes, const Decision *decision)
{
    return nodes == 0 ? 0 : nodes > decision->nodes ? nodes - decision->nodes : 1;
}
