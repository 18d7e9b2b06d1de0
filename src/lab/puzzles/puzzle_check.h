// Checks a puzzle: its proof, and that every other turn fails.
#pragma once

#include "lab/puzzles/puzzle_judge.h"

typedef struct {
    bool is_proved;        // a proof that krow verify accepts shows that the solution solves the puzzle
    uint64_t answers;      // of the proof
    bool is_unique;        // every other turn fails
    PuzzleFinding finding; // about the other turns
} PuzzleCheck;

// STATUS_FAILED if the puzzle does not pass; the error has the reason.
Status puzzle_check(PuzzleJudge *judge, const Puzzles *puzzles, const Puzzle *puzzle, const PuzzleEffort *effort,
                    PuzzleCheck *check, Error *error);
