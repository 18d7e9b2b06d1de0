// Public library: games as arrays of numbers, and many games at once. A step changes the arrays of the view in place
// instead of computing them anew.
#include "api/api_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// --- One game ---

static unsigned actions_of(const Rules *rules)
{
    return rules->gravity ? rules->width : rules_cells(rules);
}

// The cell of an action; with gravity a cell above the board if the column is full.
static Cell action_cell(const Board *board, unsigned action)
{
    unsigned width = board->rules.width;
    return board->rules.gravity ? cell_at(action, board_drop_row(board, action))
                                : cell_at(action % width, action / width);
}

static unsigned legal_actions(const Board *board, uint8_t *legal)
{
    unsigned count = actions_of(&board->rules);
    for (unsigned action = 0; action < count; action++)
        legal[action] = board_is_legal(board, action_cell(board, action));
    return count;
}

KrowStatus krow_game_play_action(KrowGame *game, int32_t action, KrowError *error)
{
    const Board *board = &game->game.board;
    unsigned count = actions_of(&board->rules);
    Error failure = {0};
    if (action < 0 || (unsigned)action >= count) {
        (void)error_set(&failure, STATUS_BAD_INPUT, "there is no action %d; actions are 0 to %u", (int)action,
                        count - 1);
        return api_error(error, &failure);
    }
    Cell cell = action_cell(board, (unsigned)action);
    if (!board_has(board, cell)) // a full column; the error names its top cell
        cell = cell_at((unsigned)action, board->rules.height - 1u);
    return krow_game_play(game, cell, error);
}

size_t krow_game_legal_actions(const KrowGame *game, uint8_t *legal)
{
    return legal_actions(&game->game.board, legal);
}

void krow_game_observe(const KrowGame *game, uint8_t *planes)
{
    const Board *board = &game->game.board;
    unsigned side = (unsigned)board_side(board), left = board_stones_left(board);
    for (unsigned plane = 0; plane < 2; plane++)
        for (unsigned row = 0; row < board->rules.height; row++)
            for (unsigned column = 0; column < board->rules.width; column++)
                *planes++ = board->line[row][side ^ plane] >> column & 1;
    memset(planes, left < UINT8_MAX ? (int)left : UINT8_MAX, board->cells);
}

// --- Many games ---

enum { BATCH_ALIGNMENT = 64, SPREAD_BYTE = 256, SPREAD_NIBBLE = 16 };

struct KrowBatch {
    Rules rules;
    size_t count, actions;
    Rng rng;
    // Only the part of a board that its rules use is stored (board_copy copies no more), so that the boards of many
    // small games fit into the cache.
    size_t board_size;
    uint8_t *boards;
    Cell *stones;            // [count][cells]
    BoardState *start;       // of each game, before its first stone
    uint16_t *left, *played; // the arrays of the view
    uint8_t *legal, *side, *over, *ended, *winner;
    float *reward;
    Board empty;
    Cell cell_of[RULES_CELLS_MAX];         // of an action, without gravity
    uint64_t spread_byte[SPREAD_BYTE];     // bit i is byte i
    float spread_nibble[SPREAD_NIBBLE][4]; // bit i is element i
};

static Board *board_of(const KrowBatch *batch, size_t i)
{
    return (Board *)(void *)(batch->boards + i * batch->board_size);
}

static Cell *stones_of(const KrowBatch *batch, size_t i)
{
    return batch->stones + i * batch->empty.cells;
}

// --- Opening and closing ---

static void fill_tables(KrowBatch *batch)
{
    for (unsigned row = 0; row < batch->rules.height; row++)
        for (unsigned column = 0; column < batch->rules.width; column++)
            batch->cell_of[row * batch->rules.width + column] = cell_at(column, row);
    for (unsigned bits = 0; bits < SPREAD_BYTE; bits++)
        for (unsigned i = 0; i < 8; i++)
            batch->spread_byte[bits] |= (uint64_t)(bits >> i & 1) << 8 * i;
    for (unsigned bits = 0; bits < SPREAD_NIBBLE; bits++)
        for (unsigned i = 0; i < 4; i++)
            batch->spread_nibble[bits][i] = (float)(bits >> i & 1);
}

