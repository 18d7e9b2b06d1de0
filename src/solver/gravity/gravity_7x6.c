// The exact solver for the standard board of Connect Four.
#define GRAVITY_ENGINE gravity_engine_7x6
#define GRAVITY_BITS 64
#define GRAVITY_K 4
#define GRAVITY_HEIGHT 6
#define GRAVITY_WIDTH 7
#include "solver/gravity/gravity_search_internal.h"
