// The board as an elastic surface in which stones cause depressions: Levin et al., Analysis of Computational Agents for
// Connect-k Games, section 3.3, Mesh. The more stones of a player in a region, the deeper it is.
//
// The paper takes the weight of the stone of a tile and adds "the average weight of the four nearest stones in each of
// the eight radials surrounding the tile"; these equations are solved by iteration. Taken by the letter there is
// nothing to solve, since weights are known, and stones at the other end of the board would count as much as near ones.
// It becomes a set of equations, and a surface, when what is averaged are the depths of the four nearest tiles in each
// radial:
//
//     depth(x) = weight(x) + e / 32 * (the sum of the depths of the 32 tiles up to four steps from x)
//
// Tiles beyond the edge have depth 0 and are averaged as well: the surface hangs in a frame. The elasticity e is less
// than 1. The right side, taken as a step from one surface to the next, then brings any two surfaces together by at
// least the factor e in the largest distance: there is one solution, and the steps lead there from anywhere. They begin
// with the weights and end when no depth has changed by more than `epsilon`, which leaves an error of at most epsilon e
// / (1 - e), or after a largest number of steps.
//
// By hand, a board of 3x1 cells with a stone of weight 1 in the first, e = 1/2. Each tile has the two others among its
// 32, so with the sum S of all depths
//
//     d = w + (S - d) / 64,   65 d = 64 w + S,   65 S = 64 + 3 S,   S = 32/31
//     d1 = 2016/2015,   d2 = d3 = 32/2015
//
// Depths are whole numbers of 2^-32 stones. Sums of whole numbers do not depend on their order: tiles that are equal by
// symmetry have exactly the same depth, and every machine finds the same.
#pragma once

#include "game/board.h"

#define MESH_STONE (INT64_C(1) << 32) // a depth of 1

enum {
    MESH_REACH = 4,                                      // steps along a radial
    MESH_WIDTH = RULES_SIDE_MAX + 2 * MESH_REACH,        // with the frame on both sides
    MESH_ELASTICITY_ONE = 1024,                          // elasticity 1, which itself is not allowed
    MESH_DIVISOR = 8 * MESH_REACH * MESH_ELASTICITY_ONE, // from a sum over tiles, times elasticity, to what is added
};

typedef struct {
    int64_t own, other;  // weights of stones, at most MESH_STONE either way
    unsigned elasticity; // in 1024ths, less than 1024
    int64_t epsilon;     // largest change that ends the steps
    unsigned steps;      // no more than these
} MeshSettings;

typedef struct {
    unsigned now; // which of the two surfaces is the newer
    int64_t depth[2][MESH_WIDTH * MESH_WIDTH];
    int64_t weight[RULES_CELLS_MAX];
} Mesh;

// Prepares a zeroed mesh and solves it for the stones of a board as `side` sees them; returns the steps it took. The
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
