// The exact solver for boards that need words of 128 bits.
#define GRAVITY_BITS 128
#include "solver/gravity/gravity_search_internal.h"

const GravityEngine gravity_engine_128 = {GRAVITY_BITS, sizeof(BoardGeometry), shape_init, probe,
                                          bound,        threats_of_both};
