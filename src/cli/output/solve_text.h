// The exact values of a position, printed.
#pragma once

#include "lab/solve/solve.h"

void solve_print(const Solving *solving);
