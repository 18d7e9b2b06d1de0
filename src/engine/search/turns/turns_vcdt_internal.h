// Shared by the files of the VCDT search.
#pragma once

#include "engine/search/turns/turns_internal.h"

// A node: the attacker, who cannot complete a row, is to move.
typedef struct {
    Side side;
    unsigned stones, turns, level;
} VcdtNode;

// All answers to the threats of a turn.
typedef struct {
    unsigned count;
    Turn answers[VCDT_ANSWERS_MAX];
} VcdtAnswers;

// Makes every set of `stones` cells that meets all targets, if no smaller set does.
void vcdt_answers_make(VcdtAnswers *answers, const Targets *targets, unsigned stones);

// Sets the rows of the attacker after a turn, which stays on the windows. `base` are those before the turn.
void vcdt_set_own(TurnState *state, const Turn *turn, const VcdtNode *node, const Hits *base);

// Lists turns of the attacker that stop the defender's rows and need at least p stones to be stopped, or more if no
// further turn may follow. A turn that cannot be stopped ends the list and is returned in `won`; otherwise won->count
// is 0. The list is on top of the pool.
TurnList vcdt_list(TurnState *state, const VcdtNode *node, const Hits *base, Turn *won);

static inline VcdtEntry *vcdt_entry(TurnState *state, uint64_t key)
{
    return &state->vcdt_table[key & bits_low(VCDT_TABLE_LOG)];
}

// The key of a position in which the side has `stones` stones to place, as pattern_board_key.
static inline uint64_t vcdt_key(const WindowMap *map, Side side, unsigned stones)
{
    uint64_t turn = (uint64_t)side << 32 | stones;
    return map->key ^ turn * UINT64_C(0x9e6c63d0876a9a63);
}

static inline void vcdt_put(WindowMap *map, const Turn *turn, Side side, Hits *hits)
{
    for (unsigned i = 0; i < turn->count; i++)
        window_map_put(map, turn->stones[i], side, hits);
}

static inline void vcdt_take(WindowMap *map, const Turn *turn, Side side)
{
    for (unsigned i = turn->count; i-- > 0;)
        window_map_take(map, turn->stones[i], side);
}
