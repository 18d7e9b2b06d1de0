// The answers of the HTTP server: files of the page, JSON, files to save and event streams.
#include "web/http/server_internal.h"

#include "base/clock.h"
#include "base/memory.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BLOCK = 16384 }; // bytes of a stream sent at once

static const double beat_seconds = 5;

// --- Answers ---

static const char *const usual_headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
     "connect-src 'self'; manifest-src 'self'; font-src 'none'; base-uri 'none'; form-action 'none'; "
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

const char *visit_header(const Visit *visit, const char *name)
{
    return MHD_lookup_connection_value(visit->connection, MHD_HEADER_KIND, name);
}

static bool accepts_packing(const Visit *visit)
{
    return web_packing_accepted(visit_header(visit, MHD_HTTP_HEADER_ACCEPT_ENCODING));
}

static void name_packing(struct MHD_Response *response, bool packed)
{
    if (response == NULL)
        return;
    (void)MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    if (packed)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
}

enum MHD_Result visit_send_asset(Visit *visit)
{
    const WebAsset *asset = visit->asset;
    const char *known = visit_header(visit, MHD_HTTP_HEADER_IF_NONE_MATCH);
    bool is_known = known != NULL && strstr(known, asset->tag) != NULL;
    bool packs = asset->packed_size > 0 && accepts_packing(visit);
    // The library takes memory that may be changed, but does not change it.
    union {
        const unsigned char *kept;
        void *sent;
    } bytes = {packs ? asset->packed : asset->bytes};
    size_t size = packs ? asset->packed_size : asset->size;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(is_known ? 0 : size, bytes.sent, MHD_RESPMEM_PERSISTENT);
    if (response != NULL)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_ETAG, asset->tag);
    name_packing(response, packs && !is_known);
    // Except for the page itself, a changed file has another path.
    const char *kept = strcmp(asset->path, "/") == 0 ? "no-cache" : "public, max-age=31536000, immutable";
    return queue(visit, is_known ? 304 : 200, response, asset->type, kept);
}

static enum MHD_Result send_json(Visit *visit)
{
    char *text = visit->reply.json != NULL ? json_dumps(visit->reply.json, JSON_COMPACT | JSON_REAL_PRECISION(9))
                                           : memory_copy_text("");
    const char *type = visit->reply.json != NULL ? "application/json" : NULL;
    size_t size = strlen(text);
    char *packed = accepts_packing(visit) ? web_pack(text, size, &size) : NULL;
    if (packed != NULL) {
        free(text);
        text = packed;
    }
    struct MHD_Response *response = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    name_packing(response, packed != NULL);
    if (response != NULL && visit->reply.cookie[0] != '\0')
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, visit->reply.cookie);
    if (response == NULL)
        free(text);
    else if (visit->reply.status == 429)
        (void)MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
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

enum MHD_Result visit_fail(Visit *visit, unsigned status, const char *words)
{
    visit->reply.status = status;
    web_router_report(&visit->reply, words);
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

static ssize_t stream_read_plain(void *context, char *bytes, size_t size)
{
    return web_stream_read(context, bytes, size);
}

static ssize_t stream_read(void *context, uint64_t at, char *bytes, size_t size)
{
    (void)at;
    Visit *visit = context;
    ssize_t count = visit->packer != NULL ? web_packer_read(visit->packer, bytes, size)
                                          : web_stream_read(visit->stream, bytes, size);
    return count < 0 ? MHD_CONTENT_READER_END_OF_STREAM : count;
}

static bool list_stream(Visit *visit)
{
    WebServer *server = visit->server;
    WEB_LOCK(&server->lock);
    bool fits = !server->ends && server->stream_count < WEB_STREAMS_MAX;
    if (fits) {
        visit->next = server->streams;
        server->streams = visit;
        server->stream_count++;
    }
    return fits;
}

void visit_close_stream(Visit *visit)
{
    if (visit->stream == NULL)
        return;
    WebServer *server = visit->server;
    (void)pthread_mutex_lock(&server->lock);
    for (Visit **at = &server->streams; *at != NULL; at = &(*at)->next)
        if (*at == visit) {
            *at = visit->next;
            server->stream_count--;
            break;
        }
    (void)pthread_mutex_unlock(&server->lock);
    web_packer_close(visit->packer);
    web_stream_close(visit->stream);
    visit->stream = NULL;
}

static enum MHD_Result send_stream(Visit *visit)
{
    WebSleeper sleeper = {visit, stream_sleep, stream_wake};
    visit->stream = web_stream_open(visit->reply.topic, sleeper, visit->reply.takes_updates);
    if (!list_stream(visit)) {
        web_stream_close(visit->stream);
        visit->stream = NULL;
        return visit_fail(visit, 429, "too many event streams are open");
    }
    visit->packer = accepts_packing(visit) ? web_packer_open(stream_read_plain, visit->stream) : NULL;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_read, visit, NULL);
    name_packing(response, visit->packer != NULL);
    return queue(visit, 200, response, "text/event-stream; charset=utf-8", "no-store");
}

// Not by a read: a client may have sent more after its request, which stays unread while the stream is open.
static bool has_gone(const Visit *visit)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(visit->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct pollfd state = {.fd = info != NULL ? info->connect_fd : -1, .events = POLLRDHUP};
    return poll(&state, 1, 0) > 0 && (state.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

// A suspended connection does not detect a lost client; this does.
void web_server_tick(WebServer *server)
{
    double now = clock_seconds();
    web_connections_tick(&server->connections, now);
    bool beats = now - server->beat >= beat_seconds;
    server->beat = beats ? now : server->beat;
    WEB_LOCK(&server->lock);
    for (Visit *visit = server->streams; visit != NULL; visit = visit->next) {
        if (has_gone(visit))
            web_stream_end(visit->stream);
        else if (beats)
            web_stream_beat(visit->stream);
    }
}

enum MHD_Result visit_send_reply(Visit *visit)
{
    if (visit->reply.topic != NULL)
        return send_stream(visit);
    return visit->reply.text.length > 0 ? send_file(visit) : send_json(visit);
}

enum MHD_Result visit_send_cookie(Visit *visit)
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
