// The exact solver for rows of four on every board that fits words of 128 bits.
#define DROP_BITS 128
#define DROP_K 4
#include "search/drop_search_internal.h"

const DropEngine drop_engine_128_fours = {DROP_BITS, sizeof(Shape), shape_init, probe, bound, threats_of_both};
