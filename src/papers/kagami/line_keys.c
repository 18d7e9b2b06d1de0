// The table of patterns of Liu and Lin, and the keys of lines that index it.
#include "papers/kagami/line_keys.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { HALVES_MAX = 2187, CODES_MAX = 1 << LINE_KEYS_K_MAX }; // 3^7 ways to fill one side of the middle

bool line_keys_suits(const Rules *rules)
{
    return window_tally_suits(rules) && rules->k <= LINE_KEYS_K_MAX;
}

// --- The table ---

// The cells on one side of the middle, read outwards up to the first opposing stone: a bit for each own stone, and a
// bit beyond the last cell. Cells behind an opposing stone do not matter, so 2^k codes represent 3^(k-1) ways to fill
// the cells.
static unsigned half_code(unsigned half, unsigned cells, bool outwards, unsigned own)
{
    unsigned digits[LINE_KEYS_K_MAX], code = 0, open = 0;
    for (unsigned i = 0; i < cells; i++, half /= 3)
        digits[outwards ? i : cells - 1 - i] = half % 3;
    for (; open < cells && (digits[open] == 0 || digits[open] == own); open++)
        code |= (unsigned)(digits[open] == own) << open;
    return code | 1u << open;
}

static unsigned code_length(unsigned code)
{
    return 63 - bits_leading_zeros(code);
}

// The own stones of both halves and the middle, as bits of the open part of the line.
static uint64_t join(unsigned low, unsigned high)
{
    unsigned below = code_length(low), above = code_length(high);
    uint64_t own = (UINT64_C(1) | (high & bits_low(above)) << 1) << below;
    for (unsigned i = 0; i < below; i++)
        own |= (uint64_t)(low >> i & 1) << (below - 1 - i);
    return own;
}

// Stones needed against all threats of such a line, every window of which contains the middle. Greedy: the last empty
// cell of each window that is not blocked yet, which is optimal for intervals.
static unsigned count_threats(const Rules *rules, uint64_t own, unsigned length)
{
    uint64_t met = 0;
    unsigned threats = 0;
    for (unsigned low = 0; low + rules->k <= length; low++) {
        uint64_t bits = bits_low(rules->k) << low, empty = bits & ~own;
        if (!row_window_wins(rules, own, bits) || empty == 0 || bits_count(empty) > rules->p || (empty & met) != 0)
            continue;
        met |= UINT64_C(1) << (63 - bits_leading_zeros(empty));
        threats++;
    }
    return threats;
}

static void count_codes(const Rules *rules, uint8_t counts[CODES_MAX][CODES_MAX])
{
    for (unsigned low = 1; low < 1u << rules->k; low++)
        for (unsigned high = 1; high < 1u << rules->k; high++) {
            unsigned length = code_length(low) + 1 + code_length(high);
            counts[low][high] = (uint8_t)count_threats(rules, join(low, high), length);
        }
}

// The entries with a stone of one side in the middle.
static void fill_table(LineKeys *keys, uint8_t counts[CODES_MAX][CODES_MAX], unsigned own)
{
    uint8_t lows[HALVES_MAX], highs[HALVES_MAX];
    unsigned k = keys->k, halves = keys->weight[k - 1];
    for (unsigned i = 0; i < halves; i++) {
        lows[i] = (uint8_t)half_code(i, k - 1, false, own);
        highs[i] = (uint8_t)half_code(i, k - 1, true, own);
    }
    for (unsigned high = 0; high < halves; high++) {
        uint8_t *entries = keys->threats + (size_t)(high * 3 + own) * halves;
        for (unsigned low = 0; low < halves; low++)
            entries[low] = counts[lows[low]][highs[high]];
    }
}

// --- Keys ---

// How far the line of a cell reaches forward and back in each direction, at most k-1 steps.
typedef struct {
    int step; // to the next cell
    unsigned on, back;
} Reach;

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static Reach reach_of(const LineKeys *keys, Cell cell, unsigned direction)
{
    unsigned left = cell_column(cell), right = keys->width - 1 - left;
    unsigned below = cell_row(cell), above = keys->height - 1 - below;
    const Reach reaches[LINE_KEYS_DIRECTIONS] = {
        {cell_at(1, 0), right, left},
        {cell_at(0, 1), above, below},
        {cell_at(1, 1), least(right, above), least(left, below)},
        {cell_at(0, 1) - 1, least(left, above), least(right, below)},
    };
    Reach reach = reaches[direction];
    return (Reach){reach.step, least(reach.on, keys->k - 1), least(reach.back, keys->k - 1)};
}

