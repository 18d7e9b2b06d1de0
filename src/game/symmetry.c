// Symmetries of a board.
#include "game/symmetry.h"

unsigned symmetry_count(const Rules *rules)
{
    return rules->gravity ? 2 : rules->width != rules->height ? 4 : 8;
}

Cell symmetry_cell(const Rules *rules, Symmetry symmetry, Cell cell)
{
    unsigned x = cell_column(cell), y = cell_row(cell);
    if (symmetry & SYMMETRY_TRANSPOSE) {
        unsigned swap = x;
        x = y;
        y = swap;
    }
    if (symmetry & SYMMETRY_MIRROR)
        x = rules->width - 1u - x;
    if (symmetry & SYMMETRY_FLIP)
        y = rules->height - 1u - y;
    return cell_at(x, y);
}

// A transposition exchanges the two mirrors.
Symmetry symmetry_inverse(Symmetry symmetry)
{
    if (!(symmetry & SYMMETRY_TRANSPOSE))
        return symmetry;
    return SYMMETRY_TRANSPOSE | (symmetry & SYMMETRY_MIRROR) << 1 | (symmetry & SYMMETRY_FLIP) >> 1;
}

void symmetry_board(const Board *from, Symmetry symmetry, Board *to)
{
    assert(symmetry < symmetry_count(&from->rules) && from != to);
    board_init(to, &from->rules);
    for (unsigned row = 0; row < from->rules.height; row++)
        for (int side = 0; side < 2; side++)
            for (uint64_t stones = from->line[row][side]; stones != 0; stones &= stones - 1) {
                Cell cell = cell_at(bits_lowest(stones), row);
                board_put(to, symmetry_cell(&from->rules, symmetry, cell), (Side)side);
            }
    to->state.turn = from->state.turn;
}

Symmetry symmetry_canonical(const Board *from, Board *canonical)
{
    Symmetry best = SYMMETRY_IDENTITY;
    board_copy(canonical, from);
    unsigned count = symmetry_count(&from->rules);
    for (Symmetry symmetry = 1; symmetry < count; symmetry++) {
        Board other;
        symmetry_board(from, symmetry, &other);
        for (unsigned i = 0; i < 2u * from->rules.height; i++) {
            uint64_t a = other.line[i / 2][i % 2], b = canonical->line[i / 2][i % 2];
            if (a < b) {
                board_copy(canonical, &other);
                best = symmetry;
            }
            if (a != b)
                break;
        }
    }
    return best;
}
