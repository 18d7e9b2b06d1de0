// Agents and their options as text. An agent that opens plays a turn that the referee accepts; accepted options are
// within their limits.
#include "fuzz/fuzz.h"
#include "match/referee.h"

static const AgentOption declared[] = {
    {"depth", OPTION_INT, "4", -3, 64, NULL, "a whole number"},
    {"c", OPTION_REAL, "1.5", 0, 100, NULL, "a number"},
    {"quick", OPTION_BOOL, "0", 0, 1, NULL, "yes or no"},
    {"cells", OPTION_CHOICE, "radius2", 0, 0, "all radius2 line2", "a choice"},
    {"file", OPTION_TEXT, "none", 0, 0, NULL, "a text"},
    {0},
};

static void check_options(Span text)
{
    OptionValues values;
    Error error = {0};
    Status status = options_parse((OptionList){declared, NULL}, text, &values, &error);
    if (status != STATUS_OK) {
        require_refusal(status, &error);
        return;
    }
    REQUIRE(options_int(&values, "depth") >= -3 && options_int(&values, "depth") <= 64);
    REQUIRE(options_real(&values, "c") >= 0 && options_real(&values, "c") <= 100);
    REQUIRE(options_choice(&values, "cells") < 3);
    REQUIRE(strlen(options_text(&values, "file")) < OPTION_TEXT_SIZE);
    // Written out in full, the same values come back.
    static const char *const choices[] = {"all", "radius2", "line2"};
    char whole[512];
    (void)snprintf(whole, sizeof whole, "depth=%lld,c=%.17g,quick=%d,cells=%s,file=%s",
                   (long long)options_int(&values, "depth"), options_real(&values, "c"), options_bool(&values, "quick"),
                   choices[options_choice(&values, "cells")], options_text(&values, "file"));
    OptionValues again;
    REQUIRE(options_parse((OptionList){declared, NULL}, span_of(whole), &again, NULL) == STATUS_OK);
    for (int i = 0; i < 5; i++) {
        REQUIRE(again.value[i].number == values.value[i].number && again.value[i].choice == values.value[i].choice);
        REQUIRE(strcmp(again.value[i].text, values.value[i].text) == 0);
    }
}

// A command names a program and a text option may name a file; those are none of a fuzzer's business.
static bool is_harmless(Span text)
{
    Span rest = span_trim(text), name = {0};
    (void)span_next_part(&rest, ':', &name);
    const AgentKind *kind = agent_find(name);
    if (kind != NULL && kind->takes_command)
        return false;
    const AgentOption *option = NULL;
    for (unsigned i = 0; kind != NULL && (option = option_at(agent_options(kind), i)) != NULL; i++)
        if (option->type == OPTION_TEXT || option->type == OPTION_INNER || option->type == OPTION_PATH)
            return false;
    return true;
}

static void check_turn(Agent *agent, const Rules *rules)
{
    static Game game;
    static Decision decision;
    atomic_bool stop = false;
    Rng rng = rng_make(1);
    AgentTask task = {.budget = {.nodes = 50, .depth = 1}, .rng = &rng, .stop = &stop};
    game_init(&game, rules);
    for (int turns = 0; turns < 3 && !game_is_over(&game); turns++) {
        agent_decide(agent, &game, &task, &decision);
        REQUIRE(referee_play(&game, &decision, NULL) == STATUS_OK);
    }
}

FUZZ_TARGET(agent)
{
    Span text = {(const char *)data, size};
    Rules rules = {.width = 6, .height = 5, .k = 4, .p = 2, .q = 1};
    check_options(text);
    if (!is_harmless(text))
        return 0;
    Agent agent;
    Error error = {0};
    Status status = agent_open(&agent, text, &rules, &error);
    if (status == STATUS_OK) {
        check_turn(&agent, &rules);
    } else {
        require_refusal(status, &error);
        REQUIRE(agent.state == NULL && agent.ratings == NULL);
    }
    agent_close(&agent);
    return 0;
}
