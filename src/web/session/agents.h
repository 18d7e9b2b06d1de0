// Which agents a client may choose, and with which options. web/http/api.h has the
// check.
#pragma once

#include "web/http/api.h"

// The agents that may be chosen, with the options that may be given.
json_t *web_agents_json(void);

// The names of those that play games of these rules.
json_t *web_agents_playing(const Rules *rules);
