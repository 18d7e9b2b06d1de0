// The web board without a network: requests go through the router to their handlers immediately.
#pragma once

#include "web/http/guard.h"
#include "web/http/router.h"
#include "web/session/session.h"

typedef struct {
    WebContext context;
    AgentHost host;
    WebGuard guard;               // of this machine alone
    const char *seat;             // the cookie krow_seat of the requests; NULL for none
    const char *peer;             // the address they come from; NULL for none
    char cookie[WEB_COOKIE_SIZE]; // that the last answer set; "" for none
} WebBench;

// Without threads, agents never move and nothing is analysed. Whatever is asked to think stops at once.
void web_bench_open(WebBench *bench, unsigned threads);
void web_bench_close(WebBench *bench);

// A request: "POST", "/api/v1/sessions", a body or NULL. The path may have a query. Returns the status; `*json` is the
// answer, to be released, or NULL; of a file or a stream it is its text, or true.
unsigned web_bench_ask(WebBench *bench, const char *method, const char *path, const char *body, json_t **json);
