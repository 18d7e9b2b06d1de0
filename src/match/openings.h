// Openings: positions from which games of a match begin, each played twice with colours reversed.
#pragma once

#include "agents/agent.h"

typedef struct {
    unsigned count;
    Cell *stones;
} Opening;

// Zeroed is empty: every game begins from the empty board.
typedef struct {
    Opening *list;
    unsigned count;
    size_t capacity;
} Openings;

void openings_add(Openings *openings, const Cell *stones, unsigned count);
void openings_close(Openings *openings);

// Plays the stones of an opening on an empty game; they must be legal and not end it.
Status opening_play(const Opening *opening, Game *game, Error *error);

// Made as in Kulev and Wu §5: a shallow agent plays itself with much chance, and a position of the early game is taken.
typedef struct {
    const char *agent;  // who plays; NULL: adjacent
    double chance;      // share of stones that are placed at random instead, 0 to 1
    unsigned min_turns; // turns of the position, at least
    unsigned max_turns; // and at most
    bool keep_unquiet;  // also positions in which a side could complete a row in its next turn
    // As the paper says it: play to the end, and take any of the first max_turns positions; drop those from which
    // alpha-beta to this depth, with forcing sequences at every node, finds a win of either side. 0: draw the number of
    // turns first, and play only these.
    unsigned undecided;
    // Only positions that the engine, with that many nodes, holds for balanced: a chance of 40 to 60 % for either side,
    // or a draw that is proven. 0: it is not asked.
    uint64_t balanced;
    uint64_t seed;
    const atomic_bool *stop;
    void (*progress)(void *context, unsigned made); // after each opening; NULL: not reported
    void *context;
} OpeningRecipe;

// The default recipe: 1 to 10 turns, half of the stones at random, filtered.
OpeningRecipe opening_recipe(const Rules *rules, uint64_t seed);

// Makes `wanted` openings of these rules; the same recipe makes the same ones. Fewer, with STATUS_FAILED, when the
// rules do not have that many (the tries are bounded) or `stop` was raised.
Status openings_make(const OpeningRecipe *recipe, const Rules *rules, unsigned wanted, Openings *openings,
                     Error *error);
