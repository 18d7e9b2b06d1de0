// What those who write a win down as a tree share.
#pragma once

#include "threats/search/win_tree.h"

// Adds a position behind the others; NULL if the tree is as large as it may be.
WinNode *win_tree_add(WinTree *tree, const WinNode *node);

// All that follows from a position has been added: counts its answers, and takes turns and stones from the longest.
void win_tree_sum_up(WinTree *tree, unsigned at);
