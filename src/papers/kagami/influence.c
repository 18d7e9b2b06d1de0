// The influence of stones on empty cells, the evaluation of Liu and Lin.
#include "papers/kagami/influence.h"

#include <math.h>
#include <string.h>

// --- Powers of two ---

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// One direction: the bits of its line, and the number of cells on both sides, at most k - 1 and up to the border.
typedef struct {
    uint64_t own, other;
    unsigned bit;
    unsigned below, above;
} Direction;

// Every cell up to the first opposing stone counts 2 = 2^1; a stone l steps away 2^(2k + 1 - l), which is 2k - l more.
static void look_along(const Direction *line, unsigned k, uint16_t *power, uint8_t *open)
{
    unsigned above = least(line->above, bits_lowest(line->other >> line->bit >> 1));
    unsigned below = least(line->below, bits_leading_zeros(line->other << 1 << (63 - line->bit)));
    unsigned sum = below + above;
    uint64_t area = bits_low(below + 1 + above) << (line->bit - below);
    for (uint64_t stones = line->own & area & ~(UINT64_C(1) << line->bit); stones != 0; stones &= stones - 1) {
        unsigned at = bits_lowest(stones), steps = at > line->bit ? at - line->bit : line->bit - at;
        sum += 2 * k - steps;
    }
    *power = (uint16_t)sum;
    *open = (uint8_t)(*open + (below == line->below && above == line->above));
}

Influence influence_of(const Board *board, Cell cell, Side side)
{
    unsigned k = board->rules.k, x = cell_column(cell), y = cell_row(cell);
    unsigned left = least(x, k - 1), right = least(board->rules.width - 1u - x, k - 1);
    unsigned down = least(y, k - 1), up = least(board->rules.height - 1u - y, k - 1);
    CellLines at = board_lines_of(board, cell);
    const uint64_t *row = board->line[at.row], *column = board->line[at.column];
    const uint64_t *rising = board->line[at.rising], *falling = board->line[at.falling];
    Side other = side_other(side);
    const Direction lines[INFLUENCE_DIRECTIONS] = {
        {row[side], row[other], x, left, right},
        {column[side], column[other], y, down, up},
        {rising[side], rising[other], x, least(left, down), least(right, up)},
        {falling[side], falling[other], x, least(left, up), least(right, down)},
    };
    Influence influence = {.open = 0};
    for (int i = 0; i < INFLUENCE_DIRECTIONS; i++)
        look_along(&lines[i], k, &influence.power[i], &influence.open);
    return influence;
}

// --- Numbers ---

double influence_degree(unsigned k, unsigned open)
{
    static const double above_one[INFLUENCE_DIRECTIONS + 1] = {0, 0, 0.00000181862, 0.00000363725, 0.00000726562};
    assert(open <= INFLUENCE_DIRECTIONS);
    double excess = k < 10 ? above_one[open] : ldexp(above_one[open], 18 - 2 * (int)k);
    return 1 + excess;
}

// E as a number of at least 1 and less than 5, and a power of two. The smallest product is added first, so that the sum
// does not depend on the order of the directions and its rounding error is small.
static double scaled_score(const Influence *influence, unsigned k, int *power)
{
    uint16_t sorted[INFLUENCE_DIRECTIONS];
    for (int i = 0; i < INFLUENCE_DIRECTIONS; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > influence->power[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = influence->power[i];
    }
    *power = sorted[INFLUENCE_DIRECTIONS - 1];
    double sum = 0;
    for (int i = 0; i < INFLUENCE_DIRECTIONS; i++)
        sum += ldexp(1, sorted[i] - *power);
    return sum * influence_degree(k, influence->open);
}

double influence_score(const Influence *influence, unsigned k)
{
    int power = 0;
    double score = scaled_score(influence, k, &power);
    return ldexp(score, power);
}

double influence_rank(const Influence *influence, unsigned k)
{
    int power = 0;
    double score = scaled_score(influence, k, &power);
    for (; score >= 2; power++)
        score /= 2;
    return power + (score - 1);
}

double influence_best(const Board *board, Side side)
{
    double best = -1;
    for (unsigned row = 0; row < board->rules.height; row++)
        for (uint64_t cells = board_legal_row(board, row); cells != 0; cells &= cells - 1) {
            Influence influence = influence_of(board, cell_at(bits_lowest(cells), row), side);
            best = fmax(best, influence_rank(&influence, board->rules.k));
        }
    return best;
}

// --- Candidates ---

// The legal cells within reach of `centres`; returns how many.
static unsigned legal_near(const Board *board, const uint64_t centres[RULES_SIDE_MAX], unsigned reach,
                           uint64_t rows[RULES_SIDE_MAX])
{
    unsigned height = board->rules.height, count = 0;
    for (unsigned row = 0; row < height; row++) {
        uint64_t near = 0;
        for (unsigned y = row > reach ? row - reach : 0; y <= row + reach && y < height; y++)
            near |= bits_spread(centres[y], reach);
        rows[row] = near & board_legal_row(board, row);
        count += bits_count(rows[row]);
    }
    return count;
}

// The stones of the opponent's last turn, as far as the game records them; stones of the current turn are skipped.
static void last_turn(const Game *game, uint64_t rows[RULES_SIDE_MAX])
{
    const Board *board = &game->board;
    Stone own = (Stone)board_side(board);
    unsigned count = game->played;
    while (count > 0 && board_stone(board, game->stones[count - 1]) == own)
        count--;
    for (; count > 0 && board_stone(board, game->stones[count - 1]) != own; count--)
        rows[cell_row(game->stones[count - 1])] |= cell_bit_in_row(game->stones[count - 1]);
}

unsigned influence_candidates(const Game *game, unsigned reach, uint64_t rows[RULES_SIDE_MAX])
{
    const Board *board = &game->board;
    uint64_t centres[RULES_SIDE_MAX] = {0};
    // 1. Around the opponent's last turn.
    last_turn(game, centres);
    unsigned count = legal_near(board, centres, reach, rows);
    if (count > 0)
        return count;
    // 2. Around all of the opponent's stones.
    for (unsigned row = 0; row < board->rules.height; row++)
        centres[row] = board->line[row][side_other(board_side(board))];
    count = legal_near(board, centres, reach, rows);
    if (count > 0)
        return count;
    // 3. Anywhere.
    memset(centres, 0xff, sizeof centres);
    return legal_near(board, centres, reach, rows);
}
