// The exact solver for boards that need words of 128 bits.
#define DROP_BITS 128
#include "search/drop_search_internal.h"

const DropEngine drop_engine_128 = {DROP_BITS, sizeof(Shape), shape_init, probe, bound, threats_of_both};
