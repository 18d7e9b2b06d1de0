// Computes the agents, colours and opening of game n.
#include "match/schedule.h"

#include <assert.h>

unsigned schedule_pairs(const Schedule *schedule)
{
    unsigned n = schedule->agents;
    return schedule->format == SCHEDULE_ROUND_ROBIN ? n * (n - 1) / 2 : n - 1;
}

unsigned schedule_games(const Schedule *schedule)
{
    return schedule_pairs(schedule) * schedule->games;
}

// The agents of a pair: round robin 0-1, 0-2, … 1-2, …; gauntlet 0-1, 0-2, …; ladder 0-1, 1-2, ….
static void agents_of_pair(const Schedule *schedule, unsigned pair, unsigned *a, unsigned *b)
{
    if (schedule->format == SCHEDULE_LADDER) {
        *a = pair;
        *b = pair + 1;
        return;
    }
    *a = 0;
    for (unsigned row = schedule->agents - 1; pair >= row; row--) {
        pair -= row;
        (*a)++;
    }
    *b = *a + 1 + pair;
}

ScheduledGame schedule_game(const Schedule *schedule, unsigned number)
{
    unsigned pairs = schedule_pairs(schedule), both = schedule->games / 2 * 2 * pairs;
    assert(number < schedule_games(schedule));
    ScheduledGame game = {0};
    unsigned round = 0;
    if (number < both) {
        round = number / (2 * pairs);
        game.pair = number % (2 * pairs) / 2;
        game.reversed = number % 2 == 1;
    } else {
        // An odd number of games per pair: the last opening is played once.
        round = schedule->games / 2;
        game.pair = number - both;
    }
    game.opening = schedule->openings > 0 ? round % schedule->openings : 0;
    agents_of_pair(schedule, game.pair, &game.a, &game.b);
    return game;
}
