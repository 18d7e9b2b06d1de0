// The Gomocup protocol with arbitrary lines. Output starts as the protocol requires, and commands that need an answer
// get one.
#include "fuzz/engine_lines.h"
#include "fuzz/fuzz.h"

static bool is_right(Span line)
{
    static const char *const words[] = {"OK",   "ERROR", "UNKNOWN", "MESSAGE",
                                        "INFO", "SWAP",  "SUGGEST", "name=\"krow\","};
    Span rest = line, word = {0};
    (void)span_next_word(&rest, " ", &word);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (span_is(word, words[i]))
            return true;
    return line.at[0] >= '0' && line.at[0] <= '9';
}

// These are answered whatever came before; lines of a list of stones and the DONE of YXBOARD are not.
static void check(const FuzzWorld *world, Span line)
{
    static const char *const answered[] = {"START",    "RECTSTART", "RESTART", "BEGIN",   "TURN",       "SUGGEST",
                                           "TAKEBACK", "PLAY",      "ABOUT",   "YXNBEST", "YXSHOWINFO", "YXHASHCLEAR"};
    Span rest = line, word = {0};
    (void)span_next_word(&rest, " \t", &word);
    for (size_t i = 0; i < sizeof answered / sizeof answered[0]; i++)
        REQUIRE(!span_is(word, answered[i]) || world->said > 0);
}

FUZZ_TARGET(gomocup)
{
    FuzzWorld world = {.is_right = is_right};
    fuzz_lines(&engine_gomocup, &world, (Span){(const char *)data, size}, check);
    return 0;
}
