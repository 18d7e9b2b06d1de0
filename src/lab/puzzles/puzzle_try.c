// Attempts at puzzles.
#include "lab/puzzles/puzzle_try.h"

#include "game/notation.h"

static void add_cells(const Cell *cells, unsigned count, Text *text)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        text_add(text, "%s%s", i > 0 ? " " : "", name);
    }
}

// The opponent's turn at the beginning of the line.
static void add_reply(const PuzzleAttempt *attempt, const PuzzleOutcome *outcome, Text *text)
{
    Board after;
    puzzle_play(attempt->board, attempt->turn, &after);
    unsigned stones = board_is_over(&after) ? 0 : board_stones_left(&after);
    unsigned count = outcome->count < stones ? outcome->count : stones;
    if (count == 0)
        return;
    text_add(text, " %s answers ", attempt->names[board_side(&after)]);
    add_cells(outcome->line, count, text);
    text_add(text, ".");
}

static void explain_wrong(const PuzzleAttempt *attempt, PuzzleTry *result)
{
    const PuzzleOutcome *outcome = &result->outcome;
    Side side = board_side(attempt->board);
    if (outcome->verdict == PUZZLE_TURN_LOSES)
        text_add(&result->words, "%s then wins by force.", attempt->names[side_other(side)]);
    else if (outcome->verdict == PUZZLE_TURN_DRAWS)
        text_add(&result->words, "That is only a draw.");
    else
        text_add(&result->words, "%s then has no forced win.", attempt->names[side]);
    add_reply(attempt, outcome, &result->words);
}

void puzzle_try(PuzzleJudge *judge, const PuzzleAttempt *attempt, const atomic_bool *stop, PuzzleTry *result)
{
    const Puzzle *puzzle = attempt->puzzle;
    const PuzzleTurn *turn = attempt->turn;
    PuzzleEffort effort = {.nodes = PUZZLE_NODES, .stop = stop};
    *result = (PuzzleTry){.is_solved = puzzle_turns_equal(turn, &puzzle->solution)};
    puzzle_judge_turn(judge, attempt->board, turn, &effort, &result->outcome);
    // A turn that certainly wins is right even if it is not the stored one.
    result->is_solved |= puzzle->goal == PUZZLE_WIN && result->outcome.verdict == PUZZLE_TURN_WINS;
    if (!result->is_solved) {
        explain_wrong(attempt, result);
        return;
    }
    text_add(&result->words, "Right: ");
    add_cells(turn->cells, turn->count, &result->words);
    text_add(&result->words, puzzle->goal == PUZZLE_WIN ? " wins by force." : " is the only turn that does not lose.");
}

void puzzle_try_close(PuzzleTry *result)
{
    text_close(&result->words);
}

void puzzle_task(const Puzzles *puzzles, const Puzzle *puzzle, const char *mover, Text *text)
{
    text_add(text, "%s to move. ", mover);
    if (puzzle->goal == PUZZLE_SAVE)
        text_add(text, "Find the only turn that does not lose.");
    else if (puzzle->turns > 0)
        text_add(text, "Find the only turn that wins by force, in %u turns.", puzzle->turns);
    else
        text_add(text, "Find the only turn that wins by force.");
    if (puzzles->rules.p > 1)
        text_add(text, " A turn has %u stones, in any order.", puzzles->rules.p);
}
