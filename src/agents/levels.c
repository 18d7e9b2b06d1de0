// The number of levels and the plan of each.
#include "agents/levels.h"

#include <assert.h>
#include <string.h>

// Games with at most SMALL_CELLS cells are too small for ten levels.
enum { SMALL_CELLS = 16, SMALL_LEVELS = 3 };

// Nodes per turn on boards of the usual size. Larger boards get fewer, since a node costs more there, so that a turn
// takes a fraction of a second on every board. Solvers and the engine have their own limits: solver nodes are cheaper,
// engine nodes cost about the same on every board.
enum { NODES = 20000, NODES_CELLS = 400 };

typedef struct {
    const char *agent;
    double slip;
} Step;

// The underlying agent is `sequences` with a depth in stones: of the agents without exact values the strongest in every
// preset for the time it takes. At 0.03 s per turn `sequences:depth=4,width=8` came first of eight or nine agents on
// gomoku (66 %) and connect4 (67 %), and first of seven on connect6 (86 %), before connect5, kagami, chain, patterns
// and threats. Under gravity `perfect` is stronger still (75 % against sequences:depth=9 on connect4), in less time.
// The highest levels use the engine without its book, so that a level does not depend on the book, and all but the
// last one without a network, with which they were not tuned.
#define STATIC "sequences"
#define AHEAD(stones) "sequences:width=8+depth=" #stones
#define SOLVER "perfect:"
#define SOLVING(positions) SOLVER "nodes=" #positions
#define ENGINE "engine:"
#define ENGINE_BEST(positions) ENGINE "memory=8+book=0+nodes=" #positions
#define ENGINE_WITH(positions) ENGINE_BEST(positions) "+network=none"

// Slips were tuned from the highest level down, so that each level scores about 75 % against the one below; 65 % under
// gravity, where the strongest search and a random agent that never loses at once are closer together.

// Tuned on tictactoe, from the empty board.
static const Step small_steps[SMALL_LEVELS] = {
    {STATIC, 0.60},
    {STATIC, 0.25},
    {AHEAD(9), 0},
};

// Tuned on connect4.
static const Step gravity_steps[LEVELS_MAX] = {
    {STATIC, 0.770},   {STATIC, 0.620},   {STATIC, 0.985},   {STATIC, 0.720},         {AHEAD(2), 0.490},
    {AHEAD(4), 0.300}, {AHEAD(5), 0.110}, {AHEAD(7), 0.045}, {SOLVING(20000), 0.023}, {SOLVING(300000), 0},
};

// p = q = 1 without gravity; tuned on gomoku.
static const Step flat_steps[LEVELS_MAX] = {
    {STATIC, 0.836},   {STATIC, 0.765},   {STATIC, 0.805},       {AHEAD(2), 0.756},      {AHEAD(2), 0.634},
    {AHEAD(4), 0.440}, {AHEAD(4), 0.166}, {ENGINE_WITH(150), 0}, {ENGINE_WITH(1000), 0}, {ENGINE_BEST(20000), 0},
};

// Several stones per turn; tuned on connect6.
static const Step turn_steps[LEVELS_MAX] = {
    {STATIC, 0.847},   {STATIC, 0.792},   {STATIC, 0.985},   {AHEAD(2), 0.860},      {AHEAD(2), 0.765},
    {AHEAD(4), 0.793}, {AHEAD(4), 0.586}, {AHEAD(4), 0.296}, {ENGINE_WITH(1000), 0}, {ENGINE_BEST(20000), 0},
};

unsigned levels_count(const Rules *rules)
{
    return rules_cells(rules) <= SMALL_CELLS ? SMALL_LEVELS : LEVELS_MAX;
}

static const Step *steps_of(const Rules *rules)
{
    if (rules_cells(rules) <= SMALL_CELLS)
        return small_steps;
    return rules->p > 1 ? turn_steps : rules->gravity ? gravity_steps : flat_steps;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static uint64_t nodes_of(const Step *step, const Rules *rules)
{
    unsigned cells = rules_cells(rules);
    if (begins_with(step->agent, SOLVER) || begins_with(step->agent, ENGINE))
        return 0;
    return cells <= NODES_CELLS ? NODES : NODES * NODES_CELLS / cells;
}

LevelPlan levels_plan(const Rules *rules, unsigned level)
{
    assert(level >= 1 && level <= levels_count(rules));
    const Step *step = &steps_of(rules)[level - 1];
    return (LevelPlan){.agent = step->agent, .nodes = nodes_of(step, rules), .slip = step->slip};
}