static bool allocate(KrowBatch *batch)
{
    size_t count = batch->count;
    batch->boards = aligned_alloc(BATCH_ALIGNMENT, count * batch->board_size);
    batch->stones = malloc(count * batch->empty.cells * sizeof batch->stones[0]);
    batch->start = malloc(count * sizeof batch->start[0]);
    batch->left = malloc(count * sizeof batch->left[0]);
    batch->played = malloc(count * sizeof batch->played[0]);
    batch->legal = malloc(count * batch->actions);
    batch->side = malloc(count);
    batch->over = malloc(count);
    batch->ended = calloc(count, 1);
    batch->winner = malloc(count);
    batch->reward = calloc(count, sizeof batch->reward[0]);
    return batch->boards != NULL && batch->stones != NULL && batch->start != NULL && batch->left != NULL &&
           batch->played != NULL && batch->legal != NULL && batch->side != NULL && batch->over != NULL &&
           batch->ended != NULL && batch->winner != NULL && batch->reward != NULL;
}

KrowBatch *krow_batch_open(const KrowRules *rules, size_t count, KrowError *error)
{
    Rules checked;
    Error failure = {0};
    if (api_rules(rules, &checked, &failure) != STATUS_OK) {
        (void)api_error(error, &failure);
        return NULL;
    }
    if (count < 1 || count > KROW_BATCH_MAX) {
        (void)api_refuse(error, KROW_BAD_INPUT, "a batch has 1 to 1048576 games");
        return NULL;
    }
    KrowBatch *batch = memory_new(1, sizeof *batch);
    batch->rules = checked;
    batch->count = count;
    batch->actions = actions_of(&checked);
    board_init(&batch->empty, &checked);
    size_t size = offsetof(Board, line) + batch->empty.line_count * sizeof batch->empty.line[0];
    batch->board_size = (size + BATCH_ALIGNMENT - 1) / BATCH_ALIGNMENT * BATCH_ALIGNMENT;
    if (!allocate(batch)) {
        krow_batch_close(batch);
        (void)api_refuse(error, KROW_NO_MEMORY, "not enough memory for a batch of this size");
        return NULL;
    }
    fill_tables(batch);
    krow_batch_seed(batch, 1);
    krow_batch_reset(batch, NULL);
    return batch;
}

void krow_batch_close(KrowBatch *batch)
{
    if (batch == NULL)
        return;
    free(batch->boards);
    free(batch->stones);
    free(batch->start);
    free(batch->left);
    free(batch->played);
    free(batch->legal);
    free(batch->side);
    free(batch->over);
    free(batch->ended);
    free(batch->winner);
    free(batch->reward);
    free(batch);
}

void krow_batch_view(const KrowBatch *batch, KrowBatchView *view)
{
    *view = (KrowBatchView){.count = batch->count,
                            .actions = batch->actions,
                            .legal = batch->legal,
                            .side = batch->side,
                            .left = batch->left,
                            .played = batch->played,
                            .over = batch->over,
                            .ended = batch->ended,
                            .winner = batch->winner,
                            .reward = batch->reward};
}

void krow_batch_seed(KrowBatch *batch, uint64_t seed)
{
    batch->rng = rng_make(seed);
}

// --- Playing ---

static KrowSide winner_of(const Board *board)
{
    Winner winner = board_winner(board);
    return winner == WINNER_FIRST ? KROW_FIRST : winner == WINNER_SECOND ? KROW_SECOND : KROW_NONE;
}

static void take_turn(KrowBatch *batch, size_t i)
{
    const Board *board = board_of(batch, i);
    batch->side[i] = (uint8_t)board_side(board);
    batch->left[i] = (uint16_t)board_stones_left(board);
    batch->over[i] = board_is_over(board);
}

