// Windows that lack one or two stones, found by bit operations on lines.
#include "threats/fours.h"

void fours_init(Fours *fours, const Rules *rules)
{
    Board board;
    board_init(&board, rules);
    *fours = (Fours){.k = rules->k, .gravity = rules->gravity};
    FourRange *range = fours->ranges;
    for (unsigned line = 0; line < board.line_count; line++) {
        fours->mask[line] = lines_mask(&board, line);
        if (bits_count(fours->mask[line]) < rules->k)
            continue;
        if (range->end > range->begin && range->end < line)
            range++;
        range->begin = range->end > range->begin ? range->begin : (uint16_t)line;
        range->end = (uint16_t)(line + 1);
    }
}

static void add_target(FourTargets *targets, Cell cell)
{
    if (targets->count == 0)
        *targets = (FourTargets){1, cell};
    else if (targets->cell != cell)
        targets->count = 2;
}

// The windows of a line that one side can complete with one stone and with two. All functions here represent windows
// by their lowest bits.
typedef struct {
    uint64_t one, two;
} Lacking;

// The windows of a line that have no opposing stone and would win.
static inline uint64_t free_windows(const Fours *fours, const Board *board, unsigned line, Side side)
{
    uint64_t free = fours->mask[line] & ~board->line[line][side_other(side)];
    return row_starts_winning(&board->rules, board->line[line][side], lines_windows(board, free));
}

// Counts in all windows of a line at once: `least[n]` has those with more than n cells not own among the first i.
static Lacking find_lacking(const Fours *fours, const Board *board, unsigned line, Side side)
{
    uint64_t own = board->line[line][side], free = free_windows(fours, board, line, side);
    uint64_t least[3] = {0};
    if (free == 0)
        return (Lacking){0, 0};
    for (unsigned i = 0; i < fours->k; i++) {
        uint64_t empty = ~own >> i;
        least[2] |= least[1] & empty;
        least[1] |= least[0] & empty;
        least[0] |= empty;
    }
    return (Lacking){free & least[0] & ~least[1], free & least[1] & ~least[2]};
}

static inline uint64_t windows_through_bit(const Fours *fours, unsigned bit)
{
    return bits_low(bit + 1) & ~bits_low(bit + 1 > fours->k ? bit + 1 - fours->k : 0);
}

// Whether at least `least` stones of a line share windows with a bit of it: rejects most lines quickly.
static inline bool are_near(const Fours *fours, uint64_t stones, unsigned bit, unsigned least)
{
    uint64_t near = bits_low(bit + fours->k) & ~bits_low(bit + 1 > fours->k ? bit + 1 - fours->k : 0);
    return bits_count(stones & near) >= least;
}

// The windows through a bit of a line that lack one stone of a side.
static inline uint64_t lacking_one(const Fours *fours, const Board *board, unsigned line, unsigned bit, Side side)
{
    return are_near(fours, board->line[line][side], bit, fours->k - 1)
               ? find_lacking(fours, board, line, side).one & windows_through_bit(fours, bit)
               : 0;
}

typedef struct {
    FourPair *pair;
    unsigned count, most;
} FourPairs;

// The empty cells of the first window.
static uint64_t empty_of(const Fours *fours, const Board *board, unsigned line, uint64_t starts)
{
    return bits_low(fours->k) << bits_lowest(starts) & ~(board->line[line][0] | board->line[line][1]);
}

static void add_targets(const Fours *fours, const Board *board, unsigned line, uint64_t starts, FourTargets *targets)
{
    for (; starts != 0; starts &= starts - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(empty_of(fours, board, line, starts)));
        if (!fours->gravity || fours_can_play(board, cell))
            add_target(targets, cell);
    }
}

static void add_pairs(const Fours *fours, const Board *board, unsigned line, uint64_t starts, FourPairs *pairs)
{
    for (; starts != 0 && pairs->count < pairs->most; starts &= starts - 1) {
        uint64_t empty = empty_of(fours, board, line, starts);
        pairs->pair[pairs->count++] = (FourPair){
            {lines_cell(board, line, bits_lowest(empty)), lines_cell(board, line, bits_lowest(empty & (empty - 1)))}};
    }
}

void fours_targets(const Fours *fours, const Board *board, Cell cell, Side side, FourTargets *targets)
{
    CellLines at = board_lines_of(board, cell);
    unsigned column = cell_column(cell);
    add_targets(fours, board, at.row, lacking_one(fours, board, at.row, column, side), targets);
    add_targets(fours, board, at.column, lacking_one(fours, board, at.column, cell_row(cell), side), targets);
    add_targets(fours, board, at.rising, lacking_one(fours, board, at.rising, column, side), targets);
    add_targets(fours, board, at.falling, lacking_one(fours, board, at.falling, column, side), targets);
}

