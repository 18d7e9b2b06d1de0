// Cells and sides: the plain types of a board.
#ifndef KROW_BOARD_H
#define KROW_BOARD_H

#include <krow/error.h>

#ifdef __cplusplus
extern "C" {
#endif

// A cell: 64 * row + column, for every board size. Column 0 is the left one (a), row 0 the lowest one (1).
typedef uint16_t KrowCell;

enum { KROW_CELL_NONE = UINT16_MAX };

typedef enum { KROW_FIRST, KROW_SECOND, KROW_NONE } KrowSide; // KROW_NONE: an empty cell, or no winner

static inline KrowCell krow_cell(unsigned column, unsigned row)
{
    return (KrowCell)(row << 6 | column);
}

static inline unsigned krow_cell_column(KrowCell cell)
{
    return cell & 63u;
}

static inline unsigned krow_cell_row(KrowCell cell)
{
    return (unsigned)cell >> 6;
}

// The opponent of KROW_FIRST or KROW_SECOND.
static inline KrowSide krow_side_other(KrowSide side)
{
    return side == KROW_FIRST ? KROW_SECOND : KROW_FIRST;
}

#ifdef __cplusplus
}
#endif

#endif
