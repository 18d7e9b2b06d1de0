// Exact values of small games of the family: any rules on at most 64 cells, any position, also in the middle of a turn.
//
// Two questions are asked, each with a yes or a no: does the first player win, and does the second. Both are answered
// by proof-number search over single stones (Allis, Searching for Solutions in Games and Artificial Intelligence, 1994,
// chapter 2, in the depth-first form of Nagai, 2002), whose results stay in a table of fixed size. What was found out
// is sound whenever the search ends: bounds of the value first, which meet when the value is known.
//
// Each search is the same for the same rules, table, position and limit of nodes, if the table was empty before.
#pragma once

#include "base/limits.h"
#include "base/status.h"
#include "game/board.h"

#include <stdatomic.h>

// How far a search is.
typedef struct {
    uint64_t nodes;
    bool asks_first;   // the question it works on: does the first player win
    uint32_t proof;    // stones' worth of work that seems left for a yes, and for a no: the proof numbers
    uint32_t disproof; // of the position; at least one
} DfpnProgress;

// Called now and then during a search; NULL: not.
typedef struct {
    void (*progress)(void *context, const DfpnProgress *progress);
    void *context;
} DfpnWatch;

// Values are those for the side to move: 1 win, 0 draw, -1 loss.
typedef struct {
    int lower, upper; // the value is between these, both included
    Cell best;        // a stone that reaches at least `lower`; CELL_NONE when the game is over
    uint64_t nodes;
} DfpnResult;

// What is known of each legal stone, for the side that plays it.
typedef struct {
    Cell cell;
    int lower, upper;
} DfpnCell;

enum { DFPN_CELLS_MAX = 64 };

typedef struct {
    DfpnCell cell[DFPN_CELLS_MAX]; // row by row from a1
    unsigned count;
    uint64_t nodes;
} DfpnCells;

typedef struct Dfpn Dfpn;

// Whether positions of these rules can be searched; on most of them, in vain: they are too many.
bool dfpn_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit.
Status dfpn_open(Dfpn **solver, const Rules *rules, size_t table_bytes, Error *error);
void dfpn_close(Dfpn *solver); // NULL is fine

// Forgets everything.
void dfpn_clear(Dfpn *solver);

// Who is informed during the searches from now on.
void dfpn_watch(Dfpn *solver, DfpnWatch watch);

// Finds the value of a position, or as much of it as the limits allow. What the table holds from earlier calls is used:
// positions on the way of a solved one take few nodes.
void dfpn_run(Dfpn *solver, const Board *board, const Limits *limits, DfpnResult *result);

// The same for the position after each legal stone, within limits for all of them together. With `known`, the value of
// the position, it is only asked which of them keep it (lower == known->lower), which takes far less; NULL: everything.
void dfpn_cells(Dfpn *solver, const Board *board, const DfpnResult *known, const Limits *limits, DfpnCells *cells);

static inline bool dfpn_is_known(const DfpnResult *result)
{
    return result->lower == result->upper;
}
