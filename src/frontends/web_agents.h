// Which agents somebody at the other end of a connection may choose, and with which options. web_api.h has the check.
#pragma once

#include "frontends/web_api.h"

// The agents that may be chosen, with the options that may be given.
json_t *web_agents_json(void);

// The names of those that play games of these rules.
json_t *web_agents_playing(const Rules *rules);
