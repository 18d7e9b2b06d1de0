// Rules and agents as the web board describes them.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_rules_routes[];

// The numbers, and a description in sentences.
json_t *web_rules_json(const Rules *rules);

// Reads the rules of a game (rules_parse); the error names the field.
Status web_rules_read(WebCall *call, const char *game, Rules *rules);

// The agents that a client may choose, with the options that may be given (agents.c); api.h has the check.
json_t *web_agents_json(void);

// The names of the agents that support these rules.
json_t *web_agents_playing(const Rules *rules);
