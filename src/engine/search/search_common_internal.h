// Shared by the search variants besides SearchThread: principal variations, killer moves, history, excluded root turns
// and the best line of the root.
#pragma once

#include "engine/search/search_internal.h"

#include <stdlib.h>
#include <string.h>

// The stones that both sides are expected to place from a node on.
typedef struct {
    unsigned count;
    Cell stones[SEARCH_PV_MAX];
} Pv;

// A new best move of a node: its stones, then the variation of the child node, as far as there is room.
static inline void pv_update(Pv *pv, const Pv *child, const Cell *stones, unsigned count)
{
    unsigned below = child->count < SEARCH_PV_MAX - count ? child->count : SEARCH_PV_MAX - count;
    memcpy(pv->stones, stones, count * sizeof *stones);
    memcpy(pv->stones + count, child->stones, below * sizeof *stones);
    pv->count = count + below;
}

// Killer moves: the last two moves that caused a beta cut-off at the same ply.
static inline void killers_add(Cell killers[2], Cell cell)
{
    if (killers[0] != cell) {
        killers[1] = killers[0];
        killers[0] = cell;
    }
}

// History: how often a cell was good for a side, between -SEARCH_HISTORY_MAX and SEARCH_HISTORY_MAX.
enum { SEARCH_HISTORY_MAX = 1 << 13 };
typedef int16_t History[2][RULES_CELLS_MAX];

// A bonus counts less the closer the entry is to the bound of its sign.
static inline void history_update(int16_t *entry, int bonus)
{
    *entry = (int16_t)(*entry + bonus - *entry * abs(bonus) / SEARCH_HISTORY_MAX);
}

// A new position of the same game: old entries count less.
static inline void history_age(History history, int divisor)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned cell = 0; cell < RULES_CELLS_MAX; cell++)
            history[side][cell] = (int16_t)(history[side][cell] / divisor);
}

// Adds a cell to a list that keeps the `most` best in descending order; of equal cells the first added comes first.
static inline void cells_keep_best(ScoredCell *list, unsigned *count, unsigned most, Cell cell, int score)
{
    unsigned at = *count;
    if (at < most)
        ++*count;
    else if (at == 0 || list[--at].score >= score)
        return;
    for (; at > 0 && list[at - 1].score < score; at--)
        list[at] = list[at - 1];
    list[at] = (ScoredCell){cell, score};
}

// A small bonus for the middle of the board: `most` there, almost 0 at the edge. Under gravity only the column counts.
static inline void set_centre_bonus(int16_t *bonus, const Rules *rules, int most)
{
    int width = rules->width, height = rules->gravity ? 0 : rules->height;
    for (int y = 0; y < rules->height; y++)
        for (int x = 0; x < width; x++) {
            int away = abs(2 * x + 1 - width) + (rules->gravity ? 0 : abs(2 * y + 1 - height));
            bonus[cell_at((unsigned)x, (unsigned)y)] = (int16_t)(most - most * away / (width + height));
        }
}

// Whether a turn at the root is excluded, since an earlier line has it (multi-PV).
static inline bool search_excludes(const SearchThread *thread, const Cell *stones, unsigned count)
{
    for (unsigned i = 0; i < thread->excluded_count; i++)
        if (search_turn_is(&thread->excluded[i], stones, count))
            return true;
    return false;
}

// A loss is proven only if every turn was searched; otherwise it counts as a very bad position.
static inline int score_without_loss(int score)
{
    return score <= -SEARCH_PROVEN ? -SEARCH_VALUE_MAX : score;
}

// A new best line of the root; the first `count` stones of the variation are the turn.
static inline void search_set_best(SearchThread *thread, const Pv *pv, unsigned count, int score)
{
    SearchLine *best = &thread->best;
    best->score = score;
    best->pv_count = pv->count;
    memcpy(best->pv, pv->stones, pv->count * sizeof *best->pv);
    best->turn.count = count < pv->count ? count : pv->count;
    memcpy(best->turn.stones, best->pv, best->turn.count * sizeof *best->pv);
}
