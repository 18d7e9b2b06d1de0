// Shared by the parts of the HTTP server.
#pragma once

#include "web/http/assets.h"
#include "web/http/packing.h"
#include "web/http/pool.h"
#include "web/http/router.h"
#include "web/http/server.h"
#include "web/http/stops.h"
#include "web/http/stream.h"

#include <microhttpd.h>

typedef struct Visit Visit;

struct WebServer {
    struct MHD_Daemon *daemon;
    WebServerOptions options;
    WebPool *pool;
    WebConnections connections;
    size_t bodies;        // bytes; used by the thread of the connections alone
    pthread_mutex_t lock; // of the list of streams
    Visit *streams;
    unsigned stream_count;
    bool ends;   // no more streams
    double beat; // the last one
    unsigned port;
};

typedef enum { VISIT_RECEIVES, VISIT_WAITS, VISIT_ANSWERED } VisitState;

// One request, from its first line to the end of the answer.
struct Visit {
    WebServer *server;
    struct MHD_Connection *connection;
    WebConnection *from; // of the list of the server
    VisitState state;
    WebStop stop; // while it thinks
    double began;
    WebRouteMatch match;
    const WebAsset *asset; // NULL: the route answers
    Text body;
    size_t reserved; // of the bytes of all bodies
    bool refused;    // the body did not fit into memory
    json_t *json;
    WebReply reply;
    WebStream *stream;
    WebPacker *packer; // of the stream; NULL: it is sent as it is
    Visit *next;       // in the list of streams
};

// --- server_reply.c ---

const char *visit_header(const Visit *visit, const char *name);

// Each queues the whole answer.
enum MHD_Result visit_send_asset(Visit *visit);
enum MHD_Result visit_send_cookie(Visit *visit); // sets the cookie and redirects to the page without the token
enum MHD_Result visit_send_reply(Visit *visit);  // what the handler has filled in
enum MHD_Result visit_fail(Visit *visit, unsigned status, const char *words);

// The stream of a request has ended.
void visit_close_stream(Visit *visit);
