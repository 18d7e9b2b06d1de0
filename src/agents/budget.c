// Computes the time for a turn from its budget.
#include "agents/budget.h"

#include "base/clock.h"

#include <math.h>

enum { CLOCK_TURNS = 20 };

static double without_margin(double limit)
{
    double margin = fmin(0.002 + fmin(0.02 * limit, 0.3), limit / 2);
    return limit - margin;
}

// Expected number of turns that the side to move still has.
static double turns_to_come(const Board *board)
{
    double empty = board->cells - (double)board_count(board);
    return fmin(fmax(ceil(empty / (2.0 * board->rules.p)), 1), CLOCK_TURNS);
}

// The time for a turn from a clock with `clock` seconds left.
static BudgetSeconds share_of(double clock, double increment, const Board *board)
{
    const double of_increment = 0.8, shares = 3, of_clock = 0.3;
    double usable = without_margin(clock);
    double share = fmin(usable / turns_to_come(board) + of_increment * increment, usable);
    return (BudgetSeconds){share, fmax(share, fmin(shares * share, of_clock * usable))};
}

BudgetSeconds budget_seconds(const Budget *budget, const Board *board)
{
    double clock = budget->clock[board_side(board)];
    BudgetSeconds seconds = {INFINITY, INFINITY};
    if (clock > 0)
        seconds = share_of(clock, budget->increment, board);
    if (budget->seconds > 0 && (clock <= 0 || budget->seconds < clock)) {
        double usable = without_margin(budget->seconds);
        seconds.usual = fmin(seconds.usual, usable);
        seconds.most = fmin(seconds.most, usable);
    }
    return (BudgetSeconds){fmax(seconds.usual, BUDGET_LEAST), fmax(seconds.most, BUDGET_LEAST)};
}

double budget_deadline(const Budget *budget, const Board *board)
{
    double seconds = budget_seconds(budget, board).usual;
    return isfinite(seconds) ? clock_seconds() + seconds : 0;
}
