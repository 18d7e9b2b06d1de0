// A forced win as a tree: a turn of the attacker, every answer to it, and his turn after each. Made from what a
// double-threat search found, and kept for display.
//
// The positions stand in the order of reading: each before those that follow from it. The first one after position i,
// if it has answers, is i + 1; the next beside position j is j + nodes[j].size. Positions that are reached in two ways
// stand twice: in 437 wins of Connect6, of up to 1 329 positions, there was none.
#pragma once

#include "threats/search/double_threat.h"

typedef enum {
    WIN_GOES_ON,
    WIN_ROW,         // the turn completes a row
    WIN_UNSTOPPABLE, // no answer stops all its threats: the next turn completes a row
} WinEnd;

// A position with the attacker to move.
typedef struct {
    unsigned level;   // turns of the attacker before this one
    CellSet answered; // what led here
    unsigned free;    // stones of that answer besides, which may stand anywhere but where an answer beside it has them
    CellSet turn;
    unsigned answers;  // positions that follow; 0 at an end
    unsigned size;     // positions from here on, this one included
    unsigned turns;    // of the attacker from here on until the row is complete, against the longest defence
    unsigned distance; // stones of both sides until then, against the defence that makes it most
    WinEnd end;
} WinNode;

enum { WIN_TREE_MAX = 1 << 20 }; // positions; more are not kept

typedef struct {
    WinNode *nodes; // owned
    unsigned count;
    size_t capacity;
    bool is_whole; // false: stopped, or too large; then there are no nodes
} WinTree;

// The win that the search found last.
void win_tree_make(WinTree *tree, DoubleThreat *search, const DoubleThreatResult *result);

// For code that builds a tree itself: adds a position behind the others; NULL if the tree is as large as it may be.
WinNode *win_tree_add(WinTree *tree, const WinNode *node);

// All that follows from a position has been added: counts its answers, and takes turns and stones from the longest.
void win_tree_sum_up(WinTree *tree, unsigned at);

// The positions along the answers after which most stones follow, beginning with the first position. Returns how many.
unsigned win_tree_line(const WinTree *tree, unsigned line[DOUBLE_THREAT_TURNS_MAX]);

// Whether two positions beside each other continue in the same way: the same turns after the same answers.
bool win_tree_same(const WinTree *tree, unsigned a, unsigned b);

void win_tree_close(WinTree *tree); // safe on a zeroed one
