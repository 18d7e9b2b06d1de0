// Generalised threats of Levin et al.: the two checks of each cell, domination and weights.
#include "papers/levin/generalised.h"

#include "threats/lines.h"

#include <string.h>

enum { WIDEST = 64 };

// A line: bit i is cell i, a word of stones for each player.
typedef struct {
    uint64_t mask, stones[2];
    unsigned k;
    const Rules *rules;
    GeneralisedWindows windows;
} Line;

// The result of a check: the number of stones and their player; 0 stones: no threat.
typedef struct {
    uint8_t stones;
    uint8_t side;
    bool short_of_cells; // the windows had fewer than k cells: no second value
} Threat;

// Two values for each cell, the larger one first.
typedef struct {
    Threat first[WIDEST], second[WIDEST];
    uint64_t with[WIDEST]; // cells whose first value is t, as bits
    uint64_t single;       // cells that have one value only: the second is that of the other check
} LineCache;

static uint64_t reversed(uint64_t word)
{
    word = (word >> 1 & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555)) << 1;
    word = (word >> 2 & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333)) << 2;
    word = (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(word);
}

// The most stones of one player in k cells of the area from bit `low` to bit `high` - 1.
static unsigned most_stones(const Line *line, uint64_t own, unsigned low, unsigned high)
{
    assert(low < WIDEST && high <= WIDEST);
    unsigned most = 0;
    for (unsigned at = low; at + line->k <= high; at++) {
        uint64_t window = bits_low(line->k) << at;
        unsigned stones = bits_count(own & window);
        if (stones > most && row_window_wins(line->rules, own, window))
            most = stones;
    }
    return most;
}

