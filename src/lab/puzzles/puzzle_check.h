// Checks a puzzle: its proof, and with more effort than that of its making that no other turn solves it.
#pragma once

#include "lab/puzzles/puzzle_judge.h"

typedef struct {
    bool is_proved;        // a proof that krow verify accepts shows that the solution solves the puzzle
    uint64_t answers;      // of the proof
    bool is_unique;        // no other turn was found to solve it
    PuzzleFinding finding; // of the search for other solutions
} PuzzleCheck;

// STATUS_FAILED if the puzzle does not pass; the error has the reason.
Status puzzle_check(PuzzleJudge *judge, const Puzzles *puzzles, const Puzzle *puzzle, const PuzzleEffort *effort,
                    PuzzleCheck *check, Error *error);
