// Who has solved what: a file in the user's data folder with one line for each attempt. Ratings are computed from it,
// so nothing else is stored. A line is appended in one step, and a line that a kill has cut short is ignored.
//
// Only the first attempt at a puzzle is rated. A puzzle that has been made again with another position counts as new.
#pragma once

#include "lab/puzzles/puzzle_library.h"
#include "lab/puzzles/puzzle_rating.h"

typedef struct {
    bool is_tried, is_solved; // solved: at some attempt
    bool was_first;           // solved at the first attempt
    PuzzleRating rating;      // after all attempts
} PuzzleState;

// The history of one game. `states` are in the order of the puzzles.
typedef struct {
    PuzzleRating person;
    unsigned tried, solved; // puzzles; solved at the first attempt
    unsigned streak;        // puzzles solved at the first attempt since the last other one
    PuzzleState *states;    // owned
} PuzzleHistory;

// Reads the history of a game's puzzles. Close it also after an error.
Status puzzle_history_read(const Puzzles *puzzles, PuzzleHistory *history, Error *error);
void puzzle_history_close(PuzzleHistory *history);

// Stores an attempt at the i-th puzzle and updates the history. `when` is in milliseconds since 1970.
Status puzzle_history_add(const Puzzles *puzzles, unsigned i, bool is_solved, int64_t when, PuzzleHistory *history,
                          Error *error);

// The puzzle to solve next: of those not tried, or else of those not solved, the one whose rating is closest to the
// person's; the index, or -1 if there is none of this difficulty.
int puzzle_history_next(const Puzzles *puzzles, const PuzzleHistory *history, PuzzleDifficulty difficulty);

// The puzzle of a day, the same for everybody; -1 if there are none.
int puzzle_of_day(const Puzzles *puzzles, int64_t when);
