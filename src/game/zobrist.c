// The random words of position keys.
#include "game/zobrist.h"

// splitmix64 of n, as a constant expression.
#define STEP(n) (((uint64_t)(n) + 1) * 0x9e3779b97f4a7c15u)
#define MIX_1(z) (((z) ^ ((z) >> 30)) * 0xbf58476d1ce4e5b9u)
#define MIX_2(z) (((z) ^ ((z) >> 27)) * 0x94d049bb133111ebu)
#define MIX_3(z) ((z) ^ ((z) >> 31))

// Each MIX doubles its text; eight times STEP for each key is still compiled in about a second.
#define KEY(n) MIX_3(MIX_2(MIX_1(STEP(n))))

#define CELL_1(n)                                                                                                      \
    {                                                                                                                  \
        KEY(2 * (n)), KEY(2 * (n) + 1)                                                                                 \
    }
#define CELL_4(n) CELL_1(n), CELL_1((n) + 1), CELL_1((n) + 2), CELL_1((n) + 3)
#define CELL_16(n) CELL_4(n), CELL_4((n) + 4), CELL_4((n) + 8), CELL_4((n) + 12)
#define CELL_64(n) CELL_16(n), CELL_16((n) + 16), CELL_16((n) + 32), CELL_16((n) + 48)
#define CELL_256(n) CELL_64(n), CELL_64((n) + 64), CELL_64((n) + 128), CELL_64((n) + 192)
#define CELL_1024(n) CELL_256(n), CELL_256((n) + 256), CELL_256((n) + 512), CELL_256((n) + 768)

const uint64_t zobrist_stone[RULES_CELLS_MAX][2] = {CELL_1024(0), CELL_1024(1024), CELL_1024(2048), CELL_1024(3072)};
