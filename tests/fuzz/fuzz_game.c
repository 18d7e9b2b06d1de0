// Cells and games as text: a byte for the rules, then stones. The played stones are written, read back and undone.
#include "fuzz/fuzz.h"
#include "game/notation.h"

static void check_cell(Span text, const Rules *rules)
{
    Span word = {0};
    if (!span_next_word(&text, " ,\t\r\n", &word))
        return;
    Cell cell = CELL_NONE, again = CELL_NONE;
    Error error = {0};
    Status status = cell_parse(word, rules, &cell, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
        REQUIRE(cell == CELL_NONE);
        return;
    }
    REQUIRE(cell_column(cell) < rules->width && cell_row(cell) < rules->height);
    char name[CELL_TEXT_SIZE];
    cell_format(cell, name);
    REQUIRE(cell_parse(span_of(name), rules, &again, NULL) == STATUS_OK && again == cell);
}

// The stones of a game as text give the same game.
static void check_writing(const Game *game)
{
    Text text = {0};
    game_write(game, &text);
    Game again;
    game_init(&again, &game->board.rules);
    if (text.length > 0)
        REQUIRE(game_read(&again, (Span){text.data, text.length}, NULL) == STATUS_OK);
    text_close(&text);
    REQUIRE(again.played == game->played);
    REQUIRE(memcmp(again.stones, game->stones, game->played * sizeof game->stones[0]) == 0);
    require_same_board(&again.board, &game->board);
}

FUZZ_TARGET(game)
{
    Span text = {(const char *)data, size};
    Rules rules = fuzz_rules(&text);
    check_cell(text, &rules);
    Game game, empty;
    Error error = {0};
    game_init(&game, &rules);
    game_init(&empty, &rules);
    Status status = game_read(&game, text, &error);
    if (status != STATUS_OK)
        require_refusal(status, &error);
    REQUIRE(game.played == board_count(&game.board));
    check_writing(&game);
    // After a refusal the stones before it stand, and the game goes on from there.
    while (game_undo(&game))
        continue;
    require_same_board(&game.board, &empty.board);
    return 0;
}
