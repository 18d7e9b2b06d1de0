// UGI with arbitrary lines. Output starts as the protocol requires; every `go` gets its `bestmove`.
#include "fuzz/engine_lines.h"
#include "fuzz/fuzz.h"

static bool is_right(Span line)
{
    static const char *const words[] = {"id", "option", "ugiok", "readyok", "info", "bestmove", "response"};
    Span rest = line, word = {0};
    (void)span_next_word(&rest, " ", &word);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (span_is(word, words[i]))
            return true;
    return false;
}

static void check(const FuzzWorld *world, Span line)
{
    static const char *const answered[] = {"ugi", "isready", "go", "query"};
    Span rest = line, word = {0};
    (void)span_next_word(&rest, " \t", &word);
    for (size_t i = 0; i < sizeof answered / sizeof answered[0]; i++)
        REQUIRE(!span_is(word, answered[i]) || world->said > 0);
}

FUZZ_TARGET(ugi)
{
    FuzzWorld world = {.is_right = is_right};
    fuzz_lines(&engine_ugi, &world, (Span){(const char *)data, size}, check);
    return 0;
}
