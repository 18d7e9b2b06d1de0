// Games of the database in memory, and the continuations of a position in them.
#include "lab/explorer.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 2000, STONES_MAX = 255 }; // games read under one lock; stones kept of a game

// A game: its stones are `cells[start]` and following.
typedef struct {
    size_t start;
    uint16_t length;
    uint8_t result; // Result
    bool is_whole;  // all stones are kept
} StoredGame;

struct Explorer {
    Rules rules;
    StoredGame *games; // owned
    size_t game_count, game_capacity;
    Cell *cells; // owned
    size_t cell_count, cell_capacity;
    int64_t last; // the newest id that was read
    int64_t read; // number of games read, also those that do not count
};

Explorer *explorer_open(const Rules *rules)
{
    Explorer *explorer = memory_new(1, sizeof *explorer);
    explorer->rules = *rules;
    return explorer;
}

static void forget(Explorer *explorer)
{
    free(explorer->games);
    free(explorer->cells);
    *explorer = (Explorer){.rules = explorer->rules};
}

void explorer_close(Explorer *explorer)
{
    if (explorer != NULL)
        forget(explorer);
    free(explorer);
}

const Rules *explorer_rules(const Explorer *explorer)
{
    return &explorer->rules;
}

uint64_t explorer_games(const Explorer *explorer)
{
    return explorer->game_count;
}

// --- Reading ---

typedef struct {
    Explorer *explorer;
    unsigned rows;
    bool is_full; // memory ran out, or the limit is reached
} Reading;

// Appends the stones of a game; false if a word is no cell.
static bool add_stones(Explorer *explorer, Span stones, StoredGame *game)
{
    Span word = {0};
    while (span_next_word(&stones, " ", &word)) {
        if (game->length == STONES_MAX) {
            game->is_whole = false;
            break;
        }
        if (cell_parse(word, &explorer->rules, &explorer->cells[game->start + game->length], NULL) != STATUS_OK)
            return false;
        game->length++;
    }
    return true;
}

static bool take_line(void *context, const DatabaseLine *line)
{
    Reading *reading = context;
    Explorer *explorer = reading->explorer;
    reading->rows++;
    explorer->last = line->id;
    explorer->read++;
    if (line->result == RESULT_NONE)
        return true;
    StoredGame *games =
        array_try_grow(explorer->games, &explorer->game_capacity, explorer->game_count + 1, sizeof *games);
    if (games != NULL)
        explorer->games = games;
    Cell *cells =
        array_try_grow(explorer->cells, &explorer->cell_capacity, explorer->cell_count + STONES_MAX, sizeof *cells);
    if (cells != NULL)
        explorer->cells = cells;
    reading->is_full = games == NULL || cells == NULL || explorer->game_count >= EXPLORER_GAMES_MAX;
    if (reading->is_full)
        return false;
    StoredGame game = {.start = explorer->cell_count, .result = (uint8_t)line->result, .is_whole = true};
    if (add_stones(explorer, line->stones, &game)) {
        explorer->games[explorer->game_count++] = game;
        explorer->cell_count += game.length;
    }
    return true;
}

Status explorer_update(Explorer *explorer, Database *db, double deadline, bool *is_complete, Error *error)
{
    Status status = STATUS_OK;
    int64_t still = 0;
    Reading reading = {.explorer = explorer, .rows = BATCH};
    *is_complete = true;
    if (db != NULL && explorer->last != 0)
        status = database_count_lines(db, &explorer->rules, explorer->last, &still, error);
    // Games were removed, or stored later under a smaller number.
    if (status == STATUS_OK && still != explorer->read)
        forget(explorer);
    while (db != NULL && status == STATUS_OK && reading.rows == BATCH && !reading.is_full) {
        if (deadline > 0 && clock_seconds() > deadline) {
            *is_complete = false;
            return STATUS_OK;
        }
        reading.rows = 0;
        DatabaseLineRange range = {&explorer->rules, explorer->last, BATCH};
        status = database_each_line(db, &range, take_line, &reading, error);
    }
    return status;
}

// --- Comparing games with a position ---

// The side of the n-th stone, from 0, of a game from the empty board.
static Side side_of(const Rules *rules, unsigned n)
{
    return n < rules->q ? SIDE_FIRST : (n - rules->q) / rules->p % 2 == 0 ? SIDE_SECOND : SIDE_FIRST;
}

// The number of stones before the turn of the n-th stone.
static unsigned turn_start(const Rules *rules, unsigned n)
{
    return n < rules->q ? 0 : n - (n - rules->q) % rules->p;
}