// All arrays of one game, after a change that was not a single stone.
static void take_all(KrowBatch *batch, size_t i)
{
    const Board *board = board_of(batch, i);
    take_turn(batch, i);
    batch->winner[i] = (uint8_t)winner_of(board);
    batch->ended[i] = 0;
    batch->reward[i] = 0;
    (void)legal_actions(board, batch->legal + i * batch->actions);
}

static void restart_game(KrowBatch *batch, size_t i)
{
    board_copy(board_of(batch, i), &batch->empty);
    batch->start[i] = batch->empty.state;
    batch->played[i] = 0;
    memset(batch->legal + i * batch->actions, 1, batch->actions);
    take_turn(batch, i);
}

void krow_batch_reset(KrowBatch *batch, const uint8_t *which)
{
    for (size_t i = 0; i < batch->count; i++)
        if (which == NULL || which[i] != 0) {
            restart_game(batch, i);
            batch->winner[i] = KROW_NONE;
            batch->ended[i] = 0;
            batch->reward[i] = 0;
        }
}

static bool is_legal(const KrowBatch *batch, size_t i, int32_t action)
{
    return action >= 0 && (size_t)action < batch->actions && batch->legal[i * batch->actions + (size_t)action] != 0;
}

static KrowStatus check_actions(const KrowBatch *batch, const int32_t *actions, KrowError *error)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (is_legal(batch, i, actions[i]) || batch->over[i])
            continue;
        Error failure = {0};
        (void)error_set(&failure, STATUS_BAD_INPUT, "action %d is illegal in game %zu of the batch", (int)actions[i],
                        i);
        return api_error(error, &failure);
    }
    return KROW_OK;
}

// Places one stone; `*legal` is the legality of its action.
static void place(KrowBatch *batch, size_t i, unsigned action, uint8_t *legal)
{
    Board *board = board_of(batch, i);
    Cell cell;
    if (batch->rules.gravity) {
        unsigned row = board_drop_row(board, action);
        cell = cell_at(action, row);
        *legal = row + 1u < batch->rules.height;
    } else {
        cell = batch->cell_of[action];
        *legal = 0;
    }
    (void)board_play(board, cell);
    stones_of(batch, i)[batch->played[i]++] = cell;
}

KrowStatus krow_batch_step(KrowBatch *batch, const int32_t *actions, bool restart, KrowError *error)
{
    KrowStatus status = check_actions(batch, actions, error);
    if (status != KROW_OK)
        return status;
    memset(batch->ended, 0, batch->count);
    memset(batch->reward, 0, batch->count * sizeof batch->reward[0]);
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->over[i])
            continue;
        uint8_t *legal = batch->legal + i * batch->actions;
        place(batch, i, (unsigned)actions[i], &legal[actions[i]]);
        take_turn(batch, i);
        batch->winner[i] = KROW_NONE;
        if (!batch->over[i])
            continue;
        batch->winner[i] = (uint8_t)winner_of(board_of(batch, i));
        batch->ended[i] = 1;
        batch->reward[i] = batch->winner[i] != KROW_NONE;
        if (restart)
            restart_game(batch, i);
        else
            memset(legal, 0, batch->actions);
    }
    return KROW_OK;
}

// The position of the n-th set bit, from 0; there are more than n.
static unsigned select_bit(uint64_t bits, unsigned n)
{
    for (; n > 0; n--)
        bits &= bits - 1;
    return bits_lowest(bits);
}

void krow_batch_random(KrowBatch *batch, int32_t *actions)
{
    unsigned width = batch->rules.width, top = batch->rules.height - 1u;
    for (size_t i = 0; i < batch->count; i++) {
        actions[i] = -1;
        if (batch->over[i])
            continue;
        const Board *board = board_of(batch, i);
        unsigned row = 0;
        uint64_t free = batch->empty.row_mask & ~board_occupied_row(board, batch->rules.gravity ? top : 0);
        unsigned count = batch->rules.gravity ? bits_count(free) : board->cells - board_count(board);
        unsigned n = rng_below(&batch->rng, count), in_row = bits_count(free);
        while (n >= in_row) {
            n -= in_row;
            free = batch->empty.row_mask & ~board_occupied_row(board, ++row);
            in_row = bits_count(free);
        }
        actions[i] = (int32_t)(row * width + select_bit(free, n));
    }
}

