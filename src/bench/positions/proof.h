// Checks claimed wins by plain rules: every position of the winning tree of a double-threat search, and every reply of
// the defender there. It shares only the board with the search.
//
// After each turn of the attacker, a reply holds if it does not win and leaves the attacker no row to complete. Each
// such reply must lead to a position of the tree, and the tree must have no others; the sums of the keys of both are
// compared. Stones are never removed, so such a tree is a proof.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    uint64_t positions; // of the attacker
    uint64_t replies;   // of the defender that were tried
    const char *fault;  // the first fault; NULL: none
    // For the check itself.
    const Board *root;
    unsigned turns;
    bool every_reply;
    Side attacker;
    uint64_t expected, seen; // sums of keys
    unsigned holding;        // holding replies to the last turn
} Proof;

// Starts the check of a win of the side to move in this many turns. With `every_reply` all sets of empty cells are
// tried as replies, otherwise the answers of threats_answers, for large boards.
void proof_begin(Proof *proof, const Board *board, unsigned turns, bool every_reply);

// Checks one step of the tree, a DoubleThreatVisit; false once there is a fault.
bool proof_visit(void *proof, const DoubleThreatStep *step);

// Ends the check after all steps.
void proof_end(Proof *proof);

// Runs the whole check for the last win that the search found on the board.
void proof_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply,
                 Proof *proof);
