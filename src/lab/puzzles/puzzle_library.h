// The puzzles of a game that a user can solve: those that krow has, numbered from 1, and the user's own ones, which
// `krow puzzles make` stores in the user's data folder, numbered from PUZZLE_OWN_FIRST.
#pragma once

#include "lab/puzzles/puzzle.h"

enum { PUZZLE_OWN_FIRST = 1001 };

// The embedded files of data/puzzles, made into a source file by tools/embed-texts.
extern const Span puzzle_texts[];
extern const unsigned puzzle_texts_count;

// Reads the puzzles of a game into a zeroed collection; there may be none. Close it also after an error.
Status puzzle_library_read(const Rules *rules, Puzzles *puzzles, Error *error);

// The games for which krow has puzzles, in a fixed order: the i-th, or false.
bool puzzle_library_game(unsigned i, Rules *rules);

// The games for which there are puzzles: those of krow, then the others for which the user has made some. The caller
// frees the list.
Status puzzle_library_games(Rules **list, unsigned *count, Error *error);

// The file of the user's own puzzles of a game.
Status puzzle_library_path(const Rules *rules, bool to_read, Text *path, Error *error);

typedef enum { PUZZLE_ANY, PUZZLE_EASY, PUZZLE_MEDIUM, PUZZLE_HARD } PuzzleDifficulty;

// Thirds of a collection by rating. The name is easy, medium, hard or any.
PuzzleDifficulty puzzle_difficulty(const Puzzles *puzzles, const Puzzle *puzzle);
const char *puzzle_difficulty_name(PuzzleDifficulty difficulty);
bool puzzle_difficulty_find(Span name, PuzzleDifficulty *difficulty);
