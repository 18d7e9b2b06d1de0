// External engines as agents: exec:COMMAND. The program speaks Gomocup or UGI and runs in a sandbox unless the host
// disables it; see docs/external-engines.md.
//
// The supported games depend on the program: opening the agent fails for rules that it does not support.
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
