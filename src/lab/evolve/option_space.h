// Ranges of an agent's options as a cube of points: "c=0..3,defence=0..4".
#pragma once

#include "agents/agent.h"
#include "lab/evolve/optimiser.h"

typedef struct {
    const AgentOption *option; // a number
    double low, high;
    double fallback, start; // its default, and the value in the agent's text
    unsigned decimals;      // of a value: about a thousand values in the range; whole numbers: 0
} OptionRange;

typedef struct {
    char *agent; // owned; the agent without the options of the ranges: the defaults
    char *start; // owned; with the values that it has in the given text
    OptionRange ranges[OPTIMISER_DIMENSIONS_MAX];
    unsigned count;
} OptionSpace;

// Checks the agent's text and the ranges. Close also after a failure.
Status option_space_open(OptionSpace *space, const char *agent, const char *ranges, Error *error);
void option_space_close(OptionSpace *space);

// Sets the dimensions, steps and start of a plan. Start values outside of the ranges are moved to their ends.
void option_space_plan(const OptionSpace *space, OptimiserPlan *plan);

// The value of range d at a point.
double option_space_value(const OptionSpace *space, unsigned d, const OptimiserPoint *point);

// The options at a point, "c=1.37,defence=2", and the agent with them.
void option_space_add_values(const OptionSpace *space, const OptimiserPoint *point, Text *text);
void option_space_add_agent(const OptionSpace *space, const OptimiserPoint *point, Text *text);

// Whether the values at a point are all those of the defaults, or of the start.
bool option_space_is_default(const OptionSpace *space, const OptimiserPoint *point);
bool option_space_is_start(const OptionSpace *space, const OptimiserPoint *point);
