// What those who write a win down as a tree share.
#pragma once

#include "search/win_tree.h"

// Adds a position behind the others, or none: the tree is as large as it may be, or `*no_memory`.
WinNode *win_tree_add(WinTree *tree, const WinNode *node, bool *no_memory);

// All that follows from a position has been added: counts its answers, and takes turns and stones from the longest.
void win_tree_sum_up(WinTree *tree, unsigned at);
