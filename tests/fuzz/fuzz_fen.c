// Positions in one line: an accepted one is the same position when written and read again.
#include "fuzz/fuzz.h"
#include "game/fen.h"

#include <stdlib.h>

FUZZ_TARGET(fen)
{
    static const char *const games[] = {"tictactoe", "connect4", "19x2:k=6,p=2,q=1", "64x64:k=9,exact"};
    if (size == 0)
        return 0;
    Rules rules;
    if (rules_parse(span_of(games[data[0] % 4]), &rules, NULL) != STATUS_OK)
        abort();
    Game game, again;
    if (fen_read((Span){(const char *)data + 1, size - 1}, &rules, &game, NULL) != STATUS_OK)
        return 0;
    Text text = {0};
    fen_write(&game.board, &text);
    if (fen_read((Span){text.data, text.length}, &rules, &again, NULL) != STATUS_OK ||
        board_key(&again.board) != board_key(&game.board))
        abort();
    text_close(&text);
    return 0;
}
