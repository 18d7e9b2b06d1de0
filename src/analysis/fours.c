#include "analysis/fours.h"

void fours_init(Fours *fours, const Rules *rules)
{
    Board board;
    board_init(&board, rules);
    *fours = (Fours){.k = rules->k, .exact = rules->exact, .gravity = rules->gravity};
    for (unsigned line = 0; line < board.line_count; line++) {
        fours->mask[line] = lines_mask(&board, line);
        if (bits_count(fours->mask[line]) >= rules->k)
            fours->lines[fours->line_count++] = (uint16_t)line;
    }
}

static void add_target(Targets *targets, Cell cell)
{
    if (targets->count == 0)
        *targets = (Targets){1, cell};
    else if (targets->cell != cell)
        targets->count = 2;
}

// The stones of one line as one side sees them.
typedef struct {
    unsigned line;
    uint64_t own, free; // its stones; cells without a stone of the other side
} View;

static inline View view_of(const Fours *fours, const Board *board, unsigned line, Side side)
{
    const uint64_t *words = board->line[line];
    return (View){line, words[side], fours->mask[line] & ~words[side_other(side)]};
}

// Whether the window of these bits can become a row that now lacks so many stones.
static inline bool lacks(const Fours *fours, const View *view, uint64_t window, unsigned stones)
{
    return (window & ~view->free) == 0 && bits_count(window & ~view->own) == stones &&
           (!fours->exact || (view->own & (window << 1 | window >> 1) & ~window) == 0);
}

// The lowest bit of the first window through a bit of a line, and after the last one. Windows that leave the line are
// never free.
static inline unsigned first_window(const Fours *fours, unsigned bit)
{
    return bit + 1 > fours->k ? bit + 1 - fours->k : 0;
}

static inline unsigned after_windows(const Fours *fours, unsigned bit)
{
    return bit + fours->k <= 64 ? bit + 1 : 65 - fours->k;
}

// Bits that share a window with this one.
static inline uint64_t near_bit(const Fours *fours, unsigned bit)
{
    return bits_low(bit + fours->k) & ~bits_low(first_window(fours, bit));
}

static void targets_in_line(const Fours *fours, const Board *board, unsigned line, unsigned bit, Side side,
                            Targets *targets)
{
    View view = view_of(fours, board, line, side);
    if (bits_count(view.own & near_bit(fours, bit)) + 1 < fours->k)
        return;
    for (unsigned low = first_window(fours, bit); low < after_windows(fours, bit); low++) {
        uint64_t window = bits_low(fours->k) << low;
        if (!lacks(fours, &view, window, 1))
            continue;
        Cell cell = lines_cell(board, line, bits_lowest(window & ~view.own));
        if (!fours->gravity || fours_can_play(fours, board, cell))
            add_target(targets, cell);
    }
}

void fours_targets(const Fours *fours, const Board *board, Cell cell, Side side, Targets *targets)
{
    CellLines at = board_lines_of(board, cell);
    targets_in_line(fours, board, at.row, cell_column(cell), side, targets);
    targets_in_line(fours, board, at.column, cell_row(cell), side, targets);
    targets_in_line(fours, board, at.rising, cell_column(cell), side, targets);
    targets_in_line(fours, board, at.falling, cell_column(cell), side, targets);
}

static bool completes_in_line(const Fours *fours, const Board *board, unsigned line, unsigned bit, Side side)
{
    View view = view_of(fours, board, line, side);
    if (bits_count(view.own & near_bit(fours, bit)) + 1 < fours->k)
        return false;
    for (unsigned low = first_window(fours, bit); low < after_windows(fours, bit); low++)
        if (lacks(fours, &view, bits_low(fours->k) << low, 1))
            return true;
    return false;
}

bool fours_completes(const Fours *fours, const Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    return completes_in_line(fours, board, at.row, cell_column(cell), side) ||
           completes_in_line(fours, board, at.column, cell_row(cell), side) ||
           completes_in_line(fours, board, at.rising, cell_column(cell), side) ||
           completes_in_line(fours, board, at.falling, cell_column(cell), side);
}

static FourPair pair_of(const Board *board, const View *view, uint64_t window)
{
    uint64_t empty = window & ~view->own;
    return (FourPair){{lines_cell(board, view->line, bits_lowest(empty)),
                       lines_cell(board, view->line, bits_lowest(empty & (empty - 1)))}};
}

unsigned fours_pairs(const Fours *fours, const Board *board, Cell cell, Side side, const uint64_t with[4],
                     FourPair *pairs, unsigned most)
{
    CellLines at = board_lines_of(board, cell);
    const unsigned lines[4] = {at.row, at.column, at.rising, at.falling};
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned bit = i == 1 ? cell_row(cell) : cell_column(cell);
        View view = view_of(fours, board, lines[i], side);
        if (bits_count(view.own & near_bit(fours, bit)) + 2 < fours->k)
            continue;
        for (unsigned low = first_window(fours, bit); low < after_windows(fours, bit); low++) {
            uint64_t window = bits_low(fours->k) << low;
            if (count < most && (with == NULL || (window & with[i]) != 0) && lacks(fours, &view, window, 2))
                pairs[count++] = pair_of(board, &view, window);
        }
    }
    return count;
}

// The starts of windows without a stone of the other side.
static uint64_t free_windows(const Board *board, uint64_t cells)
{
    for (unsigned i = 0; i < board->shift_count; i++)
        cells &= cells >> board->shift[i];
    return cells;
}

static void all_in_line(const Fours *fours, const Board *board, const View *view, Targets *targets, FourPair *pairs,
                        unsigned *count, unsigned most)
{
    for (uint64_t starts = free_windows(board, view->free); starts != 0; starts &= starts - 1) {
        uint64_t window = bits_low(fours->k) << bits_lowest(starts);
        if (*count < most && lacks(fours, view, window, 2))
            pairs[(*count)++] = pair_of(board, view, window);
        else if (lacks(fours, view, window, 1)) {
            Cell cell = lines_cell(board, view->line, bits_lowest(window & ~view->own));
            if (fours_can_play(fours, board, cell))
                add_target(targets, cell);
        }
    }
}

FoursFound fours_all(const Fours *fours, const Board *board, Side side, FourPair *pairs, unsigned most)
{
    FoursFound found = {.count = 0};
    unsigned none = 0;
    for (unsigned i = 0; i < fours->line_count && found.own.count == 0; i++) {
        unsigned line = fours->lines[i];
        const uint64_t *words = board->line[line];
        if (bits_count(words[side]) + 2 >= fours->k) {
            View view = view_of(fours, board, line, side);
            all_in_line(fours, board, &view, &found.own, pairs, &found.count, most);
        }
        if (bits_count(words[side_other(side)]) + 1 >= fours->k && found.other.count == 0) {
            View view = view_of(fours, board, line, side_other(side));
            all_in_line(fours, board, &view, &found.other, NULL, &none, 0);
        }
    }
    return found;
}
