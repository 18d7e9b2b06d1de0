// The alpha-beta agent of Szóts and Harmati, section 3.2: a search of five stones over the cells with the largest
// potentials, with a value of the game that every stone updates. papers/patterns/potential_search.h describes the
// search and the decisions where the paper is silent.
//
// The paper states only that the branching factor is "fixed" and "tuned for keeping time limits" (section 5.2); the
// default of 6 is that of its main agent (section 4.3). The change of the value by a stone can be read in two ways
// (papers/patterns/potential.h). With the literal `before=summed` the search loses to no search at all; with the
// default `signed` it wins as often as the paper reports, and draws more of the other games.
#include "agents/expected.h"
#include "papers/patterns/potential_search.h"

enum { BEFORE_SUMMED, BEFORE_SIGNED }; // in the order of the choices

static Status open(void *state, const AgentConfig *config, Error *error)
{
    PotentialSearch **search = state;
    const OptionValues *values = &config->options;
    PotentialSearchOptions options = {
        .depth = (unsigned)options_int(values, "depth"),
        .branching = (unsigned)options_int(values, "branching"),
        .base = (unsigned)options_int(values, "m"),
        .summed = options_choice(values, "before") == BEFORE_SUMMED,
    };
    (void)error;
    *search = potential_search_open(&options, &config->rules);
    return STATUS_OK;
}

static void close(void *state)
{
    potential_search_close(*(PotentialSearch **)state);
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    PotentialSearch *search = *(PotentialSearch **)state;
    Board after;
    board_copy(&after, &game->board);
    Side side = board_side(&after);
    Limits limits = {budget_deadline(&task->budget, &after), 0, task->budget.depth, task->stop};
    while (!board_is_over(&after) && board_side(&after) == side) {
        limits.nodes = expected_nodes_left(task->budget.nodes, decision);
        NegamaxResult result = potential_search_run(search, &after, &limits, task->rng);
        expected_add(&result, (double)result.value, &after, decision);
    }
}

static const AgentOption options[] = {
    {"depth", OPTION_INT, "5", 1, POTENTIAL_SEARCH_DEPTH_MAX, NULL, "search depth in stones"},
    {"branching", OPTION_INT, "6", 1, RULES_CELLS_MAX, NULL, "cells examined for each stone"},
    {"m", OPTION_INT, "10", 1, POTENTIAL_BASE_MAX, NULL,
     "ratio of the value of a window to that of one with a stone less"},
    {"before", OPTION_CHOICE, "signed", 0, 0, "summed signed",
     "value of a cell before the stone: sum of both sides' parts, or own part minus the other's"},
    {0},
};

const AgentKind agent_incremental = {
    .name = "incremental",
    .summary = "looks five stones ahead over the cells with the most rows",
    .source = "Szóts and Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent, section 3.2",
    .options = options,
    .state_size = sizeof(PotentialSearch *),
    .open = open,
    .decide = decide,
    .close = close,
};
