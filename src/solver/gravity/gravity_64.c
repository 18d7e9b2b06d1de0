// The exact solver for every board that fits words of 64 bits.
#define GRAVITY_BITS 64
#include "solver/gravity/gravity_search_internal.h"

const GravityEngine gravity_engine_64 = {GRAVITY_BITS, sizeof(BoardGeometry), shape_init, probe,
                                         bound,        threats_of_both};
