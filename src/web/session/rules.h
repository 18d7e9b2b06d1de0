// Rules of games as the web board describes them: a sentence, JSON, parsing.
#pragma once

#include "web/http/api.h"

extern const WebRoute web_rules_routes[];

// What the rules are, in a sentence.
void web_rules_words(const Rules *rules, Text *text);

// Numbers and words.
json_t *web_rules_json(const Rules *rules);

// A game as text, as rules_parse has it; the error names the field.
Status web_rules_read(WebCall *call, const char *game, Rules *rules);
