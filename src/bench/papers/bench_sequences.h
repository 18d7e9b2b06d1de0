// How many turns of Connect6 the agent `sequences` chooses a second, and how that compares with scanning every window
// anew for every cell.
#pragma once

#include "bench/common/slices.h"

// On boards with 41 stones, the first number of at least 40 at which a turn begins, from games the agent played against
// itself.
SliceMedians bench_sequences(double seconds, const atomic_bool *stop);
