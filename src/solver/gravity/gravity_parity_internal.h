// Bounds of scores by parity alone, for words of one size: included after gravity_kernel_internal.h.
//
// Let an even number of cells be empty, and call the side to move the leader, the other the follower. The follower can
// answer every stone with one in the same column while that column has an even number of empty cells, and answer a
// stone in a column with an odd number by one in another such column: their number is even, and both are even
// afterwards. The leader then gets no cell but those of the rows `lead`, and the lowest empty cells of odd columns. If
// these and his stones hold no row, he cannot win.
//
// The follower gets all cells of the rows `follow`, but for the lowest empty ones of odd columns. If they and his
// stones hold a row, and the leader's hold none, he wins sooner or later.
//
// If the follower has a threat on a row of `follow`, not at the bottom of its column's empty cells, he wins as soon as
// the leader plays below it: the leader gets nothing above, and when nothing else is left he has to play there.
//
// Let an odd number of cells be empty, and the side not to move have a threat on a row of `lead` in an odd column. He
// can follow in that column too, with rows exchanged, up to his threat, and he follows elsewhere as above: the number
// of other odd columns is even. So the side to move runs out of other moves, and has to play below the threat.
//
// These are known since L. V. Allis (A Knowledge-based Approach of Connect-Four, 1988: claimeven, aftereven, odd
// threats) for boards of even height. Counted from the top the rules hold for every height; the tests prove them on all
// positions of small boards.
#pragma once

#include "solver/gravity/gravity_kernel_internal.h"

// The cells below the lowest of these in each column, or all of the column.
GRAVITY_HOT void below_lowest(const BoardGeometry *shape, const Lanes *cells, Lanes *below)
{
    Lanes ends = *cells | shape->spare;
    *below = (ends - shape->bottom) & ~ends;
}

// The rows that the side to move could still complete against an opponent who follows, an even number of cells being
// empty. `threats` are the opponent's, `stones` those of the side to move.
GRAVITY_HOT void reach_even(const BoardGeometry *shape, const Lanes *stones, const Lanes *mask, const Lanes *threats,
                            Lanes *rows, Lanes *dead)
{
    Lanes next = *mask + shape->bottom;
    Lanes safe = *threats & shape->follow & ~next, below;
    below_lowest(shape, &safe, &below);
    Lanes cells = *stones | (((shape->lead & ~*mask) | (next & shape->follow)) & below);
    lanes_rows(shape, &cells, rows);
    *dead = shape->board & ~below;
}

// The rows of the cells that an opponent who follows gets in any case, and of his stones.
GRAVITY_HOT void follower_rows(const BoardGeometry *shape, const Lanes *stones, const Lanes *mask, Lanes *rows)
{
    Lanes cells = *stones | (shape->follow & ~*mask & ~(*mask + shape->bottom));
    lanes_rows(shape, &cells, rows);
}

// What reach_even is for an odd number of empty cells; all rows if the opponent has no threat that decides.
GRAVITY_HOT void reach_odd(const BoardGeometry *shape, const Lanes *stones, const Lanes *mask, const Lanes *threats,
                           Lanes *rows, Lanes *dead)
{
    Lanes next = *mask + shape->bottom, odd = next & shape->follow;
    Lanes deciding = *threats & shape->lead & (shape->spare - odd);
    Lanes threat = deciding & -deciding;
    Lanes end = shape->spare & ~(shape->spare - threat); // the spare bit of its column
    Lanes column = end - (end >> shape_height(shape));
    Lanes safe = (*threats & shape->follow & ~next & ~column) | threat, below;
    below_lowest(shape, &safe, &below);
    Lanes elsewhere = ((shape->lead & ~*mask) | odd) & ~column, inside = shape->follow & ~*mask & column;
    Lanes cells = *stones | ((elsewhere | inside) & below);
    lanes_rows(shape, &cells, rows);
    *rows |= LANES_WHERE(deciding == 0);
    *dead = shape->board & ~below;
}

// By how much the follower wins at least if cells from his threats upwards are dead: the stones that are left when the
// leader has filled all others and plays the cell below.
GRAVITY_HOT int dead_score(const BoardGeometry *shape, Word dead)
{
    return (int)((word_count(dead) + word_count(dead & shape->top)) / 2);
}