bool fours_completes(const Fours *fours, const Board *board, Cell cell, Side side)
{
    CellLines at = board_lines_of(board, cell);
    return lacking_one(fours, board, at.row, cell_column(cell), side) != 0 ||
           lacking_one(fours, board, at.column, cell_row(cell), side) != 0 ||
           lacking_one(fours, board, at.rising, cell_column(cell), side) != 0 ||
           lacking_one(fours, board, at.falling, cell_column(cell), side) != 0;
}

static uint64_t windows_with(const Fours *fours, uint64_t bits)
{
    uint64_t starts = 0;
    for (; bits != 0; bits &= bits - 1)
        starts |= windows_through_bit(fours, bits_lowest(bits));
    return starts;
}

unsigned fours_pairs(const Fours *fours, const Board *board, Cell cell, Side side, const uint64_t with[4],
                     FourPair *pairs, unsigned most)
{
    CellLines at = board_lines_of(board, cell);
    const unsigned lines[4] = {at.row, at.column, at.rising, at.falling}, least = fours->k > 2 ? fours->k - 2 : 0;
    FourPairs list = {pairs, 0, most};
    for (unsigned i = 0; i < 4; i++) {
        unsigned bit = i == 1 ? cell_row(cell) : cell_column(cell);
        if (!are_near(fours, board->line[lines[i]][side], bit, least) || (with != NULL && with[i] == 0))
            continue;
        uint64_t starts = find_lacking(fours, board, lines[i], side).two & windows_through_bit(fours, bit);
        add_pairs(fours, board, lines[i], with != NULL ? starts & windows_with(fours, with[i]) : starts, &list);
    }
    return list.count;
}

FoursFound fours_all(const Fours *fours, const Board *board, Side side, FourPair *pairs, unsigned most)
{
    FoursFound found = {.count = 0};
    FourPairs list = {pairs, 0, most};
    unsigned least = fours->k > 2 ? fours->k - 2 : 0, other = (unsigned)side_other(side);
    for (const FourRange *range = fours->ranges; range->end > range->begin; range++)
        for (unsigned line = range->begin; line < range->end; line++) {
            if (bits_count(board->line[line][side]) >= least) {
                Lacking lacking = find_lacking(fours, board, line, side);
                add_targets(fours, board, line, lacking.one, &found.own);
                add_pairs(fours, board, line, lacking.two, &list);
            }
            if (bits_count(board->line[line][other]) + 1 >= fours->k)
                add_targets(fours, board, line, find_lacking(fours, board, line, (Side)other).one, &found.other);
        }
    found.count = list.count;
    return found;
}

// The windows of a line that lack at most `stones` stones, counted as in find_lacking.
static uint64_t find_lacking_at_most(const Fours *fours, const Board *board, unsigned line, Side side, unsigned stones)
{
    uint64_t own = board->line[line][side], free = free_windows(fours, board, line, side);
    uint64_t least[FOURS_LACKING_MAX + 1] = {0};
    for (unsigned i = 0; i < fours->k; i++) {
        uint64_t empty = ~own >> i;
        for (unsigned n = stones; n > 0; n--)
            least[n] |= least[n - 1] & empty;
        least[0] |= empty;
    }
    return free & ~least[stones];
}

void fours_cells(const Fours *fours, const Board *board, Side side, unsigned stones, uint64_t rows[RULES_SIDE_MAX])
{
    assert(stones <= FOURS_LACKING_MAX);
    for (unsigned row = 0; row < board->rules.height; row++)
        rows[row] = 0;
    for (const FourRange *range = fours->ranges; range->end > range->begin; range++)
        for (unsigned line = range->begin; line < range->end; line++) {
            uint64_t cells = 0;
            if (bits_count(board->line[line][side]) + stones < fours->k)
                continue;
            for (uint64_t starts = find_lacking_at_most(fours, board, line, side, stones); starts != 0;
                 starts &= starts - 1)
                cells |= empty_of(fours, board, line, starts);
            for (; cells != 0; cells &= cells - 1) {
                Cell cell = lines_cell(board, line, bits_lowest(cells));
                rows[cell_row(cell)] |= cell_bit_in_row(cell);
            }
        }
}
