// A position of the search and all its moves at once, for one word size: included after gravity_kernel_internal.h.
#pragma once

#include "solver/gravity/gravity_parity_internal.h"
#include "solver/gravity/gravity_table_internal.h"

// A position on the current line, with facts from its parent. Mirrored words are included, since the table stores a
// position and its mirror image as one.
typedef struct {
    Word own, mask;               // as in GravityPosition
    Word mirror_own, mirror_mask; // the mirror image
    Word mine, theirs;            // empty cells that complete a row for the side to move, and for the other
    unsigned empty;               // empty cells
} GravitySearchNode;

// Facts about the moves of a node by column; sets of columns have one bit per column.
typedef struct {
    Word stone[COLUMNS];   // the cell, or 0
    Word threats[COLUMNS]; // cells that complete a row for the side to move after it
    Word dead[COLUMNS];    // cells that are never reached if the side to move follows (gravity_parity_internal.h)
    uint64_t open;         // columns with a move
    uint64_t winning;      // moves after which every answer loses
    uint64_t safe;         // moves after which the other side can no longer win, by parity
} Children;

// Copies a batch of columns as lanes.
GRAVITY_HOT void store_lanes(Word words[COLUMNS], unsigned batch, const Lanes *lanes)
{
    __builtin_memcpy(words + (size_t)batch * LANES, lanes, sizeof *lanes);
}

GRAVITY_HOT void load_lanes(const Word words[COLUMNS], unsigned batch, Lanes *lanes)
{
    __builtin_memcpy(lanes, words + (size_t)batch * LANES, sizeof *lanes);
}

// Finds the threats after every move, and whether every answer to it loses: two threats at once, a threat above the
// cell of the answer, or no cell that is not below a threat.
GRAVITY_HOT void look_at_children(const BoardGeometry *shape, const GravitySearchNode *node, Word moves,
                                  Children *children)
{
    uint64_t closed = 0, going_on = 0;
    for (unsigned i = 0; i < shape_batches(shape); i++) {
        Lanes stone = shape->columns[i] & moves, mask = stone | node->mask, own = stone | node->own;
        Lanes threats;
        lanes_threats(shape, &own, &threats);
        threats &= shape->board & ~mask;
        store_lanes(children->stone, i, &stone);
        store_lanes(children->threats, i, &threats);
        Lanes possible = (mask + shape->bottom) & shape->board, forced = possible & threats;
        Lanes answers = possible & ~(threats >> 1) & (forced | LANES_WHERE(forced == 0));
        Lanes lost = LANES_WHERE(answers == 0) | (forced & (forced - 1));
        closed |= (uint64_t)empty_lanes(&stone) << i * LANES;
        going_on |= (uint64_t)empty_lanes(&lost) << i * LANES;
    }
    children->open = ~closed & shape->all_columns;
    children->winning = ~going_on & children->open;
}

// An upper bound: the rows that the side to move can still complete, and the cells that are never reached.
GRAVITY_HOT void reach(const BoardGeometry *shape, bool even, const Lanes *stones, const Lanes *mask,
                       const Lanes *threats, Lanes *rows, Lanes *dead)
{
    if (even)
        reach_even(shape, stones, mask, threats, rows, dead);
    else
        reach_odd(shape, stones, mask, threats, rows, dead);
}

// Finds the moves after which the other side can no longer win.
GRAVITY_HOT void bound_children(const BoardGeometry *shape, const GravitySearchNode *node, Children *children)
{
    children->safe = 0;
    Lanes stones;
    lanes_fill(&stones, node->own ^ node->mask);
    for (unsigned i = 0; i < shape_batches(shape); i++) {
        Lanes stone, threats, rows, dead;
        load_lanes(children->stone, i, &stone);
        load_lanes(children->threats, i, &threats);
        Lanes mask = stone | node->mask;
        reach(shape, node->empty % 2 != 0, &stones, &mask, &threats, &rows, &dead);
        store_lanes(children->dead, i, &dead);
        children->safe |= (uint64_t)empty_lanes(&rows) << i * LANES;
    }
    children->safe &= children->open;
}

// Whether the side to move eventually wins by following after one of the safe moves.
GRAVITY_HOT bool follower_wins(const BoardGeometry *shape, const GravitySearchNode *node, const Children *children)
{
    uint64_t none = 0;
    for (unsigned i = 0; i < shape_batches(shape); i++) {
        Lanes stone, rows;
        load_lanes(children->stone, i, &stone);
        Lanes mask = stone | node->mask, own = stone | node->own;
        follower_rows(shape, &own, &mask, &rows);
        none |= (uint64_t)empty_lanes(&rows) << i * LANES;
    }
    return (children->safe & ~none) != 0;
}

