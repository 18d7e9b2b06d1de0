// The exact solver for rows of four on every board that fits words of 128 bits.
#define GRAVITY_ENGINE gravity_engine_128_fours
#define GRAVITY_BITS 128
#define GRAVITY_K 4
#include "solver/gravity/gravity_search_internal.h"
