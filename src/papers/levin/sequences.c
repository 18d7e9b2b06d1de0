// Sequences of Levin et al.: stones, threats and marks of all windows, updated with every stone.
#include "papers/levin/sequences.h"

#include "threats/fours.h"
#include "threats/lines.h"

#include <string.h>

// --- Sets of windows ---

static void set_bit(uint64_t *set, unsigned window, bool is_in)
{
    uint64_t bit = UINT64_C(1) << window % 64;
    set[window / 64] = is_in ? set[window / 64] | bit : set[window / 64] & ~bit;
}

// Adds the windows of `from` in a range, which is no longer than a word.
static void add_range(uint64_t *to, const uint64_t *from, unsigned first, unsigned count)
{
    unsigned word = first / 64, at = first % 64;
    uint64_t range = bits_low(count);
    to[word] |= from[word] & range << at;
    if (at + count > 64)
        to[word + 1] |= from[word + 1] & range >> (64 - at);
}

static unsigned words_of(const Sequences *sequences)
{
    return (sequences->count + 63) / 64;
}

// For one side and the rows in use.
static size_t bytes_of_marks(const Sequences *sequences)
{
    return (size_t)sequences->board.rules.height * RULES_SIDE_MAX * sizeof sequences->marked_by[0][0];
}

// --- Windows and cells ---

// The range extended by the window before and the one after it, in the same line.
static WindowRange with_neighbours(const Sequences *sequences, WindowRange range)
{
    const Window *window = sequences->window;
    unsigned first = range.first, end = first + range.count;
    if (range.count == 0)
        return range;
    first -= first > 0 && window[first - 1].line == window[first].line;
    end += end < sequences->count && window[end].line == window[first].line;
    return (WindowRange){(uint16_t)first, (uint16_t)(end - first)};
}

void sequences_init(Sequences *sequences, const Rules *rules, SequencesUpdate update)
{
    *sequences = (Sequences){.update = update};
    board_init(&sequences->board, rules);
    sequences->count = windows_all(&sequences->board, sequences->window);
    windows_through(&sequences->board, sequences->window, sequences->count, sequences->through);
    sequences_rescan(sequences);
}

void sequences_copy(Sequences *to, const Sequences *from)
{
    assert(rules_equal(&to->board.rules, &from->board.rules));
    size_t words = words_of(from) * sizeof(uint64_t);
    size_t marks = bytes_of_marks(from);
    board_copy(&to->board, &from->board);
    to->update = from->update;
    for (int side = 0; side < 2; side++) {
        to->score[side] = from->score[side];
        to->threats[side] = from->threats[side];
        memcpy(to->stones[side], from->stones[side], from->count);
        memcpy(to->threat_windows[side], from->threat_windows[side], words);
        memcpy(to->counted[side], from->counted[side], words);
        memcpy(to->waiting[side], from->waiting[side], words);
        memcpy(to->marked_by[side], from->marked_by[side], marks);
    }
}

// --- Facts of one window ---

static bool is_threat_window(const Sequences *sequences, Side side, unsigned index)
{
    const Rules *rules = &sequences->board.rules;
    if (sequences->stones[side_other(side)][index] > 0 || sequences->stones[side][index] + rules->p < rules->k)
        return false;
    return (!rules->gravity && !row_has_limit(rules)) ||
           window_is_threat(&sequences->board, sequences->window[index], side);
}

// The score a window has for a side.
static int64_t square(unsigned own, unsigned other)
{
    return other == 0 ? (int64_t)own * own : 0;
}

// The empty cells of a window; returns how many.
static unsigned empty_cells(const Sequences *sequences, unsigned index, Cell cells[RULES_SIDE_MAX])
{
    Window window = sequences->window[index];
    return window_cells(&sequences->board, window.line, window_empty(&sequences->board, window), cells);
}

static void set_counted(Sequences *sequences, Side side, unsigned index, bool is_threat)
{
    bool before = sequences_is_threat(sequences, side, index);
    sequences->threats[side] += (unsigned)is_threat - (unsigned)before;
    set_bit(sequences->counted[side], index, is_threat);
}

// --- Recomputing everything ---

