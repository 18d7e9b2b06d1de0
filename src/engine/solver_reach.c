// How far from the end of a game an exact solver is worth asking, from measured node counts.
#include "engine/solver_reach.h"

#include "base/clock.h"

#include <math.h>

// With `nodes` nodes the solver often finishes if `cells` cells are empty; one cell more takes about 1.75 times as many
// nodes. The gravity solver is fast; df-pn spends much time per node. Measured on empty boards: 6x6:k=4,gravity five
// million nodes, 5x5:k=4 45 thousand, 6x5:k=4 157 thousand.
//
// With fewer nodes the search, too, sees little, and half of the time is much to lose. So in gravity games the solver
// counts as likely to finish only if a cell more took `caution` times as many nodes: it then finishes in two of three
// cases. In games of 8x8:k=5 and 7x7:k=5 with 90 thousand nodes it does so in 53 and 28 of 100 positions with 30 empty
// cells, in 80 and 68 with 28. Between the two growth rates it gets a short trial: a few positions are easy and take
// few nodes even far from the end.
typedef struct {
    double nodes, cells, nodes_a_second, caution;
} Reach;
static const double reach_growth = 1.75;
static const Reach reach_falling = {4194304, 37.4, 1e7, 1.55}, reach_free = {16384, 29, 1e5, 1.75};

// Nodes per second before the solver has been measured. The gravity solver is fastest with rows of four on boards that
// fit a 64-bit word; other row lengths need a loop, and larger boards two words.
double solver_reach_speed(const Rules *rules, bool falls)
{
    if (!falls)
        return reach_free.nodes_a_second;
    if ((rules->height + 1) * rules->width > 64)
        return reach_falling.nodes_a_second / 10;
    return rules->k == 4 ? reach_falling.nodes_a_second : reach_falling.nodes_a_second / 2;
}

// The number of empty cells up to which the solver finishes with that many nodes if each cell takes `growth` times
// more.
static double cells_within(const Reach *reach, double nodes, double growth)
{
    return reach->cells + log(nodes / reach->nodes) / log(growth);
}

static double nodes_within(const Limits *limits, double nodes_a_second)
{
    double nodes = limits->nodes > 0 ? (double)limits->nodes : INFINITY;
    if (limits->deadline > 0)
        nodes = fmin(nodes, fmax(limits->deadline - clock_seconds(), 0) * nodes_a_second);
    return nodes;
}

SolverReach solver_reach(const Board *board, bool falls, const Limits *limits, double speed)
{
    const Reach *reach = falls ? &reach_falling : &reach_free;
    unsigned empty = board->cells - board_count(board);
    double nodes = nodes_within(limits, speed);
    double growth = nodes < reach->nodes ? reach->caution : reach_growth;
    if (empty <= cells_within(reach, nodes, growth))
        return REACH_LIKELY;
    nodes = nodes_within(limits, reach->nodes_a_second);
    return empty <= cells_within(reach, nodes, reach_growth) ? REACH_POSSIBLE : REACH_NONE;
}
