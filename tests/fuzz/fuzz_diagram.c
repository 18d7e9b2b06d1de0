// Diagrams: a byte for the rules, then the drawing. An accepted diagram is written and read back; a refused one changes
// nothing.
#include "bench/common/naive_board.h"
#include "fuzz/fuzz.h"
#include "game/diagram.h"

// The naive board sees the same winner, and nothing floats.
static void check_position(const Board *board)
{
    static NaiveBoard naive;
    naive_init(&naive, &board->rules);
    for (unsigned x = 0; x < board->rules.width; x++)
        for (unsigned y = 0; y < board->rules.height; y++) {
            naive.cell[x][y] = "XO."[board_stone(board, cell_at(x, y))];
            naive.stones += naive.cell[x][y] != '.';
            REQUIRE(!board->rules.gravity || y == 0 || naive.cell[x][y] == '.' || naive.cell[x][y - 1] != '.');
        }
    REQUIRE(naive_winner(&naive) == ".XO"[board_winner(board)]);
    REQUIRE((unsigned)naive.stones == board_count(board));
    REQUIRE(naive_is_over(&naive) == board_is_over(board));
    REQUIRE(board_is_over(board) == (board_stones_left(board) == 0));
}

FUZZ_TARGET(diagram)
{
    Span drawing = {(const char *)data, size};
    Rules rules = fuzz_rules(&drawing), other = {.width = 3, .height = 3, .k = 3, .p = 1, .q = 1};
    static Game game, before;
    Error error = {0};
    game_init(&game, &other);
    game_play(&game, cell_at(1, 1));
    game_copy(&before, &game);
    Status status = diagram_read(drawing, &rules, &game, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
        require_same_board(&game.board, &before.board);
        REQUIRE(game.played == before.played);
        return 0;
    }
    REQUIRE(game.played == 0);
    check_position(&game.board);
    Text text = {0};
    Game again;
    diagram_write(&game.board, &text);
    REQUIRE(diagram_read((Span){text.data, text.length}, &rules, &again, NULL) == STATUS_OK);
    require_same_board(&again.board, &game.board);
    text_close(&text);
    return 0;
}
