// Claimed wins checked by plain rules: every position of the winning tree that a double-threat search shows, and every
// reply of the defender there. It shares nothing with the search but the board.
//
// After each turn of the attacker, a reply that neither wins nor leaves him a row to complete is one that holds. Each
// of these must lead to a position that the tree has too, and the tree must have no others; the keys of both are summed
// and compared. As stones only come, such a tree is a proof.
#pragma once

#include "threats/search/double_threat.h"

typedef struct {
    uint64_t positions; // of the attacker
    uint64_t replies;   // of the defender that were tried
    const char *fault;  // what is wrong first, NULL: nothing
    // For the check itself.
    const Board *root;
    unsigned turns;
    bool every_reply;
    Side attacker;
    uint64_t expected, seen; // sums of keys
    unsigned holding;        // replies to the last turn that hold
} Proof;

// A win of the side to move in this many turns is claimed. With `every_reply` all sets of empty cells are tried as
// replies, otherwise the answers of threats_answers, which is what large boards have time for.
void proof_begin(Proof *proof, const Board *board, unsigned turns, bool every_reply);

// Checks one step of the tree, a DoubleThreatVisit; false once there is a fault.
bool proof_visit(void *proof, const DoubleThreatStep *step);

// All steps have been shown.
void proof_end(Proof *proof);

// All of it, for the win that the search found last, on the board it was given.
void proof_check(DoubleThreat *search, const Board *board, const DoubleThreatResult *result, bool every_reply,
                 Proof *proof);
