// Turns of fewer threats in a double-threat search: the defender needs at least one stone to stop them, but fewer than
// p, and places the others wherever he likes. With two stones a turn these are the single threats of Connect6; with one
// there are none.
//
// To try every free stone on every cell would be too much. The idea is that of relevance-zone-oriented proof search
// (Wu and Lin, 2010): first the defender does without his free stones. If the attacker does not win then, the turn is
// no good, as a stone more never harms the defender here. If he does, the win that was found shows where a stone would
// have disturbed it, its zone. Free stones elsewhere change nothing; those in the zone are tried.
//
// The zones of a win, one in another. Let X be stones that the defender has more than in the positions of the win, and
// look at a turn of the attacker in it. X is without effect there if
//
//   - no stone of X is on a cell of the turn, so that it can be played;
//   - none is in a window that threatens afterwards (of those that are counted on), so that the same sets of cells stop
//     the threats, and a row can be completed wherever one is not stopped;
//   - no window of the defender is a threat because of X. One that needs p + m stones after the turn may have at most
//     m - 1 of X in it. This is asked after the attacker's turn: what it has closed is no matter, and what a later turn
//     would close is one.
//
// So let Z(m), for m of 1 and more, have the cells of the turns, the empty cells of the threats, and those of all
// windows of the defender that need at most p + m after a turn. If for every m fewer than m stones of X are in Z(m),
// then X is without effect in all of the win. A zone is kept as the smallest m of each cell, its level.
//
// Free stones. After a turn whose threats are stopped by fewer than p stones, every reply that stops them has among its
// cells a minimal answer C, one of which no cell can be left out, and f = p - |C| other cells F. Let Z be the zones of
// a win without F.
//   - F misses Z(f): then F is without effect, as it has no stone in Z(m) up to m = f, and only f stones.
//   - F has a cell c of Z(f): this is tried, as C with c and f - 1 free stones, in the same way.
// So all replies are covered, whatever threats they make: what F adds to the defender's windows is part of the zones.
//
// If there are stones X already, from turns before this one, then F and X together must be without effect. X is so if
// it has fewer than m stones in Z(m + f) for each m, since F adds at most f to them. So the zones of the turn are those
// of the win after it with levels less by f, but at least 1; the zones of everything tried are united. That is how wins
// with several such turns are put together.
//
// Under `exact` all this holds too: the stones of the attacker are the same with X or without, so that his rows are not
// longer, and more stones of the defender can only make his own rows too long.
//
// A board that is nearly full: cells of the zones are empty, so the attacker can play his turns; where the defender has
// fewer cells than stones, he has fewer replies. After a reply that fills the board there is no win.
#pragma once

#include "threats/search/double_threat_internal.h"

// Levels above `most` are not wanted, and kept as ZONE_NEVER.
typedef struct Zone {
    unsigned most;
    const struct Zone *above; // that of the answer with one free stone less; its cells at ZONE_TRIED are done with
    uint8_t level[RULES_CELLS_MAX];
} Zone;

enum { ZONE_TRIED = 0, ZONE_NEVER = UINT8_MAX };

// A position that comes of an answer and is won: the attacker is to move. False ends everything.
typedef bool (*SettledVisit)(void *context, const CellSet *answered);

// The answers to a turn that leaves free stones, which is on the board, and what is found about them.
typedef struct {
    unsigned turns;   // of the attacker that may follow
    unsigned singles; // of these
    Zone *zone;       // takes what the win depends on; NULL: not wanted
    SettledVisit visit;
    void *context;
    // Minimal answers, on top of the search's stack.
    const CellSet *answers;
    unsigned count;
    Finding finding; // won: in that many turns; else what did not work
} Settling;

// The attacker's turn is on the board. True when it leaves free stones; its answers are on the stack then, to be taken
// off by their count.
bool single_threat_push_answers(DoubleThreat *search, const CellSet *turn, Settling *settling);

// Whether the attacker wins against all of them, whatever is done with the free stones. A visit gets each position
// that the win needs: answers alone, where the free stones are left out, and with those that are tried.
bool single_threat_settle(DoubleThreat *search, Settling *settling);

// The defender leaves out the rest of his turn; put the state back to undo it.
BoardState single_threat_pass(DoubleThreat *search);

// Whether the attacker wins within that many turns, of which that many leave free stones.
Finding single_threat_attack(DoubleThreat *search, unsigned turns, unsigned singles);

// The winning turn of a position that was won so, and how many of these turns it needs at most from here on. What the
// table has lost since is found again.
bool single_threat_find_turn(DoubleThreat *search, unsigned turns, unsigned *singles, Finding *finding, CellSet *turn);