bool explorer_is_regular(const Board *board)
{
    const Rules *rules = &board->rules;
    unsigned n = board_count(board), start = turn_start(rules, n);
    unsigned whole = start == 0 && n < rules->q ? rules->q : rules->p;
    return board_side(board) == side_of(rules, n) && (board->state.turn & 0xffff) == whole - (n - start);
}

void explorer_frame_init(ExplorerFrame *frame, const Board *board)
{
    *frame = (ExplorerFrame){.rules = board->rules};
    for (Symmetry i = 0; i < symmetry_count(&board->rules); i++) {
        Board image;
        symmetry_board(board, i, &image);
        if (board_key(&image) == board_key(board))
            frame->symmetries[frame->count++] = i;
    }
}

// Replaces `best` with a sorted list of the same length if that comes first. Returns whether it did.
static bool keep_least(Cell *best, Cell *stones, unsigned count)
{
    qsort(stones, count, sizeof *stones, cell_compare);
    for (unsigned i = 0; i < count; i++)
        if (stones[i] != best[i]) {
            if (stones[i] > best[i])
                return false;
            memcpy(best, stones, count * sizeof *best);
            return true;
        }
    return false;
}

void explorer_frame_apply(const ExplorerFrame *frame, Cell *stones, unsigned count)
{
    Cell image[RULES_CELLS_MAX], given[RULES_CELLS_MAX];
    assert(count <= RULES_CELLS_MAX);
    memcpy(given, stones, count * sizeof *stones);
    qsort(stones, count, sizeof *stones, cell_compare);
    for (unsigned i = 0; i < frame->count; i++) {
        for (unsigned j = 0; j < count; j++)
            image[j] = symmetry_cell(&frame->rules, frame->symmetries[i], given[j]);
        (void)keep_least(stones, image, count);
    }
}

// A position in all its images. `images[side][cell]` has a bit for each image in which this side has a stone there;
// `back` brings a cell of an image to the position.
typedef struct {
    Rules rules;
    unsigned before, placed, whole; // stones before the turn, of the turn so far, and of the whole turn
    Side side;                      // to move
    uint8_t images[2][RULES_CELLS_MAX];
    Cell back[SYMMETRY_MAX][RULES_CELLS_MAX];
    unsigned image_count;
    Cell rest[RULES_CELLS_MAX], best[RULES_CELLS_MAX];
} Wanted;

static void wanted_init(Wanted *wanted, const Board *board)
{
    const Rules *rules = &board->rules;
    unsigned n = board_count(board);
    wanted->rules = *rules;
    wanted->before = turn_start(rules, n);
    wanted->placed = n - wanted->before;
    wanted->whole = n < rules->q ? rules->q : rules->p;
    wanted->side = board_side(board);
    wanted->image_count = symmetry_count(rules);
    for (Symmetry i = 0; i < wanted->image_count; i++)
        for (unsigned row = 0; row < rules->height; row++)
            for (unsigned column = 0; column < rules->width; column++) {
                Cell cell = cell_at(column, row), image = symmetry_cell(rules, i, cell);
                Stone stone = board_stone(board, cell);
                wanted->back[i][image] = cell;
                if (stone != STONE_NONE)
                    wanted->images[stone][image] |= (uint8_t)(1u << i);
            }
}

// The images that the stones before the turn fit.
static unsigned fitting_images(const Wanted *wanted, const Cell *cells)
{
    unsigned alive = (1u << wanted->image_count) - 1;
    for (unsigned n = 0; n < wanted->before && alive != 0; n++)
        alive &= wanted->images[side_of(&wanted->rules, n)][cells[n]];
    return alive;
}

// Whether the stones of a turn contain those already placed in an image; the others are the rest, in the position.
static bool rest_of_turn(Wanted *wanted, Symmetry image, const Cell *turn, unsigned count)
{
    unsigned others = 0;
    for (unsigned i = 0; i < count; i++)
        if (wanted->placed == 0 || (wanted->images[wanted->side][turn[i]] >> image & 1) == 0)
            wanted->rest[others++] = wanted->back[image][turn[i]];
    return count - others == wanted->placed;
}

static void add_counts(ExplorerCounts *counts, Result result)
{
    counts->first += result == RESULT_FIRST;
    counts->draws += result == RESULT_DRAW;
    counts->second += result == RESULT_SECOND;
}

// Whether a turn of a game was finished: with all stones, or by a win or a full board before.
static bool is_finished(const Wanted *wanted, const StoredGame *game, unsigned count)
{
    Result won = wanted->side == SIDE_FIRST ? RESULT_FIRST : RESULT_SECOND;
    unsigned cells = (unsigned)wanted->rules.width * wanted->rules.height;
    return count == wanted->whole || (game->is_whole && (game->result == won || game->length == cells));
}

