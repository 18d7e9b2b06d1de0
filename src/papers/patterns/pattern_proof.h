// The proof of a pattern: the search that its authors planned before anything is learned and did not build (Szóts,
// Harmati, section 4.3), done exactly. The owner of the pattern may play on its empty cells only, the other side
// anywhere, and moves first; a four of the other side has to be met, or be outrun by a row.
//
// Under `exact` a row counts only if no stone of the owner can stand beside it: both cells there belong to the pattern,
// and the owner does not play on them. The defender's rows may be longer than k, which makes the claim only stronger.
//
// Proved: the owner completes a row against every defence. Refuted: some defence holds. Undecided: a limit came first;
// besides those below, on a board no more than 64 empty cells are searched, and alone no rows so long that the windows
// around a pattern do not find room on 64 columns and rows (k > 21 with the widest patterns).
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

// The same for one place on one board of the rules, with all stones that are there: the defender's may make fours for
// him, which can break a pattern that is sound by itself. The owner's count too, whether the cells have them or not.
// The defender moves next, whatever the board says.
PatternProofResult pattern_proof_run_on(PatternProof *proof, const Board *board, Side owner, const PatternCells *cells,
                                        const Limits *limits);