static void find_borders(LineKeys *keys, Cell cell)
{
    for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++) {
        Reach reach = reach_of(keys, cell, direction);
        uint32_t sum = 0;
        for (unsigned i = 0; i < 2 * keys->k - 1; i++)
            if (i + reach.back < keys->k - 1 || i > keys->k - 1 + reach.on)
                sum += keys->weight[i];
        keys->border[cell][direction] = sum;
    }
}

Status line_keys_open(LineKeys *keys, const Rules *rules, Error *error)
{
    assert(line_keys_suits(rules));
    *keys = (LineKeys){.k = rules->k, .p = rules->p, .width = rules->width, .height = rules->height};
    size_t entries = 1;
    for (unsigned i = 0; i < 2u * rules->k - 1; i++, entries *= 3)
        keys->weight[i] = (uint32_t)entries;
    keys->threats = calloc(entries, 1);
    if (keys->threats == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a table of patterns");
    uint8_t(*counts)[CODES_MAX] = memory_new(CODES_MAX, sizeof *counts);
    count_codes(rules, counts);
    fill_table(keys, counts, line_keys_digit(SIDE_FIRST));
    fill_table(keys, counts, line_keys_digit(SIDE_SECOND));
    free(counts);
    for (unsigned row = 0; row < rules->height; row++)
        for (unsigned column = 0; column < rules->width; column++)
            find_borders(keys, cell_at(column, row));
    return STATUS_OK;
}

void line_keys_close(LineKeys *keys)
{
    free(keys->threats);
    keys->threats = NULL;
}

// Adds a digit to the keys of all cells whose lines contain this one. For cells further up it has a smaller weight.
static void add(LineKeys *keys, Cell cell, uint32_t digit)
{
    for (unsigned direction = 0; direction < LINE_KEYS_DIRECTIONS; direction++) {
        Reach reach = reach_of(keys, cell, direction);
        int at = (int)cell - (int)reach.back * reach.step;
        unsigned weight = keys->k - 1 + reach.back;
        for (unsigned i = 0; i <= reach.back + reach.on; i++, at += reach.step)
            keys->key[at][direction] += digit * keys->weight[weight - i];
    }
}

void line_keys_put(LineKeys *keys, Cell cell, Side side)
{
    add(keys, cell, line_keys_digit(side));
}

void line_keys_take(LineKeys *keys, Cell cell, Side side)
{
    add(keys, cell, 0u - line_keys_digit(side));
}

void line_keys_set(LineKeys *keys, const Board *board)
{
    memset(keys->key, 0, sizeof keys->key);
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t taken = board_occupied_row(board, row); taken != 0; taken &= taken - 1) {
            Cell cell = cell_at(bits_lowest(taken), row);
            line_keys_put(keys, cell, (Side)board_stone(board, cell));
        }
}

// --- Turns ---

// The direction of the line that two cells share and the steps from `a` to `b` along it; none: LINE_KEYS_DIRECTIONS.
static unsigned line_between(Cell a, Cell b, int *steps)
{
    int x = (int)cell_column(b) - (int)cell_column(a), y = (int)cell_row(b) - (int)cell_row(a);
    *steps = y != 0 ? y : x;
    return y == 0 ? 0u : x == 0 ? 1u : x == y ? 2u : x == -y ? 3u : (unsigned)LINE_KEYS_DIRECTIONS;
}

static bool is_opposed(const Board *board, Cell a, Cell b, unsigned direction, Side side)
{
    CellLines at = board_lines_of(board, a);
    const unsigned lines[LINE_KEYS_DIRECTIONS] = {at.row, at.column, at.rising, at.falling};
    unsigned from = direction == 1 ? cell_row(a) : cell_column(a), to = direction == 1 ? cell_row(b) : cell_column(b);
    uint64_t between = from < to ? bits_low(to) & ~bits_low(from + 1) : bits_low(from) & ~bits_low(to + 1);
    return (board->line[lines[direction]][side_other(side)] & between) != 0;
}

LineCase line_keys_case(const Board *board, Cell a, Cell b, Side side, unsigned *direction)
{
    int steps;
    *direction = line_between(a, b, &steps);
    if (*direction == LINE_KEYS_DIRECTIONS)
        return LINE_CASE_APART;
    if (is_opposed(board, a, b, *direction, side))
        return LINE_CASE_OPPOSED;
    unsigned distance = (unsigned)abs(steps) + 1, k = board->rules.k;
    return distance <= k ? LINE_CASE_NEAR : distance < 2 * k ? LINE_CASE_MIDDLE : LINE_CASE_FAR;
}

// A turn whose threats are counted, in one of the directions.
typedef struct {
    const LineKeys *keys;
    const Board *board;
    const CellSet *turn;
    Side side;
    unsigned direction;
} TurnCount;

