// Looks up a position in an opening book and sorts its moves by number of games.
#include "lab/book_position.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void take_position(void *context, BookCounts counts)
{
    BookPosition *position = context;
    position->is_known = true;
    position->counts = counts;
}

static void take_turn(void *context, Span turn, BookCounts counts)
{
    BookPosition *position = context;
    unsigned count = 0;
    if (!book_read_turn(&position->view, &position->game.board, turn, position->turn, &count)) {
        position->dropped++;
        return;
    }
    position->moves =
        array_grow(position->moves, &position->move_capacity, position->move_count + 1, sizeof *position->moves);
    position->stones = array_grow(position->stones, &position->stone_capacity, position->stone_count + count,
                                  sizeof *position->stones);
    book_choice_add(&position->choice, counts, position->turn, count);
    position->moves[position->move_count++] = (BookPositionMove){counts, position->stone_count, count};
    memcpy(position->stones + position->stone_count, position->turn, count * sizeof position->turn[0]);
    position->stone_count += count;
}

uint64_t book_position_games(BookCounts counts)
{
    return (uint64_t)counts.wins + counts.ties + counts.losses;
}

// Descending number of games, then by the stones.
static int compare_moves(const void *a, const void *b, void *context)
{
    const BookPositionMove *x = a, *y = b;
    const Cell *stones = ((const BookPosition *)context)->stones;
    uint64_t games_x = book_position_games(x->counts), games_y = book_position_games(y->counts);
    if (games_x != games_y)
        return games_x > games_y ? -1 : 1;
    for (unsigned i = 0; i < x->count && i < y->count; i++)
        if (stones[x->stones + i] != stones[y->stones + i])
            return stones[x->stones + i] < stones[y->stones + i] ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

// Why no book, or this book, can know the position; else BOOK_KNOWN. Sets its depth.
static BookUnknown look_at(BookPosition *position)
{
    const Board *board = &position->game.board;
    const BookSpec *spec = &position->book.spec;
    unsigned whole = board_count(board) == 0 ? spec->rules.q : spec->rules.p;
    if (game_is_over(&position->game))
        return BOOK_OVER;
    if ((board->state.turn & 0xffff) != whole)
        return BOOK_MIDDLE;
    if (!book_depth(&position->game, &position->depth))
        return BOOK_SET_UP;
    if (spec->encoding == ENCODING_RELATIVE && position->game.played != board_count(board))
        return BOOK_SET_UP_RELATIVE;
    return position->depth > spec->turns ? BOOK_BEYOND : BOOK_KNOWN;
}

static Status look_up(BookPosition *position, Database *db, Error *error)
{
    const BookSpec *spec = &position->book.spec;
    book_choice_begin(&position->choice, board_side(&position->game.board), BOOK_THRESHOLD);
    position->why = look_at(position);
    if (position->why != BOOK_KNOWN)
        return STATUS_OK;
    (void)book_view(&position->view, spec, &position->game, position->depth); // true: the position has a code
    BookSink sink = {position, take_position, take_turn};
    BookKey key = {spec, position->depth, position->view.code.data};
    Status status = database_look_up(db, &key, &sink, error);
    if (position->move_count > 0)
        qsort_r(position->moves, position->move_count, sizeof *position->moves, compare_moves, position);
    position->why = position->is_known ? BOOK_KNOWN : BOOK_UNSEEN;
    return status;
}

Status book_position_find(BookPosition *position, Database *db, const char *name, bool *found, Error *error)
{
    Status status = database_find_book(db, name, &position->game.board.rules, &position->book, found, error);
    return status == STATUS_OK && *found ? look_up(position, db, error) : status;
}

void book_position_close(BookPosition *position)
{
    book_view_close(&position->view);
    free(position->moves);
    free(position->stones);
}

static const struct {
    const char *word, *sentence;
} unknown[] = {
    [BOOK_UNSEEN] = {"unseen", "no game had it"},
    [BOOK_BEYOND] = {"beyond", "it comes after the last turn of the book"},
    [BOOK_MIDDLE] = {"middle", "it is in the middle of a turn, and books contain whole turns"},
    [BOOK_OVER] = {"over", "the game is over"},
    [BOOK_SET_UP_RELATIVE] = {"set_up", "it was set up, and a relative book needs the first stone"},
    [BOOK_SET_UP] = {"set_up",
                     "it was set up, and no game from the empty board has these stones and this side to move"},
};

const char *book_unknown_word(BookUnknown why)
{
    return unknown[why].word;
}

const char *book_unknown_sentence(BookUnknown why)
{
    return unknown[why].sentence;
}
