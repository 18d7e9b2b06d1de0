// Another program as an agent: exec:COMMAND. The program speaks Gomocup or UGI, and runs in a sandbox unless the host
// says otherwise; docs/foreign-engines.md is for its users.
//
// Which games it plays depends on the program: it is asked when the agent is opened, and the error says what it cannot
// be reported.
#include "external/external.h"

static Status open(void *state, const AgentConfig *config, Error *error)
{
    return external_open(state, config, error);
}

static void decide(void *state, const Game *game, const AgentTask *task, Decision *decision)
{
    external_decide(state, game, task, decision);
}

static void new_game(void *state)
{
    external_new_game(state);
}

static void close(void *state)
{
    external_close(state);
}

extern const AgentKind agent_exec;
const AgentKind agent_exec = {
    .name = "exec",
    .summary = "another program, started as exec:COMMAND, that speaks Gomocup or UGI",
    .source = "the Gomocup protocol of Piskvork; UGI",
    .takes_command = true,
    .state_size = sizeof(ExternalEngine),
    .open = open,
    .decide = decide,
    .new_game = new_game,
    .close = close,
};
