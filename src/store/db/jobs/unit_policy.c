// The policy for units: sizes, heartbeats and pauses.
#include "store/db/jobs/unit_policy.h"

// A multiple of the step. Towards the end of a job each claim receives a small part of the remaining games, so that all
// workers finish together. A unit that failed is cut as small as possible, to set aside only the games that fail.
unsigned unit_size(const UnitOffer *offer, unsigned most)
{
    if (offer->is_whole)
        return offer->games;
    uint64_t share = offer->left / (2 * (offer->slots > 0 ? offer->slots : 1));
    uint64_t games = most < share ? most : share;
    if (offer->unit > 0)
        games = (uint64_t)offer->step * offer->unit;
    if (offer->failures > 0)
        games = offer->step;
    games = games / offer->step * offer->step;
    games = games < offer->step ? offer->step : games;
    return games < offer->games ? (unsigned)games : offer->games;
}

unsigned unit_stays(const UnitOffer *offer, unsigned games)
{
    unsigned rest = offer->games - games;
    uint64_t wanted = offer->slots / 4;
    wanted = wanted < UNIT_FIRST_UNITS ? UNIT_FIRST_UNITS : wanted;
    wanted = wanted > UNIT_OPEN_MAX ? UNIT_OPEN_MAX : wanted;
    // Half of the rest must be enough for several units, or splitting would only make units smaller.
    if (offer->open >= wanted || rest / 8 < games)
        return rest;
    return rest / (2 * offer->step) * offer->step;
}

// Long enough that claiming costs little, short enough that little is lost with a worker and that all workers finish
// together. All workers together should not claim more units a second than part of one core of the server can handle,
// at a millisecond each.
double unit_seconds(uint64_t slots)
{
    const double shortest = 1, longest = 16, units_a_second = 250;
    double seconds = (double)slots / units_a_second;
    return seconds < shortest ? shortest : seconds > longest ? longest : seconds;
}

// Faster games make larger units, up to UNIT_GAMES_MAX.
unsigned unit_most(double pace, double seconds, unsigned least)
{
    double most = pace * seconds;
    return most < least ? least : most < UNIT_GAMES_MAX ? (unsigned)most : UNIT_GAMES_MAX;
}

double unit_beat_seconds(double lease)
{
    const double most = 5;
    return lease / 4 < most ? lease / 4 : most;
}

// The pause doubles with each try, and is spread by `chance`.
static double growing(double shortest, double longest, unsigned tries, double chance)
{
    double pause = shortest;
    for (unsigned i = 0; i < tries && pause < longest; i++)
        pause *= 2;
    return (pause < longest ? pause : longest) * (0.5 + chance / 2);
}

double unit_late_seconds(unsigned tries, double chance)
{
    return growing(0.01, UNIT_IDLE_SECONDS, tries, chance);
}

double unit_retry_seconds(unsigned tries, double chance)
{
    return growing(0.5, 60, tries, chance);
}
