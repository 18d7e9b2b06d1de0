// Sessions: made, played, changed. docs/api.md tells what each request does.
#pragma once

#include "frontends/web_session.h"

extern const WebRoute web_play_routes[];

// The session of a request, held and locked; NULL, and 404, where there is none.
WebSession *web_play_enter(WebContext *context, const WebRequest *request, WebReply *reply, Error *error);

// Something done to a session with the fields of a request.
typedef Status WebAction(WebSession *session, WebFields *fields);

// Runs an action on the session of a request, whose body may have these fields, and answers with the state.
Status web_play_act(WebContext *context, const WebRequest *request, const char *names, WebAction *action,
                    WebReply *reply, Error *error);

// The node that a field or a query names, the current one where none is named.
Status web_play_node(const WebSession *session, WebFields *fields, const char *name, WebNodeId usual, WebNodeId *id);

// The game at the node that a query names, without a lock held afterwards. 404 as above.
Status web_play_game(WebContext *context, const WebRequest *request, Game *game, WebReply *reply, Error *error);
