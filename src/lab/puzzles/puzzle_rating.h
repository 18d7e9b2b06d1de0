// Ratings of puzzles and of the person who solves them: Glicko (Glickman, "Parameter estimation in large dynamic paired
// comparison experiments", 1999). An attempt is a game between the person and the puzzle, which wins if the answer is
// wrong. Each has a rating and an error, the standard deviation of the estimate.
#pragma once

#include "lab/puzzles/puzzle.h"

typedef struct {
    double rating, error;
} PuzzleRating;

#define PUZZLE_RATING_START 1500.0
#define PUZZLE_ERROR_START 350.0
#define PUZZLE_ERROR_LEAST 40.0 // so that ratings can still follow a change

// A person of whom nothing is known.
static inline PuzzleRating puzzle_rating_unknown(void)
{
    return (PuzzleRating){PUZZLE_RATING_START, PUZZLE_ERROR_START};
}

// The probability that a person solves a puzzle, by the ratings alone.
double puzzle_rating_expected(PuzzleRating person, PuzzleRating puzzle);

// Updates both after an attempt.
void puzzle_rating_update(PuzzleRating *person, PuzzleRating *puzzle, bool is_solved);

// The rating on this scale of a level of play out of `count`.
double puzzle_rating_of_level(unsigned level, unsigned count);

// The rating of a puzzle from the attempts of the levels: the most likely one, with a wide normal prior.
PuzzleRating puzzle_rating_from_levels(const PuzzleLevel *levels, unsigned count);
