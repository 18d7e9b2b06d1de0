// What a turn of a possible puzzle leads to. Two ways, chosen by the rules:
//
// - Exact: the solver knows the value of every turn (solver/exact.h). Gravity games, and every game on a small board.
// - Threats: a win by threats is found by double-threat search (threats/search/double_threat.h), which is sound. No
//   search can show that a quiet turn on a large board does not win. So a position is used only if the opponent wins
//   after every other turn: by threats, or by a win that the engine proves with a given number of nodes.
#pragma once

#include "lab/puzzles/puzzle.h"

#include <stdatomic.h>

// Nodes of the engine for one turn after which no win by threats is found.
enum { PUZZLE_NODES = 3000, PUZZLE_CHECK_NODES = 12000 };

typedef struct PuzzleJudge PuzzleJudge;

// Fails if no method suits the rules.
Status puzzle_judge_open(PuzzleJudge **judge, const Rules *rules, Error *error);
void puzzle_judge_close(PuzzleJudge *judge); // NULL is fine

// Discards all results, so that later ones do not depend on earlier calls.
Status puzzle_judge_clear(PuzzleJudge *judge, Error *error);

typedef struct {
    uint64_t nodes; // of the engine per turn
    const atomic_bool *stop;
} PuzzleEffort;

typedef struct {
    bool is_puzzle;
    bool is_exact; // values of the solver
    PuzzleGoal goal;
    PuzzleTurn solution, other; // `other`: a second or possible second solution; its count is 0 without one
    bool is_open;               // `other` is not known to fail
    unsigned turns;             // of the side to move until the row is complete; 0: unknown
    unsigned lost;              // other turns that were examined and certainly do not solve it
    const char *reason;         // why it is no puzzle
} PuzzleFinding;

// Judges a position at the beginning of a turn, in a game that is not over.
void puzzle_judge_position(PuzzleJudge *judge, const Board *board, const PuzzleEffort *effort, PuzzleFinding *finding);

typedef enum {
    PUZZLE_TURN_WINS,  // for certain
    PUZZLE_TURN_DRAWS, // the solver knows it
    PUZZLE_TURN_FAILS, // no win was found
    PUZZLE_TURN_LOSES, // for certain
} PuzzleVerdict;

enum { PUZZLE_LINE_MAX = 512 };

typedef struct {
    PuzzleVerdict verdict;
    bool is_exact;
    unsigned count; // stones of the line that follows the turn, as far as it is known; the opponent begins
    Cell line[PUZZLE_LINE_MAX];
} PuzzleOutcome;

// Judges one turn, legal stones in any order, and continues the game after it: the opponent's win if it loses, the
// best defence if it wins, the engine's line if it fails.
void puzzle_judge_turn(PuzzleJudge *judge, const Board *board, const PuzzleTurn *turn, const PuzzleEffort *effort,
                       PuzzleOutcome *outcome);

// A proof that the solution of a position wins or does not lose (docs/proofs.md), as a file in memory.
Status puzzle_judge_prove(PuzzleJudge *judge, const Board *board, const PuzzleFinding *finding, const atomic_bool *stop,
                          Text *file, Error *error);

// Sets up the position after a turn.
void puzzle_play(const Board *board, const PuzzleTurn *turn, Board *after);
