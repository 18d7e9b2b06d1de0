#include "frontends/web_server.h"

#include "base/clock.h"
#include "frontends/web_assets.h"
#include "frontends/web_pool.h"
#include "frontends/web_router.h"
#include "frontends/web_stream.h"
#include "store/charset.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    REQUEST_THREADS = 3,   // for slow requests
    REQUEST_NICENESS = 3,  // below the thread of the connections, above those that think
    REQUESTS_WAITING = 64, // slow ones
    TIMEOUT = 20,          // seconds in which nothing moves on a connection
    BODIES_MAX = 64 << 20, // bytes of all bodies that are being received
    STREAM_BLOCK = 16384,  // bytes of a stream sent at once
};

static const double body_seconds = 60, beat_seconds = 5;

typedef struct Visit Visit;

struct WebServer {
    struct MHD_Daemon *daemon;
    WebServerOptions options;
    WebPool *pool;
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
    VisitState state;
    double began;
    WebMatch match;
    const WebAsset *asset; // NULL: the route answers
    bool sets_cookie;      // the token was in the address: the answer is the page without it
    Text body;
    size_t reserved; // of the bytes of all bodies
    json_t *json;
    WebReply reply;
    WebStream *stream;
    Visit *next; // in the list of streams
};

// --- Answers ---

