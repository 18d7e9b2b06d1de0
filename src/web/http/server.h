// The HTTP server: one thread serves all connections (libmicrohttpd with epoll), other threads answer slow requests;
// idle event streams are suspended.
#pragma once

#include "web/http/api.h"
#include "web/http/connections.h"
#include "web/http/guard.h"

typedef struct WebServer WebServer;

enum { WEB_STREAMS_MAX = 500 };

typedef struct {
    const WebGuard *guard;         // borrowed
    const WebRoute *const *tables; // borrowed
    WebContext *context;           // borrowed
    unsigned port;                 // 0: any that is free
} WebServerOptions;

// Listens and answers until it is closed. `*port_taken`: failed because the port is in use.
Status web_server_open(WebServer **result, const WebServerOptions *options, bool *port_taken, Error *error);

unsigned web_server_port(const WebServer *server);

// Call it a few times per second: detects lost listeners, keeps the connections of the others open,
// and drops connections without a request.
void web_server_tick(WebServer *server);

// Ends all streams and connections. NULL is allowed.
void web_server_close(WebServer *server);
