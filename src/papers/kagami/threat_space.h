// The threat-space search of Liu and Lin, "A Defensive Strategy Combined with Threat-Space Search in Connect6", section
// IV.A. The attacker plays only turns that make at least p threats (two in Connect6), as the table of patterns counts
// them (papers/kagami/line_keys.h); p + 1 threats and more win. The defender answers conservatively: all his defensive
// stones at the same time, more than the rules allow, so that nothing is left to choose for him and one path is a win.
//
// What the paper leaves open is decided as follows.
//
// - The defensive stones of a pattern are the cells of all smallest answers to the threats of one stone in one
//   direction; those of a turn are the cells of all its patterns. A Live4 gives the four of Fig. 10. A cell that
//   belongs to no smallest answer is not played: it would stop nothing that the others leave.
// - A turn has to meet all threats of the defender, those that his extra stones make among them; without that a win
//   would be none.
// - Threats which the attacker has before his turn (a turn may be under way) are not counted. If one of them outlives
//   a conservative defence, the row is completed.
// - Stones of a turn stand on cells of windows that it can make threats of, or in the way of the defender. A free
// stone,
//   where one makes the threats alone, is tried there too and nowhere else.
//
// Where the count of threats is right a win is a win by the rules: every real answer is among the stones of the
// conservative one, and fewer stones of the defender stop less. Where it is too high the claim may be wrong: along one
// line it never is, but threats of different lines may have an empty cell in common, where one stone stops both. With
// two stones a turn that is rare (`krow bench --positions` says how rare), with three or four it is not.
//
// Limits and results are those of double_threat.h, but for "no win of this kind", which is said of this kind of search.
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

// Looks for a win of the side to move in a game that is not over.
void threat_space_run(ThreatSpace *search, const Board *board, const Limits *limits, DoubleThreatResult *result);

enum { THREAT_SPACE_DEFENCE_MAX = WINDOW_TALLY_P_MAX * WINDOW_DIRECTIONS * 16 }; // less than 2k cells a pattern

// The stones of the conservative defence after a turn of the side to move, in ascending order; returns how many. For
// those who want to show it: the next search starts over.
unsigned threat_space_defence(ThreatSpace *search, const Board *board, const CellSet *turn,
                              Cell cells[THREAT_SPACE_DEFENCE_MAX]);

void threat_space_close(ThreatSpace *search); // NULL is fine