static void scan_stones(Sequences *sequences, unsigned index)
{
    const Board *board = &sequences->board;
    Window window = sequences->window[index];
    uint64_t bits = window_bits(board, window);
    unsigned first = bits_count(board->line[window.line][SIDE_FIRST] & bits);
    unsigned second = bits_count(board->line[window.line][SIDE_SECOND] & bits);
    sequences->stones[SIDE_FIRST][index] = (uint8_t)first;
    sequences->stones[SIDE_SECOND][index] = (uint8_t)second;
    sequences->score[SIDE_FIRST] += square(first, second);
    sequences->score[SIDE_SECOND] += square(second, first);
}

// A threat window without marked cells is a threat, and its cells are marked.
static void scan_threat(Sequences *sequences, Side side, unsigned index)
{
    if (!is_threat_window(sequences, side, index))
        return;
    set_bit(sequences->threat_windows[side], index, true);
    Cell cells[RULES_SIDE_MAX];
    unsigned count = empty_cells(sequences, index, cells);
    for (unsigned i = 0; i < count; i++)
        if (sequences_is_marked(sequences, side, cells[i]))
            return;
    for (unsigned i = 0; i < count; i++)
        sequences->marked_by[side][cells[i]] = (uint16_t)index;
    set_counted(sequences, side, index, true);
}

void sequences_rescan(Sequences *sequences)
{
    size_t words = words_of(sequences) * sizeof(uint64_t);
    size_t marks = bytes_of_marks(sequences);
    for (int side = 0; side < 2; side++) {
        sequences->score[side] = 0;
        sequences->threats[side] = 0;
        memset(sequences->threat_windows[side], 0, words);
        memset(sequences->counted[side], 0, words);
        memset(sequences->waiting[side], 0, words);
        memset(sequences->marked_by[side], 0xff, marks);
    }
    for (unsigned i = 0; i < sequences->count; i++)
        scan_stones(sequences, i);
    for (unsigned i = 0; i < sequences->count; i++) {
        scan_threat(sequences, SIDE_FIRST, i);
        scan_threat(sequences, SIDE_SECOND, i);
    }
}

// --- What a stone changes, besides marks ---

// Counts a stone that has come (change 1) or gone (-1) in the windows of a range. n own stones become n + 1, so their
// square grows by 2n + 1; the first own stone takes away the score of the other side.
static void count_stone(Sequences *sequences, WindowRange range, Side side, int change)
{
    uint8_t *own = sequences->stones[side] + range.first, *other = sequences->stones[side_other(side)] + range.first;
    int64_t gain = 0, loss = 0;
    for (unsigned i = 0; i < range.count; i++) {
        unsigned without = change > 0 ? own[i] : own[i] - 1u;
        gain += other[i] == 0 ? 2 * without + 1 : 0;
        loss += square(other[i], without);
        own[i] = (uint8_t)(own[i] + change);
    }
    sequences->score[side] += change * gain;
    sequences->score[side_other(side)] -= change * loss;
}

// Recomputes the threat windows of a range. Those that are or were threat windows are examined again.
static void refresh_range(Sequences *sequences, WindowRange range)
{
    for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++)
        for (int side = 0; side < 2; side++) {
            bool is_one = is_threat_window(sequences, (Side)side, i);
            if (!is_one && !sequences_is_threat_window(sequences, (Side)side, i))
                continue;
            set_bit(sequences->threat_windows[side], i, is_one);
            set_bit(sequences->waiting[side], i, true);
        }
}

static void refresh_cell(Sequences *sequences, Cell cell, bool with_those_beside)
{
    for (int i = 0; i < WINDOW_DIRECTIONS; i++) {
        WindowRange range = sequences->through[cell][i];
        refresh_range(sequences, with_those_beside ? with_neighbours(sequences, range) : range);
    }
}

// The end of the rows above a stone in which cells are within a turn's reach, with or without the stone: the lowest
// empty row of the column was or is `bottom`.
static unsigned end_of_reach(const Board *board, unsigned bottom)
{
    return bottom + board->rules.p < board->rules.height ? bottom + board->rules.p : board->rules.height;
}

static unsigned lowest_empty(const Sequences *sequences, Cell cell)
{
    return sequences->board.rules.gravity ? board_drop_row(&sequences->board, cell_column(cell)) : 0;
}

// --- The rule of the paper ---