// --- Observations ---

// Writes a plane of one side. Each store writes a whole word; the next row overwrites the surplus, and the plane has
// room for that of the last row.
static void spread_bytes(const KrowBatch *batch, const Board *board, unsigned side, uint8_t *plane)
{
    for (unsigned row = 0; row < batch->rules.height; row++, plane += batch->rules.width) {
        uint64_t bits = board->line[row][side];
        for (unsigned column = 0; column < batch->rules.width; column += 8, bits >>= 8)
            memcpy(plane + column, &batch->spread_byte[bits & 0xff], 8);
    }
}

static void spread_floats(const KrowBatch *batch, const Board *board, unsigned side, float *plane)
{
    for (unsigned row = 0; row < batch->rules.height; row++, plane += batch->rules.width) {
        uint64_t bits = board->line[row][side];
        for (unsigned column = 0; column < batch->rules.width; column += 4, bits >>= 4)
            memcpy(plane + column, batch->spread_nibble[bits & 0xf], sizeof batch->spread_nibble[0]);
    }
}

void krow_batch_observe(const KrowBatch *batch, uint8_t *planes)
{
    uint8_t plane[RULES_CELLS_MAX + 8];
    size_t cells = batch->empty.cells;
    for (size_t i = 0; i < batch->count; i++) {
        const Board *board = board_of(batch, i);
        for (unsigned n = 0; n < 2; n++, planes += cells) {
            spread_bytes(batch, board, batch->side[i] ^ n, plane);
            memcpy(planes, plane, cells);
        }
        memset(planes, batch->left[i] < UINT8_MAX ? batch->left[i] : UINT8_MAX, cells);
        planes += cells;
    }
}

void krow_batch_observe_float(const KrowBatch *batch, float *planes)
{
    float plane[RULES_CELLS_MAX + 4];
    size_t cells = batch->empty.cells;
    for (size_t i = 0; i < batch->count; i++) {
        const Board *board = board_of(batch, i);
        for (unsigned n = 0; n < 2; n++, planes += cells) {
            spread_floats(batch, board, batch->side[i] ^ n, plane);
            memcpy(planes, plane, cells * sizeof plane[0]);
        }
        for (size_t cell = 0; cell < cells; cell++)
            *planes++ = batch->left[i];
    }
}

// --- Single games ---

static KrowStatus check_index(const KrowBatch *batch, size_t index, KrowError *error)
{
    if (index < batch->count)
        return KROW_OK;
    return api_refuse(error, KROW_BAD_INPUT, "the batch has no game of this number");
}

KrowGame *krow_batch_game(const KrowBatch *batch, size_t index, KrowError *error)
{
    if (check_index(batch, index, error) != KROW_OK)
        return NULL;
    KrowGame *game = memory_new(1, sizeof *game);
    board_copy(&game->game.board, board_of(batch, index));
    game->game.start = batch->start[index];
    game->game.played = batch->played[index];
    memcpy(game->game.stones, stones_of(batch, index), batch->played[index] * sizeof(Cell));
    return game;
}

KrowStatus krow_batch_set_game(KrowBatch *batch, size_t index, const KrowGame *game, KrowError *error)
{
    KrowStatus status = check_index(batch, index, error);
    if (status != KROW_OK)
        return status;
    const Game *from = &game->game;
    if (!rules_equal(&from->board.rules, &batch->rules))
        return api_refuse(error, KROW_BAD_INPUT, "the rules of the game differ from those of the batch");
    board_copy(board_of(batch, index), &from->board);
    batch->start[index] = from->start;
    batch->played[index] = from->played;
    memcpy(stones_of(batch, index), from->stones, from->played * sizeof(Cell));
    take_all(batch, index);
    return KROW_OK;
}
