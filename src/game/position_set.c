// Exact keys of positions up to symmetry, and sets of such keys.
#include "game/position_set.h"

#include <stdlib.h>
#include <string.h>

// --- A board and its pictures ---

// The lower bit of a cell in a key.
static uint16_t place_of(const Rules *rules, Cell cell)
{
    return (uint16_t)(2 * (cell_row(cell) * rules->width + cell_column(cell)));
}

static void flip_keys(PositionView *view, Cell cell, Side side)
{
    for (unsigned s = 0; s < view->symmetries; s++) {
        unsigned bit = view->place[s][cell] + (unsigned)side;
        view->keys[s][bit / 64] ^= UINT64_C(1) << bit % 64;
    }
}

void position_view_begin(PositionView *view, const Board *board)
{
    const Rules *rules = &board->rules;
    board_copy(&view->board, board);
    view->words = (rules_cells(rules) * 2 + 63) / 64;
    view->symmetries = symmetry_count(rules);
    memset(view->keys, 0, sizeof view->keys);
    for (unsigned row = 0; row < rules->height; row++)
        for (unsigned column = 0; column < rules->width; column++) {
            Cell cell = cell_at(column, row);
            view->cells[place_of(rules, cell) / 2] = cell;
            for (Symmetry s = 0; s < view->symmetries; s++)
                view->place[s][cell] = place_of(rules, symmetry_cell(rules, s, cell));
            Stone stone = board_stone(board, cell);
            if (stone != STONE_NONE)
                flip_keys(view, cell, (Side)stone);
        }
}

// Stones are removed before others are added, since a cell may change its owner. Neighbours in a set differ by few
// stones, so this is much cheaper than setting up a board.
void position_view_load(PositionView *view, const uint64_t *key, uint64_t turn)
{
    for (unsigned i = 0; i < view->words; i++)
        for (uint64_t gone = view->keys[0][i] & ~key[i]; gone != 0; gone &= gone - 1) {
            unsigned bit = 64 * i + bits_lowest(gone);
            board_take(&view->board, view->cells[bit / 2], (Side)(bit & 1));
            flip_keys(view, view->cells[bit / 2], (Side)(bit & 1));
        }
    for (unsigned i = 0; i < view->words; i++)
        for (uint64_t come = key[i] & ~view->keys[0][i]; come != 0; come &= come - 1) {
            unsigned bit = 64 * i + bits_lowest(come);
            board_put(&view->board, view->cells[bit / 2], (Side)(bit & 1));
            flip_keys(view, view->cells[bit / 2], (Side)(bit & 1));
        }
    view->board.state.turn = turn;
}

static bool is_less(const uint64_t *a, const uint64_t *b, unsigned words)
{
    for (unsigned i = words; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

void position_view_key(const PositionView *view, uint64_t *key)
{
    const uint64_t *best = view->keys[0];
    for (unsigned s = 1; s < view->symmetries; s++)
        best = is_less(view->keys[s], best, view->words) ? view->keys[s] : best;
    memcpy(key, best, view->words * sizeof *key);
}

void position_view_key_after(const PositionView *view, Cell cell, Side side, uint64_t *key)
{
    uint64_t other[POSITION_WORDS_MAX];
    size_t size = view->words * sizeof *key;
    for (unsigned s = 0; s < view->symmetries; s++) {
        uint64_t *picture = s == 0 ? key : other;
        unsigned bit = view->place[s][cell] + (unsigned)side;
        memcpy(picture, view->keys[s], size);
        picture[bit / 64] |= UINT64_C(1) << bit % 64;
        if (s > 0 && is_less(other, key, view->words))
            memcpy(key, other, size);
    }
}

// --- Sets ---

// Mixes the words by multiplications and shifts; it affects only the place of a key.
static size_t slot_of(const PositionSet *set, const uint64_t *key)
{
    uint64_t hash = 0;
    for (unsigned i = 0; i < set->words; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (size_t)(hash * UINT64_C(0xd6e8feb86659fd93) >> 20) & (set->slot_count - 1);
}

static bool is_key(const PositionSet *set, uint32_t number, const uint64_t *key)
{
    return memcmp(position_set_key(set, number - 1), key, set->words * sizeof *key) == 0;
}

// The slot of a key: its own, or the free one where it would go.
static size_t find_slot(const PositionSet *set, const uint64_t *key)
{
    size_t at = slot_of(set, key);
    while (set->slots[at] != 0 && !is_key(set, set->slots[at], key))
        at = (at + 1) & (set->slot_count - 1);
    return at;
}

static uint64_t bytes_for(const PositionSet *set, uint64_t capacity)
{
    return capacity * (set->words * sizeof *set->keys + 2 * sizeof *set->slots);
}

// Twice the capacity; two slots for each key.
static bool grow(PositionSet *set, uint64_t limit)
{
    size_t capacity = set->capacity == 0 ? 16 : 2 * set->capacity;
    if (bytes_for(set, capacity) > limit || capacity > UINT32_MAX / 2)
        return false;
    uint64_t *keys = realloc(set->keys, capacity * set->words * sizeof *keys);
    if (keys == NULL)
        return false;
    set->keys = keys;
    uint32_t *slots = calloc(2 * capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    set->slot_count = 2 * capacity;
    for (size_t i = 0; i < set->count; i++)
        set->slots[find_slot(set, position_set_key(set, i))] = (uint32_t)(i + 1);
    return true;
}

bool position_set_add(PositionSet *set, const uint64_t *key, uint64_t limit)
{
    if (set->capacity == 0 && !grow(set, limit))
        return false;
    size_t slot = find_slot(set, key);
    if (set->slots[slot] != 0)
        return true;
    if (set->count == set->capacity) {
        if (!grow(set, limit))
            return false;
        slot = find_slot(set, key);
    }
    memcpy(set->keys + set->count * set->words, key, set->words * sizeof *key);
    set->slots[slot] = (uint32_t)++set->count;
    return true;
}

bool position_set_has(const PositionSet *set, const uint64_t *key)
{
    return set->slot_count > 0 && set->slots[find_slot(set, key)] != 0;
}

uint64_t position_set_bytes(const PositionSet *set)
{
    return bytes_for(set, set->capacity);
}

void position_set_close(PositionSet *set)
{
    free(set->keys);
    free(set->slots);
    *set = (PositionSet){.words = set->words};
}
