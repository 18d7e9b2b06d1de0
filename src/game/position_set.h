// Exact keys of positions up to symmetry, and sets of such keys in insertion order.
//
// A key is a number with two bits per cell, row by row from a1, which is the lowest: 0 empty, 1 a stone of the first
// player, 2 of the second. The smallest number of all symmetric images represents a position. Keys are not hashed: two
// positions have the same key exactly if they are equal or symmetric. The side to move is not included; all positions
// of a set have equally many stones.
#pragma once

#include "game/symmetry.h"

enum { POSITION_WORDS_MAX = RULES_CELLS_MAX * 2 / 64 };

// A board and the keys of all its images, updated together.
typedef struct {
    Board board;
    unsigned words;                                  // of a key, lowest first
    unsigned symmetries;                             // number of images
    Cell cells[RULES_CELLS_MAX];                     // by their place in a key
    uint16_t place[SYMMETRY_MAX][RULES_CELLS_MAX];   // lower bit of a cell in the key of each image
    uint64_t keys[SYMMETRY_MAX][POSITION_WORDS_MAX]; // of the images; the first is the board itself
} PositionView;

// Starts from a board.
void position_view_begin(PositionView *view, const Board *board);

// Makes the board the position of a key; `turn` is the turn of its state.
void position_view_load(PositionView *view, const uint64_t *key, uint64_t turn);

// The key of the smallest image of the board, and of the position after a stone of `side` on an empty cell.
void position_view_key(const PositionView *view, uint64_t *key);
void position_view_key_after(const PositionView *view, Cell cell, Side side, uint64_t *key);

// A set in insertion order. Zeroed except for `words`, it is empty.
typedef struct {
    unsigned words;
    uint64_t *keys;  // `count` of them
    uint32_t *slots; // open addressing: number of the key + 1; 0: free
    size_t count, capacity, slot_count;
} PositionSet;

// Adds a key unless it exists. False if memory runs out or the set would exceed `limit` bytes; the set is then
// unchanged.
bool position_set_add(PositionSet *set, const uint64_t *key, uint64_t limit);

bool position_set_has(const PositionSet *set, const uint64_t *key);
uint64_t position_set_bytes(const PositionSet *set); // memory it takes
void position_set_close(PositionSet *set);

static inline const uint64_t *position_set_key(const PositionSet *set, size_t i)
{
    return set->keys + i * set->words;
}
