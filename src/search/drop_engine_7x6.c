// The exact solver for the common board of Connect Four.
#define DROP_BITS 64
#define DROP_K 4
#define DROP_HEIGHT 6
#define DROP_WIDTH 7
#include "search/drop_search_internal.h"

const DropEngine drop_engine_7x6 = {DROP_BITS, sizeof(Shape), shape_init, probe, bound, threats_of_both};
