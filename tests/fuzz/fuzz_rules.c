// Rules as text: accepted rules are valid and can be read back from their canonical form; refused ones change nothing.
#include "fuzz/fuzz.h"

FUZZ_TARGET(rules)
{
    Span text = {(const char *)data, size};
    Rules rules = {.width = 200, .k = 7}, untouched = rules, again = {0};
    Error error = {0};
    Status status = rules_parse(text, &rules, &error);
    REQUIRE(rules_parse(text, &again, NULL) == status);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
        REQUIRE(rules_equal(&rules, &untouched));
        return 0;
    }
    char canonical[RULES_TEXT_SIZE], same[RULES_TEXT_SIZE];
    REQUIRE(rules_check(&rules, NULL) == STATUS_OK);
    rules_format(&rules, canonical);
    REQUIRE(rules_parse(span_of(canonical), &again, NULL) == STATUS_OK);
    REQUIRE(rules_equal(&rules, &again));
    rules_format(&again, same);
    REQUIRE(strcmp(canonical, same) == 0);
    Board board;
    board_init(&board, &rules); // asserts what it needs
    return 0;
}
