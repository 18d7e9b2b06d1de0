// Codes of positions in a book, and the choice of a move.
#include "agents/book/book.h"

#include <stdlib.h>
#include <string.h>

bool book_name_is_good(Span name)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    for (size_t i = 0; i < name.length; i++)
        if (memchr(good, name.at[i], sizeof good - 1) == NULL)
            return false;
    return name.length > 0 && name.length < BOOK_NAME_SIZE;
}

Encoding book_usual_encoding(const Rules *rules)
{
    int room = 2 * rules->k - 1;
    return rules->q == 1 && !rules->gravity && rules->width >= room && rules->height >= room ? ENCODING_RELATIVE
                                                                                             : ENCODING_ABSOLUTE;
}

// --- Positions ---

void book_view_close(BookView *view)
{
    text_close(&view->code);
}

bool book_depth(const Game *game, unsigned *depth)
{
    const Rules *rules = &game->board.rules;
    unsigned count = board_count(&game->board);
    unsigned further = count - rules->q; // means something only if the first turn is over
    if (game_is_over(game) || (count > 0 && (count < rules->q || further % rules->p != 0)))
        return false;
    *depth = count == 0 ? 0 : 1 + further / rules->p;
    return board_side(&game->board) == (Side)(*depth % 2) &&
           (game->board.state.turn & 0xffff) == (*depth == 0 ? rules->q : rules->p);
}

// The lowest, then leftmost image of some stones.
static Cell lowest(const Rules *rules, Symmetry symmetry, const Cell *stones, unsigned count)
{
    Cell low = CELL_NONE;
    for (unsigned i = 0; i < count; i++) {
        Cell cell = symmetry_cell(rules, symmetry, stones[i]);
        low = cell < low ? cell : low;
    }
    return low;
}

// The number of played stones that belong to the first turn.
static unsigned first_turn(const Game *game)
{
    unsigned q = game->board.rules.q;
    return game->played < q ? game->played : q;
}

bool book_view(BookView *view, const BookSpec *spec, const Game *game, unsigned depth)
{
    const Board *board = &game->board;
    assert(rules_equal(&spec->rules, &board->rules));
    view->encoding = spec->encoding;
    view->rules = spec->rules;
    view->depth = depth;
    view->frame_count = 0;
    view->code.length = 0;
    if (spec->encoding == ENCODING_RELATIVE && game->played != board_count(board))
        return false;
    StoneLists *best = &view->lists[0], *trial = &view->lists[1];
    unsigned count = spec->symmetric ? symmetry_count(&spec->rules) : 1;
    for (Symmetry symmetry = 0; symmetry < count; symmetry++) {
        Cell origin = lowest(&spec->rules, symmetry, game->stones, first_turn(game));
        encoding_lists(board, spec->encoding, symmetry, origin, trial);
        int order = view->frame_count == 0 ? -1 : encoding_compare(trial, best);
        if (order > 0)
            continue;
        if (order < 0) {
            StoneLists *swap = best;
            best = trial;
            trial = swap;
            view->frame_count = 0;
        }
        view->frames[view->frame_count].symmetry = symmetry;
        view->frames[view->frame_count++].origin = origin;
    }
    encoding_write(best, &spec->rules, spec->encoding, &view->code);
    return true;
}

// The indices of a turn in one frame. The first turn refers to itself.
static void indices_of(const BookView *view, unsigned frame, const Cell *stones, unsigned count, int16_t *list)
{
    Symmetry symmetry = view->frames[frame].symmetry;
    Cell origin = view->frames[frame].origin;
    if (origin == CELL_NONE)
        origin = lowest(&view->rules, symmetry, stones, count);
    for (unsigned i = 0; i < count; i++) {
        Cell cell = symmetry_cell(&view->rules, symmetry, stones[i]);
        list[i] = (int16_t)encoding_index(&view->rules, view->encoding, origin, cell);
    }
    qsort(list, count, sizeof list[0], encoding_compare_indices);
}

static bool is_smaller(const int16_t *a, const int16_t *b, unsigned count)
{
    unsigned i = 0;
    while (i < count && a[i] == b[i])
        i++;
    return i < count && a[i] < b[i];
}

void book_write_turn(const BookView *view, const Cell *stones, unsigned count, Text *text)
{
    int16_t lists[2][RULES_CELLS_MAX];
    unsigned best = 0;
    indices_of(view, 0, stones, count, lists[best]);
    for (unsigned frame = 1; frame < view->frame_count; frame++) {
        indices_of(view, frame, stones, count, lists[!best]);
        if (is_smaller(lists[!best], lists[best], count))
            best = !best;
    }
    encoding_write_list(lists[best], count, text);
}

// The cell of index 0: on the empty board the middle, under gravity its bottom row.
static Cell origin_of(const BookView *view, unsigned frame)
{
    if (view->frames[frame].origin != CELL_NONE)
        return view->frames[frame].origin;
    const Rules *rules = &view->rules;
    return cell_at((rules->width - 1u) / 2, rules->gravity ? 0 : (rules->height - 1u) / 2);
}

