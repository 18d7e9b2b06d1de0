// Who plays, and with how much time: the fields that POST /sessions, new and settings share.
#pragma once

#include "web/session/session.h"

// What a request says of it. Nothing is changed before all of it is right.
typedef struct {
    WebPlayer players[2];
    double seconds;
    WebClock clock;
} WebSettings;

WebSettings web_settings_of(const WebSession *session);

// `sides`, `time` and `clock` of a body, over what is there. Agents are checked against the rules.
Status web_settings_read(WebCall *call, const Rules *rules, WebSettings *settings);

// Whether the players can play these rules, in case the rules change and the players do not.
Status web_settings_check(WebCall *call, const WebSettings *settings, const Rules *rules);

void web_settings_use(const WebSettings *settings, WebSession *session);
