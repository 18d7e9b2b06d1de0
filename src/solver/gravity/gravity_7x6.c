// The exact solver for the common board of Connect Four.
#define GRAVITY_BITS 64
#define GRAVITY_K 4
#define GRAVITY_HEIGHT 6
#define GRAVITY_WIDTH 7
#include "solver/gravity/gravity_search_internal.h"

const GravityEngine gravity_engine_7x6 = {GRAVITY_BITS, sizeof(BoardGeometry), shape_init, probe,
                                          bound,        threats_of_both};