// The cells of indices in one frame, from the lowest row upwards, as gravity requires. False if one is off the board.
static bool cells_of(const BookView *view, unsigned frame, const int16_t *list, unsigned count, Cell *stones)
{
    Symmetry back = symmetry_inverse(view->frames[frame].symmetry);
    for (unsigned i = 0; i < count; i++) {
        Cell cell = 0;
        if (!encoding_cell(&view->rules, view->encoding, origin_of(view, frame), list[i], &cell))
            return false;
        stones[i] = symmetry_cell(&view->rules, back, cell);
    }
    qsort(stones, count, sizeof stones[0], cell_compare);
    return true;
}

// The number of these stones that form a whole turn, 0 if they form none.
static unsigned whole_turn(const Board *board, const Cell *stones, unsigned count)
{
    Board after;
    unsigned played = 0;
    board_copy(&after, board);
    while (played < count && board_is_legal(&after, stones[played]))
        (void)board_play(&after, stones[played++]);
    return board_is_over(&after) || (played == count && count == board_stones_left(board)) ? played : 0;
}

// Not all images of a turn that are equal around the first stone need to be on the board; one that is suffices.
bool book_read_turn(const BookView *view, const Board *board, Span text, Cell stones[RULES_CELLS_MAX], unsigned *count)
{
    int16_t list[RULES_CELLS_MAX];
    unsigned listed = 0;
    *count = 0;
    if (!encoding_read_list(text, list, &listed) || listed == 0 || listed > board_stones_left(board))
        return false;
    for (unsigned frame = 0; frame < view->frame_count && *count == 0; frame++)
        if (cells_of(view, frame, list, listed, stones))
            *count = whole_turn(board, stones, listed);
    return *count > 0;
}

// --- Choice ---

static uint64_t wins_of(BookCounts counts, Side side)
{
    return side == SIDE_FIRST ? counts.wins : counts.losses;
}

static uint64_t decided(BookCounts counts)
{
    return (uint64_t)counts.wins + counts.losses;
}

static uint64_t observed(BookCounts counts)
{
    return decided(counts) + counts.ties;
}

double book_ratio(BookCounts counts, Side side)
{
    return decided(counts) > 0 ? (double)wins_of(counts, side) / (double)decided(counts) : 0.5;
}

// Products of two counts, which may have more than 64 bits.
__extension__ typedef unsigned __int128 Wide;

// Below 0 if a's ratio is smaller; exact, without division.
static int compare_ratios(BookCounts a, BookCounts b, Side side)
{
    Wide wins_a = decided(a) > 0 ? wins_of(a, side) : 1, all_a = decided(a) > 0 ? decided(a) : 2;
    Wide wins_b = decided(b) > 0 ? wins_of(b, side) : 1, all_b = decided(b) > 0 ? decided(b) : 2;
    return (wins_a * all_b > wins_b * all_a) - (wins_a * all_b < wins_b * all_a);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

// Above 0 if the stones of `a` come first.
static int compare_stones(const BookMove *a, const Cell *stones, unsigned count)
{
    for (unsigned i = 0; i < a->count && i < count; i++)
        if (a->stones[i] != stones[i])
            return a->stones[i] < stones[i] ? 1 : -1;
    return compare_numbers(count, a->count);
}

void book_choice_begin(BookChoice *choice, Side side, unsigned threshold)
{
    choice->side = side;
    choice->threshold = threshold;
    choice->moves = 0;
    choice->often.count = choice->rare.count = 0;
}

void book_choice_add(BookChoice *choice, BookCounts counts, const Cell *stones, unsigned count)
{
    assert(count > 0);
    bool is_often = observed(counts) >= choice->threshold;
    BookMove *best = is_often ? &choice->often : &choice->rare;
    choice->moves++;
    if (best->count > 0) {
        uint64_t seen = observed(counts), seen_best = observed(best->counts);
        int order = is_often ? compare_ratios(counts, best->counts, choice->side)
                             : compare_numbers(wins_of(counts, choice->side), wins_of(best->counts, choice->side));
        if (order == 0)
            order = is_often ? compare_numbers(seen, seen_best) : compare_numbers(seen_best, seen);
        if (order == 0)
            order = -compare_stones(best, stones, count);
        if (order <= 0)
            return;
    }
    best->counts = counts;
    best->count = count;
    memcpy(best->stones, stones, count * sizeof stones[0]);
}

BookReason book_choice_end(const BookChoice *choice, const BookMove **move)
{
    const BookMove *often = &choice->often, *rare = &choice->rare;
    *move = NULL;
    if (often->count > 0 && 2 * wins_of(often->counts, choice->side) > decided(often->counts)) {
        *move = often;
        return BOOK_BY_RATIO;
    }
    if (rare->count > 0 && wins_of(rare->counts, choice->side) > 0) {
        *move = rare;
        return BOOK_BY_WINS;
    }
    return BOOK_NOTHING;
}
