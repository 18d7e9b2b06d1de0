// A win of one stone a turn that the thinker has proven, written down as a tree: every turn of the attacker, and every
// answer that has to be looked at.
//
// Where the attacker wins through fours (search/double_threat.h) the tree has these, else the stone that the thinker
// (search/thinker.h) finds. After it the answers are
//
// - if he threatens to complete a row: the cells after which he cannot. None: nothing stops it;
// - if he would win through fours when the defender passed: the cells that may stand in the way of that, as
//   search/threes.h reads them off the moves and answers of the win. Against a stone anywhere else the same fours win;
//   that is one more answer, of no cell and a free stone;
// - otherwise every cell.
//
// So the tree is a win by the rules, whatever led to it.
#pragma once

#include "search/thinker.h"
#include "search/win_tree.h"

// What it may cost; 0 and NULL are no limit.
typedef struct {
    double deadline;    // clock_seconds
    uint64_t nodes;     // of the thinker, in all
    unsigned positions; // of the tree
    const atomic_bool *stop;
} WinProofLimits;

// Whether wins under these rules can be written down: one stone a turn, and the thinker suits.
bool win_proof_suits(const Rules *rules);

// The win of the side to move that begins with `first`. `fours` is NULL under rules that it does not suit. The tree is
// not whole if the limits were reached, or something could not be proven again.
Status win_proof_make(WinTree *tree, const Board *board, Cell first, Thinker *thinker, DoubleThreat *fours,
                      const WinProofLimits *limits, Error *error);
