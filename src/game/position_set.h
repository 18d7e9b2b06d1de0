// Positions as exact keys, symmetric ones counted as one, and sets of such keys in the order in which they came.
//
// A key is a number with two bits a cell, row by row from a1, which is the lowest: 0 empty, 1 a stone of the first
// player, 2 of the second. Of all symmetric pictures of a position the one with the smallest number stands for it.
// Nothing is hashed away: two positions have the same key exactly when they are the same or symmetric. Whose turn it is
// does not enter; the positions of a set have equally many stones.
#pragma once

#include "game/symmetry.h"

enum { POSITION_WORDS_MAX = RULES_CELLS_MAX * 2 / 64 };

// A board and the numbers of all its pictures, kept up to date together.
typedef struct {
    Board board;
    unsigned words;                                  // of a key, the lowest first
    unsigned symmetries;                             // pictures
    Cell cells[RULES_CELLS_MAX];                     // by their place in a key
    uint16_t place[SYMMETRY_MAX][RULES_CELLS_MAX];   // of a cell in the key of each picture: its lower bit
    uint64_t keys[SYMMETRY_MAX][POSITION_WORDS_MAX]; // of the pictures; the first is the board itself
} PositionView;

// The board as it is.
void position_view_begin(PositionView *view, const Board *board);

// Makes the board the position of a key; `turn` is the turn of its state.
void position_view_load(PositionView *view, const uint64_t *key, uint64_t turn);

// The key of the smallest picture of the board, and of the position that a stone of `side` on an empty cell makes.
void position_view_key(const PositionView *view, uint64_t *key);
void position_view_key_after(const PositionView *view, Cell cell, Side side, uint64_t *key);

// A set remembers the order in which its keys were added. Zeroed with `words` set it is empty.
typedef struct {
    unsigned words;
    uint64_t *keys;  // `count` of them
    uint32_t *slots; // by the hash of a key its number + 1, or the next free place; 0 is free
    size_t count, capacity, slot_count;
} PositionSet;

// Adds a key unless it is there. False without memory, or when the set would take more than `limit` bytes; it then
// holds what it held.
bool position_set_add(PositionSet *set, const uint64_t *key, uint64_t limit);

bool position_set_has(const PositionSet *set, const uint64_t *key);
uint64_t position_set_bytes(const PositionSet *set); // memory it takes
void position_set_close(PositionSet *set);

static inline const uint64_t *position_set_key(const PositionSet *set, size_t i)
{
    return set->keys + i * set->words;
}
