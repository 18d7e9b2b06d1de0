// Durations of games: the 41 quantiles 0/40, 1/40, … 40/40 of measured durations in seconds. `tools/measure-units
// lengths` measures them again.
#include "fleet/fleet_internal.h"

#include <assert.h>

// In the order of the choices; engine against engine at 0.1 s per turn, from generated openings (--openings).
static const double quantiles[][GAME_QUANTILES + 1] = {
    {0.00, 0.03, 0.10, 0.20, 0.22, 0.32, 0.37, 0.39, 0.47, 0.50, 0.53, 0.59,  0.64, 0.66,
     0.70, 0.75, 0.84, 0.91, 0.97, 1.03, 1.07, 1.11, 1.20, 1.24, 1.31, 1.39,  1.52, 1.65,
     1.75, 2.00, 2.25, 2.46, 2.70, 2.94, 3.31, 3.57, 4.30, 5.32, 7.58, 11.92, 23.96}, // gomoku: 280 games
    {0.00, 0.02, 0.05, 0.05, 0.08, 0.10, 0.15, 0.18, 0.25, 0.32, 0.36, 0.40, 0.43, 0.45,
     0.48, 0.50, 0.52, 0.54, 0.59, 0.61, 0.64, 0.66, 0.69, 0.73, 0.76, 0.78, 0.81, 0.85,
     0.90, 0.99, 1.08, 1.14, 1.29, 1.42, 1.66, 1.97, 2.26, 2.79, 3.26, 4.01, 14.90}, // connect6: 380 games
    {0.00, 0.18, 0.27, 0.38, 0.45, 0.49, 0.52, 0.57, 0.61, 0.63, 0.64, 0.66, 0.69, 0.73,
     0.74, 0.77, 0.80, 0.83, 0.86, 0.89, 0.92, 0.94, 0.95, 0.98, 0.99, 1.01, 1.03, 1.06,
     1.09, 1.12, 1.14, 1.19, 1.21, 1.24, 1.27, 1.32, 1.34, 1.40, 1.43, 1.51, 1.82}, // connect4: 380 games
};

GameLengths game_lengths(unsigned choice, double scale, uint64_t seed)
{
    bool is_fixed = choice >= sizeof quantiles / sizeof quantiles[0];
    return (GameLengths){.quantiles = is_fixed ? NULL : quantiles[choice], .scale = scale, .seed = seed};
}

// Between two quantiles, the distribution is uniform.
double game_length(const GameLengths *lengths, uint64_t number)
{
    if (lengths->quantiles == NULL)
        return lengths->scale;
    double at = (double)(rng_derive(lengths->seed, number) >> 11) / 9007199254740992.0 * GAME_QUANTILES; // 2^53
    unsigned n = (unsigned)at;
    assert(n < GAME_QUANTILES);
    return lengths->scale * (lengths->quantiles[n] + (at - n) * (lengths->quantiles[n + 1] - lengths->quantiles[n]));
}

double game_length_mean(const GameLengths *lengths)
{
    double sum = lengths->quantiles != NULL ? 0 : 1;
    for (unsigned n = 0; lengths->quantiles != NULL && n < GAME_QUANTILES; n++)
        sum += (lengths->quantiles[n] + lengths->quantiles[n + 1]) / (2 * GAME_QUANTILES);
    return lengths->scale * sum;
}
