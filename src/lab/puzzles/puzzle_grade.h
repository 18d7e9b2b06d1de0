// Grades of puzzles: how often the levels of play find the solution, how many cells look at least as good, and a rating
// that follows from both sides' results.
#pragma once

#include "agents/agent.h"
#include "lab/puzzles/puzzle.h"

#include <stdatomic.h>

enum { PUZZLE_TRIES = 6 }; // of a level whose play is random

typedef struct {
    Rules rules;
    unsigned level_count;
    Agent levels[PUZZLE_LEVELS_MAX];
    Agent rater; // rates cells without a search
} PuzzleGrader;

Status puzzle_grader_open(PuzzleGrader *grader, const Rules *rules, Error *error);
void puzzle_grader_close(PuzzleGrader *grader); // safe on a zeroed one

// Sets `tempting`, `levels`, `rating` and `error`. The result depends on the position and the solution only.
void puzzle_grade(PuzzleGrader *grader, const Game *game, Puzzle *puzzle, const atomic_bool *stop);

// The turn of an agent that knows nothing of earlier positions; no stones if it fails.
PuzzleTurn puzzle_agent_turn(Agent *agent, const Game *game, Rng *rng, const atomic_bool *stop);
