// Shared by the parts of krow analyze.
#pragma once

#include "analysis/analyze.h"
#include "engine/search/win_proof.h"
#include "solver/exact.h"

// Scores of the engine are reported in hundreds of the search's unit, as the agent `engine` does.
#define ANALYZE_UNIT 100.0

// The moment (clock_seconds) at which a share of the time is over; 0: never. With --nodes alone there is no clock, so
// results are reproducible.
double analyze_deadline(const Analysis *analysis, double share);
bool analyze_is_stopped(const Analysis *analysis);
unsigned analyze_lines_wanted(const Analysis *analysis);

Status analyze_find_wins(Analysis *analysis, Error *error);

// Builds the tree of a win proven by the engine that begins with this turn, unless there is a tree.
Status analyze_write_down(Analysis *analysis, Search *search, const SearchTurn *turn, Error *error);

// Adds a copy of a line unless its turn is already listed.
void analyze_add_line(Analysis *analysis, const LineView *line);
void analyze_add_forced(Analysis *analysis);
bool analyze_same_turn(const Cell *a, unsigned a_count, const Cell *b, unsigned b_count); // in any order
bool analyze_begins_line(const Analysis *analysis, Cell cell);
int analyze_compare_rated(const void *a, const void *b); // the best first

// Whether an exact solver should be tried, and whether it has solved all cells.
bool analyze_may_be_exact(const Analysis *analysis);
bool analyze_are_known(const ExactCells *cells);

// The exact values of all cells; `*found`: the solver finished.
Status analyze_exactly(const Analysis *analysis, ExactCells *cells, bool *found, Error *error);

// Adds the values of all cells, and the best ones as turns with the engine's lines.
void analyze_take_exact(Analysis *analysis, ExactCells *cells, SearchInfo *report);
Status analyze_ask(Analysis *analysis, Agent *agent, Error *error);

Status analyze_open_search(const Analysis *analysis, Search **search, Error *error);
Status analyze_think(Analysis *analysis, Search *search, Error *error);

// The report of a search line. Its cells are borrowed.
LineView analyze_view_of(const Analysis *analysis, SearchLine *line);

// Adds the lines of a sorted report, and with `rates` the ratings of all cells. For views of a running search; without
// forced wins.
void analyze_take_report(Analysis *analysis, Search *search, SearchInfo *report, bool rates);

unsigned analyze_turns_of(const Board *board, unsigned stones); // 0 is 0

// Converts turns to stones; the first turn may have begun. At most the number of empty cells.
unsigned analyze_stones_of(const Board *board, unsigned turns);