static void look_again_by_paper(Sequences *sequences, Side side, unsigned index)
{
    uint16_t *marked_by = sequences->marked_by[side];
    Cell cells[RULES_SIDE_MAX];
    unsigned count = empty_cells(sequences, index, cells), others = 0;
    for (unsigned i = 0; i < count; i++) {
        if (marked_by[cells[i]] == index)
            marked_by[cells[i]] = SEQUENCES_UNMARKED;
        others += marked_by[cells[i]] != SEQUENCES_UNMARKED;
    }
    bool is_threat = others == 0 && sequences_is_threat_window(sequences, side, index);
    set_counted(sequences, side, index, is_threat);
    for (unsigned i = 0; is_threat && i < count; i++)
        marked_by[cells[i]] = (uint16_t)index;
}

static void look_around_by_paper(Sequences *sequences, Cell cell)
{
    for (int i = 0; i < WINDOW_DIRECTIONS; i++) {
        WindowRange range = with_neighbours(sequences, sequences->through[cell][i]);
        for (unsigned j = range.first; j < range.first + (unsigned)range.count; j++) {
            look_again_by_paper(sequences, SIDE_FIRST, j);
            look_again_by_paper(sequences, SIDE_SECOND, j);
        }
    }
}

// --- Until nothing changes ---

// Marks a cell, or removes the mark of this window. Later threat windows through the cell may now be threats, or be
// none any more.
static void change_mark(Sequences *sequences, Side side, unsigned index, Cell cell, bool marks)
{
    sequences->marked_by[side][cell] = (uint16_t)(marks ? index : SEQUENCES_UNMARKED);
    for (int i = 0; i < WINDOW_DIRECTIONS; i++) {
        WindowRange range = sequences->through[cell][i];
        unsigned end = range.first + (unsigned)range.count, first = range.first > index ? range.first : index + 1;
        if (first < end)
            add_range(sequences->waiting[side], sequences->threat_windows[side], first, end - first);
    }
}

// Every window before this one is settled. Marks of later windows do not prevent it from being a threat: it takes the
// cell, and they are examined again.
static void look_again(Sequences *sequences, Side side, unsigned index)
{
    const uint16_t *marked_by = sequences->marked_by[side];
    Cell cells[RULES_SIDE_MAX];
    unsigned count = empty_cells(sequences, index, cells);
    bool is_threat = sequences_is_threat_window(sequences, side, index);
    for (unsigned i = 0; is_threat && i < count; i++)
        is_threat = marked_by[cells[i]] >= index;
    for (unsigned i = 0; i < count; i++)
        if ((marked_by[cells[i]] == index) != is_threat)
            change_mark(sequences, side, index, cells[i], is_threat);
    set_counted(sequences, side, index, is_threat);
}

// Windows that join the waiting ones come after the one that is examined, so that one sweep is enough.
static void settle_side(Sequences *sequences, Side side)
{
    uint64_t *waiting = sequences->waiting[side];
    unsigned words = words_of(sequences);
    for (unsigned word = 0; word < words; word++)
        while (waiting[word] != 0) {
            unsigned index = word * 64 + bits_lowest(waiting[word]);
            waiting[word] &= waiting[word] - 1;
            look_again(sequences, side, index);
        }
}

void sequences_settle(Sequences *sequences)
{
    switch (sequences->update) {
    case SEQUENCES_SETTLED:
        settle_side(sequences, SIDE_FIRST);
        settle_side(sequences, SIDE_SECOND);
        break;
    case SEQUENCES_PAPER:
        break; // done with every stone
    case SEQUENCES_RESCAN:
        sequences_rescan(sequences);
        break;
    }
}

// --- Stones ---

static void change_stone(Sequences *sequences, Cell cell, Side side, int change)
{
    // 1. The stone itself. A mark under it is gone, and the window that made it is among those examined again.
    Board *board = &sequences->board;
    unsigned bottom_before = lowest_empty(sequences, cell);
    fours_flip(board, cell, side);
    if (sequences->update == SEQUENCES_RESCAN)
        return;
    sequences->marked_by[SIDE_FIRST][cell] = sequences->marked_by[SIDE_SECOND][cell] = SEQUENCES_UNMARKED;
    unsigned bottom = lowest_empty(sequences, cell);
    unsigned end = board->rules.gravity ? end_of_reach(board, bottom > bottom_before ? bottom : bottom_before) : 0;
    // 2. Stones, scores and threat windows.
    for (int i = 0; i < WINDOW_DIRECTIONS; i++)
        count_stone(sequences, sequences->through[cell][i], side, change);
    refresh_cell(sequences, cell, row_has_limit(&board->rules));
    for (unsigned row = cell_row(cell) + 1; row < end; row++)
        refresh_cell(sequences, cell_at(cell_column(cell), row), false);
    // 3. Marks, unless they are settled later.
    if (sequences->update != SEQUENCES_PAPER)
        return;
    look_around_by_paper(sequences, cell);
    for (unsigned row = cell_row(cell) + 1; row < end; row++)
        look_around_by_paper(sequences, cell_at(cell_column(cell), row));
}

