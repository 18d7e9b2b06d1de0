// Threes and fours: linked windows of a line that lack one stone or two.
#include "threats/row_threats.h"

#include "base/memory.h"
#include "threats/lines.h"

#include <stdlib.h>

// One line for one side.
typedef struct {
    const Board *board;
    unsigned line, k;
    Side side;
    uint64_t own, playable; // cells that can be played now
} Line;

bool row_threats_suit(const Rules *rules)
{
    return rules->p == 1 && rules->k >= 3;
}

static uint64_t window_at(const Line *line, unsigned low)
{
    return bits_low(line->k) << low;
}

static uint64_t empty_at(const Line *line, unsigned low)
{
    return window_at(line, low) & ~line->own;
}

static unsigned extent_of(uint64_t bits)
{
    return 64 - bits_leading_zeros(bits) - bits_lowest(bits);
}

uint64_t row_threats_open_at(const Board *board, unsigned line, unsigned low, Side side, unsigned lacks)
{
    unsigned k = board->rules.k;
    uint64_t cells = bits_low(k + 1) << low, ends = UINT64_C(1) << low | UINT64_C(1) << (low + k);
    uint64_t own = board->line[line][side], other = board->line[line][side_other(side)];
    uint64_t empty = cells & ~own, beyond = (cells << 1 | cells >> 1) & ~cells;
    bool is_open = (other & cells) == 0 && (own & ends) == 0 && bits_count(empty) == lacks + 1 &&
                   row_wins_beside(&board->rules, (own & beyond) != 0) &&
                   (!board->rules.gravity || lines_stones_to_fill(board, line, empty) == lacks + 1);
    return is_open ? empty : 0;
}

// The live windows that lack this many stones, by their lowest bits.
static uint64_t windows_lacking(const Line *line, unsigned lacks)
{
    const Board *board = line->board;
    uint64_t free = lines_mask(board, line->line) & ~board->line[line->line][side_other(line->side)], found = 0;
    for (uint64_t starts = row_starts_winning(&board->rules, line->own, lines_windows(board, free)); starts != 0;
         starts &= starts - 1)
        if (bits_count(empty_at(line, bits_lowest(starts))) == lacks)
            found |= starts & -starts;
    return found;
}

static bool are_linked(const Line *line, unsigned a, unsigned b)
{
    return (window_at(line, a) & line->own) == (window_at(line, b) & line->own) ||
           (empty_at(line, a) & empty_at(line, b)) != 0;
}

// The windows of `from` that are linked to the lowest one, directly or through others.
static uint64_t take_linked(const Line *line, uint64_t from)
{
    uint64_t taken = from & -from, fresh = taken;
    while (fresh != 0) {
        unsigned low = bits_lowest(fresh);
        fresh &= fresh - 1;
        for (uint64_t left = from & ~taken; left != 0; left &= left - 1)
            if (are_linked(line, low, bits_lowest(left))) {
                taken |= left & -left;
                fresh |= left & -left;
            }
    }
    return taken;
}

// The stones of the windows `starts` that are closest together; the empty cells of all are added to `*empty`.
static uint64_t closest_stones(const Line *line, uint64_t starts, uint64_t *empty)
{
    uint64_t best = 0;
    for (; starts != 0; starts &= starts - 1) {
        unsigned low = bits_lowest(starts);
        uint64_t stones = window_at(line, low) & line->own;
        best = best == 0 || extent_of(stones) < extent_of(best) ? stones : best;
        *empty |= empty_at(line, low);
    }
    return best;
}

