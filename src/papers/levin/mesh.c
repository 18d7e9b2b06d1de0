// The elastic surface of the agent mesh: fixed-point iteration.
#include "papers/levin/mesh.h"

#include <string.h>

static void weigh(Mesh *mesh, const Board *board, Side side, const MeshSettings *settings)
{
    for (unsigned row = 0; row < board->rules.height; row++)
        for (unsigned column = 0; column < board->rules.width; column++) {
            Cell cell = cell_at(column, row);
            Stone stone = board_stone(board, cell);
            int64_t weight = stone == STONE_NONE                 ? 0
                             : (unsigned)stone == (unsigned)side ? settings->own
                                                                 : settings->other;
            mesh->weight[cell] = mesh->depth[0][mesh_index(cell)] = weight;
        }
    mesh->now = 0;
}

// The sums over the 32 tiles around each tile of a row.
static void sum_radials(const int64_t *row, unsigned width, int64_t sums[RULES_SIDE_MAX])
{
    // Half of the radials; the others are their opposites.
    static const int radials[4] = {1, MESH_WIDTH, MESH_WIDTH + 1, MESH_WIDTH - 1};
    memset(sums, 0, width * sizeof sums[0]);
    for (int i = 0; i < 4; i++)
        for (int steps = 1; steps <= MESH_REACH; steps++) {
            const int64_t *ahead = row + (ptrdiff_t)steps * radials[i], *behind = row - (ptrdiff_t)steps * radials[i];
            for (unsigned x = 0; x < width; x++)
                sums[x] += ahead[x] + behind[x];
        }
}

// One step from a surface to the next; returns the largest change of a depth.
static int64_t step(Mesh *mesh, const Rules *rules, int64_t elasticity)
{
    const int64_t *before = mesh->depth[mesh->now];
    int64_t *after = mesh->depth[1 - mesh->now], largest = 0, sums[RULES_SIDE_MAX];
    for (unsigned y = 0; y < rules->height; y++) {
        unsigned at = mesh_index(cell_at(0, y));
        sum_radials(before + at, rules->width, sums);
        for (unsigned x = 0; x < rules->width; x++) {
            int64_t average = sums[x] * elasticity / MESH_DIVISOR;
            int64_t depth = mesh->weight[cell_at(x, y)] + average, change = depth - before[at + x];
            after[at + x] = depth;
            change = change < 0 ? -change : change;
            largest = change > largest ? change : largest;
        }
    }
    mesh->now = 1 - mesh->now;
    return largest;
}

unsigned mesh_solve(Mesh *mesh, const Board *board, Side side, const MeshSettings *settings)
{
    assert(settings->elasticity <= MESH_ELASTICITY_ONE);
    weigh(mesh, board, side, settings);
    for (unsigned steps = 1; steps <= settings->steps; steps++)
        if (step(mesh, &board->rules, settings->elasticity) <= settings->epsilon)
            return steps;
    return settings->steps;
}
