// Exact values of small games: any rules on at most 64 cells, any position, even in the middle of a turn.
//
// Two yes-no questions: does the first player win, and does the second. Proof-number search over single stones (Allis,
// Searching for Solutions in Games and Artificial Intelligence, 1994, chapter 2, in the depth-first form of Nagai,
// 2002) answers both; its results stay in a table of fixed size. Results are sound whenever the search ends: bounds of
// the value, which meet when it is known.
//
// A search is deterministic for the same rules, table size, position and node limit if the table was empty.
#pragma once

#include "solver/common/exact_value.h"

enum { DFPN_CELLS_MAX = 64 };

typedef struct Dfpn Dfpn;

// Whether the solver supports these rules. Most positions are still too large to be solved.
bool dfpn_suits(const Rules *rules);

// Allocates all memory for searches of positions of these rules, which must be supported.
Status dfpn_open(Dfpn **solver, const Rules *rules, size_t table_bytes, Error *error);
void dfpn_close(Dfpn *solver); // NULL is fine

// Discards all results.
void dfpn_clear(Dfpn *solver);

// Sets the callbacks for later searches. Bounds are known only at the end; progress reports the number of nodes.
void dfpn_watch(Dfpn *solver, ExactWatch watch);

// Finds the value of a position (the game may be over), or bounds within the limits. Earlier results in the table are
// used: positions below a solved one take few nodes.
void dfpn_run(Dfpn *solver, const Board *board, const Limits *limits, ExactResult *result);

// The same for the position after each legal stone, with common limits. With `known`, the value of the position, it
// only finds which stones keep it (low == known->low), which takes far less time; NULL: all values.
void dfpn_cells(Dfpn *solver, const Board *board, const ExactResult *known, const Limits *limits, ExactCells *cells);
