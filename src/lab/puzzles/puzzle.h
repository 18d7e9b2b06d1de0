// Puzzles: positions in which exactly one turn of the side to move wins, or exactly one does not lose; and collections
// of them, with proofs. docs/puzzles.md describes the terms and the file format.
//
// A turn is a set of cells: the order of its stones does not matter.
#pragma once

#include "game/game.h"

enum {
    PUZZLE_STONES_MAX = 8, // of a turn
    PUZZLE_LEVELS_MAX = 10,
    PUZZLES_MAX = 100000, // in a collection
};

typedef enum {
    PUZZLE_WIN,  // one turn wins
    PUZZLE_SAVE, // one turn does not lose
} PuzzleGoal;

typedef struct {
    unsigned count;
    Cell cells[PUZZLE_STONES_MAX]; // ascending
} PuzzleTurn;

// Attempts of a level of play (agents/levels.h), one turn each.
typedef struct {
    uint16_t solved, tried;
} PuzzleLevel;

typedef struct {
    unsigned number;
    char *start;     // the position, as in game/fen.h
    PuzzleTurn last; // the opponent's turn before it, to be marked; count 0: unknown
    PuzzleGoal goal;
    PuzzleTurn solution;
    unsigned turns;    // of the solver until the row is complete, against the longest defence; 0: unknown
    unsigned tempting; // cells that look at least as good as the solution (puzzle_grade.h)
    unsigned level_count;
    PuzzleLevel levels[PUZZLE_LEVELS_MAX];
    double rating, error; // as in lab/puzzles/puzzle_rating.h
    // A proof that the solution wins or does not lose, from the position after it: the file of docs/proofs.md.
    char *proof;
    size_t proof_length;
} Puzzle;

// A collection of puzzles of one game, in ascending order of their numbers.
typedef struct {
    Rules rules;
    uint64_t seed;  // that made it
    uint64_t games; // played to make it: where it continues
    unsigned count;
    size_t capacity;
    Puzzle *list;
} Puzzles;

// Adds a puzzle, which is taken.
void puzzles_add(Puzzles *puzzles, const Puzzle *puzzle);

const Puzzle *puzzles_find(const Puzzles *puzzles, unsigned number); // NULL: there is none
void puzzle_close(Puzzle *puzzle);
void puzzles_close(Puzzles *puzzles);

// Sets up the position of a puzzle.
Status puzzle_game(const Puzzles *puzzles, const Puzzle *puzzle, Game *game, Error *error);

// "win" or "save".
const char *puzzle_goal_name(PuzzleGoal goal);

// The same for symmetric images of a position.
uint64_t puzzle_key(const Board *board);

PuzzleTurn puzzle_turn_of(const Cell *cells, unsigned count); // sorts the cells
bool puzzle_turns_equal(const PuzzleTurn *a, const PuzzleTurn *b);

// --- Files ---

// The largest file of puzzles that is read.
#define PUZZLE_FILE_MAX ((size_t)64 << 20)

void puzzles_write(const Puzzles *puzzles, Text *text);

// Reads a collection into a zeroed struct; close it also after an error. Errors name the line. Checks that positions
// and solutions are legal, but not that they are puzzles (lab/puzzles/puzzle_check.h).
Status puzzles_read(Span text, Puzzles *puzzles, Error *error);
