// Writes a win that the search has proven, with one stone per turn, as a tree: every turn of the attacker and every
// answer that matters.
//
// If the attacker has a VCF (threats/search/double_threat.h) the tree contains it, otherwise the stone that the search
// (engine/search/search.h) finds. The answers to it are:
//
// - if he threatens to complete a row: the cells after which he cannot. If there are none, nothing stops the row;
// - if he would have a VCF after a pass of the defender: the cells that may stop it, found from its moves and answers
//   as in papers/connect5/threes.h. Against a stone elsewhere the same VCF wins; that is one more answer, with no cell
//   and a free stone;
// - otherwise every cell.
//
// So the tree proves the win by the rules, however it was found.
#pragma once

#include "engine/search/search.h"
#include "threats/search/win_tree.h"

typedef struct {
    Search *search;
    DoubleThreat *fours; // NULL: rules not supported
    Limits limits;       // nodes: of all searches together
    unsigned positions;  // maximum of the tree; 0: no limit
} WinProofOptions;

// Whether wins under these rules can be written: one stone per turn, and the search supports the rules.
bool win_proof_suits(const Rules *rules);

// The win of the side to move that begins with `first`. The tree is not whole if the limits were reached or a part
// could not be proven again.
void win_proof_make(WinTree *tree, const Board *board, Cell first, const WinProofOptions *options);
