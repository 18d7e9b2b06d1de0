// The proof of a pattern. The authors planned such a search before a pattern is learned and did not build it (Szóts,
// Harmati, section 4.3); this one is exact. The owner of the pattern may play on its empty cells only. The other side
// moves first and may play anywhere; the owner must answer its fours or complete a row before.
//
// Under `exact` a row counts only if no stone of the owner can stand beside it: both cells there belong to the pattern,
// and the owner does not play on them. The defender's rows may be longer than k, which only strengthens the claim.
//
// Proved: the owner completes a row against every defence. Refuted: some defence holds. Undecided: a limit was reached.
// Besides the given limits, at most 64 empty cells are searched on a board, and a pattern alone is undecided if the
// windows around it do not fit on 64 columns and rows (k > 21 with the widest patterns).
#pragma once

#include "base/limits.h"
#include "threats/pattern.h"

typedef enum { PATTERN_PROVED, PATTERN_REFUTED, PATTERN_UNDECIDED } PatternVerdict;

typedef struct {
    PatternVerdict verdict;
    unsigned moves; // proved: stones the owner needs against the best defence, the completing one included
    uint64_t nodes;
} PatternProofResult;

typedef struct PatternProof PatternProof;

// For games with rows of k stones that suit patterns.
PatternProof *pattern_proof_open(const Rules *rules);
void pattern_proof_close(PatternProof *proof); // NULL is fine

// Proves the claim of a pattern: alone on a board without borders, so that it holds on every board, and near every
// border, since a border takes cells from the defender only.
PatternProofResult pattern_proof_run(PatternProof *proof, const Pattern *pattern, const Limits *limits);

// The same for cells of a board of the rules, with all its stones: those of the defender may allow fours, which can
// break a pattern that holds alone, and all stones of the owner count. The defender moves next, whatever the board
// says.
PatternProofResult pattern_proof_run_on(PatternProof *proof, const Board *board, Side owner, const PatternCells *cells,
                                        const Limits *limits);
