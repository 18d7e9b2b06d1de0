// The HTTP server on libmicrohttpd: opens the socket, receives requests, and has them answered by this thread or by one
// of the pool. server_reply.c writes the answers.
#include "web/http/server_internal.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    REQUEST_THREADS = 3,   // for slow requests
    REQUEST_NICENESS = 3,  // below the thread of the connections, above agents
    REQUESTS_WAITING = 64, // slow ones
    TIMEOUT = 20,          // seconds without traffic on a connection
    BODIES_MAX = 64 << 20, // bytes of all bodies that are being received
};

static const double body_seconds = 60;

// --- Requests ---

static void run_slowly(void *context)
{
    Visit *visit = context;
    web_router_run(&visit->match, visit->server->options.context, &visit->reply);
    MHD_resume_connection(visit->connection);
}

static void run_thinking(void *context)
{
    Visit *visit = context;
    WebContext *all = visit->server->options.context;
    if (atomic_load(&visit->stop.is_raised)) {
        visit->reply.status = 503;
        web_router_report(&visit->reply, "the request was cancelled");
    } else {
        web_router_run(&visit->match, all, &visit->reply);
    }
    web_stops_remove(all->stops, &visit->stop);
    MHD_resume_connection(visit->connection);
}

static const union MHD_ConnectionInfo *info_of(struct MHD_Connection *connection, enum MHD_ConnectionInfoType what)
{
    return MHD_get_connection_info(connection, what);
}

