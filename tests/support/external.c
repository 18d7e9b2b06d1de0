// External engines in tests: opened, asked and closed.
#include "support/external.h"

#include "support/check.h"
#include "support/groups.h"

#include "match/referee.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Status open_engine(Agent *agent, const char *game, const char *arguments, bool sandboxed, Error *error)
{
    char text[4096];
    Rules rules = rules_of(game);
    AgentHost host = {.no_sandbox = !sandboxed};
    const char *program = getenv("FAKE_ENGINE");
    assert_non_null(program);
    (void)snprintf(text, sizeof text, "exec:'%s' %s", program, arguments);
    return agent_open_with(agent, span_of(text), &rules, &host, error);
}

ExternalEngine *engine_of(const Agent *agent)
{
    return agent->state;
}

void decide(Agent *agent, const Game *game, Budget budget, Decision *decision)
{
    Rng rng = rng_make(1);
    AgentTask task = {.budget = budget, .rng = &rng};
    agent_decide(agent, game, &task, decision);
}

void play_out(Agent *agent, Game *game, bool both, unsigned most)
{
    static Decision decision;
    Side side = board_side(&game->board);
    for (unsigned turn = 0; turn < most && !game_is_over(game); turn++) {
        Error error = {0};
        if (both || board_side(&game->board) == side) {
            decide(agent, game, (Budget){.seconds = ample}, &decision);
            assert_string_equal(decision.fault_text, "");
            assert_int_equal(decision.fault, FAULT_NONE);
            assert_done(referee_play(game, &decision, &error), error);
            assert_null(strstr(engine_of(agent)->words, "the manager")); // no complaint about what it received
            continue;
        }
        Cell cells[RULES_CELLS_MAX];
        for (unsigned left = board_stones_left(&game->board); left > 0 && !game_is_over(game); left--)
            game_play(game, cells[board_legal_cells(&game->board, cells) - 1]);
    }
}

void close_agent(Agent *agent)
{
    pid_t group = engine_of(agent)->process.child.pid;
    agent_close(agent);
    assert_true(group_is_gone(group));
}
