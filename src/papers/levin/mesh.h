// The board as an elastic surface in which stones cause depressions: Levin et al., Analysis of Computational Agents for
// Connect-k Games, section 3.3, Mesh. The more stones of a player in a region, the deeper it is.
//
// The depth of a tile is the weight of its stone plus "the average weight of the four nearest stones in each of the
// eight radials surrounding the tile"; the equations are solved iteratively. Read literally nothing needs to be solved,
// since weights are known. With the depths of the four nearest tiles of each radial instead, which is also what the
// authors' program computes, there is a system of equations:
//
//     depth(x) = weight(x) + e / 32 * (sum of the depths of the 32 tiles up to four steps from x)
//
// Tiles beyond the edge have depth 0 and count in the average: the surface hangs in a frame. The equation of the paper
// has elasticity e = 1.
//
// The iteration starts with the weights and applies the right side until no depth changes by more than `epsilon`, or
// for a maximum number of steps. It converges from any start. For e < 1 each step reduces the largest distance to the
// solution by at least the factor e. For e = 1 the frame is the reason: a tile near the edge averages some tiles of
// depth 0, which reduces the distance there, and within a few steps everywhere. In the long run a step with e = 1
// multiplies the change by 0.67 on 9x9, by 0.84 on 15x15, by 0.89 on 19x19 (1e-6 after 100 steps) and by 0.988 on
// 64x64.
//
// Example: a board of 3x1 cells with a stone of weight 1 in the first, e = 1/2. Each tile has the two others among its
// 32, so with the sum S of all depths
//
//     d = w + (S - d) / 64,   65 d = 64 w + S,   65 S = 64 + 3 S,   S = 32/31
//     d1 = 2016/2015,   d2 = d3 = 32/2015
//
// With e = 1: d = w + (S - d) / 32, 33 d = 32 w + S, 33 S = 32 + 3 S, S = 16/15, d1 = 496/495, d2 = d3 = 16/495.
//
// Depths are whole numbers of 2^-32 stones. Sums of whole numbers do not depend on their order: tiles that are equal by
// symmetry have exactly the same depth, and the result is the same on every machine.
#pragma once

#include "game/board.h"

#define MESH_STONE (INT64_C(1) << 32) // a depth of 1

enum {
    MESH_REACH = 4,                                      // steps along a radial
    MESH_WIDTH = RULES_SIDE_MAX + 2 * MESH_REACH,        // with the frame on both sides
    MESH_ELASTICITY_ONE = 1024,                          // elasticity 1, the largest
    MESH_DIVISOR = 8 * MESH_REACH * MESH_ELASTICITY_ONE, // from a sum over tiles, times elasticity, to what is added
};

typedef struct {
    int64_t own, other;  // weights of stones, at most MESH_STONE either way
    unsigned elasticity; // in 1024ths, at most MESH_ELASTICITY_ONE
    int64_t epsilon;     // the iteration ends when no depth changes by more
    unsigned steps;      // maximum number of steps
} MeshSettings;

typedef struct {
    unsigned now; // which of the two surfaces is the newer
    int64_t depth[2][MESH_WIDTH * MESH_WIDTH];
    int64_t weight[RULES_CELLS_MAX];
} Mesh;

// Solves a zeroed mesh for the stones of a board from the point of view of `side`; returns the number of steps. The
// same mesh may be used again for boards of the same rules.
unsigned mesh_solve(Mesh *mesh, const Board *board, Side side, const MeshSettings *settings);

static inline unsigned mesh_index(Cell cell)
{
    return (cell_row(cell) + MESH_REACH) * MESH_WIDTH + cell_column(cell) + MESH_REACH;
}

static inline int64_t mesh_depth(const Mesh *mesh, Cell cell)
{
    return mesh->depth[mesh->now][mesh_index(cell)];
}
