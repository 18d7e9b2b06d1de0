// Shared by the optimisers.
#pragma once

#include "lab/evolve/optimiser.h"

double optimiser_uniform(Rng *rng); // at least 0, below 1
double optimiser_normal(Rng *rng);  // mean 0, deviation 1
double optimiser_clamp(double value);

void genetic_open(Optimiser *optimiser);
void genetic_take(Optimiser *optimiser, const double *scores);
void spsa_open(Optimiser *optimiser);
void spsa_take(Optimiser *optimiser, const double *scores);
