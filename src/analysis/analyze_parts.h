// What the parts of krow analyze share.
#pragma once

#include "analysis/analyze.h"
#include "engine/search/win_proof.h"
#include "solver/exact.h"

// Scores of the engine are reported in hundreds of the search's unit, as the agent `engine` does.
#define ANALYZE_UNIT 100.0

// The moment (clock_seconds) at which a share of the time is over; 0: never. With --nodes alone there is no clock, so
// that the same call finds the same.
double analyze_deadline(const Analysis *analysis, double share);
bool analyze_is_stopped(const Analysis *analysis);
unsigned analyze_lines_wanted(const Analysis *analysis);

// --- Forced wins ---

Status analyze_find_wins(Analysis *analysis, Error *error);

// The tree of a win that the engine has proven, beginning with this turn, where there is none yet.
Status analyze_write_down(Analysis *analysis, Search *search, const SearchTurn *turn, Error *error);

// --- Turns and cells ---

// Adds a line unless its turn is there already. What it owns is copied.
void analyze_add_line(Analysis *analysis, const LineView *line);
void analyze_add_forced(Analysis *analysis);
bool analyze_same_turn(const Cell *a, unsigned a_count, const Cell *b, unsigned b_count); // in any order
bool analyze_begins_line(const Analysis *analysis, Cell cell);
int analyze_compare_rated(const void *a, const void *b); // the best first

// Whether an exact solver is worth a try, and whether it has found out everything.
bool analyze_may_be_exact(const Analysis *analysis);
bool analyze_are_known(const ExactCells *cells);

// What the exact solver says of every cell; `*found` says whether it came to an end.
Status analyze_exactly(const Analysis *analysis, ExactCells *cells, bool *found, Error *error);

// Takes over the values of all cells, and the best of them as turns, with what the engine knows besides.
void analyze_take_exact(Analysis *analysis, ExactCells *cells, SearchInfo *report);
Status analyze_ask(Analysis *analysis, Agent *agent, Error *error);

// --- The engine ---

Status analyze_open_search(const Analysis *analysis, Search **search, Error *error);
Status analyze_think(Analysis *analysis, Search *search, Error *error);

// A line of the search as it is reported. Its cells are borrowed.
LineView analyze_view_of(const Analysis *analysis, SearchLine *line);

// Takes over the lines of a report, which is sorted, and with `rates` what every cell is worth. For views of a
// running search; it knows of no forced wins.
void analyze_take_report(Analysis *analysis, Search *search, SearchInfo *report, bool rates);

unsigned analyze_turns_of(const Board *board, unsigned stones); // 0 is 0

// Turns as stones, of which the first one may have begun; no more than there are empty cells.
unsigned analyze_stones_of(const Board *board, unsigned turns);

// The best lines first, none twice. Those that are not as deep as the ones before them are worth no more than these.
void analyze_sort(SearchInfo *report);