// For a single move: an upper bound of the other side's score after it by parity.
GRAVITY_HOT int single_bound(const BoardGeometry *shape, const GravitySearchNode *node, Word stone, Word after)
{
    Lanes stones, mask, threats, rows, dead;
    lanes_fill(&stones, node->own ^ node->mask);
    lanes_fill(&mask, node->mask | stone);
    lanes_fill(&threats, after);
    reach(shape, node->empty % 2 != 0, &stones, &mask, &threats, &rows, &dead);
    return LANE(rows, 0) != 0 ? (int)shape->cells : -dead_score(shape, LANE(dead, 0));
}

GRAVITY_HOT Word single_threats(const BoardGeometry *shape, const GravitySearchNode *node, Word stone)
{
    Lanes own, cells;
    lanes_fill(&own, node->own | stone);
    lanes_threats(shape, &own, &cells);
    return LANE(cells, 0) & shape->board & ~(node->mask | stone);
}

// Cells on which a stone does not lose at once: it must answer a threat and must not enable one.
GRAVITY_HOT Word moves_that_hold(const BoardGeometry *shape, Word mask, Word threats)
{
    Word possible = (mask + shape->bottom) & shape->board, forced = possible & threats;
    return (forced != 0 ? forced : possible) & ~(threats >> 1);
}

// Whether every answer to a move that leaves these threats loses.
GRAVITY_HOT bool leaves_no_answer(const BoardGeometry *shape, Word mask, Word threats)
{
    Word forced = (mask + shape->bottom) & shape->board & threats;
    return word_has_two(forced) || moves_that_hold(shape, mask, threats) == 0;
}

// The promise of a move for move ordering: new threats that are not above one of the other side, pairs of threats on
// top of each other, and less for threats that are answered at once.
GRAVITY_HOT int move_promise(const BoardGeometry *shape, const GravitySearchNode *node, Word usable, Word stone,
                             Word threats)
{
    Word possible = (node->mask | stone) + shape->bottom;
    return 8 * (int)word_count(threats & ~node->mine & usable) + 8 * (int)word_count(threats & threats << 1) -
           2 * (int)word_count(threats & possible);
}

GRAVITY_HOT Word mirrored_move(const BoardGeometry *shape, const GravitySearchNode *node, unsigned column)
{
    return (node->mirror_mask + shape->bottom) & shape->column[shape_width(shape) - 1 - column];
}

GRAVITY_HOT void child_of(const BoardGeometry *shape, const GravitySearchNode *node, unsigned column, Word stone,
                          Word threats, GravitySearchNode *child)
{
    child->own = node->own ^ node->mask;
    child->mask = node->mask | stone;
    child->mirror_own = node->mirror_own ^ node->mirror_mask;
    child->mirror_mask = node->mirror_mask | mirrored_move(shape, node, column);
    child->mine = node->theirs & ~stone;
    child->theirs = threats;
    child->empty = node->empty - 1;
}

GRAVITY_HOT Word node_key(Word own, Word mask, Word mirror_own, Word mirror_mask)
{
    Word key = own + mask, mirrored = mirror_own + mirror_mask;
    return key < mirrored ? key : mirrored;
}

GRAVITY_HOT Word key_of(const GravitySearchNode *node)
{
    return node_key(node->own, node->mask, node->mirror_own, node->mirror_mask);
}

// Positions near the end are many and fast to search: they use a small table that stays in the cache.
GRAVITY_HOT GravityTable *table_for(const GravitySearch *search, unsigned empty)
{
    return empty <= search->late_empty ? search->late : search->early;
}

// Computes the table places of the positions after all moves.
GRAVITY_HOT void place_children(const GravitySearch *search, const GravitySearchNode *node, const Children *children,
                                Place *there)
{
    const BoardGeometry *shape = search->shape;
    const GravityTable *table = table_for(search, node->empty - 1);
    const Word own = node->own ^ node->mask, mirror_own = node->mirror_own ^ node->mirror_mask;
    for (uint64_t open = children->open; open != 0; open &= open - 1) {
        unsigned i = (unsigned)__builtin_ctzll(open);
        Word mirror_mask = node->mirror_mask | mirrored_move(shape, node, i);
        there[i] = table_place(table, node_key(own, node->mask | children->stone[i], mirror_own, mirror_mask));
        __builtin_prefetch(there[i].bucket);
    }
}
