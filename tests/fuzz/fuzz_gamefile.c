// Game files: an accepted file is the same game when written and read back.
#include "fuzz/fuzz.h"
#include "store/files/gamefile.h"

static void require_same_file(const GameFile *a, const GameFile *b)
{
    REQUIRE(strcmp(a->first, b->first) == 0 && strcmp(a->second, b->second) == 0);
    REQUIRE(strcmp(a->reason, b->reason) == 0 && a->result == b->result);
    REQUIRE(a->game.played == b->game.played && a->game.start.turn == b->game.start.turn);
    REQUIRE(memcmp(a->game.stones, b->game.stones, a->game.played * sizeof a->game.stones[0]) == 0);
    require_same_board(&a->game.board, &b->game.board);
    REQUIRE(a->is_set_up == b->is_set_up);
    if (a->is_set_up)
        require_same_board(&a->setup, &b->setup);
}

FUZZ_TARGET(gamefile)
{
    static GameFile file, again;
    Error error = {0};
    Status status = gamefile_read((Span){(const char *)data, size}, &file, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
        return 0;
    }
    Result reported = result_of_board(&file.game.board);
    REQUIRE(reported == RESULT_NONE || reported == file.result);
    Text text = {0};
    gamefile_write(&file, &text);
    REQUIRE(gamefile_read((Span){text.data, text.length}, &again, NULL) == STATUS_OK);
    require_same_file(&file, &again);
    text_close(&text);
    // From the game alone: the set-up position is found by taking all stones back.
    gamefile_init(&again, &file.game);
    if (again.is_set_up)
        require_same_board(&again.setup, &file.setup);
    return 0;
}
