// Settings of a single player in the text of its agent, besides the agent's own options: its name, its limits, and what
// an external engine is told. sequences:c=1.5,name=S,time=0.5 and exec:./e,name=E,option.Hash=64 --threads 1
//
// docs/external-engines.md describes the syntax, and docs/adr/0015-player-settings.md its reasons.
#pragma once

#include "agents/budget.h"
#include "base/process/words.h"

enum { AGENT_NAME_SIZE = 64, AGENT_THREADS_MAX = 256, AGENT_MEMORY_MAX = 1 << 20, AGENT_PROCESSES_MAX = 4096 };

// Zeroed: no settings.
typedef struct {
    char name[AGENT_NAME_SIZE]; // "": none
    double seconds;             // per turn; 0: the limit of the match
    double clock, increment;    // for a whole game; 0: the clock of the match
    uint64_t nodes;             // per turn; 0: the limit of the match
    unsigned depth;             // 0: the limit of the match
    // Only for external engines.
    unsigned threads; // 0: 1
    unsigned memory;  // in MB; 0: the default
    double start;     // seconds to answer when it starts and before another game; 0: the default
    // Of all its processes together; 0: the default.
    unsigned memory_limit;  // in MB
    unsigned process_limit; // processes and threads
    double cpu_limit;       // seconds of processor time in a game
    bool is_gomocup;        // it speaks this protocol; krow need not find out
    bool is_ugi;
    bool keeps_paths; // in the sandbox, folders have the paths of the host
    Words options;    // of its protocol: names and values by turns
} AgentSettings;

// Sets one setting; `is_known` tells whether there is one of this name. With `for_engine` those of external engines are
// known, too. The error names the setting and its limits.
Status agent_setting_read(AgentSettings *settings, Span name, Span value, bool for_engine, bool *is_known,
                          Error *error);

// Takes the settings out of the command of an external engine: those that follow a word of it after a comma. What
// remains is added to `command`.
Status agent_settings_take(AgentSettings *settings, Span text, Text *command, Error *error);

// "60" or "60+0.5", in seconds.
Status agent_clock_read(Span text, double *seconds, double *increment, Error *error);

// The budget of a turn with the player's own limits per turn in place of those of the match.
Budget agent_settings_apply(const AgentSettings *settings, Budget budget);

void agent_settings_close(AgentSettings *settings);
