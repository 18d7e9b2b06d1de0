// Pairing strategies in certificates.
#include "solver/proof/certificate_internal.h"

#include <string.h>

// Bits at which k consecutive set bits begin.
static uint64_t runs_of(const Board *board, uint64_t bits)
{
    for (unsigned i = 0; i < board->shift_count; i++)
        bits &= bits >> board->shift[i];
    return bits;
}

// Cells of a line that are not the side's own.
static uint64_t free_cells(const CertificateWalk *walk, const Board *board, unsigned line)
{
    return walk->line_cells[line] & ~board->line[line][walk->claim.side];
}

bool pairing_is_needless(const CertificateWalk *walk, const Board *board)
{
    for (unsigned line = 0; line < board->line_count; line++)
        if (runs_of(board, free_cells(walk, board, line)) != 0)
            return false;
    return true;
}

// Pairs within one line, as two bits each; a pair across lines stops no row.
typedef struct {
    unsigned line;
    uint64_t bits;
} LinePair;

static LinePair line_pair(const Board *board, const Cell pair[2])
{
    CellLines a = board_lines_of(board, pair[0]), b = board_lines_of(board, pair[1]);
    uint64_t in_rows = cell_bit_in_row(pair[0]) | cell_bit_in_row(pair[1]);
    if (a.column == b.column)
        return (LinePair){a.column, cell_bit_in_column(pair[0]) | cell_bit_in_column(pair[1])};
    if (a.row == b.row)
        return (LinePair){a.row, in_rows};
    if (a.rising == b.rising)
        return (LinePair){a.rising, in_rows};
    return (LinePair){a.falling == b.falling ? a.falling : BOARD_LINES_MAX, in_rows};
}

// Removes the windows that a pair stops from the starts of windows.
static uint64_t without_stopped(uint64_t beginnings, uint64_t pair, unsigned k)
{
    uint64_t left = 0;
    for (; beginnings != 0; beginnings &= beginnings - 1) {
        uint64_t window = bits_low(k) << bits_lowest(beginnings);
        if ((window & pair) != pair)
            left |= beginnings & -beginnings;
    }
    return left;
}

static bool stops_all(const CertificateWalk *walk, const Board *board, const Cell *pairs, unsigned count)
{
    uint64_t beginnings[BOARD_LINES_MAX];
    for (unsigned line = 0; line < board->line_count; line++)
        beginnings[line] = runs_of(board, free_cells(walk, board, line));
    for (unsigned i = 0; i < count; i++) {
        LinePair pair = line_pair(board, pairs + 2 * (size_t)i);
        if (pair.line < board->line_count)
            beginnings[pair.line] = without_stopped(beginnings[pair.line], pair.bits, board->rules.k);
    }
    for (unsigned line = 0; line < board->line_count; line++)
        if (beginnings[line] != 0)
            return false;
    return true;
}

const char *pairing_fault(const CertificateWalk *walk, const Board *board, const Cell *pairs, unsigned count)
{
    uint64_t taken[RULES_SIDE_MAX];
    for (unsigned row = 0; row < board->rules.height; row++)
        taken[row] = board_occupied_row(board, row);
    for (unsigned i = 0; i < 2 * count; i++) {
        Cell cell = pairs[i];
        if (taken[cell_row(cell)] & cell_bit_in_row(cell))
            return "a cell of the pairing is occupied or in two pairs";
        taken[cell_row(cell)] |= cell_bit_in_row(cell);
    }
    return stops_all(walk, board, pairs, count) ? NULL : "the pairing leaves the opponent room for a row";
}

bool certificate_takes_pairing(const Board *board, CertificateClaim claim)
{
    return !claim.wins && !board->rules.gravity && board->rules.p == 1 && board_stones_left(board) == 1 &&
           board_side(board) == claim.side;
}
