// Where the defensive strategy of Liu and Lin places its stones.
#include "papers/kagami/defending.h"

#include "papers/kagami/influence.h"
#include "threats/centre.h"

// --- Half-moves ---

static bool has_stones(const Board *board, Side side)
{
    uint64_t stones = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        stones |= board->line[row][side];
    return stones != 0;
}

static double rate_cell(const Board *board, Cell cell, Side opponent, bool follows)
{
    if (!follows)
        return centre_nearness(&board->rules, cell);
    Influence influence = influence_of(board, cell, opponent);
    return influence_rank(&influence, board->rules.k);
}

void defending_rate(const Board *board, const uint64_t cells[RULES_SIDE_MAX], Ratings *ratings)
{
    Side opponent = side_other(board_side(board));
    bool follows = has_stones(board, opponent);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t left = cells[row] & board_legal_row(board, row); left != 0; left &= left - 1) {
            Cell cell = cell_at(bits_lowest(left), row);
            ratings->cells[ratings->count++] = (RatedCell){cell, rate_cell(board, cell, opponent, follows)};
        }
}

// --- Turns ---

// The best cells first; equals stay in the random order.
static void sort(RatedCell *cells, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        RatedCell moved = cells[i];
        unsigned at = i;
        for (; at > 0 && cells[at - 1].utility < moved.utility; at--)
            cells[at] = cells[at - 1];
        cells[at] = moved;
    }
}

static void list_cells(DefendingTurns *turns, const uint64_t cells[RULES_SIDE_MAX], Rng *rng)
{
    const Board *board = &turns->board;
    Ratings *ratings = &turns->ratings;
    ratings->count = 0;
    defending_rate(board, cells, ratings);
    if (ratings->count < board_stones_left(board)) {
        uint64_t all[RULES_SIDE_MAX];
        memset(all, 0xff, sizeof all);
        ratings->count = 0;
        defending_rate(board, all, ratings);
    }
    rng_shuffle(rng, ratings->cells, ratings->count, sizeof ratings->cells[0]);
    sort(ratings->cells, ratings->count);
    if (ratings->count > DEFENDING_CELLS_MAX)
        ratings->count = DEFENDING_CELLS_MAX;
}

// Puts a turn in its place, behind its equals; the last one falls out when the list is full.
static void insert(DefendingTurns *turns, const DefendingTurn *turn)
{
    unsigned at = turns->count;
    if (at == DEFENDING_TURNS_MAX && turns->list[at - 1].score >= turn->score)
        return;
    if (at == DEFENDING_TURNS_MAX)
        at--;
    else
        turns->count++;
    for (; at > 0 && turns->list[at - 1].score < turn->score; at--)
        turns->list[at] = turns->list[at - 1];
    turns->list[at] = *turn;
}

// Adds one stone to a turn of `stones` stones, with these on the board: every cell that comes after its last one.
static void extend(DefendingTurns *turns, const DefendingTurn *turn, unsigned stones, bool follows)
{
    Board *board = &turns->board;
    Side opponent = side_other(board_side(board));
    BoardState start = board->state;
    for (unsigned i = 0; i < stones; i++)
        (void)board_play(board, turn->stones[i]);
    for (unsigned i = stones > 0 ? turn->last + 1 : 0; i < turns->ratings.count; i++) {
        Cell cell = turns->ratings.cells[i].cell;
        DefendingTurn longer = *turn;
        longer.stones[stones] = cell;
        longer.last = i;
        longer.score += rate_cell(board, cell, opponent, follows);
        BoardState before = board_play(board, cell);
        bool wins = board_winner(board) != WINNER_NONE;
        board_undo(board, cell, before);
        if (!wins)
            insert(turns, &longer);
    }
    for (unsigned i = stones; i-- > 0;)
        board_undo(board, turn->stones[i], start);
}

void defending_list(DefendingTurns *turns, const Board *board, const uint64_t cells[RULES_SIDE_MAX], Rng *rng)
{
    unsigned size = board_stones_left(board);
    assert(size > 0 && size <= WINDOW_TALLY_P_MAX);
    board_copy(&turns->board, board);
    list_cells(turns, cells, rng);
    bool follows = has_stones(board, side_other(board_side(board)));
    turns->count = 1;
    turns->list[0] = (DefendingTurn){.stones = {CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE}};
    for (unsigned stones = 0; stones < size; stones++) {
        turns->shorter_count = turns->count;
        memcpy(turns->shorter, turns->list, turns->count * sizeof turns->list[0]);
        turns->count = 0;
        for (unsigned i = 0; i < turns->shorter_count; i++)
            extend(turns, &turns->shorter[i], stones, follows);
    }
}