static const char *const usual_headers[][2] = {
    {"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
                                "connect-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; "
                                "frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

static enum MHD_Result queue(Visit *visit, unsigned status, struct MHD_Response *response, const char *type,
                             const char *cache)
{
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof usual_headers / sizeof usual_headers[0]; i++)
        (void)MHD_add_response_header(response, usual_headers[i][0], usual_headers[i][1]);
    if (type != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, cache);
    visit->state = VISIT_ANSWERED;
    enum MHD_Result result = MHD_queue_response(visit->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static const char *header(const Visit *visit, const char *name)
{
    return MHD_lookup_connection_value(visit->connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_asset(Visit *visit)
{
    const WebAsset *asset = visit->asset;
    const char *known = header(visit, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool is_known = known != NULL && strstr(known, asset->tag) != NULL;
    // The library wants memory that may be changed, and does not change it.
    union {
        const unsigned char *kept;
        void *sent;
    } bytes = {asset->bytes};
    struct MHD_Response *response =
        MHD_create_response_from_buffer(is_known ? 0 : asset->size, bytes.sent, MHD_RESPMEM_PERSISTENT);
    if (response != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, asset->tag);
    // But for the page itself, a file that has changed has another path.
    const char *kept = strcmp(asset->path, "/") == 0 ? "no-cache" : "public, max-age=31536000, immutable";
    return queue(visit, is_known ? 304 : 200, response, asset->type, kept);
}

static enum MHD_Result send_json(Visit *visit)
{
    char *text =
        visit->reply.json != NULL ? json_dumps(visit->reply.json, JSON_COMPACT | JSON_REAL_PRECISION(9)) : strdup("");
    if (text == NULL)
        return MHD_NO;
    const char *type = visit->reply.json != NULL ? "application/json" : NULL;
    struct MHD_Response *response = MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);
    if (response == NULL)
        free(text);
    else if (visit->reply.status == 405)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, POST, DELETE");
    return queue(visit, visit->reply.status, response, type, "no-store");
}

static enum MHD_Result send_file(Visit *visit)
{
    WebReply *reply = &visit->reply;
    char disposition[128];
    (void)snprintf(disposition, sizeof disposition, "attachment; filename=\"%s\"", reply->name);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->text.length, reply->text.data, MHD_RESPMEM_MUST_COPY);
    if (response != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, disposition);
    return queue(visit, reply->status, response, reply->type != NULL ? reply->type : "text/plain; charset=utf-8",
                 "no-store");
}

static enum MHD_Result fail(Visit *visit, unsigned status, const char *words)
{
    visit->reply.status = status;
    web_router_tell(&visit->reply, words);
    return send_json(visit);
}

// --- Event streams ---

static void stream_sleep(void *context)
{
    MHD_suspend_connection(((Visit *)context)->connection);
}

static void stream_wake(void *context)
{
    MHD_resume_connection(((Visit *)context)->connection);
}

static ssize_t stream_read(void *context, uint64_t at, char *bytes, size_t size)
{
    (void)at;
    ssize_t count = web_stream_read(((Visit *)context)->stream, bytes, size);
    return count < 0 ? MHD_CONTENT_READER_END_OF_STREAM : count;
}

static bool list_stream(Visit *visit)
{
    WebServer *server = visit->server;
    (void)pthread_mutex_lock(&server->lock);
    bool fits = !server->ends && server->stream_count < WEB_STREAMS_MAX;
    if (fits) {
        visit->next = server->streams;
        server->streams = visit;
        server->stream_count++;
    }
    (void)pthread_mutex_unlock(&server->lock);
    return fits;
}

static void unlist_stream(Visit *visit)
{
    WebServer *server = visit->server;
    (void)pthread_mutex_lock(&server->lock);
    for (Visit **at = &server->streams; *at != NULL; at = &(*at)->next)
        if (*at == visit) {
            *at = visit->next;
            server->stream_count--;
            break;
        }
    (void)pthread_mutex_unlock(&server->lock);
}

static enum MHD_Result send_stream(Visit *visit)
{
    WebSleeper sleeper = {visit, stream_sleep, stream_wake};
    if (web_stream_open(&visit->stream, visit->reply.topic, sleeper, NULL) != STATUS_OK)
        return fail(visit, 503, "no memory for an event stream");
    if (!list_stream(visit)) {
        web_stream_close(visit->stream);
        visit->stream = NULL;
        return fail(visit, 429, "too many event streams are open");
    }
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_read, visit, NULL);
    return queue(visit, 200, response, "text/event-stream; charset=utf-8", "no-store");
}

static bool has_gone(const Visit *visit)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(visit->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte = 0;
    return info != NULL && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

// A connection that sleeps does not notice that the other end has gone; this asks it.
void web_server_tick(WebServer *server)
{
    double now = clock_seconds();
    bool beats = now - server->beat >= beat_seconds;
    server->beat = beats ? now : server->beat;
    (void)pthread_mutex_lock(&server->lock);
    for (Visit *visit = server->streams; visit != NULL; visit = visit->next) {
        if (has_gone(visit))
            web_stream_end(visit->stream);
        else if (beats)
            web_stream_beat(visit->stream);
    }
    (void)pthread_mutex_unlock(&server->lock);
}

// --- Requests ---

static enum MHD_Result send_reply(Visit *visit)
{
    if (visit->reply.topic != NULL)
        return send_stream(visit);
    return visit->reply.text.length > 0 ? send_file(visit) : send_json(visit);
}

static void run_slowly(void *context)
{
    Visit *visit = context;
    web_router_run(&visit->match, visit->server->options.context, &visit->reply);
    MHD_resume_connection(visit->connection);
}

static enum MHD_Result take_query(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    WebRequest *request = context;
    if (request->query_count == WEB_QUERIES_MAX || name == NULL)
        return MHD_NO;
    request->query[request->query_count++] = (WebQuery){name, value != NULL ? value : ""};
    return MHD_YES;
}

static bool is_clean(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return false;
    return utf8_is_valid(span_of(text));
}

static bool is_clean_request(const WebRequest *request)
{
    for (unsigned i = 0; i < request->query_count; i++)
        if (!is_clean(request->query[i].name) || !is_clean(request->query[i].value))
            return false;
    return true;
}

// The whole request is there: answers it, or lets another thread do so.
static enum MHD_Result answer(Visit *visit)
{
    Error error = {0};
    WebRequest *request = &visit->match.request;
    int queries = MHD_get_connection_values(visit->connection, MHD_GET_ARGUMENT_KIND, NULL, NULL);
    (void)MHD_get_connection_values(visit->connection, MHD_GET_ARGUMENT_KIND, take_query, request);
    if (queries > WEB_QUERIES_MAX || !is_clean_request(request))
        return fail(visit, 400, "what stands after the question mark is too much, or no text");
    Span body = {visit->body.length > 0 ? visit->body.data : "", visit->body.length};
    if (visit->body.failed)
        return fail(visit, 503, "no memory for the request");
    if (web_router_body(body, &visit->json, &visit->reply, &error) != STATUS_OK)
        return fail(visit, visit->reply.status != 0 ? visit->reply.status : web_status(error.status), error.text);
    request->body = visit->json;
    unsigned flags = visit->match.route->flags;
    if (!(flags & (WEB_SLOW | WEB_THINKS))) {
        web_router_run(&visit->match, visit->server->options.context, &visit->reply);
        return send_reply(visit);
    }
    WebPool *pool = flags & WEB_THINKS ? visit->server->options.context->pool : visit->server->pool;
    visit->state = VISIT_WAITS;
    MHD_suspend_connection(visit->connection);
    if (web_pool_add(pool, WEB_LANE_TURNS, run_slowly, visit))
        return MHD_YES;
    visit->reply.status = 503;
    web_router_tell(&visit->reply, "too many requests wait already; try again");
    MHD_resume_connection(visit->connection);
    return MHD_YES;
}

static size_t body_limit(const Visit *visit)
{
    return visit->match.route != NULL && (visit->match.route->flags & WEB_LARGE) ? WEB_BODY_LARGE : WEB_BODY_USUAL;
}

static enum MHD_Result receive(Visit *visit, const char *bytes, size_t *size)
{
    WebServer *server = visit->server;
    bool is_late = clock_seconds() - visit->began > body_seconds;
    if (is_late || visit->body.length + *size > body_limit(visit) || server->bodies + *size > BODIES_MAX)
        return MHD_NO;
    server->bodies += *size;
    visit->reserved += *size;
    text_add_span(&visit->body, (Span){bytes, *size});
    *size = 0;
    return MHD_YES;
}

static WebHeaders headers_of(const Visit *visit, const char *method, const char *path)
{
    return (WebHeaders){
        .method = method,
        .path = path,
        .host = header(visit, MHD_HTTP_HEADER_HOST),
        .origin = header(visit, MHD_HTTP_HEADER_ORIGIN),
        .site = header(visit, "Sec-Fetch-Site"),
        .mode = header(visit, "Sec-Fetch-Mode"),
        .type = header(visit, MHD_HTTP_HEADER_CONTENT_TYPE),
        .cookie = MHD_lookup_connection_value(visit->connection, MHD_COOKIE_KIND, "krow_token"),
        .authorization = header(visit, MHD_HTTP_HEADER_AUTHORIZATION),
        .token = strcmp(path, "/") == 0 ? MHD_lookup_connection_value(visit->connection, MHD_GET_ARGUMENT_KIND, "token")
                                        : NULL,
    };
}

static enum MHD_Result send_cookie(Visit *visit)
{
    char cookie[160];
    (void)snprintf(cookie, sizeof cookie, "krow_token=%s; Path=/; HttpOnly; SameSite=Strict",
                   visit->server->options.guard->token);
    struct MHD_Response *response = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (response != NULL) {
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, cookie);
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_LOCATION, "/");
    }
    return queue(visit, 303, response, NULL, "no-store");
}

// The first line and the headers are there. What is refused by them is answered before any body is read.
static enum MHD_Result greet(Visit *visit, const char *method, const char *path)
{
    WebHeaders headers = headers_of(visit, method, path);
    WebVerdict verdict = web_guard_check(visit->server->options.guard, &headers);
    if (verdict.status != 0)
        return fail(visit, verdict.status, verdict.error);
    bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    if (headers.token != NULL && visit->server->options.guard->token[0] != '\0' && reads &&
        web_guard_is_token(visit->server->options.guard, headers.token))
        return send_cookie(visit);
    if (!is_clean(path))
        return fail(visit, 400, "the path is no text");
    visit->asset = reads ? web_asset_find(path) : NULL;
    if (visit->asset != NULL)
        return MHD_YES;
    web_router_find(visit->server->options.tables, strcmp(method, "HEAD") == 0 ? "GET" : method, path, &visit->match);
    if (visit->match.route == NULL)
        return fail(visit, visit->match.status,
                    visit->match.status == 405 ? "that cannot be done with this method" : "there is nothing here");
    const char *length = header(visit, MHD_HTTP_HEADER_CONTENT_LENGTH);
    int64_t bytes = 0;
    if (length != NULL && !span_to_int(span_of(length), 0, (int64_t)body_limit(visit), &bytes))
        return fail(visit, 413, "the body is too large");
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *bytes, size_t *size, void **state)
{
    (void)version;
    Visit *visit = *state;
    if (visit == NULL) {
        visit = calloc(1, sizeof *visit);
        if (visit == NULL)
            return MHD_NO;
        *visit = (Visit){.server = context, .connection = connection, .began = clock_seconds()};
        *state = visit;
        return greet(visit, method, path);
    }
    if (visit->state == VISIT_ANSWERED)
        return MHD_YES;
    if (visit->state == VISIT_WAITS)
        return send_reply(visit);
    if (*size > 0)
        return receive(visit, bytes, size);
    return visit->asset != NULL ? send_asset(visit) : answer(visit);
}

static void complete(void *context, struct MHD_Connection *connection, void **state,
                     enum MHD_RequestTerminationCode how)
{
    (void)connection;
    (void)how;
    WebServer *server = context;
    Visit *visit = *state;
    if (visit == NULL)
        return;
    if (visit->stream != NULL) {
        unlist_stream(visit);
        web_stream_close(visit->stream);
    }
    server->bodies -= visit->reserved;
    text_close(&visit->body);
    json_decref(visit->json);
    web_reply_close(&visit->reply);
    free(visit);
    *state = NULL;
}

// --- Opening ---

static int listen_on(const WebGuard *guard, unsigned port, bool *port_taken, Error *error)
{
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    bool is_v4 = inet_pton(AF_INET, guard->address, &v4.sin_addr) == 1;
    if (!is_v4)
        (void)inet_pton(AF_INET6, guard->address, &v6.sin6_addr);
    const struct sockaddr *address = is_v4 ? (const struct sockaddr *)&v4 : (const struct sockaddr *)&v6;
    int on = 1, fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd >= 0 && bind(fd, address, is_v4 ? sizeof v4 : sizeof v6) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    *port_taken = errno == EADDRINUSE;
    if (*port_taken)
        (void)error_set(error, STATUS_FAILED, "port %u is taken, perhaps by another krow serve; choose one with --port",
                        port);
    else
        (void)error_set(error, STATUS_FAILED, "cannot listen on %s, port %u: %s", guard->address, port,
                        strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

// The port that the socket has, whichever it asked for.
static unsigned port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    socklen_t length = sizeof address;
    if (getsockname(fd, &address.any, &length) != 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

static void say_nothing(void *context, const char *format, va_list arguments)
{
    (void)context;
    (void)format;
    (void)arguments;
}

static struct MHD_Daemon *start(WebServer *server, int fd)
{
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG,
                            0, NULL, NULL, handle, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
                            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, complete, server,
                            MHD_OPTION_CONNECTION_LIMIT, (unsigned)WEB_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT,
                            (unsigned)TIMEOUT, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_END);
}

Status web_server_open(WebServer **result, const WebServerOptions *options, bool *port_taken, Error *error)
{
    *result = NULL;
    *port_taken = false;
    WebServer *server = calloc(1, sizeof *server);
    if (server == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a server");
    server->options = *options;
    server->beat = clock_seconds();
    (void)pthread_mutex_init(&server->lock, NULL);
    int fd = listen_on(options->guard, options->port, port_taken, error);
    Status status = fd >= 0 ? web_pool_open(&server->pool, REQUEST_THREADS, REQUEST_NICENESS, REQUESTS_WAITING, error)
                            : STATUS_FAILED;
    if (status == STATUS_OK) {
        server->port = port_of(fd);
        server->daemon = start(server, fd);
        if (server->daemon == NULL)
            status = error_set(error, STATUS_FAILED, "the HTTP server could not be started");
    }
    if (status == STATUS_OK) {
        *result = server;
        return STATUS_OK;
    }
    if (fd >= 0 && server->daemon == NULL)
        (void)close(fd);
    web_server_close(server);
    return status;
}

unsigned web_server_port(const WebServer *server)
{
    return server->port;
}

void web_server_close(WebServer *server)
{
    if (server == NULL)
        return;
    // Slow requests are answered, streams end; then nothing sleeps any more.
    int fd = server->daemon != NULL ? (int)MHD_quiesce_daemon(server->daemon) : -1;
    web_pool_finish(server->pool);
    (void)pthread_mutex_lock(&server->lock);
    server->ends = true;
    for (Visit *visit = server->streams; visit != NULL; visit = visit->next)
        web_stream_end(visit->stream);
    (void)pthread_mutex_unlock(&server->lock);
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    web_pool_close(server->pool);
    if (fd >= 0)
        (void)close(fd);
    (void)pthread_mutex_destroy(&server->lock);
    free(server);
}