// The player of the forward window: the owner of its first stone, or else of the stone right behind the cell.
static unsigned player_of(const Line *line, unsigned x, uint64_t window)
{
    uint64_t ahead = (line->stones[0] | line->stones[1]) & window;
    uint64_t decides = ahead != 0 ? ahead & -ahead : UINT64_C(1) << x >> 1;
    return (line->stones[0] & decides) != 0 ? 0 : (line->stones[1] & decides) != 0 ? 1 : 2;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Steps 2 to 5 of the description for the cell at bit x.
static Threat check_forward(const Line *line, unsigned x)
{
    uint64_t window = bits_low(line->k) << x & line->mask;
    unsigned side = player_of(line, x, window);
    if (side == 2)
        return (Threat){.short_of_cells = true};
    uint64_t own = line->stones[side], barred = line->stones[1 - side] | ~window;
    unsigned high = bits_lowest(barred & ~bits_low(x));
    unsigned behind = smaller(bits_run_below(own, x), line->k - 1);
    bool short_of_cells = high - x + behind < line->k;
    if (short_of_cells && line->windows == GENERALISED_EXTENDED)
        behind = smaller(bits_run_below(line->mask & ~line->stones[1 - side], x), line->k - (high - x));
    unsigned stones = most_stones(line, own, x - behind, high);
    return (Threat){(uint8_t)stones, (uint8_t)side, short_of_cells};
}

static void fill_cache(const Line *line, uint64_t rated, LineCache *cache)
{
    Line backward = *line;
    backward.mask = reversed(line->mask);
    backward.stones[0] = reversed(line->stones[0]);
    backward.stones[1] = reversed(line->stones[1]);
    memset(cache->with, 0, line->k * sizeof cache->with[0]);
    cache->single = 0;
    for (; rated != 0; rated &= rated - 1) {
        unsigned x = bits_lowest(rated);
        Threat a = check_forward(line, x), b = check_forward(&backward, 63 - x);
        cache->first[x] = a.stones >= b.stones ? a : b;
        cache->second[x] = a.stones >= b.stones ? b : a;
        cache->single |= (uint64_t)(a.short_of_cells || b.short_of_cells) << x;
        cache->with[cache->first[x].stones] |= UINT64_C(1) << x;
    }
}

// --- Weights ---

static uint64_t weight(unsigned c, unsigned t)
{
    unsigned bits = c * (t - 1);
    return bits < 64 ? UINT64_C(1) << bits : UINT64_MAX;
}

// The number of stones a threat counts as.
static unsigned tier(const Board *board, const GeneralisedStyle *style, Threat threat)
{
    unsigned k = board->rules.k, t = threat.stones;
    if (!style->prioritise || threat.side != (unsigned)board_side(board))
        return t;
    return t + board_stones_left(board) >= k ? k : t + board->rules.p >= k ? 1 : t;
}

static void count(const Board *board, const GeneralisedStyle *style, Threat threat, Cell cell, Generalised *threats)
{
    if (threat.stones == 0)
        return;
    uint64_t n = weight(style->c, tier(board, style, threat)), *value = &threats->value[threat.side][cell];
    *value = generalised_add(*value, n);
    threats->total[threat.side] = generalised_add(threats->total[threat.side], n);
}

// The one value of a cell without a second. Of equal threats of both players, the heavier one or that of the side to
// move.
static Threat only_threat(const Board *board, const GeneralisedStyle *style, Threat first, Threat second)
{
    if (first.stones != second.stones || first.side == second.side)
        return first;
    unsigned a = tier(board, style, first), b = tier(board, style, second);
    bool takes_first = a != b ? a > b : first.side == (unsigned)board_side(board);
    return takes_first ? first : second;
}

// Steps 7 to 9: counts the values that are not dominated, from the largest down.
static void count_line(const Board *board, const GeneralisedStyle *style, unsigned line, const LineCache *cache,
                       Generalised *threats)
{
    uint64_t dominated = 0;
    for (unsigned t = board->rules.k - 1u; t > 0; t--) {
        uint64_t set = cache->with[t] & ~dominated;
        for (uint64_t cells = set; cells != 0; cells &= cells - 1) {
            unsigned x = bits_lowest(cells);
            Cell cell = lines_cell(board, line, x);
            Threat first = cache->first[x], second = cache->second[x];
            bool is_single = (cache->single >> x & 1) != 0;
            count(board, style, is_single ? only_threat(board, style, first, second) : first, cell, threats);
            if (!is_single)
                count(board, style, second, cell, threats);
        }
        dominated |= set != 0 ? bits_spread(set, board->rules.k) : 0;
    }
}

// --- The board ---

// The cells of a line on which a stone may be placed.
static uint64_t rated_cells(const Board *board, unsigned line, uint64_t mask)
{
    uint64_t cells = mask & ~(board->line[line][0] | board->line[line][1]);
    if (!board->rules.gravity)
        return cells;
    uint64_t rated = 0;
    for (; cells != 0; cells &= cells - 1) {
        Cell cell = lines_cell(board, line, bits_lowest(cells));
        rated |= cell_row(cell) == board_drop_row(board, cell_column(cell)) ? cells & -cells : 0;
    }
    return rated;
}

unsigned generalised_constant(const Rules *rules, unsigned wanted)
{
    unsigned c = wanted;
    while (c > 1 && c * (rules->k - 2u) + 3 >= 64 && rules->k > 2)
        c--;
    return c;
}

void generalised_read(const Board *board, const GeneralisedStyle *style, Generalised *threats)
{
    size_t used = (size_t)board->rules.height * RULES_SIDE_MAX * sizeof threats->value[0][0];
    memset(threats->value[0], 0, used);
    memset(threats->value[1], 0, used);
    threats->total[0] = threats->total[1] = 0;
    LineCache cache;
    for (unsigned i = 0; i < board->line_count; i++) {
        const uint64_t *stones = board->line[i];
        Line line = {lines_mask(board, i), {stones[0], stones[1]}, board->rules.k, &board->rules, style->windows};
        // A line without stones has no threats.
        if ((stones[0] | stones[1]) == 0 || bits_count(line.mask) < line.k)
            continue;
        fill_cache(&line, rated_cells(board, i, line.mask), &cache);
        count_line(board, style, i, &cache, threats);
    }
}

double generalised_utility(const Generalised *threats, Side side)
{
    uint64_t own = threats->total[side], other = threats->total[side_other(side)];
    return own >= other ? (double)(own - other) : -(double)(other - own);
}
