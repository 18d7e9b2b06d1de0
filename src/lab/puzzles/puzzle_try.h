// An attempt at a puzzle: whether it is right, and if it is wrong, how the game goes on.
#pragma once

#include "lab/puzzles/puzzle_judge.h"

typedef struct {
    bool is_solved;
    PuzzleOutcome outcome; // of the attempt; the line begins with the opponent's reply
    Text words;            // one or two sentences about it; owned
} PuzzleTry;

// An attempt, a whole turn of legal stones.
typedef struct {
    const Board *board;
    const Puzzle *puzzle;
    const PuzzleTurn *turn;
    const char *const *names; // of both sides, for the words: X, O
} PuzzleAttempt;

void puzzle_try(PuzzleJudge *judge, const PuzzleAttempt *attempt, const atomic_bool *stop, PuzzleTry *result);
void puzzle_try_close(PuzzleTry *result);

// What the puzzle asks for: "X to move. Find the only turn that wins by force, in 4 turns." `mover` is the name of the
// side to move.
void puzzle_task(const Puzzles *puzzles, const Puzzle *puzzle, const char *mover, Text *text);
