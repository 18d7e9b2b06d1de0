// Sessions: creating, playing and changing them. docs/api.md describes each request.
#pragma once

#include "web/session/session.h"

extern const WebRoute web_play_routes[];

WebHandler web_play_create, web_play_get, web_play_delete, web_play_events; // play_create.c

// The session of a request, held and locked; NULL, and 404, if it does not exist.
WebSession *web_play_enter(WebContext *context, const WebRequest *request, WebReply *reply, Error *error);

// Changes a session by the fields of a request.
typedef struct {
    const char *names; // of the fields
    Status (*run)(WebSession *session, WebFields *fields);
} WebAction;

// Runs an action on the session of a request and answers with the state.
Status web_play_act(WebContext *context, const WebRequest *request, WebAction action, WebReply *reply, Error *error);

// The node that a field names, `usual` by default.
Status web_play_node(const WebSession *session, WebFields *fields, const char *name, WebNodeId usual, WebNodeId *id);

// The game at the node that a query names, without a lock held afterwards. 404 as above.
Status web_play_game(WebContext *context, const WebRequest *request, Game *game, WebReply *reply, Error *error);
