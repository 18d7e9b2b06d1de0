// How many turns of Connect6 the agent `sequences` chooses a second, and how that compares with scanning every window
// anew for every cell.
#pragma once

#include <stdatomic.h>

// On boards with 41 stones, the first number of at least 40 at which a turn begins, from games the agent played against
// itself. Both are 0 when there is no memory for it.
void bench_sequences(double seconds, const atomic_bool *stop, double *turns_a_second, double *times_rescan);
