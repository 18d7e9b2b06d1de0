// The exact solver for rows of four on every board that fits words of 64 bits.
#define GRAVITY_ENGINE gravity_engine_64_fours
#define GRAVITY_BITS 64
#define GRAVITY_K 4
#include "solver/gravity/gravity_search_internal.h"
