// The exact solver for boards that need words of 128 bits.
#define GRAVITY_ENGINE gravity_engine_128
#define GRAVITY_BITS 128
#include "solver/gravity/gravity_search_internal.h"
