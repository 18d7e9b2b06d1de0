// The tree search of agents/search/negamax.h. It is a header, and everything in it is inlined into the `node` function
// of each search, so that the compiler sees which functions the table holds. Calls through pointers would cost the
// fastest search 6 % more instructions.
#pragma once

#include "agents/search/negamax.h"

#include <string.h>

// Plays a candidate, searches the position after it and takes it back. The score is for the side that plays it.
BOARD_HOT NegamaxScore negamax_candidate(Negamax *core, const NegamaxKind *kind, void *search, const NegamaxNode *node,
                                         Cell cell)
{
    NegamaxNode next;
    NegamaxScore score = {0, false};
    next.ply = node->ply + 1;
    core->line_count[next.ply] = 0;
    if (kind->play(search, node, cell, &next, &score))
        return score;
    bool same = next.side == node->side;
    next.alpha = core->plain ? -NEGAMAX_INFINITY : same ? node->alpha : -node->beta;
    next.beta = core->plain ? NEGAMAX_INFINITY : same ? node->beta : -node->alpha;
    next.ties = false;
    score = kind->node(core, search, &next);
    kind->undo(search, node, cell);
    return same ? score : (NegamaxScore){-score.value, score.proven};
}

// The principal variation: this cell and the one after it.
BOARD_HOT void negamax_keep_line(Negamax *core, unsigned ply, Cell cell)
{
    unsigned count = core->line_count[ply + 1];
    core->line[ply][0] = cell;
    memcpy(&core->line[ply][1], core->line[ply + 1], count * sizeof(Cell));
    core->line_count[ply] = count + 1;
}

// Searches one candidate.
BOARD_HOT void negamax_try(Negamax *core, const NegamaxKind *kind, void *search, NegamaxNode *node, Cell cell)
{
    NegamaxScore score = negamax_candidate(core, kind, search, node, cell);
    node->cut = core->out;
    if (core->out)
        return;
    node->sure &= score.proven;
    node->worst = score.value < node->worst ? score.value : node->worst;
    bool tie = node->ties && score.value == node->best.value && kind->prefers(search, cell, node->best_cell);
    if (score.value <= node->best.value && !tie)
        return;
    node->best = score;
    node->best_cell = cell;
    if (score.value <= node->alpha)
        return;
    negamax_keep_line(core, node->ply, cell);
    node->alpha = score.value - node->ties; // with the bound one lower, equal candidates still get their exact value
    node->cut = node->alpha >= node->beta;
}

// The body of the `node` function of a search.
BOARD_HOT NegamaxScore negamax_node(const NegamaxKind *kind, Negamax *core, void *search, NegamaxNode *node)
{
    node->best = (NegamaxScore){0, false};
    if (kind->enter(search, node, &node->best))
        return node->best;
    node->best = (NegamaxScore){-NEGAMAX_INFINITY, true};
    node->best_cell = CELL_NONE;
    node->worst = NEGAMAX_INFINITY;
    node->sure = true;
    node->cut = false;
    while (!node->cut) {
        Cell cell = kind->next(search, node);
        if (cell == CELL_NONE)
            break;
        negamax_try(core, kind, search, node, cell);
    }
    // One candidate is enough to prove a win or a cut-off; everything else needs all of them.
    if (!node->cut && !negamax_is_win(core, node->best.value))
        node->best.proven = node->sure && node->complete;
    if (kind->leave != NULL)
        kind->leave(search, node);
    return node->best;
}

// Searches to a depth. The root has the side to move. False when a limit was reached; then root->best is the best of
// the candidates that were finished.
BOARD_HOT bool negamax_search(Negamax *core, const NegamaxKind *kind, void *search, unsigned depth, NegamaxNode *root)
{
    root->ply = 0;
    root->alpha = -NEGAMAX_INFINITY;
    root->beta = NEGAMAX_INFINITY;
    core->depth = depth;
    core->line_count[0] = 0;
    (void)kind->node(core, search, root);
    return !core->out;
}