// The threats of one stone of a turn, with the others on the board.
static unsigned count_stone(const TurnCount *count, unsigned stone)
{
    const LineKeys *keys = count->keys;
    const CellSet *turn = count->turn;
    unsigned direction = count->direction;
    Cell cell = turn->cell[stone];
    uint32_t digit = line_keys_digit(count->side), key = keys->key[cell][direction];
    for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++) {
        int steps, reach = (int)keys->k - 1;
        if (line_between(cell, turn->cell[i], &steps) == direction || i == stone)
            key += steps >= -reach && steps <= reach ? digit * keys->weight[reach + steps] : 0;
    }
    return keys->threats[key + keys->border[cell][direction] * (3 - digit)];
}

// The next stone of the turn on the line of this one that case a or b connects with it. The cells of a turn are in
// order, and so are those on a line.
static unsigned next_on_line(const TurnCount *count, unsigned stone, LineCase *how)
{
    const CellSet *turn = count->turn;
    for (unsigned i = stone + 1; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++) {
        unsigned along;
        *how = line_keys_case(count->board, turn->cell[stone], turn->cell[i], count->side, &along);
        if (*how != LINE_CASE_APART && along == count->direction)
            return *how == LINE_CASE_NEAR || *how == LINE_CASE_MIDDLE ? i : (unsigned)WINDOW_TALLY_P_MAX;
    }
    return WINDOW_TALLY_P_MAX;
}

// Case a: the threats of stones near each other, of which the sum is known.
static unsigned correct_near(const LineKeys *keys, unsigned sum, unsigned stones)
{
    bool is_kept = keys->correction == LINE_CORRECTION_STRICT && sum != keys->p;
    return is_kept ? sum : (sum + stones - 1) / stones;
}

// Case b: how many threats are taken off the sum of stones or groups of stones whose windows meet.
static unsigned correct_middle(const LineKeys *keys, unsigned sum)
{
    return keys->correction == LINE_CORRECTION_ALL ? sum > 0 : sum == keys->p;
}

// The threats of groups of stones on one line, each by case b with the next.
static unsigned sum_groups(const LineKeys *keys, const unsigned *groups, unsigned count)
{
    unsigned total = groups[0], cut = 0;
    for (unsigned i = 1; i < count; i++) {
        total += groups[i];
        cut += keys->correction == LINE_CORRECTION_ALL || correct_middle(keys, groups[i - 1] + groups[i]) > 0;
    }
    return total > cut ? total - cut : 0;
}

// A row of stones on one line, each with the next by case a or b, from its first one on; `done` gets their bits.
static unsigned count_row(const TurnCount *count, unsigned stone, unsigned *done)
{
    unsigned groups[WINDOW_TALLY_P_MAX], group_count = 0, sum = 0, size = 0;
    assert(stone < WINDOW_TALLY_P_MAX);
    for (LineCase how = LINE_CASE_NEAR; stone < WINDOW_TALLY_P_MAX;) {
        if (how == LINE_CASE_MIDDLE) {
            groups[group_count++] = correct_near(count->keys, sum, size);
            sum = size = 0;
        }
        sum += count_stone(count, stone);
        size++;
        *done |= 1u << stone;
        stone = next_on_line(count, stone, &how);
    }
    groups[group_count++] = correct_near(count->keys, sum, size);
    return sum_groups(count->keys, groups, group_count);
}

unsigned line_keys_turn(const LineKeys *keys, const Board *board, const CellSet *turn, Side side)
{
    unsigned threats = 0;
    TurnCount count = {keys, board, turn, side, 0};
    for (; count.direction < LINE_KEYS_DIRECTIONS; count.direction++) {
        unsigned done = 0;
        for (unsigned i = 0; i < WINDOW_TALLY_P_MAX && turn->cell[i] != CELL_NONE; i++)
            if ((done >> i & 1) == 0)
                threats += count_row(&count, i, &done);
    }
    return threats;
}

unsigned line_keys_pair(const LineKeys *keys, const Board *board, Cell a, Cell b, Side side, unsigned alone)
{
    unsigned direction;
    LineCase how = line_keys_case(board, a, b, side, &direction);
    if (how != LINE_CASE_NEAR && how != LINE_CASE_MIDDLE)
        return alone;
    unsigned apart = line_keys_stone(keys, a, direction, side) + line_keys_stone(keys, b, direction, side);
    if (how == LINE_CASE_MIDDLE)
        return alone - correct_middle(keys, apart);
    int steps, middle = (int)keys->k - 1;
    (void)line_between(a, b, &steps);
    unsigned both = line_keys_seeing(keys, a, direction, side, keys->weight[middle + steps]) +
                    line_keys_seeing(keys, b, direction, side, keys->weight[middle - steps]);
    return alone - apart + correct_near(keys, both, 2);
}
