// Files of games with scores. What is accepted is the same when written again.
#include "engine/train/scored_games.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(scored)
{
    Error error = {0};
    ScoredGames games;
    static ScoredGame game;
    Span content = {(const char *)data, size};
    if (scored_games_parse(&games, content, &error) != STATUS_OK) {
        REQUIRE(error.text[0] != '\0');
        return 0;
    }
    REQUIRE(games.file_size <= size && games.was_cut == (games.file_size < size));
    Text text = {0};
    for (unsigned i = 0; i < games.count; i++) {
        scored_games_get(&games, i, &game);
        scored_games_add(&game, &text);
    }
    REQUIRE(text.length == games.data.length);
    REQUIRE(text.length == 0 || memcmp(text.data, games.data.data, text.length) == 0);
    text_close(&text);
    scored_games_close(&games);
    return 0;
}
