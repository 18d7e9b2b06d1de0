// Shared by the files of the judge: its searches.
#pragma once

#include "engine/search/search.h"
#include "lab/puzzles/puzzle_judge.h"
#include "solver/exact.h"
#include "threats/search/double_threat.h"

struct PuzzleJudge {
    Rules rules;
    Exact *exact;          // NULL: not for these rules
    DoubleThreat *threats; // NULL: not for these rules
    Search *search;        // NULL: not for these rules
    ExactCells cells;
    SearchInfo report;
};

// Exact values; false if the solver does not know enough.
bool puzzle_exact_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, PuzzleFinding *finding);
bool puzzle_exact_turn(PuzzleJudge *judge, const Board *after, Side side, const PuzzleEffort *effort,
                       PuzzleOutcome *outcome);

// Threats.
void puzzle_threats_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort,
                             PuzzleFinding *finding);
void puzzle_threats_turn(PuzzleJudge *judge, const Board *after, Side side, const PuzzleEffort *effort,
                         PuzzleOutcome *outcome);

// The position after a pass of the side to move.
static inline void puzzle_pass(const Board *board, Board *passed)
{
    board_copy(passed, board);
    (void)board_set_turn(passed, side_other(board_side(board)), passed->rules.p);
}
