// Bounds of scores by parity alone, for one word size: included after gravity_kernel_internal.h.
//
// Let an even number of cells be empty, and call the side to move the leader, the other the follower. The follower can
// answer every stone with one in the same column while that column has an even number of empty cells, and answer a
// stone in a column with an odd number by one in another such column: their number is even, and both columns are even
// afterwards. The leader then gets only cells of the rows `lead` and the lowest empty cells of odd columns. If these
// and his stones contain no row, he cannot win.
//
// The follower gets all cells of the rows `follow` except the lowest empty ones of odd columns. If they and his stones
// contain a row, and the leader's contain none, he eventually wins.
//
// If the follower has a threat on a row of `follow` that is not the lowest empty cell of its column, he wins as soon as
// the leader plays below it: the leader gets nothing above, and must play there when nothing else is left.
//
// Let an odd number of cells be empty, and the side not to move have a threat on a row of `lead` in an odd column. It
// can follow in that column too, with rows exchanged, up to its threat, and elsewhere as above: the number of other odd
// columns is even. So the side to move runs out of other moves and must play below the threat.
//
// These rules are known from L. V. Allis (A Knowledge-based Approach of Connect-Four, 1988: claimeven, aftereven, odd
// threats) for boards of even height. Counted from the top they hold for every height; the tests prove them on all
// positions of small boards.
#pragma once

#include "solver/gravity/gravity_kernel_internal.h"

// The cells below the lowest of these in each column, or the whole column.
GRAVITY_HOT void below_lowest(const BoardGeometry *shape, const Lanes *cells, Lanes *below)
{
    Lanes ends = *cells | shape->spare;
    *below = (ends - shape->bottom) & ~ends;
}

// The rows that the side to move could still complete against a following opponent if an even number of cells is empty.
// `threats` are the opponent's, `stones` those of the side to move.
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

// The rows of the opponent's stones and the cells that a following opponent gets in any case.
GRAVITY_HOT void follower_rows(const BoardGeometry *shape, const Lanes *stones, const Lanes *mask, Lanes *rows)
{
    Lanes cells = *stones | (shape->follow & ~*mask & ~(*mask + shape->bottom));
    lanes_rows(shape, &cells, rows);
}

// reach_even for an odd number of empty cells; all rows if the opponent has no decisive threat.
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

// The least score of the follower if the cells from his threats upwards are dead: the stones left when the leader has
// filled all others and plays the cell below.
GRAVITY_HOT int dead_score(const BoardGeometry *shape, Word dead)
{
    return (int)((word_count(dead) + word_count(dead & shape->top)) / 2);
}
