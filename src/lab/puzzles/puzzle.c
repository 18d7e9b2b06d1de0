// Collections of puzzles in memory.
#include "lab/puzzles/puzzle.h"

#include "base/memory.h"
#include "game/fen.h"
#include "game/symmetry.h"

#include <stdlib.h>
#include <string.h>

void puzzles_add(Puzzles *puzzles, const Puzzle *puzzle)
{
    puzzles->list = array_grow(puzzles->list, &puzzles->capacity, (size_t)puzzles->count + 1, sizeof puzzles->list[0]);
    puzzles->list[puzzles->count++] = *puzzle;
}

const Puzzle *puzzles_find(const Puzzles *puzzles, unsigned number)
{
    for (unsigned i = 0; i < puzzles->count; i++)
        if (puzzles->list[i].number == number)
            return &puzzles->list[i];
    return NULL;
}

void puzzle_close(Puzzle *puzzle)
{
    free(puzzle->start);
    free(puzzle->proof);
    *puzzle = (Puzzle){0};
}

void puzzles_close(Puzzles *puzzles)
{
    for (unsigned i = 0; i < puzzles->count; i++)
        puzzle_close(&puzzles->list[i]);
    free(puzzles->list);
    *puzzles = (Puzzles){0};
}

uint64_t puzzle_key(const Board *board)
{
    Board canonical;
    (void)symmetry_canonical(board, &canonical);
    return board_key(&canonical);
}

Status puzzle_game(const Puzzles *puzzles, const Puzzle *puzzle, Game *game, Error *error)
{
    return fen_read(span_of(puzzle->start), &puzzles->rules, game, error);
}

const char *puzzle_goal_name(PuzzleGoal goal)
{
    return goal == PUZZLE_WIN ? "win" : "save";
}

PuzzleTurn puzzle_turn_of(const Cell *cells, unsigned count)
{
    PuzzleTurn turn = {.count = count};
    assert(count <= PUZZLE_STONES_MAX);
    memcpy(turn.cells, cells, count * sizeof cells[0]);
    qsort(turn.cells, count, sizeof turn.cells[0], cell_compare);
    return turn;
}

bool puzzle_turns_equal(const PuzzleTurn *a, const PuzzleTurn *b)
{
    return a->count == b->count && memcmp(a->cells, b->cells, a->count * sizeof a->cells[0]) == 0;
}
