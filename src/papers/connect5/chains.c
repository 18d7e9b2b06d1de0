// Chains of Vasilchenko and Johnson: finding and counting them along the lines.
#include "papers/connect5/chains.h"

#include "threats/lines.h"
#include "threats/windows.h"

#include <string.h>

// --- Legal cells as bits of lines ---

static void set_bits(const Board *board, Cell cell, uint64_t legal[BOARD_LINES_MAX])
{
    CellLines at = board_lines_of(board, cell);
    legal[at.row] |= cell_bit_in_row(cell);
    legal[at.column] |= cell_bit_in_column(cell);
    legal[at.rising] |= cell_bit_in_row(cell);
    legal[at.falling] |= cell_bit_in_row(cell);
}

// Under gravity there is one in a column at most, so that few bits are set; without it all empty cells are legal.
static void legal_lines(const Board *board, const uint64_t *line_cells, uint64_t legal[BOARD_LINES_MAX])
{
    if (!board->rules.gravity) {
        for (unsigned line = 0; line < board->line_count; line++)
            legal[line] = line_cells[line] & ~(board->line[line][0] | board->line[line][1]);
        return;
    }
    memset(legal, 0, board->line_count * sizeof legal[0]);
    for (unsigned column = 0; column < board->rules.width; column++) {
        unsigned row = board_drop_row(board, column);
        if (row < board->rules.height)
            set_bits(board, cell_at(column, row), legal);
    }
}

// --- Chains ---

// The next chain of these stones, which are taken away from them: its lowest bit and its length.
static unsigned take_chain(uint64_t *stones, unsigned *low)
{
    *low = bits_lowest(*stones);
    unsigned length = 1 + bits_run_above(*stones, *low);
    *stones &= ~(bits_low(length) << *low);
    return length;
}

// The bits beyond both ends of a chain. Beyond the words there is nothing, and bits that are no cells are not legal.
static uint64_t beyond(unsigned low, unsigned length)
{
    uint64_t chain = bits_low(length) << low;
    return (chain << 1 | chain >> 1) & ~chain;
}

static int64_t line_sum(uint64_t stones, uint64_t legal, unsigned k, const int64_t *value)
{
    int64_t sum = 0;
    if ((stones & stones >> 1) == 0)
        return 0;
    while (stones != 0) {
        unsigned low = 0, length = take_chain(&stones, &low);
        if (length >= 2 && length <= k && (legal & beyond(low, length)) != 0)
            sum += value[length];
    }
    return sum;
}

void chains_add_up(const Board *board, const uint64_t line_cells[BOARD_LINES_MAX],
                   const int64_t value[RULES_SIDE_MAX + 1], int64_t sum[2])
{
    uint64_t legal[BOARD_LINES_MAX];
    legal_lines(board, line_cells, legal);
    sum[0] = sum[1] = 0;
    for (unsigned line = 0; line < board->line_count; line++)
        for (unsigned side = 0; side < 2; side++)
            sum[side] += line_sum(board->line[line][side], legal[line], board->rules.k, value);
}

static void visit_line(const Board *board, unsigned line, Side side, ChainVisit *visit, void *context)
{
    uint64_t mask = lines_mask(board, line);
    for (uint64_t stones = board->line[line][side]; stones != 0;) {
        Chain chain = {.side = side, .line = line};
        chain.length = take_chain(&stones, &chain.low);
        if (chain.length < 2 || chain.length > board->rules.k)
            continue;
        for (uint64_t ends = mask & beyond(chain.low, chain.length); ends != 0; ends &= ends - 1) {
            Cell cell = lines_cell(board, line, bits_lowest(ends));
            if ((board_legal_row(board, cell_row(cell)) & cell_bit_in_row(cell)) != 0)
                chain.ends[chain.end_count++] = cell;
        }
        visit(context, &chain);
    }
}

void chains_each(const Board *board, ChainVisit *visit, void *context)
{
    for (unsigned line = 0; line < board->line_count; line++)
        for (unsigned side = 0; side < 2; side++)
            visit_line(board, line, (Side)side, visit, context);
}

// --- Cells ---

static void add_cells(const Board *board, unsigned line, uint64_t bits, ChainCells *cells)
{
    for (; bits != 0; bits &= bits - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(bits));
        cells->row[cell_row(cell)] |= cell_bit_in_row(cell) & board_legal_row(board, cell_row(cell));
    }
}

void chains_ends(const Board *board, Side side, unsigned least, unsigned most, ChainCells *cells)
{
    *cells = (ChainCells){0};
    for (unsigned line = 0; line < board->line_count; line++) {
        uint64_t mask = lines_mask(board, line);
        for (uint64_t stones = board->line[line][side]; stones != 0;) {
            unsigned low = 0, length = take_chain(&stones, &low);
            if (length >= least && length <= most)
                add_cells(board, line, mask & beyond(low, length), cells);
        }
    }
}

// Whether bits stand one after another, or there are none.
static bool is_one_chain(uint64_t bits)
{
    uint64_t moved = bits == 0 ? 0 : bits >> bits_lowest(bits);
    return (moved & (moved + 1)) == 0;
}

// The cells of a window with which a side may begin to complete it; none where it cannot. No stone has to be put below
// the row if the window takes no more stones than it has empty cells.
static uint64_t first_cells(const Board *board, Window window, Side side, unsigned stones, bool gaps)
{
    uint64_t own = window_bits(board, window) & board->line[window.line][side], empty = window_empty(board, window);
    unsigned lacking = bits_count(empty);
    if (lacking > stones || !(gaps || is_one_chain(own)) || !window_can_complete(board, window, side, lacking))
        return 0;
    return gaps || own == 0 ? empty : empty & (own << 1 | own >> 1);
}

void chains_completions(const Board *board, Side side, unsigned stones, bool gaps, ChainCells *cells)
{
    *cells = (ChainCells){0};
    for (unsigned line = 0; line < board->line_count; line++) {
        uint64_t mask = lines_mask(board, line);
        // Where both ends of a window are cells of the line, all of it is.
        for (uint64_t starts = mask & mask >> (board->rules.k - 1); starts != 0; starts &= starts - 1) {
            Window window = {(uint16_t)line, (uint8_t)bits_lowest(starts)};
            add_cells(board, line, first_cells(board, window, side, stones, gaps), cells);
        }
    }
}

unsigned chains_count(const ChainCells *cells)
{
    unsigned count = 0;
    for (unsigned row = 0; row < RULES_SIDE_MAX; row++)
        count += bits_count(cells->row[row]);
    return count;
}

Cell chains_nth(const ChainCells *cells, unsigned n)
{
    unsigned row = 0;
    for (; n >= bits_count(cells->row[row]); row++)
        n -= bits_count(cells->row[row]);
    uint64_t bits = cells->row[row];
    for (; n > 0; n--)
        bits &= bits - 1;
    return cell_at(bits_lowest(bits), row);
}
