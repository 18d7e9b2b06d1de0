// From a method and a path to a handler, and from its result to the reply. Independent of sockets, for tests and
// fuzzers.
#pragma once

#include "web/http/api.h"

#define WEB_API "/api/v1"

typedef struct {
    const WebRoute *route; // NULL: `status` is the reason
    unsigned status;       // 404, or 405 when the path has other methods
    WebRequest request;    // its parameters point into `path`
    char path[256];        // a copy, cut into its parts
} WebRouteMatch;

// `path` without the query, decoded.
void web_router_find(const WebRoute *const *tables, const char *method, const char *path, WebRouteMatch *match);

// Reads a body into the object a handler gets. `*body` is to be released; an empty text is an empty object.
Status web_router_body(Span text, json_t **body, WebReply *reply, Error *error);

// Runs the handler. Afterwards the reply has a status and, after a failure, the object that describes it.
void web_router_run(const WebRouteMatch *match, WebContext *context, WebReply *reply);

// The object of a failure, in `reply->json`.
void web_router_report(WebReply *reply, const char *text);

void web_reply_close(WebReply *reply);
