// The exact solver for every board that fits words of 64 bits.
#define GRAVITY_ENGINE gravity_engine_64
#define GRAVITY_BITS 64
#include "solver/gravity/gravity_search_internal.h"
