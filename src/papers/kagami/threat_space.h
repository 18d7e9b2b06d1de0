// The threat-space search of Liu and Lin, A Defensive Strategy Combined with Threat-Space Search in Connect6, section
// IV.A. The attacker plays only turns that make at least p threats (two in Connect6) by the table of patterns
// (papers/kagami/line_keys.h); more than p threats win. The defence is conservative: the defender plays all defensive
// stones at once, more than the rules allow. It has no choices, so a single path is a win.
//
// Where the paper is silent:
// - The defensive stones of a pattern are the cells of all smallest answers to the threats of one stone in one
//   direction; those of a turn are the cells of all its patterns. A Live4 gives the four of Fig. 10. A cell that
//   belongs to no smallest answer is not played, because the others already stop what it would stop.
// - A turn must meet all threats of the defender, including those of its extra stones; otherwise the defender would
// win.
// - Threats that the attacker has before its turn (a turn can be half played) are not counted. If one of them survives
// a
//   conservative defence, the row is completed.
// - Stones of a turn stand on cells of windows that can become threats, or on cells that block the defender. If one
//   stone makes the threats alone, the free stone is tried only there too.
//
// If the count of threats is right, a win is a win by the rules: every real answer is a subset of the conservative one.
// If the count is too high, the claim can be wrong. Threats of different lines can share an empty cell, where one stone
// stops both; along one line only LINE_CORRECTION_ALL is never too high. With two stones per turn this is rare
// (`krow bench --positions` measures it), with three or four it is not.
//
// Limits and results are those of double_threat.h; "no win of this kind" refers to this search.
#pragma once

#include "papers/kagami/line_keys.h"
#include "threats/search/double_threat.h"

typedef struct ThreatSpace ThreatSpace;

// Whether positions of these rules can be searched: no gravity, at most WINDOW_TALLY_P_MAX stones a turn, and rows of
// at most LINE_KEYS_K_MAX.
bool threat_space_suits(const Rules *rules);

// Takes all memory that searches need, for positions of these rules, which must suit.
Status threat_space_open(ThreatSpace **search, const Rules *rules, Error *error);

// Chooses the reading of the correction for the searches that follow (default: the first one of the enum).
void threat_space_set_correction(ThreatSpace *search, LineCorrection correction);

// Searches for a win of the side to move in a game that is not over.
void threat_space_run(ThreatSpace *search, const Board *board, const Limits *limits, DoubleThreatResult *result);

enum { THREAT_SPACE_DEFENCE_MAX = WINDOW_TALLY_P_MAX * WINDOW_DIRECTIONS * 16 }; // less than 2k cells a pattern

// The stones of the conservative defence after a turn of the side to move, in ascending order; returns their number.
// The next search starts anew.
unsigned threat_space_defence(ThreatSpace *search, const Board *board, const CellSet *turn,
                              Cell cells[THREAT_SPACE_DEFENCE_MAX]);

void threat_space_close(ThreatSpace *search); // NULL is fine
