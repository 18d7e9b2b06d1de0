// Exact values of small games of the family: any rules on at most 64 cells, any position, also in the middle of a turn.
//
// Two questions are asked, each with a yes or a no: does the first player win, and does the second. Both are answered
// by proof-number search over single stones (Allis, Searching for Solutions in Games and Artificial Intelligence, 1994,
// chapter 2, in the depth-first form of Nagai, 2002), whose results stay in a table of fixed size. What was found out
// is sound whenever the search ends: bounds of the value first, which meet when the value is known.
//
// Each search is the same for the same rules, table, position and limit of nodes, if the table was empty before.
#pragma once

#include "solver/common/exact_value.h"

enum { DFPN_CELLS_MAX = 64 };

typedef struct Dfpn Dfpn;

// Whether positions of these rules can be searched; on most of them, in vain: they are too many.
bool dfpn_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit.
Status dfpn_open(Dfpn **solver, const Rules *rules, size_t table_bytes, Error *error);
void dfpn_close(Dfpn *solver); // NULL is fine

// Forgets everything.
void dfpn_clear(Dfpn *solver);

// Who is informed during the searches from now on. Bounds are known at the end only; on the way it is the number of
// nodes.
void dfpn_watch(Dfpn *solver, ExactWatch watch);

// Finds the value of a position, also of a game that is over, or as much of it as the limits allow. What the table
// holds from earlier calls is used: positions on the way of a solved one take few nodes.
void dfpn_run(Dfpn *solver, const Board *board, const Limits *limits, ExactResult *result);

// The same for the position after each legal stone, within limits for all of them together. With `known`, the value of
// the position, it is only asked which of them keep it (low == known->low), which takes far less; NULL: everything.
void dfpn_cells(Dfpn *solver, const Board *board, const ExactResult *known, const Limits *limits, ExactCells *cells);