// Marks a row of linked windows as open if two neighbouring windows are: its next stones are those that make an open
// (k-1) of it, and a stone stops it that is on a cell of every such pair.
static void find_open(const Line *line, uint64_t starts, RowThreat *row)
{
    uint64_t pairs = 0, common = ~UINT64_C(0), ends = 0, empty = 0, cells;
    for (uint64_t left = starts & starts >> 1; left != 0; left &= left - 1) {
        unsigned low = bits_lowest(left);
        if ((cells = row_threats_open_at(line->board, line->line, low, line->side, row->lacks)) == 0)
            continue;
        ends = UINT64_C(1) << low | UINT64_C(1) << (low + line->k);
        pairs |= left & -left;
        common &= cells;
        row->next = (row->is_open ? row->next : 0) | (row->lacks == 1 ? cells : cells & ~ends);
        row->is_open = true;
    }
    if (!row->is_open)
        return;
    row->stones = closest_stones(line, pairs | pairs << 1, &empty);
    row->stops = row->lacks == 1 ? 0 : common & line->playable;
}

static RowThreat row_of(const Line *line, uint64_t starts, unsigned lacks)
{
    RowThreat row = {.line = (uint16_t)line->line, .lacks = (uint8_t)lacks};
    row.stones = closest_stones(line, starts, &row.empty);
    row.next = row.empty & line->playable;
    row.is_waiting = lacks == 1 && row.next == 0;
    row.next = row.is_waiting ? row.empty : row.next;
    row.stops = lacks == 1 ? row.next : 0;
    find_open(line, starts, &row);
    row.is_split = extent_of(row.stones) > line->k - lacks;
    return row;
}

static void add_rows(const Line *line, uint64_t starts, unsigned lacks, RowThreats *threats)
{
    while (starts != 0) {
        uint64_t linked = take_linked(line, starts);
        RowThreat row = row_of(line, linked, lacks);
        starts &= ~linked;
        if (lacks == 2 && !row.is_open && line->board->rules.gravity)
            continue;
        threats->row = array_grow(threats->row, &threats->capacity, (size_t)threats->count + 1, sizeof row);
        threats->row[threats->count++] = row;
    }
}

static uint64_t playable_of(const Board *board, unsigned line)
{
    uint64_t playable = 0, empty = lines_mask(board, line) & ~(board->line[line][0] | board->line[line][1]);
    for (uint64_t left = empty; left != 0 && board->rules.gravity; left &= left - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(left));
        playable |= cell_row(cell) == board_drop_row(board, cell_column(cell)) ? left & -left : 0;
    }
    return board->rules.gravity ? playable : empty;
}

static void scan_line(const Board *board, unsigned index, Side side, RowThreats *threats)
{
    Line line = {board, index, board->rules.k, side, board->line[index][side], 0};
    if (bits_count(line.own) + 2 < line.k)
        return;
    line.playable = playable_of(board, index);
    uint64_t one = windows_lacking(&line, 1), two = 0, completing = 0;
    (void)closest_stones(&line, one, &completing);
    for (uint64_t left = line.k > 3 ? windows_lacking(&line, 2) : 0; left != 0; left &= left - 1)
        two |= (empty_at(&line, bits_lowest(left)) & completing) == 0 ? left & -left : 0;
    add_rows(&line, one, 1, threats);
    add_rows(&line, two, 2, threats);
}

// Smaller is stronger.
static int rank_of(const RowThreat *row)
{
    return 4 * row->lacks + 2 * row->is_waiting + !row->is_open;
}

static int compare(const void *a, const void *b)
{
    const RowThreat *x = a, *y = b;
    int rank = rank_of(x) - rank_of(y), line = (int)x->line - (int)y->line;
    return rank != 0 ? rank : line != 0 ? line : (int)bits_lowest(x->stones) - (int)bits_lowest(y->stones);
}

void row_threats_find(const Board *board, Side side, RowThreats *threats)
{
    *threats = (RowThreats){0};
    if (!row_threats_suit(&board->rules) || board_is_over(board))
        return;
    for (unsigned line = 0; line < board->line_count; line++)
        scan_line(board, line, side, threats);
    if (threats->count > 1)
        qsort(threats->row, threats->count, sizeof *threats->row, compare);
}

void row_threats_close(RowThreats *threats)
{
    free(threats->row);
    *threats = (RowThreats){0};
}
