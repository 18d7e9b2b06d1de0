// Move generation and ordering for one stone per turn.
#include "engine/search/single/single_internal.h"

enum { BY_KILLER = 150, BY_REPLY = 200, HISTORY_SHARE = 24 };

// Cells within two of a stone in any direction, or within three in one of its lines.
static uint64_t near_row(const PatternBoard *patterns, const uint64_t *stones, unsigned row)
{
    unsigned height = patterns->rules.height;
    uint64_t near = stones[row] << 3 | stones[row] >> 3;
    for (unsigned other = row < 2 ? 0 : row - 2; other <= row + 2 && other < height; other++)
        near |= stones[other] | stones[other] << 1 | stones[other] >> 1 | stones[other] << 2 | stones[other] >> 2;
    if (row >= 3)
        near |= stones[row - 3] | stones[row - 3] << 3 | stones[row - 3] >> 3;
    if (row + 3 < height)
        near |= stones[row + 3] | stones[row + 3] << 3 | stones[row + 3] >> 3;
    return near & pattern_board_empty_row(patterns, row);
}

static void stones_of(const PatternBoard *patterns, uint64_t stones[RULES_SIDE_MAX])
{
    for (unsigned row = 0; row < patterns->rules.height; row++)
        stones[row] = patterns->row_mask & ~pattern_board_empty_row(patterns, row);
}

static void add_row(SingleMoves *moves, unsigned row, uint64_t cells)
{
    for (; cells != 0; cells &= cells - 1)
        moves->moves[moves->count++].cell = cell_at(bits_lowest(cells), row);
}

bool single_collect_near(const PatternBoard *patterns, SingleMoves *moves)
{
    moves->count = moves->next = 0;
    if (patterns->state.count == 0) {
        moves->moves[moves->count++].cell = cell_at(patterns->rules.width / 2, patterns->rules.height / 2);
        return patterns->cells == 1;
    }
    uint64_t stones[RULES_SIDE_MAX];
    stones_of(patterns, stones);
    for (unsigned row = 0; row < patterns->rules.height; row++)
        add_row(moves, row, near_row(patterns, stones, row));
    if (moves->count == 0)
        for (unsigned row = 0; row < patterns->rules.height; row++)
            add_row(moves, row, pattern_board_empty_row(patterns, row));
    return moves->count == (unsigned)patterns->cells - patterns->state.count;
}

void single_collect(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, unsigned other_kinds)
{
    moves->count = moves->next = 0;
    Side side = pattern_board_side(patterns), other = side_other(side);
    uint64_t stones[RULES_SIDE_MAX];
    stones_of(patterns, stones);
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = near_row(patterns, stones, row); cells != 0; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            unsigned kinds = (own_kinds >> pattern_board_cell_pattern(patterns, cell, side) & 1) |
                             (other_kinds >> pattern_board_cell_pattern(patterns, cell, other) & 1);
            if (kinds != 0)
                moves->moves[moves->count++].cell = cell;
        }
}

void single_collect_lines(const PatternBoard *patterns, SingleMoves *moves, unsigned own_kinds, Cell stone)
{
    Side side = pattern_board_side(patterns);
    moves->count = moves->next = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        for (uint64_t empty = pattern_board_near(patterns, stone, direction); empty != 0; empty &= empty - 1) {
            Cell cell = pattern_board_cell_at(stone, direction, bits_lowest(empty));
            if ((own_kinds >> pattern_board_cell_pattern(patterns, cell, side) & 1) != 0)
                moves->moves[moves->count++].cell = cell;
        }
}

static Cell completing_cell_near(const PatternBoard *patterns, Side side, Cell stone)
{
    for (unsigned direction = 0; direction < 4; direction++)
        for (uint64_t empty = pattern_board_near(patterns, stone, direction); empty != 0; empty &= empty - 1) {
            Cell cell = pattern_board_cell_at(stone, direction, bits_lowest(empty));
            if (pattern_board_cell_pattern(patterns, cell, side) == CELL_COMPLETES)
                return cell;
        }
    return CELL_NONE;
}

// Usually it is in a line of the last stone of that side.
Cell single_completing_cell(const PatternBoard *patterns, Side side)
{
    unsigned back = pattern_board_side(patterns) == side ? 2 : 1;
    if (patterns->played_count >= back && patterns->played[patterns->played_count - back] != CELL_NONE) {
        Cell cell = completing_cell_near(patterns, side, patterns->played[patterns->played_count - back]);
        if (cell != CELL_NONE)
            return cell;
    }
    for (unsigned row = 0; row < patterns->rules.height; row++)
        for (uint64_t cells = pattern_board_empty_row(patterns, row); cells != 0; cells &= cells - 1) {
            Cell cell = cell_at(bits_lowest(cells), row);
            if (pattern_board_cell_pattern(patterns, cell, side) == CELL_COMPLETES)
                return cell;
        }
    assert(false);
    return CELL_NONE;
}

void single_score(const SearchThread *thread, SingleMoves *moves, SinglePly *ply, Cell last)
{
    const SingleState *state = thread->state;
    const PatternBoard *patterns = &thread->patterns;
    Side side = pattern_board_side(patterns);
    Cell reply = last == CELL_NONE ? (Cell)CELL_NONE : state->replies[side][last];
    evaluator_order(&thread->evaluator, patterns, moves->moves, moves->count);
    for (unsigned i = 0; i < moves->count; i++) {
        Cell cell = moves->moves[i].cell;
        int score = moves->moves[i].score + state->history[side][cell] / HISTORY_SHARE;
        score += cell == reply ? BY_REPLY : 0;
        score += cell == ply->killers[0] || cell == ply->killers[1] ? BY_KILLER : 0;
        moves->moves[i].score = score;
    }
}

ScoredCell *single_take(SingleMoves *moves)
{
    if (moves->next == moves->count)
        return NULL;
    ScoredCell *best = &moves->moves[moves->next];
    for (ScoredCell *move = best + 1; move < moves->moves + moves->count; move++)
        if (move->score > best->score)
            best = move;
    ScoredCell *first = &moves->moves[moves->next++], taken = *best;
    *best = *first;
    *first = taken;
    return first;
}