void sequences_put(Sequences *sequences, Cell cell, Side side)
{
    assert(board_stone(&sequences->board, cell) == STONE_NONE);
    change_stone(sequences, cell, side, 1);
}

void sequences_take(Sequences *sequences, Cell cell)
{
    Stone stone = board_stone(&sequences->board, cell);
    assert(stone != STONE_NONE);
    change_stone(sequences, cell, (Side)stone, -1);
}

// --- Following a board ---

// Takes away the stones that `board` does not have, or puts those that it has in addition.
static void follow_row(Sequences *sequences, const Board *board, unsigned row, Side side, bool puts)
{
    uint64_t here = sequences->board.line[row][side], there = board->line[row][side];
    for (uint64_t cells = puts ? there & ~here : here & ~there; cells != 0; cells &= cells - 1)
        change_stone(sequences, cell_at(bits_lowest(cells), row), side, puts ? 1 : -1);
}

// If the stones would touch more windows than exist, for example in another game, all are scanned. Not with the paper's
// rule, whose marks depend on every stone.
void sequences_follow(Sequences *sequences, const Board *board)
{
    assert(rules_equal(&sequences->board.rules, &board->rules));
    unsigned stones = board_differences(&sequences->board, board);
    if (sequences->update != SEQUENCES_PAPER && stones * WINDOW_DIRECTIONS * board->rules.k > sequences->count) {
        board_copy(&sequences->board, board);
        sequences_rescan(sequences);
        return;
    }
    for (int puts = 0; stones > 0 && puts < 2; puts++)
        for (unsigned row = 0; row < board->rules.height; row++) {
            follow_row(sequences, board, row, SIDE_FIRST, puts == 1);
            follow_row(sequences, board, row, SIDE_SECOND, puts == 1);
        }
    sequences_settle(sequences);
}

// --- Questions ---

unsigned sequences_needed(const Sequences *sequences, Side side)
{
    const Rules *rules = &sequences->board.rules;
    unsigned needed = rules->p + 1u;
    for (unsigned word = 0; word < words_of(sequences); word++)
        for (uint64_t set = sequences->threat_windows[side][word]; set != 0; set &= set - 1) {
            unsigned index = word * 64 + bits_lowest(set);
            Window window = sequences->window[index];
            unsigned stones = rules->gravity ? lines_stones_to_fill(&sequences->board, window.line,
                                                                    window_empty(&sequences->board, window))
                                             : rules->k - (unsigned)sequences->stones[side][index];
            needed = stones < needed ? stones : needed;
        }
    return needed;
}

// A stone matters if it is in a threat window of either side or creates one. So it does next to a threat window under
// `exact`; but then the adjacent window, which contains the cell, lacks at most one stone.
SequencesStone sequences_stone(const Sequences *sequences, Cell cell, Side side)
{
    const Rules *rules = &sequences->board.rules;
    SequencesStone stone = {0};
    unsigned most_own = 0, most_other = 0; // alone in a window
    for (int direction = 0; direction < WINDOW_DIRECTIONS; direction++) {
        WindowRange range = sequences->through[cell][direction];
        for (unsigned i = range.first; i < range.first + (unsigned)range.count; i++) {
            unsigned own = sequences->stones[side][i], other = sequences->stones[side_other(side)][i];
            stone.gain += other == 0 ? 2 * own + 1 : 0;
            stone.loss += square(other, own);
            most_own = other == 0 && own > most_own ? own : most_own;
            most_other = own == 0 && other > most_other ? other : most_other;
        }
    }
    stone.matters = rules->gravity || most_own + 1 + rules->p >= rules->k || most_other + rules->p >= rules->k;
    return stone;
}
