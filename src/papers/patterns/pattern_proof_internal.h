// How a pattern is proved. Private to the proof (papers/patterns/pattern_proof.h).
//
// The owner's side is small: the empty cells of the pattern are numbered, and a goal is the set of those that a row
// lacks, as bits. Goals that contain another one are left out. The owner wins when its stones alone fill a goal.
//
// The search deepens stone by stone of the owner, so that the first proof is the shortest. Nothing is cut off by
// judgement; what keeps it small is which replies of the defender need not be examined:
//
// 1. The owner can complete a row. The defender has to play there (or loses), unless it completes a row itself; with
//    two such cells it has lost. When it is to move, it cannot complete a row: this is checked at the start and stays
//    true, because the owner answers each of its fours at once, or the position counts as not won.
//
// 2. The owner cannot, the reply is free. Where goals are so few and lack so much that the defender can avert all of
//    them, by a sum over them, there is nothing to search. Otherwise, after a few likely replies, which often hold, the
//    defender passes. Any stone is at least as good for it as a pass, so if the owner does not win now, the position is
//    not won. If the owner wins, this win T has a zone: after any reply outside of it the owner wins in the same way,
//    in as many stones. Replies inside are searched.
//
// The zone of a win. Let a position be reached after g passes, one below another, on the way from the start. What is
// claimed of its zone: with up to g more stones of the defender, on any empty cells outside of the zone, the owner wins
// all the same. By induction from the end:
//
// - where the owner moves, the zone is that of the position after its move, and the move;
// - where the defender moves, those stones must not let it complete a row. A window that is free of the owner and has n
//   stones of the defender is completed with one more stone only if k - 1 - n of the g stones stand in it; so all cells
//   of windows with n >= k - 1 - g belong to the zone. Besides,
//   - with two cells to complete a row, both belong to it, and the owner completes one of them;
//   - with one, that cell and the zone of the position after it: after any other stone the owner completes its row;
//   - with a free reply, the zone of T, found after g + 1 passes, and those of all positions after replies inside of
//     it. Let the defender reply outside of T's zone: it now has up to g + 1 stones more than T knows of, all outside
//     of T's zone, and by induction T wins. Let it reply inside: the position was searched, its zone is part of this.
//
// At the start g is 0: no more stones, and nothing is left out that could matter.
//
// Passes and far windows. If there is a window of k empty cells of which none belongs to the pattern, the owner can
// never play in it, and the defender may put the stones there with which it passes. After k - 2 of them it makes its
// (k - 1)st, and completes the row with the next; if the owner cannot complete one in between, the owner has lost. So a
// free reply after k - 2 passes refutes. On a board without borders there is always such a window. Then g <= k - 2, and
// all windows of the zone have a stone of the defender. So it is enough if the scratch board has all windows through
// the defender's stones: the pattern stands in its middle, and should a stone ever come so near to the border that
// windows through it would be cut off, the search ends undecided.
#pragma once

#include "papers/patterns/pattern_proof.h"
#include "threats/fours.h"

enum {
    PROOF_GOALS_MAX = 4 * PATTERN_CELLS_MAX, // one for each lowest cell and direction: longer ones contain it
    PROOF_ENTRIES = 1 << 12,
    PROOF_NO_NUMBER = UINT8_MAX,
    PROOF_NEVER = UINT8_MAX, // in Entry.failed: not won with any number of stones
};

// What is known of a position with the owner to move.
typedef struct {
    uint64_t own, taken, outside; // the position, and
    uint8_t passes;
    uint8_t needs;     // won with that many stones; 0: not known
    uint8_t failed;    // not won with that many stones
    uint32_t run;      // of which search: those of others count for nothing
    PatternCells zone; // of the win, if there was a pass
} PatternProofEntry;

struct PatternProof {
    Rules rules, loose_rules, scratch_rules; // loose: rows may be longer than k
    Fours fours, scratch_fours;              // for boards of the rules, and for the one without borders

    // The position: only the lines of the board count.
    Board board;
    const Fours *lines; // of this board
    Side owner, defender;
    unsigned margin; // stones of the defender nearer to the border end the search; 0: a real border
    bool has_far_window;
    uint64_t own, taken, outside; // empty cells of the pattern that the owner and the defender took, by number; key of
                                  // the defender's stones elsewhere
    unsigned stones;              // of the defender
    Cell stone[RULES_CELLS_MAX];

    // The pattern.
    unsigned count;
    Cell cell[PATTERN_CELLS_MAX];    // its empty cells by number
    uint8_t number[RULES_CELLS_MAX]; // of each cell of the board
    unsigned goal_count;
    uint64_t goal[PROOF_GOALS_MAX];   // the cells that a row lacks
    uint64_t beside[PROOF_GOALS_MAX]; // under `exact`: the cells beside the row, where the owner must not play

    // The search.
    Limits limits;
    uint64_t nodes;
    bool out;                           // a limit was reached: what comes back from here on is worth nothing
    Cell killer[PATTERN_CELLS_MAX + 1]; // the reply that held last, by stones that the owner had left
    uint32_t run;
    PatternProofEntry *table;
};

typedef enum {
    FINDING_WON,
    FINDING_NOT_YET, // not with that many stones
    FINDING_NEVER,
} PatternProofFinding;

// Whether the owner, who has just moved, wins with up to that many stones; no row is complete, and the defender cannot
// complete one.
PatternProofFinding pattern_proof_defend(PatternProof *proof, unsigned stones, unsigned passes, PatternCells *zone);
