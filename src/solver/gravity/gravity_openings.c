// The opening table of 7x6.
#include "solver/gravity/gravity_openings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 7, HEIGHT = 6, K = 4, CELLS = WIDTH * HEIGHT, COLUMN = HEIGHT + 1, LOWEST = '0' };

#define OPENINGS_STONES(stones, positions) enum { STONES = (stones), POSITIONS = (positions) };
#define OPENINGS(text)
#include "solver/gravity/gravity_openings.def"
#undef OPENINGS_STONES
#undef OPENINGS

#define OPENINGS_STONES(stones, positions)
#define OPENINGS(text) text,
enum { LINE = 100 }; // letters per line of the file, except the last
static const char letters[][LINE + 1] = {
#include "solver/gravity/gravity_openings.def"
};

static_assert(sizeof letters / sizeof letters[0] == (POSITIONS + LINE - 1) / LINE, "a score for each position");

// A position; `own` are the stones of the side to move.
typedef struct {
    uint64_t mask, own;
} OpeningPosition;

// All positions with the same number of stones, sorted.
typedef struct {
    size_t count;
    OpeningPosition *list;
    int8_t *scores;
} Layer;

struct GravityOpenings {
    Layer layer[STONES + 1];
};

bool gravity_openings_suits(const Rules *rules)
{
    return rules->width == WIDTH && rules->height == HEIGHT && rules->k == K && rules->p == 1 && rules->q == 1 &&
           rules->gravity && !rules->exact;
}

unsigned gravity_openings_stones(void)
{
    return STONES;
}

// --- Positions ---

static bool wins(uint64_t own)
{
    static const unsigned steps[] = {1, COLUMN - 1, COLUMN, COLUMN + 1};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t pairs = own & own >> steps[i];
        if ((pairs & pairs >> 2 * steps[i]) != 0)
            return true;
    }
    return false;
}

static uint64_t mirror(uint64_t bits)
{
    uint64_t mirrored = 0;
    for (unsigned column = 0; column < WIDTH; column++)
        mirrored |= (bits >> column * COLUMN & bits_low(COLUMN)) << (WIDTH - 1 - column) * COLUMN;
    return mirrored;
}

static int compare(const void *a, const void *b)
{
    const OpeningPosition *x = a, *y = b;
    if (x->mask != y->mask)
        return x->mask < y->mask ? -1 : 1;
    return x->own < y->own ? -1 : x->own > y->own;
}

static OpeningPosition canonical(OpeningPosition position)
{
    OpeningPosition other = {mirror(position.mask), mirror(position.own)};
    return compare(&position, &other) <= 0 ? position : other;
}

// The position after a stone in a column, seen from the other side; false if the column is full. `won`: the stone
// completes a row.
static bool play(OpeningPosition position, unsigned column, OpeningPosition *after, bool *won)
{
    uint64_t stone = ((position.mask >> column * COLUMN & bits_low(COLUMN)) + 1) << column * COLUMN;
    if ((stone >> column * COLUMN >> HEIGHT) != 0)
        return false;
    *won = wins(position.own | stone);
    *after = canonical((OpeningPosition){position.mask | stone, position.mask ^ position.own});
    return true;
}

// --- The table ---

static Status reserve(Layer *layer, size_t count, Error *error)
{
    layer->list = malloc(count * sizeof *layer->list);
    layer->scores = malloc(count * sizeof *layer->scores);
    return layer->list != NULL && layer->scores != NULL
               ? STATUS_OK
               : error_set(error, STATUS_NO_MEMORY, "no memory for the opening table");
}

// Lists all positions with one more stone, sorted, without duplicates.
static Status list_next(const Layer *before, Layer *next, Error *error)
{
    Status status = reserve(next, before->count * WIDTH, error);
    for (size_t i = 0; i < before->count && status == STATUS_OK; i++)
        for (unsigned column = 0; column < WIDTH; column++) {
            bool won = false;
            if (play(before->list[i], column, &next->list[next->count], &won) && !won)
                next->count++;
        }
    if (status != STATUS_OK)
        return status;
    qsort(next->list, next->count, sizeof *next->list, compare);
    size_t kept = 0;
    for (size_t i = 0; i < next->count; i++)
        if (kept == 0 || compare(&next->list[kept - 1], &next->list[i]) != 0)
            next->list[kept++] = next->list[i];
    next->count = kept;
    return STATUS_OK;
}

static bool find(const Layer *layer, OpeningPosition position, int *score)
{
    const OpeningPosition *found = bsearch(&position, layer->list, layer->count, sizeof *layer->list, compare);
    if (found != NULL)
        *score = layer->scores[found - layer->list];
    return found != NULL;
}

// The score of a position from those with one more stone.
static int8_t score_by_next(OpeningPosition position, unsigned stones, const Layer *next)
{
    int best = -CELLS;
    for (unsigned column = 0; column < WIDTH; column++) {
        OpeningPosition after;
        bool won = false;
        int score = 0;
        if (!play(position, column, &after, &won))
            continue;
        if (won)
            return (int8_t)((CELLS + 1 - stones) / 2);
        if (find(next, after, &score) && -score > best)
            best = -score;
    }
    return (int8_t)best;
}

Status gravity_openings_open(GravityOpenings **openings, Error *error)
{
    *openings = NULL;
    GravityOpenings *opened = memory_new(1, sizeof *opened);
    Status status = reserve(&opened->layer[0], 1, error);
    if (status == STATUS_OK) {
        opened->layer[0].list[0] = (OpeningPosition){0};
        opened->layer[0].count = 1;
    }
    for (unsigned stones = 0; stones < STONES && status == STATUS_OK; stones++)
        status = list_next(&opened->layer[stones], &opened->layer[stones + 1], error);
    if (status != STATUS_OK) {
        gravity_openings_close(opened);
        return status;
    }
    assert(opened->layer[STONES].count == POSITIONS);
    for (size_t i = 0; i < POSITIONS; i++)
        opened->layer[STONES].scores[i] = (int8_t)(letters[i / LINE][i % LINE] - LOWEST - CELLS / 2);
    for (unsigned stones = STONES; stones-- > 0;)
        for (size_t i = 0; i < opened->layer[stones].count; i++)
            opened->layer[stones].scores[i] =
                score_by_next(opened->layer[stones].list[i], stones, &opened->layer[stones + 1]);
    *openings = opened;
    return STATUS_OK;
}

void gravity_openings_close(GravityOpenings *openings)
{
    for (unsigned i = 0; openings != NULL && i <= STONES; i++) {
        free(openings->layer[i].list);
        free(openings->layer[i].scores);
    }
    free(openings);
}

bool gravity_openings_look_up(const GravityOpenings *openings, const Board *board, int *score)
{
    unsigned stones = board_count(board);
    if (stones > STONES)
        return false;
    OpeningPosition position = {0};
    for (unsigned column = 0; column < WIDTH; column++) {
        const uint64_t *line = board->line[board->column_lines + column];
        position.mask |= (line[0] | line[1]) << column * COLUMN;
        position.own |= line[board_side(board)] << column * COLUMN;
    }
    return find(&openings->layer[stones], canonical(position), score);
}
