// A turn made of the play that a search expects: its first stones are those of the turn, and what the first search of a
// turn says is told with it. Where a search expects fewer stones than the turn has, it is asked again from there.
#pragma once

#include "agents/agent.h"

// What a search found, for the side to move.
typedef struct {
    double score;
    unsigned depth;
    uint64_t nodes;
    Proven proven;
    int distance; // of what is proven
    const Cell *line;
    unsigned count; // at least 1, at most DECISION_LINE_MAX
} Expected;

// A result as PROVEN_… by what a search knows of it.
static inline Proven expected_proven(bool proven, bool win, bool loss)
{
    return !proven ? PROVEN_NOTHING : win ? PROVEN_WIN : loss ? PROVEN_LOSS : PROVEN_DRAW;
}

// Adds the stones of the turn that the search expects, and plays them on `after`, where the side moves.
void expected_add(const Expected *expected, Board *after, Decision *decision);

// What is left of the nodes of a turn for its next search, at least 1; 0 if they have no limit.
uint64_t expected_nodes_left(uint64_t nodes, const Decision *decision);
