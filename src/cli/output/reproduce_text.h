// A paper's experiments, printed: published beside measured figures, and the list of experiments.
#pragma once

#include "papers/experiment/reproduce.h"

void reproduce_print(const Reproduction *done);
void reproduce_print_all(const PaperStates *states);
void reproduce_print_list(const Paper *const *list, int count);
