// Generalised threats of Levin et al.: counting windows by the stones they lack.
#include "papers/levin/generalised.h"

#include "threats/lines.h"

#include <string.h>

enum { WIDEST = 64 };

// One line as the checks see it: bit i is cell i, words by player.
typedef struct {
    uint64_t mask, stones[2];
    unsigned k;
    const Rules *rules;
} Line;

// What a check found: that many stones of a player; 0 is nothing.
typedef struct {
    uint8_t stones;
    uint8_t side;
} Threat;

// Two values a cell, the larger first.
typedef struct {
    Threat first[WIDEST], second[WIDEST];
    uint64_t with[WIDEST]; // the cells whose first value is t, as bits
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

// The player of the forward window: whose stone comes first, or else who stands right behind the cell.
static unsigned player_of(const Line *line, unsigned x, uint64_t window)
{
    uint64_t ahead = (line->stones[0] | line->stones[1]) & window;
    uint64_t decides = ahead != 0 ? ahead & -ahead : UINT64_C(1) << x >> 1;
    return (line->stones[0] & decides) != 0 ? 0 : (line->stones[1] & decides) != 0 ? 1 : 2;
}

// Steps 2 to 4 of the description for the cell at bit x.
static Threat check_forward(const Line *line, unsigned x)
{
    uint64_t window = bits_low(line->k) << x & line->mask;
    unsigned side = player_of(line, x, window);
    if (side == 2)
        return (Threat){0};
    uint64_t own = line->stones[side], barred = line->stones[1 - side] | ~window;
    unsigned high = bits_lowest(barred & ~bits_low(x));
    unsigned behind = x > 0 ? bits_leading_zeros(~(own << (64 - x))) : 0;
    behind = behind < line->k - 1 ? behind : line->k - 1;
    return (Threat){(uint8_t)most_stones(line, own, x - behind, high), (uint8_t)side};
}

static void fill_cache(const Line *line, uint64_t rated, LineCache *cache)
{
    Line backward = {
        reversed(line->mask), {reversed(line->stones[0]), reversed(line->stones[1])}, line->k, line->rules};
    memset(cache->with, 0, line->k * sizeof cache->with[0]);
    for (; rated != 0; rated &= rated - 1) {
        unsigned x = bits_lowest(rated);
        Threat a = check_forward(line, x), b = check_forward(&backward, 63 - x);
        cache->first[x] = a.stones >= b.stones ? a : b;
        cache->second[x] = a.stones >= b.stones ? b : a;
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

// Step 6 and 7: what is not dominated is counted, from the largest values down.
static void count_line(const Board *board, const GeneralisedStyle *style, unsigned line, const LineCache *cache,
                       Generalised *threats)
{
    uint64_t dominated = 0;
    for (unsigned t = board->rules.k - 1u; t > 0; t--) {
        uint64_t set = cache->with[t] & ~dominated;
        for (uint64_t cells = set; cells != 0; cells &= cells - 1) {
            unsigned x = bits_lowest(cells);
            Cell cell = lines_cell(board, line, x);
            count(board, style, cache->first[x], cell, threats);
            count(board, style, cache->second[x], cell, threats);
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
        Line line = {lines_mask(board, i), {stones[0], stones[1]}, board->rules.k, &board->rules};
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
