// Ratings of cells and lists of turns for the defensive strategy of Liu and Lin.
#include "papers/kagami/defending.h"

#include "papers/kagami/influence.h"
#include "threats/centre.h"

#include <math.h>

// --- Half-moves ---

static bool has_stones(const Board *board, Side side)
{
    uint64_t stones = 0;
    for (unsigned row = 0; row < board->rules.height; row++)
        stones |= board->line[row][side];
    return stones != 0;
}

// The logarithm of the sum of two numbers with these logarithms, all to the base 2.
static double add_logarithms(double a, double b)
{
    return fmax(a, b) + log2(1 + exp2(-fabs(a - b)));
}

static double rank_of(const Board *board, Cell cell, Side side)
{
    Influence influence = influence_of(board, cell, side);
    return influence_rank(&influence, board->rules.k);
}

static double rate_cell(const Board *board, Cell cell, Side opponent, DefendingReading reading)
{
    double rank = rank_of(board, cell, opponent);
    return reading.both ? add_logarithms(rank, rank_of(board, cell, side_other(opponent))) : rank;
}

void defending_rate(const Board *board, const uint64_t cells[RULES_SIDE_MAX], DefendingReading reading,
                    Ratings *ratings)
{
    Side opponent = side_other(board_side(board));
    bool follows = has_stones(board, opponent);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t left = cells[row] & board_legal_row(board, row); left != 0; left &= left - 1) {
            Cell cell = cell_at(bits_lowest(left), row);
            double rating = follows ? rate_cell(board, cell, opponent, reading) : centre_nearness(&board->rules, cell);
            ratings->cells[ratings->count++] = (RatedCell){cell, rating};
        }
}

// --- Turns ---

// Sorts by rating, best first; equals keep the random order.
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
    defending_rate(board, cells, turns->reading, ratings);
    if (ratings->count < board_stones_left(board)) {
        uint64_t all[RULES_SIDE_MAX];
        memset(all, 0xff, sizeof all);
        ratings->count = 0;
        defending_rate(board, all, turns->reading, ratings);
    }
    rng_shuffle(rng, ratings->cells, ratings->count, sizeof ratings->cells[0]);
    sort(ratings->cells, ratings->count);
    if (ratings->count > DEFENDING_CELLS_MAX)
        ratings->count = DEFENDING_CELLS_MAX;
}

// Inserts a turn after its equals; if the list is full, the last turn is dropped.
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

// The rating of a cell for the next stone of a turn, with the stones before it on the board.
static double rate_stone(const DefendingTurns *turns, unsigned number, Side side)
{
    const RatedCell *rated = &turns->ratings.cells[number];
    bool is_known = turns->reading.once || !has_stones(&turns->board, side_other(side));
    return is_known ? rated->utility : rate_cell(&turns->board, rated->cell, side_other(side), turns->reading);
}

// Adds one stone to a turn of `stones` stones: every cell that comes after its last one.
static void extend(DefendingTurns *turns, const DefendingTurn *turn, unsigned stones)
{
    Board *board = &turns->board;
    Side side = board_side(board);
    BoardState start = board->state;
    for (unsigned i = 0; i < stones; i++)
        (void)board_play(board, turn->stones[i]);
    for (unsigned i = stones > 0 ? turn->last + 1 : 0; i < turns->ratings.count; i++) {
        Cell cell = turns->ratings.cells[i].cell;
        DefendingTurn longer = *turn;
        longer.stones[stones] = cell;
        longer.last = i;
        double rating = rate_stone(turns, i, side);
        longer.score = stones > 0 && turns->reading.sums ? add_logarithms(turn->score, rating) : turn->score + rating;
        BoardState before = board_play(board, cell);
        bool wins = board_winner(board) != WINNER_NONE;
        board_undo(board, cell, before);
        if (!wins)
            insert(turns, &longer);
    }
    for (unsigned i = stones; i-- > 0;)
        board_undo(board, turn->stones[i], start);
}

void defending_list(DefendingTurns *turns, const Board *board, const uint64_t cells[RULES_SIDE_MAX],
                    DefendingReading reading, Rng *rng)
{
    unsigned size = board_stones_left(board);
    assert(size > 0 && size <= WINDOW_TALLY_P_MAX);
    board_copy(&turns->board, board);
    turns->reading = reading;
    list_cells(turns, cells, rng);
    turns->count = 1;
    turns->list[0] = (DefendingTurn){.stones = {CELL_NONE, CELL_NONE, CELL_NONE, CELL_NONE}};
    for (unsigned stones = 0; stones < size; stones++) {
        turns->shorter_count = turns->count;
        memcpy(turns->shorter, turns->list, turns->count * sizeof turns->list[0]);
        turns->count = 0;
        for (unsigned i = 0; i < turns->shorter_count; i++)
            extend(turns, &turns->shorter[i], stones);
    }
}