static void compare_game(const Explorer *explorer, Wanted *wanted, const StoredGame *game, ExplorerPosition *found)
{
    if (game->length < wanted->before + wanted->placed)
        return;
    const Cell *cells = explorer->cells + game->start;
    unsigned alive = fitting_images(wanted, cells), left = game->length - wanted->before;
    unsigned count = left < wanted->whole ? left : wanted->whole, rest = count - wanted->placed;
    bool fits = false;
    for (Symmetry image = 0; alive >> image != 0; image++) {
        if ((alive >> image & 1) == 0 || !rest_of_turn(wanted, image, cells + wanted->before, count))
            continue;
        if (!fits) {
            qsort(wanted->rest, rest, sizeof(Cell), cell_compare);
            memcpy(wanted->best, wanted->rest, rest * sizeof(Cell));
        } else {
            (void)keep_least(wanted->best, wanted->rest, rest);
        }
        fits = true;
    }
    if (!fits)
        return;
    add_counts(&found->counts, (Result)game->result);
    if (rest == 0 || !is_finished(wanted, game, count))
        return;
    size_t move = explorer_position_move(found, wanted->best, rest); // may move the list
    add_counts(&found->moves[move].counts, (Result)game->result);
}

void explorer_find(const Explorer *explorer, const Board *board, ExplorerPosition *found)
{
    if (!explorer_is_regular(board) || board_is_over(board))
        return;
    Wanted *wanted = memory_new(1, sizeof *wanted);
    wanted_init(wanted, board);
    for (size_t i = 0; i < explorer->game_count; i++)
        compare_game(explorer, wanted, &explorer->games[i], found);
    free(wanted);
    explorer_position_sort(found);
}

// --- Continuations ---

void explorer_position_close(ExplorerPosition *position)
{
    free(position->moves);
    free(position->stones);
    free(position->slots);
    *position = (ExplorerPosition){0};
}

// FNV-1a over the cells.
static uint64_t hash_stones(const Cell *stones, unsigned count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ stones[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

// The slot of a continuation; it is 0 for one that is not there, else its index plus one.
static size_t *find_slot(ExplorerPosition *position, const Cell *stones, unsigned count)
{
    size_t mask = position->slot_count - 1, at = (size_t)hash_stones(stones, count) & mask;
    for (;; at = (at + 1) & mask) {
        const ExplorerMove *move = position->slots[at] != 0 ? &position->moves[position->slots[at] - 1] : NULL;
        if (move == NULL ||
            (move->count == count && memcmp(position->stones + move->stones, stones, count * sizeof *stones) == 0))
            return &position->slots[at];
    }
}

// Keeps the table at most half full. It is also rebuilt after the moves were sorted.
static void grow_slots(ExplorerPosition *position)
{
    if (position->slots != NULL && 2 * (position->move_count + 1) <= position->slot_count)
        return;
    free(position->slots);
    position->slot_count = 64;
    while (position->slot_count < 4 * (position->move_count + 1))
        position->slot_count *= 2;
    position->slots = memory_new(position->slot_count, sizeof *position->slots);
    for (size_t i = 0; i < position->move_count; i++) {
        const ExplorerMove *move = &position->moves[i];
        *find_slot(position, position->stones + move->stones, move->count) = i + 1;
    }
}

size_t explorer_position_move(ExplorerPosition *position, const Cell *stones, unsigned count)
{
    grow_slots(position);
    size_t *slot = find_slot(position, stones, count);
    if (*slot != 0)
        return *slot - 1;
    position->moves =
        array_grow(position->moves, &position->move_capacity, position->move_count + 1, sizeof *position->moves);
    position->stones = array_grow(position->stones, &position->stone_capacity, position->stone_count + count,
                                  sizeof *position->stones);
    position->moves[position->move_count] = (ExplorerMove){.stones = position->stone_count, .count = count};
    memcpy(position->stones + position->stone_count, stones, count * sizeof *stones);
    position->stone_count += count;
    *slot = ++position->move_count;
    return position->move_count - 1;
}

static int compare_moves(const void *a, const void *b, void *context)
{
    const ExplorerMove *x = a, *y = b;
    const Cell *stones = ((const ExplorerPosition *)context)->stones;
    uint64_t games_x = explorer_count(x->counts), games_y = explorer_count(y->counts);
    if (games_x != games_y)
        return games_x > games_y ? -1 : 1;
    for (unsigned i = 0; i < x->count && i < y->count; i++)
        if (stones[x->stones + i] != stones[y->stones + i])
            return stones[x->stones + i] < stones[y->stones + i] ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

void explorer_position_sort(ExplorerPosition *position)
{
    if (position->move_count > 0)
        qsort_r(position->moves, position->move_count, sizeof *position->moves, compare_moves, position);
    free(position->slots);
    position->slots = NULL;
}
