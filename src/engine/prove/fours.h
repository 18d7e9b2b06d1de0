// Wins by fours on the board of tree proofs, for games with one stone per turn and without gravity: the owner plays
// only stones that threaten to complete a row, so that every reply is forced (VCF). A win is a tree in memory that
// tree_check_run accepts.
#pragma once

#include "solver/tree/tree_check.h"

typedef struct FoursSearch FoursSearch;

FoursSearch *fours_search_open(TreeBoard *board);
void fours_search_close(FoursSearch *search); // NULL is fine

// Searches for a win of the owner, who is to move, with at most `depth` fours and about `nodes` positions; the shortest
// one is added to `win`. The board is as before.
// Forgets earlier searches, so that results do not depend on them.
void fours_search_clear(FoursSearch *search);

// The cells on which a side completes a row with one stone: 0, 1 with the cell, or 2 for more.
unsigned fours_completing(const TreeBoard *board, TreeStone side, unsigned *cell);

bool fours_search_run(FoursSearch *search, unsigned depth, unsigned nodes, TreeWords *win);
