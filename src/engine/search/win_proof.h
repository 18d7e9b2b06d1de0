// A win of one stone a turn that the search has proven, written down as a tree: every turn of the attacker, and every
// answer that has to be looked at.
//
// Where the attacker wins through fours (threats/search/double_threat.h) the tree has these, else the stone that the
// search (engine/search/search.h) finds. After it the answers are
//
// - if he threatens to complete a row: the cells after which he cannot. None: nothing stops it;
// - if he would win through fours when the defender passed: the cells that may stand in the way of that, found as
//   papers/connect5/threes.h reads them off the moves and answers of the win. Against a stone anywhere else the same
//   fours win; that is one more answer, of no cell and a free stone;
// - otherwise every cell.
//
// So the tree is a win by the rules, whatever led to it.
#pragma once

#include "engine/search/search.h"
#include "threats/search/win_tree.h"

typedef struct {
    Search *search;
    DoubleThreat *fours; // NULL under rules that it does not suit
    Limits limits;       // nodes: of the search, in all
    unsigned positions;  // of the tree, at most; 0: no limit
} WinProofOptions;

// Whether wins under these rules can be written down: one stone a turn, and the search suits.
bool win_proof_suits(const Rules *rules);

// The win of the side to move that begins with `first`. The tree is not whole if the limits were reached, or something
// could not be proven again.
void win_proof_make(WinTree *tree, const Board *board, Cell first, const WinProofOptions *options);
