// The exact solver for every board that fits words of 64 bits.
#define DROP_BITS 64
#include "search/drop_search_internal.h"

const DropEngine drop_engine_64 = {DROP_BITS, sizeof(Shape), shape_init, probe, bound, threats_of_both};
