// Threes and fours as players count them, for any k: rows of k - 1 stones ("four" for k = 5) and of k - 2 stones
// ("three") that can still become a winning row. Definitions as in Gomoku (Allis, van den Herik, Huntjens, Go-Moku
// Solved by New Search Techniques, section 2.2; the rules of the Renju International Federation), for all rules with
// one stone per turn:
//
// - A live window has no opposing stone and is a winning row once it is filled: under `exact` no own stone is beside
// it.
// - A (k-1) is a set of linked live windows of a line that lack one stone, the completing cell. A (k-2) is a set of
//   linked live windows that lack two stones, neither of which is a completing cell of the line. Windows are linked if
//   they have the same stones or share an empty cell. So split rows count, X.XXX.X is two fours, and .XXXX.X is one.
// - An open (k-1) is k - 1 adjacent stones with a completing cell at each end: one stone does not stop it. Others are
//   closed.
// - An open (k-2) becomes an open (k-1) with a stone on one of its empty cells, the completing cells among the others.
//   Others are closed: they only become a closed (k-1).
//
// Under gravity a cell counts for open rows only if it can be played now. A (k-1) without a completing cell that can be
// played is waiting. Closed (k-2)s are left out: nearly every row is one, and it threatens nothing.
//
// There are no (k-2)s for k = 3, where each stone would be one, and nothing for k = 2, for more than one stone per turn
// (see threats/threats.h), and after the end of the game.
#pragma once

#include "game/board.h"

typedef struct {
    uint16_t line;
    uint8_t lacks; // stones: 1 for a (k-1), 2 for a (k-2)
    bool is_open;
    bool is_split;   // the stones are not adjacent
    bool is_waiting; // gravity: no completing cell can be played now
    uint64_t stones; // as bits of the line; of several linked rows an open one, else those closest together
    uint64_t empty;  // empty cells of all windows
    uint64_t next;   // cells that complete the row (k-1), make an open (k-1), or only a closed one
    uint64_t stops;  // cells on which one opposing stone stops it; none for an open (k-1) and a closed (k-2)
} RowThreat;

// The strongest first: open (k-1), (k-1), waiting, open (k-2), (k-2); those of a kind by the number of their line.
typedef struct {
    unsigned count;
    size_t capacity;
    RowThreat *row; // owned
} RowThreats;

bool row_threats_suit(const Rules *rules);

void row_threats_find(const Board *board, Side side, RowThreats *threats);
void row_threats_close(RowThreats *threats); // safe on a zeroed one

// The k + 1 cells from bit `low` of a line on, if both ends are empty, `lacks` - 1 of the k - 1 cells between them are
// empty and the others own stones, and a row in either window wins. Then the empty cells as bits, else 0. Under gravity
// these cells can be filled one after another.
uint64_t row_threats_open_at(const Board *board, unsigned line, unsigned low, Side side, unsigned lacks);
