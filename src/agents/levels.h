// Levels: a player of graded strength, as an opponent that people can beat (Vasilchenko and Johnson, who aim at an
// agent that is good but not unbeatable). agents/agent_level.c plays the levels; this header defines them.
//
// A level is an agent with limited search that makes errors: for each stone it skips the best-rated cell with a
// probability, then the next best with the same probability, and so on. So errors are plausible: mostly the second or
// third choice. Levels above LEVELS_CARELESS never lose at once, and levels above LEVELS_BLIND also complete every
// available row. Nothing else depends on the underlying agent: a stronger agent needs other plans only.
#pragma once

#include "game/rules.h"

#include <stdint.h>

enum {
    LEVELS_MAX = 10,
    LEVELS_CARELESS = 2, // up to this level an error may lose at once
    LEVELS_BLIND = 5,    // up to this level an error may miss an immediate win
};

// The number of levels for these rules: LEVELS_MAX, or fewer for games too small for that many steps.
unsigned levels_count(const Rules *rules);

typedef struct {
    const char *agent; // the underlying agent, in the notation of agent_open
    uint64_t nodes;    // nodes per turn; 0: the underlying agent has its own limit
    double slip;       // probability of skipping a cell, 0 <= slip < 1
} LevelPlan;

// The plan of a level from 1 to levels_count. The plans are tuned for the presets (docs/levels.md); other rules use the
// plans of the most similar preset.
LevelPlan levels_plan(const Rules *rules, unsigned level);
