// Single threats in a double-threat search: turns whose threats the defender stops with at least one but fewer than p
// stones; its other stones are free. With p = 2 these are the single threats of Connect6; with p = 1 there are none.
//
// Trying every free stone on every cell would take too long. The method is relevance-zone-oriented proof search (Wu and
// Lin, 2010): first the defender leaves out its free stones. If the attacker does not win then, the turn fails, since
// one more stone never harms the defender here. If the attacker wins, this win shows on which cells a stone would
// disturb it: its zone. Free stones elsewhere change nothing; the search tries those in the zone.
//
// Nested zones of a win. Let X be stones that the defender has in addition to those in the positions of the win, and
// consider a turn of the attacker in it. X has no effect there if
//
//   - no stone of X is on a cell of the turn, so that the turn can be played;
//   - no stone of X is in a threat window that the win uses after the turn, so that the same sets of cells stop the
//     threats, and the attacker can complete a row in each window that is not stopped;
//   - no window of the defender is a threat because of X: a window that needs p + m stones after the turn has at most
//     m - 1 stones of X. This refers to the position after the attacker's turn: windows that the turn has closed do not
//     count, windows that only a later turn closes do.
//
// So let Z(m), for m >= 1, have the cells of the turns, the empty cells of the threats, and those of all windows of the
// defender that need at most p + m stones after a turn. If for every m fewer than m stones of X are in Z(m), then X has
// no effect in the whole win. A zone is stored as the smallest m of each cell, its level.
//
// Free stones. After a turn whose threats fewer than p stones stop, every reply that stops them consists of a minimal
// answer C, of which no cell can be left out, and f = p - |C| other cells F. Let Z be the zones of a win without F.
//   - F misses Z(f): then F has no effect, as it has no stone in Z(m) up to m = f, and only f stones.
//   - F has a cell c of Z(f): the search tries C with c and f - 1 free stones in the same way.
// This covers all replies, whatever threats they make: what F adds to the defender's windows is part of the zones.
//
// If there are stones X already, from earlier turns, then F and X together must have no effect. This holds if X has
// fewer than m stones in Z(m + f) for each m, since F adds at most f. So the zones of the turn are those of the win
// after it with levels reduced by f, but at least 1, united over all replies tried. In this way wins with several such
// turns are combined.
//
// All this also holds under `exact`: X does not change the stones of the attacker, so its rows are not longer, and more
// stones of the defender can only make the defender's own rows too long.
//
// Nearly full boards: cells of the zones are empty, so the attacker can play its turns; if the defender has fewer cells
// than stones, it has fewer replies. After a reply that fills the board there is no win.
#pragma once

#include "threats/search/double_threat_internal.h"

// Levels above `most` are not needed and stored as ZONE_NEVER.
typedef struct ThreatZone {
    unsigned most;
    const struct ThreatZone *above; // zone of the answer without its last free stone; its ZONE_TRIED cells are settled
    uint8_t level[RULES_CELLS_MAX];
} ThreatZone;

enum { ZONE_TRIED = 0, ZONE_NEVER = UINT8_MAX };

// Visits a won position after an answer, with the attacker to move. False ends everything.
typedef bool (*SettledVisit)(void *context, const CellSet *answered);

// The answers to a turn that leaves free stones, which is on the board, and the result against them.
typedef struct {
    unsigned turns;   // of the attacker that may follow
    unsigned singles; // how many of these may leave free stones
    ThreatZone *zone; // receives what the win depends on; or NULL
    SettledVisit visit;
    void *context;
    const CellSet *answers; // minimal answers, on top of the search's stack
    unsigned count;
    Finding finding; // won: the longest defence; else the answer that refutes the turn
} Settling;

// Whether the attacker's turn, which is on the board, leaves free stones. If so, pushes its answers; the caller pops
// settling->count of them.
bool single_threat_push_answers(DoubleThreat *search, const CellSet *turn, Settling *settling);

// Whether the attacker wins against all answers, wherever the free stones are. A visit gets each position that the win
// needs: after the answers without free stones, and after those with free stones that the search tries.
bool single_threat_settle(DoubleThreat *search, Settling *settling);

// The defender leaves out the rest of its turn; restore the returned state to undo this.
BoardState single_threat_pass(DoubleThreat *search);

// Whether the attacker wins within `turns` turns, of which `singles` may leave free stones.
Finding single_threat_attack(DoubleThreat *search, unsigned turns, unsigned singles);

// The winning turn of a position that is won with up to *singles such turns; sets *singles to the number that it needs.
// Searches again if the table has lost the position.
bool single_threat_find_turn(DoubleThreat *search, unsigned turns, unsigned *singles, Finding *finding, CellSet *turn);
