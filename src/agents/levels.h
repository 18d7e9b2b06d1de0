// Levels: one player from weak to strong, for opponents people can beat (Vasilchenko and Johnson, whose motive is an
// agent that is good but not unbeatable). agents/agent_level.c plays them; this says what each of them is.
//
// A level is an agent with a limited look-ahead that makes errors: each stone passes over the cell that is
// liked best with a probability, then the next best with the same one, and so on. So errors are plausible: mostly the
// second or third choice. Above LEVELS_CARELESS they never lose at once, and above LEVELS_BLIND they also complete
// every row at hand. Nothing else depends on who thinks: a stronger agent only needs other plans.
#pragma once

#include "game/rules.h"

#include <stdint.h>

enum {
    LEVELS_MAX = 10,
    LEVELS_CARELESS = 2, // up to here an error may lose at once
    LEVELS_BLIND = 5,    // up to here an error may pass over a row at hand
};

// How many levels there are for these rules: LEVELS_MAX, or fewer where a game is too small for as many steps.
unsigned levels_count(const Rules *rules);

typedef struct {
    const char *agent; // who thinks, as agent_open has it
    uint64_t nodes;    // positions of a turn; 0: the underlying agent has a limit of its own
    double slip;       // the probability to pass over a cell, from 0 to below 1
} LevelPlan;

// The plan of a level, from 1 to levels_count. Plans were fitted for the presets (docs/levels.md); other rules have
// those of the most similar one.
LevelPlan levels_plan(const Rules *rules, unsigned level);
