// Makes puzzles: levels of play play games against each other, or games are given; positions of these games in which
// exactly one turn solves become puzzles, with a proof and grades.
//
// A game depends on the seed and its number only, and so do its puzzles. Making can end after any game and continue
// there: `games` of the collection says how many have been played. So the result is the same for any number of jobs and
// interruptions.
#pragma once

#include "lab/puzzles/puzzle_judge.h"
#include "match/openings.h"

typedef struct {
    unsigned count; // puzzles in the collection at the end
    unsigned first; // number of the first puzzle of an empty collection; 0: 1
    unsigned jobs;
    const Openings *given; // games to use; NULL or empty: games between levels
    unsigned least_turns;  // of the winner: easier puzzles are left out; 0: the default for the rules
    double most_easy;      // leave out puzzles that level 3, or the levels 1 to 3, solve more often; 0: 0.5
    uint64_t nodes;        // per turn that is not known to lose; 0: PUZZLE_NODES
    const atomic_bool *stop;
    // Called after each batch of games; a failure ends the making. The puzzles are complete up to `games`.
    Status (*keep)(void *context, const Puzzles *puzzles, Error *error);
    void *context;
} PuzzleRecipe;

// Adds puzzles to a collection with `rules` and `seed`, up to `count`. STATUS_INTERRUPTED if `stop` was raised,
// STATUS_FAILED if the given games are used up or too many games had no puzzle; what was found stays.
Status puzzles_make(Puzzles *puzzles, const PuzzleRecipe *recipe, Error *error);
