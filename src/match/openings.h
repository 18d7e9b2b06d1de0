// Openings: start positions of a match's games, each played twice with colours reversed.
#pragma once

#include "agents/agent.h"

typedef struct {
    unsigned count;
    Cell *stones;
} Opening;

// Zeroed: no openings, every game begins from the empty board.
typedef struct {
    Opening *list;
    unsigned count;
    size_t capacity;
} Openings;

void openings_add(Openings *openings, const Cell *stones, unsigned count);
void openings_close(Openings *openings);

// Plays the stones of an opening on an empty game. An error if one is illegal or ends the game.
Status opening_play(const Opening *opening, Game *game, Error *error);

// Generation as in Kulev and Wu §5: a shallow agent plays itself with random stones; an early position is taken.
typedef struct {
    const char *agent;  // NULL: adjacent
    double chance;      // share of stones placed at random instead, 0 to 1
    unsigned min_turns; // turns of the position
    unsigned max_turns;
    bool keep_unquiet; // keep positions in which a side could complete a row in its next turn
    // The paper's method: play to the end, and take any of the first max_turns positions, except those from which
    // alpha-beta to this depth, with forcing sequences at every node, finds a win of either side. 0: choose the number
    // of turns first, and play only these.
    unsigned undecided;
    // Keep only positions that the engine with this number of nodes finds balanced: 40 to 60 % for either side, or a
    // proven draw. 0: not checked.
    uint64_t balanced;
    unsigned candidates; // with `balanced`: number of positions to judge altogether; 0: no limit
    uint64_t seed;
    const atomic_bool *stop;
    void (*progress)(void *context, unsigned made); // after each opening; NULL: not reported
    void *context;
} OpeningRecipe;

// The default recipe: 1 to 10 turns, half of the stones at random, quiet positions only.
OpeningRecipe opening_recipe(const Rules *rules, uint64_t seed);

// Balanced openings: 3 to 8 turns of stones near others, which a short search rates as balanced. The number of
// positions that are judged is bounded.
OpeningRecipe opening_recipe_balanced(const Rules *rules, uint64_t seed, unsigned wanted);

// Makes `wanted` openings; the same recipe makes the same ones. Fewer, with STATUS_FAILED, if the rules do not have
// that many (the number of tries is bounded) or `stop` was raised.
Status openings_make(const OpeningRecipe *recipe, const Rules *rules, unsigned wanted, Openings *openings,
                     Error *error);
