// The winning tree of a double-threat search.
#include "threats/search/win_tree.h"

#include "base/memory.h"
#include "threats/threats.h"

#include <stdlib.h>

typedef struct {
    WinTree *tree;
    Window *windows;  // working memory: threats after a turn
    CellSet *targets; // those that lack few stones
} Making;

// Stores the windows that lack at most `stones` stones in `targets`; returns how many.
static unsigned targets_within(Making *making, const Board *board, unsigned count, unsigned stones)
{
    unsigned within = 0;
    for (unsigned i = 0; i < count; i++) {
        Cell cells[RULES_SIDE_MAX];
        Window window = making->windows[i];
        unsigned empty = window_cells(board, window.line, window_empty(board, window), cells);
        if (empty > stones)
            continue;
        CellSet *target = &making->targets[within++];
        *target = cell_set_none;
        for (unsigned j = 0; j < empty; j++)
            *target = cell_set_with(target, cells[j]);
    }
    return within;
}

// The stones of the row that the attacker completes next, after a turn whose threats nothing stops. The defender meets
// the windows that lack the fewest stones, as long as it can meet all of these.
static unsigned stones_of_row(Making *making, const Board *board)
{
    unsigned p = board->rules.p, count = threats_windows(board, side_other(board_side(board)), making->windows);
    for (unsigned stones = 1; stones < p; stones++) {
        unsigned within = targets_within(making, board, count, stones);
        if (targets_least(making->targets, within, p) > p)
            return stones;
    }
    return p;
}

static void immediate_leaf(Making *making, const Board *before, WinNode *node)
{
    Board board;
    board_copy(&board, before);
    unsigned stones = cell_set_count(&node->turn);
    for (unsigned i = 0; i < stones; i++)
        (void)board_play(&board, node->turn.cell[i]);
    bool is_row = board_winner(&board) != WINNER_NONE;
    node->end = is_row ? WIN_ROW : WIN_UNSTOPPABLE;
    node->turns = is_row ? 1 : 2;
    node->distance = is_row ? stones : stones + board.rules.p + stones_of_row(making, &board);
}

WinNode *win_tree_add(WinTree *tree, const WinNode *node)
{
    if (tree->count == WIN_TREE_MAX)
        return NULL;
    tree->nodes = array_grow(tree->nodes, &tree->capacity, (size_t)tree->count + 1, sizeof *tree->nodes);
    tree->nodes[tree->count] = *node;
    return &tree->nodes[tree->count++];
}

static bool visit(void *context, const DoubleThreatStep *step)
{
    Making *making = context;
    WinNode fresh = {.level = step->level, .answered = step->answered, .turn = step->turn, .size = 1};
    WinNode *node = win_tree_add(making->tree, &fresh);
    if (node == NULL)
        return false;
    if (step->level > 0)
        node->free = step->board->rules.p - cell_set_count(&step->answered);
    if (step->answer_count == 0)
        immediate_leaf(making, step->board, node);
    return true;
}

// The children of a position end before the next position that is not deeper.
void win_tree_sum_up(WinTree *tree, unsigned at)
{
    WinNode *node = &tree->nodes[at];
    unsigned stones = cell_set_count(&node->turn);
    while (at + node->size < tree->count && tree->nodes[at + node->size].level > node->level) {
        const WinNode *next = &tree->nodes[at + node->size];
        unsigned distance = stones + cell_set_count(&next->answered) + next->free + next->distance;
        node->answers++;
        node->turns = next->turns + 1 > node->turns ? next->turns + 1 : node->turns;
        node->distance = distance > node->distance ? distance : node->distance;
        node->size += next->size;
    }
}

void win_tree_make(WinTree *tree, DoubleThreat *search, const DoubleThreatResult *result)
{
    *tree = (WinTree){0};
    Making making = {.tree = tree,
                     .windows = memory_new(WINDOWS_MAX, sizeof *making.windows),
                     .targets = memory_new(WINDOWS_MAX, sizeof *making.targets)};
    tree->is_whole = double_threat_walk(search, result, visit, &making);
    if (!tree->is_whole)
        tree->count = 0;
    for (unsigned i = tree->count; i-- > 0;)
        win_tree_sum_up(tree, i);
    free(making.windows);
    free(making.targets);
}

unsigned win_tree_line(const WinTree *tree, unsigned line[DOUBLE_THREAT_TURNS_MAX])
{
    unsigned count = 0, at = 0;
    while (count < DOUBLE_THREAT_TURNS_MAX && at < tree->count) {
        const WinNode *node = &tree->nodes[at];
        line[count++] = at;
        unsigned next = at + 1, longest = 0;
        at = tree->count;
        for (unsigned i = 0; i < node->answers; i++, next += tree->nodes[next].size)
            if (tree->nodes[next].distance > longest) {
                longest = tree->nodes[next].distance;
                at = next;
            }
    }
    return count;
}

bool win_tree_same(const WinTree *tree, unsigned a, unsigned b)
{
    const WinNode *x = &tree->nodes[a], *y = &tree->nodes[b];
    bool same = x->size == y->size;
    for (unsigned i = 0; i < x->size && same; i++)
        same = cell_sets_equal(&x[i].turn, &y[i].turn) && x[i].level == y[i].level &&
               (i == 0 || cell_sets_equal(&x[i].answered, &y[i].answered));
    return same;
}

void win_tree_close(WinTree *tree)
{
    free(tree->nodes);
    *tree = (WinTree){0};
}
