// What the parts of the search for wins by threats share: its node, what it keeps, and the room it works in.
#pragma once

#include "engine/search/turns/turns_internal.h"

// Where the attacker is to move, who cannot complete a row: its stones, and how many turns may still follow.
typedef struct {
    Side side;
    unsigned stones, turns, level;
} VcdtNode;

// All answers to threats.
typedef struct {
    unsigned count;
    Turn answers[VCDT_ANSWERS_MAX];
} VcdtAnswers;

// Every set of `stones` cells that meets all targets, where fewer do not.
void vcdt_answers_make(VcdtAnswers *answers, const Targets *targets, unsigned stones);

// The rows of the attacker after a turn, which is left on the windows. `base` are those it had before.
void vcdt_set_own(TurnState *state, const Turn *turn, const VcdtNode *node, const Hits *base);

// Turns of the attacker that meet what is held and need at least p stones to be stopped, or more if no other may
// follow. One that cannot be stopped at all is put into `won`, and ends it; else its count is 0. The list is on top of
// the pool.
TurnList vcdt_list(TurnState *state, const VcdtNode *node, const Hits *base, Turn *won);

static inline VcdtEntry *vcdt_entry(TurnState *state, uint64_t key)
{
    return &state->vcdt_table[key & bits_low(VCDT_TABLE_LOG)];
}

// As pattern_board_key, of a position in which the side has `stones` stones to place.
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