static int descriptor_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = info_of(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

// Passes a request to a thread. One session has one request in thought; a few more wait for it.
static bool pass_on(Visit *visit)
{
    WebServer *server = visit->server;
    WebContext *context = server->options.context;
    unsigned flags = visit->match.route->flags;
    if (!(flags & WEB_THINKS))
        return web_pool_add(server->pool, WEB_LANE_QUESTIONS, (WebJob){run_slowly, visit, 0});
    bool has_session = strncmp(visit->match.route->path, "/sessions/{id}", strlen("/sessions/{id}")) == 0;
    uint64_t key = has_session ? web_pool_key(visit->match.request.parameter[0]) : 0;
    visit->match.request.stop = &visit->stop.is_raised;
    web_stops_add(context->stops, &visit->stop, descriptor_of(visit->connection), key);
    if (web_pool_add(context->pool, flags & WEB_PROVES ? WEB_LANE_PROOFS : WEB_LANE_QUESTIONS,
                     (WebJob){run_thinking, visit, key}))
        return true;
    web_stops_remove(context->stops, &visit->stop);
    return false;
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

// The request is complete: answers it, or passes it to another thread.
static enum MHD_Result answer(Visit *visit)
{
    Error error = {0};
    WebRequest *request = &visit->match.request;
    int queries = MHD_get_connection_values(visit->connection, MHD_GET_ARGUMENT_KIND, NULL, NULL);
    (void)MHD_get_connection_values(visit->connection, MHD_GET_ARGUMENT_KIND, take_query, request);
    if (queries > WEB_QUERIES_MAX || !is_clean_request(request))
        return visit_fail(visit, 400, "the query has too many parameters, or is not valid text");
    Span body = {visit->body.length > 0 ? visit->body.data : "", visit->body.length};
    if (visit->refused)
        return visit_fail(visit, 503, "no memory for the request");
    if (web_router_body(body, &visit->json, &visit->reply, &error) != STATUS_OK)
        return visit_fail(visit, visit->reply.status != 0 ? visit->reply.status : web_status(error.status), error.text);
    request->body = visit->json;
    unsigned flags = visit->match.route->flags;
    if (!(flags & (WEB_SLOW | WEB_THINKS))) {
        web_router_run(&visit->match, visit->server->options.context, &visit->reply);
        return visit_send_reply(visit);
    }
    visit->state = VISIT_WAITS;
    MHD_suspend_connection(visit->connection);
    if (web_connections_wait(&visit->server->connections, visit->from) && pass_on(visit))
        return MHD_YES;
    visit->reply.status = 429;
    web_router_report(&visit->reply, "too many requests are waiting; try again");
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
    visit->refused = visit->refused || !text_reserve(&visit->body, *size);
    if (!visit->refused)
        text_add_span(&visit->body, (Span){bytes, *size});
    *size = 0;
    return MHD_YES;
}

static WebHeaders headers_of(const Visit *visit, const char *method, const char *path)
{
    return (WebHeaders){
        .method = method,
        .path = path,
        .host = visit_header(visit, MHD_HTTP_HEADER_HOST),
        .origin = visit_header(visit, MHD_HTTP_HEADER_ORIGIN),
        .site = visit_header(visit, "Sec-Fetch-Site"),
        .mode = visit_header(visit, "Sec-Fetch-Mode"),
        .type = visit_header(visit, MHD_HTTP_HEADER_CONTENT_TYPE),
        .cookie = MHD_lookup_connection_value(visit->connection, MHD_COOKIE_KIND, "krow_token"),
        .authorization = visit_header(visit, MHD_HTTP_HEADER_AUTHORIZATION),
        .token = strcmp(path, "/") == 0 ? MHD_lookup_connection_value(visit->connection, MHD_GET_ARGUMENT_KIND, "token")
                                        : NULL,
    };
}

static const WebAsset *find_asset(const char *path)
{
    for (unsigned i = 0; i < web_asset_count; i++)
        if (strcmp(web_assets[i].path, path) == 0)
            return &web_assets[i];
    return NULL;
}

// Finds what is requested: a file of the page or a route.
static void find(Visit *visit, const char *method, const char *path)
{
    bool reads = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    visit->asset = reads ? find_asset(path) : NULL;
    if (visit->asset == NULL)
        web_router_find(visit->server->options.tables, strcmp(method, "HEAD") == 0 ? "GET" : method, path,
                        &visit->match);
}

// Called with the first line and the headers. Refuses invalid requests before the body is read.
static enum MHD_Result greet(Visit *visit, const char *method, const char *path)
{
    const WebGuard *guard = visit->server->options.guard;
    WebHeaders headers = headers_of(visit, method, path);
    find(visit, method, path);
    headers.is_open = visit->asset != NULL || (visit->match.route != NULL && (visit->match.route->flags & WEB_SEAT));
    WebVerdict verdict = web_guard_check(guard, &headers);
    if (verdict.status != 0)
        return visit_fail(visit, verdict.status, verdict.error);
    if (visit->asset != NULL && web_guard_is_token(guard, headers.token))
        return visit_send_cookie(visit);
    if (!is_clean(path))
        return visit_fail(visit, 400, "the path is not valid text");
    if (visit->asset != NULL)
        return MHD_YES;
    if (visit->match.route == NULL)
        return visit_fail(visit, visit->match.status,
                          visit->match.status == 405 ? "this path does not support the method" : "not found");
    visit->match.request.seat = MHD_lookup_connection_value(visit->connection, MHD_COOKIE_KIND, "krow_seat");
    memcpy(visit->match.request.peer, visit->from->address, sizeof visit->match.request.peer);
    const char *length = visit_header(visit, MHD_HTTP_HEADER_CONTENT_LENGTH);
    int64_t bytes = 0;
    if (length != NULL && !span_to_int(span_of(length), 0, (int64_t)body_limit(visit), &bytes))
        return visit_fail(visit, 413, "the body is too large");
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *bytes, size_t *size, void **state)
{
    (void)version;
    Visit *visit = *state;
    if (visit == NULL) {
        visit = memory_new(1, sizeof *visit);
        *visit = (Visit){.server = context, .connection = connection, .began = clock_seconds()};
        *state = visit;
        visit->from = info_of(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
        web_connections_begin(&visit->server->connections, visit->from);
        return greet(visit, method, path);
    }
    if (visit->state == VISIT_ANSWERED)
        return MHD_YES;
    if (visit->state == VISIT_WAITS)
        return visit_send_reply(visit);
    if (*size > 0)
        return receive(visit, bytes, size);
    return visit->asset != NULL ? visit_send_asset(visit) : answer(visit);
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
    visit_close_stream(visit);
    web_connections_end(&server->connections, visit->from);
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

// The port of the socket, also when the system chose it.
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

static enum MHD_Result admit(void *context, const struct sockaddr *from, socklen_t length)
{
    (void)length;
    WebServer *server = context;
    return web_connections_admit(&server->connections, from) ? MHD_YES : MHD_NO;
}

// Called at the start and the end of a connection.
static void note_connection(void *context, struct MHD_Connection *connection, void **own,
                            enum MHD_ConnectionNotificationCode what)
{
    WebServer *server = context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        web_connections_remove(&server->connections, *own);
        return;
    }
    const union MHD_ConnectionInfo *info = info_of(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    *own =
        web_connections_add(&server->connections, descriptor_of(connection), info != NULL ? info->client_addr : NULL);
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
                            0, admit, server, handle, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
                            MHD_OPTION_NOTIFY_CONNECTION, note_connection, server, MHD_OPTION_LISTEN_SOCKET, fd,
                            MHD_OPTION_NOTIFY_COMPLETED, complete, server, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)WEB_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)TIMEOUT,
                            MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

Status web_server_open(WebServer **result, const WebServerOptions *options, bool *port_taken, Error *error)
{
    *result = NULL;
    *port_taken = false;
    WebServer *server = memory_new(1, sizeof *server);
    server->options = *options;
    server->beat = clock_seconds();
    web_connections_open(&server->connections);
    (void)pthread_mutex_init(&server->lock, NULL);
    int fd = listen_on(options->guard, options->port, port_taken, error);
    const unsigned threads[WEB_LANES] = {[WEB_LANE_QUESTIONS] = REQUEST_THREADS};
    Status status =
        fd >= 0 ? web_pool_open(&server->pool, threads, REQUEST_NICENESS, REQUESTS_WAITING, error) : STATUS_FAILED;
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
    // Slow requests are answered and streams end; then no connection is suspended.
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
    web_connections_close(&server->connections);
    if (fd >= 0)
        (void)close(fd);
    (void)pthread_mutex_destroy(&server->lock);
    free(server);
}
