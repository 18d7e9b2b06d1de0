// Collections of puzzles as text. An accepted collection is unchanged when written and read again; positions and
// solutions are legal.
#include "fuzz/fuzz.h"
#include "lab/puzzles/puzzle.h"

static void require_same_text(const Puzzles *puzzles)
{
    Text first = {0}, second = {0};
    Puzzles again = {0};
    puzzles_write(puzzles, &first);
    REQUIRE(puzzles_read((Span){first.data, first.length}, &again, NULL) == STATUS_OK);
    puzzles_write(&again, &second);
    REQUIRE(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    text_close(&first);
    text_close(&second);
    puzzles_close(&again);
}

static void require_legal(const Puzzles *puzzles)
{
    static Game game;
    for (unsigned i = 0; i < puzzles->count; i++) {
        const Puzzle *puzzle = &puzzles->list[i];
        REQUIRE(puzzle_game(puzzles, puzzle, &game, NULL) == STATUS_OK);
        REQUIRE(puzzle->solution.count == board_stones_left(&game.board));
        for (unsigned j = 0; j < puzzle->solution.count; j++)
            REQUIRE(game_try(&game, puzzle->solution.cells[j], NULL) == STATUS_OK);
        REQUIRE(i == 0 || puzzle->number > puzzles->list[i - 1].number);
    }
}

FUZZ_TARGET(puzzles)
{
    Puzzles puzzles = {0};
    Error error = {0};
    Status status = puzzles_read((Span){(const char *)data, size}, &puzzles, &error);
    if (status == STATUS_OK) {
        require_legal(&puzzles);
        require_same_text(&puzzles);
    } else {
        REQUIRE(status == STATUS_BAD_INPUT && strncmp(error.text, "line ", 5) == 0);
    }
    puzzles_close(&puzzles);
    return 0;
}
