// Sends requests to handlers of the web board through the router, without a server.
#pragma once

#include "support/check.h"
#include "web/http/router.h"
#include "web/http/stream.h"

#include <semaphore.h>

// What a request is answered with; `status` is the number of HTTP. The reply is to be closed.
WebReply web_ask(WebContext *context, const char *method, const char *path, const char *query, const char *body);

// The object that a GET is answered with; the test fails unless it is 200. To be released.
json_t *web_get(WebContext *context, const char *path, const char *query);

// A request that is refused: the number of HTTP, and the field (NULL for none).
void web_refused(WebContext *context, const char *method, const char *path, const char *query, const char *body,
                 unsigned status, const char *field);

// A number or a text deep inside: "games.0.first".
const json_t *web_at(const json_t *object, const char *path);
int64_t web_int(const json_t *object, const char *path);
double web_number(const json_t *object, const char *path);
const char *web_text(const json_t *object, const char *path);

// Somebody who listens to an event stream.
typedef struct {
    WebStream *stream;
    sem_t woken;
    Text text; // all that was heard
} WebListener;

void web_listen(WebListener *listener, WebContext *context, const char *path);

// Listens on until these words have been heard, which may have been before.
void web_hear(WebListener *listener, const char *words);

// Forgets what was heard.
void web_listener_forget(WebListener *listener);
void web_listener_close(WebListener *listener);
