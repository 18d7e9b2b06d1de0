// A forced win as a tree, for display: a turn of the attacker, every answer to it, and the attacker's turn after each.
//
// Positions are in preorder: the first child of position i, if it has answers, is i + 1; the next sibling of position j
// is j + nodes[j].size. Positions that are reached in two ways are stored twice: in 437 wins of Connect6, of up to 1
// 329 positions, there was none.
#pragma once

#include "threats/search/double_threat.h"

typedef enum {
    WIN_GOES_ON,
    WIN_ROW,         // the turn completes a row
    WIN_UNSTOPPABLE, // no answer stops all threats: the next turn completes a row
} WinEnd;

// A position with the attacker to move.
typedef struct {
    unsigned level;   // turns of the attacker before this one
    CellSet answered; // the answer that leads here
    unsigned free;    // its further stones, on any cells but those of other answers beside it
    CellSet turn;
    unsigned answers;  // children; 0: a leaf
    unsigned size;     // positions of this subtree
    unsigned turns;    // of the attacker until the row is complete, against the longest defence
    unsigned distance; // stones of both sides until then, the most that a defence can reach
    WinEnd end;
} WinNode;

enum { WIN_TREE_MAX = 1 << 20 }; // positions

typedef struct {
    WinNode *nodes; // owned
    unsigned count;
    size_t capacity;
    bool is_whole; // false: stopped, or too large; then there are no nodes
} WinTree;

// The tree of the last win that the search found.
void win_tree_make(WinTree *tree, DoubleThreat *search, const DoubleThreatResult *result);

// For code that builds a tree itself: appends a position; NULL if the tree is full.
WinNode *win_tree_add(WinTree *tree, const WinNode *node);

// Call after the subtree of a position is complete: counts its answers, and takes turns and stones from the longest.
void win_tree_sum_up(WinTree *tree, unsigned at);

// The main line: positions from the root along the answers with the largest distance. Returns how many.
unsigned win_tree_line(const WinTree *tree, unsigned line[DOUBLE_THREAT_TURNS_MAX]);

// Whether two sibling positions continue in the same way: the same turns after the same answers.
bool win_tree_same(const WinTree *tree, unsigned a, unsigned b);

void win_tree_close(WinTree *tree); // safe on a zeroed one
