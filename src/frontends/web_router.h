// From a method and a path to a handler, and from its answer to what is sent. Knows nothing of sockets, so that tests
// and fuzzers go this way too.
#pragma once

#include "frontends/web_api.h"

#define WEB_API "/api/v1"

// What the router found.
typedef struct {
    const WebRoute *route; // NULL: `status` says why
    unsigned status;       // 404, or 405 where the path has other methods
    WebRequest request;    // its parameters point into `path`
    char path[256];        // a copy, cut into its parts
} WebMatch;

// `path` without the query, decoded.
void web_router_find(const WebRoute *const *tables, const char *method, const char *path, WebMatch *match);

// Reads a body into the object a handler gets. `*body` is to be released; an empty text is an empty object.
Status web_router_body(Span text, json_t **body, WebReply *reply, Error *error);

// Runs the handler. After it the reply has a status, and of a failure the object that tells it.
void web_router_run(const WebMatch *match, WebContext *context, WebReply *reply);

// The object of a failure, in `reply->json`.
void web_router_tell(WebReply *reply, const char *text);

void web_reply_close(WebReply *reply);
