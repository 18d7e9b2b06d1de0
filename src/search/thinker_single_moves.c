#include "search/thinker_single_internal.h"

enum { BY_KILLER = 150, BY_REPLY = 200, HISTORY_SHARE = 24 };

// Cells within two of a stone in any way, or within three in one of its lines.
static uint64_t near_row(const Field *field, const uint64_t *stones, unsigned row)
{
    unsigned height = field->rules.height;
    uint64_t near = stones[row] << 3 | stones[row] >> 3;
    for (unsigned other = row < 2 ? 0 : row - 2; other <= row + 2 && other < height; other++)
        near |= stones[other] | stones[other] << 1 | stones[other] >> 1 | stones[other] << 2 | stones[other] >> 2;
    if (row >= 3)
        near |= stones[row - 3] | stones[row - 3] << 3 | stones[row - 3] >> 3;
    if (row + 3 < height)
        near |= stones[row + 3] | stones[row + 3] << 3 | stones[row + 3] >> 3;
    return near & field_empty_row(field, row);
}

static void stones_of(const Field *field, uint64_t stones[RULES_SIDE_MAX])
{
    for (unsigned row = 0; row < field->rules.height; row++)
        stones[row] = field->row_mask & ~field_empty_row(field, row);
}

static void add_row(Moves *moves, unsigned row, uint64_t cells)
{
    for (; cells != 0; cells &= cells - 1)
        moves->moves[moves->count++].cell = cell_at(bits_lowest(cells), row);
}

bool single_collect_near(const Field *field, Moves *moves)
{
    moves->count = moves->next = 0;
    if (field->state.count == 0) {
        moves->moves[moves->count++].cell = cell_at(field->rules.width / 2, field->rules.height / 2);
        return field->cells == 1;
    }
    uint64_t stones[RULES_SIDE_MAX];
    stones_of(field, stones);
    for (unsigned row = 0; row < field->rules.height; row++)
        add_row(moves, row, near_row(field, stones, row));
    if (moves->count == 0)
        for (unsigned row = 0; row < field->rules.height; row++)
            add_row(moves, row, field_empty_row(field, row));
    return moves->count == (unsigned)field->cells - field->state.count;
}

void single_collect(const Field *field, Moves *moves, unsigned own_kinds, unsigned other_kinds)
{
    moves->count = moves->next = 0;
    Side side = field_side(field), other = side_other(side);
    uint64_t stones[RULES_SIDE_MAX];
    stones_of(field, stones);
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t cells = near_row(field, stones, row); cells != 0; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            unsigned kinds =
                (own_kinds >> field_kind(field, cell, side) & 1) | (other_kinds >> field_kind(field, cell, other) & 1);
            if (kinds != 0)
                moves->moves[moves->count++].cell = cell;
        }
}

// The empty cells in reach of a stone in one of its lines, as bits of the line.
static uint64_t empty_in_reach(const Field *field, Cell stone, unsigned direction)
{
    unsigned reach = field->tables->shapes.reach, place = field_place(stone, direction);
    const uint64_t *planes = field->plane[field_line(field, stone, direction)];
    return planes[0] & planes[1] & bits_low(place + reach + 1) & ~bits_low(place > reach ? place - reach : 0);
}

static Cell cell_in_line(Cell stone, unsigned direction, unsigned place)
{
    return (Cell)(stone + ((int)place - (int)field_place(stone, direction)) * field_step[direction]);
}

void single_collect_lines(const Field *field, Moves *moves, unsigned own_kinds, Cell stone)
{
    Side side = field_side(field);
    moves->count = moves->next = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        for (uint64_t empty = empty_in_reach(field, stone, direction); empty != 0; empty &= empty - 1) {
            Cell cell = cell_in_line(stone, direction, bits_lowest(empty));
            if ((own_kinds >> field_kind(field, cell, side) & 1) != 0)
                moves->moves[moves->count++].cell = cell;
        }
}

static Cell completing_cell_near(const Field *field, Side side, Cell stone)
{
    for (unsigned direction = 0; direction < 4; direction++)
        for (uint64_t empty = empty_in_reach(field, stone, direction); empty != 0; empty &= empty - 1) {
            Cell cell = cell_in_line(stone, direction, bits_lowest(empty));
            if (field_kind(field, cell, side) == CELL_COMPLETES)
                return cell;
        }
    return CELL_NONE;
}

// Mostly it is in a line of the last stone of that side.
Cell single_completing_cell(const Field *field, Side side)
{
    unsigned back = field_side(field) == side ? 2 : 1;
    if (field->played_count >= back && field->played[field->played_count - back] != CELL_NONE) {
        Cell cell = completing_cell_near(field, side, field->played[field->played_count - back]);
        if (cell != CELL_NONE)
            return cell;
    }
    for (unsigned row = 0; row < field->rules.height; row++)
        for (uint64_t cells = field_empty_row(field, row); cells != 0; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            if (field_kind(field, cell, side) == CELL_COMPLETES)
                return cell;
        }
    assert(false);
    return CELL_NONE;
}

void single_score(const Worker *worker, Moves *moves, Ply *ply, Cell last)
{
    const SingleState *state = worker->state;
    const Field *field = &worker->field;
    const FieldTables *tables = field->tables;
    Side side = field_side(field);
    Cell reply = last == CELL_NONE ? (Cell)CELL_NONE : state->replies[side][last];
    for (unsigned i = 0; i < moves->count; i++) {
        Cell cell = moves->moves[i].cell;
        int score =
            tables->move[field_code(field, cell, side)] + tables->block[field_code(field, cell, side_other(side))];
        score += state->history[side][cell] / HISTORY_SHARE;
        score += cell == reply ? BY_REPLY : 0;
        score += cell == ply->killers[0] || cell == ply->killers[1] ? BY_KILLER : 0;
        moves->moves[i].score = score;
    }
}

Move *single_take(Moves *moves)
{
    if (moves->next == moves->count)
        return NULL;
    Move *best = &moves->moves[moves->next];
    for (Move *move = best + 1; move < moves->moves + moves->count; move++)
        if (move->score > best->score)
            best = move;
    Move *first = &moves->moves[moves->next++], taken = *best;
    *best = *first;
    *first = taken;
    return first;
}
