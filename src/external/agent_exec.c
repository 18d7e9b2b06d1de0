// Another program as an agent: exec:COMMAND. The program speaks Gomocup or UGI, and runs in a sandbox unless the host
// says otherwise; docs/external-engines.md is for its users.
//
// Which games it plays depends on the program: it is asked when the agent is opened, and the error says which
// rules it does not play.
#include "external/external.h"

const AgentKind agent_exec = {
    .name = "exec",
    .summary = "another program, started as exec:COMMAND, that speaks Gomocup or UGI",
    .source = "the Gomocup protocol of Piskvork; UGI",
    .takes_command = true,
    .state_size = sizeof(ExternalEngine),
    .open = external_open,
    .decide = external_decide,
    .new_game = external_new_game,
    .close = external_close,
};
