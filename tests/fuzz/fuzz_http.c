// Conversations with the web board over HTTP: the real server, routes and handlers, with sockets in memory. The bytes
// of an input are sent as they are, except for
//
//     !   (first byte)  the server requires the token "secret"
//     *   the id of the session that there is
//     |   the server handles what it has received, before the rest is sent
//     ^   the same, and the rest is sent over another connection; the others stay open
//
// Whatever is sent, every answer has a known status, connections end, and the server answers the next client. One
// thread does everything: the server polls when it is told to (fuzz/http_driver.h), so that inputs are repeatable.
#include "fuzz/fuzz.h"
#include "fuzz/http_driver.h"
#include "support/web_bench.h"
#include "web/http/server_internal.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS_MAX = 6, ROUNDS_MAX = 200 };

typedef struct {
    int fds[CONNECTIONS_MAX]; // of the clients
    Text answers[CONNECTIONS_MAX];
    unsigned count;
} Talk;

static WebBench bench;
static WebGuard guard;
static WebServer *server;

static void open_server(void)
{
    bool port_taken = false;
    web_bench_open(&bench, 0);
    REQUIRE(web_stops_open(&bench.context.stops, NULL) == STATUS_OK);
    guard = (WebGuard){.address = "127.0.0.1", .is_loopback = true};
    const WebServerOptions options = {.guard = &guard, .tables = web_route_tables, .context = &bench.context};
    http_driver_begin();
    REQUIRE(web_server_open(&server, &options, &port_taken, NULL) == STATUS_OK);
}

static void close_server(void)
{
    web_stops_end(bench.context.stops);
    web_server_close(server);
    server = NULL;
    web_stops_close(bench.context.stops);
    bench.context.stops = NULL;
    web_bench_close(&bench);
    http_driver_end();
}

// --- Clients ---

static void connect_client(Talk *talk)
{
    int pair[2];
    struct sockaddr_in from = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(4000)};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0);
    REQUIRE(MHD_add_connection(server->daemon, pair[0], (const struct sockaddr *)&from, sizeof from) == MHD_YES);
    talk->fds[talk->count++] = pair[1];
}

// Takes the answers that have arrived; whether there were any.
static bool receive(Talk *talk)
{
    bool has_some = false;
    for (unsigned i = 0; i < talk->count; i++) {
        char bytes[16384];
        ssize_t size = 0;
        while ((size = read(talk->fds[i], bytes, sizeof bytes)) > 0) {
            text_add_span(&talk->answers[i], (Span){bytes, (size_t)size});
            has_some = true;
        }
    }
    return has_some;
}

// Until the server waits for the clients.
static void let_server_run(Talk *talk)
{
    unsigned idle = 0;
    for (unsigned i = 0; idle < 2; i++) {
        REQUIRE(i < ROUNDS_MAX);
        REQUIRE(MHD_run(server->daemon) == MHD_YES);
        idle = http_driver_work() || receive(talk) ? 0 : idle + 1;
    }
}

static void send_bytes(Talk *talk, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(talk->fds[talk->count - 1], bytes, size, MSG_NOSIGNAL);
        if (sent < 0)
            return; // the server has closed the connection
        bytes += sent;
        size -= (size_t)sent;
    }
}

static unsigned open_connections(void)
{
    return MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS)->num_connections;
}

// The clients close their sides, and then the sockets.
static void hang_up(Talk *talk)
{
    for (unsigned i = 0; i < talk->count; i++)
        (void)shutdown(talk->fds[i], SHUT_WR);
    let_server_run(talk);
    for (unsigned i = 0; i < talk->count; i++)
        (void)close(talk->fds[i]);
    talk->count = 0;
    for (unsigned i = 0; i < ROUNDS_MAX && open_connections() > 0; i++) {
        web_server_tick(server);
        let_server_run(talk);
    }
    REQUIRE(open_connections() == 0 && server->bodies == 0 && server->stream_count == 0);
}

static void require_answers(Talk *talk, bool has_puzzles)
{
    static const char *const known[] = {"100", "200", "201", "204", "303", "304", "400", "401",
                                        "403", "404", "405", "408", "409", "411", "413", "414",
                                        "415", "417", "429", "431", "501", "503", "505"};
    for (unsigned i = 0; i < CONNECTIONS_MAX; i++) {
        const Text *answer = &talk->answers[i];
        // The results of puzzles have no file here.
        bool is_known =
            answer->length == 0 || (has_puzzles && memmem(answer->data, answer->length, " 500 ", 5) != NULL);
        for (size_t j = 0; j < sizeof known / sizeof known[0] && !is_known; j++)
            is_known = answer->length > 12 && memcmp(answer->data, "HTTP/1.", 7) == 0 &&
                       memcmp(answer->data + 9, known[j], 3) == 0;
        if (!is_known)
            (void)fprintf(stderr, "%.*s\n", (int)answer->length, answer->data);
        REQUIRE(is_known);
        text_close(&talk->answers[i]);
    }
}

// --- Inputs ---

static void make_session(char id[WEB_ID_SIZE])
{
    json_t *json = NULL;
    REQUIRE(web_bench_ask(&bench, "POST", "/api/v1/sessions", "{\"game\": \"5x5:k=4\", \"moves\": \"c3 b2 d3\"}",
                          &json) == 201);
    (void)snprintf(id, WEB_ID_SIZE, "%s", json_string_value(json_object_get(json, "id")));
    json_decref(json);
}

static void send_text(Talk *talk, Text *text)
{
    send_bytes(talk, text->data, text->length);
    text->length = 0;
}

static void talk_as_told(Span input, const char *id)
{
    Talk talk = {0};
    Text next = {0};
    connect_client(&talk);
    for (size_t i = 0; i < input.length; i++) {
        char byte = input.at[i];
        if (byte == '*')
            text_add(&next, "%s", id);
        else if (byte != '|' && byte != '^')
            text_add_span(&next, (Span){&byte, 1});
        if (byte != '|' && byte != '^')
            continue;
        send_text(&talk, &next);
        let_server_run(&talk);
        if (byte == '^' && talk.count < CONNECTIONS_MAX)
            connect_client(&talk);
    }
    send_text(&talk, &next);
    let_server_run(&talk);
    hang_up(&talk);
    require_answers(&talk, memmem(input.at, input.length, "/puzzles/", 9) != NULL);
    text_close(&next);
}

static void require_service(void)
{
    static const char request[] = "GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n";
    Talk talk = {0};
    connect_client(&talk);
    send_bytes(&talk, request, sizeof request - 1);
    let_server_run(&talk);
    REQUIRE(talk.answers[0].length > 16 && memcmp(talk.answers[0].data, "HTTP/1.1 200", 12) == 0);
    hang_up(&talk);
    require_answers(&talk, false);
}

FUZZ_TARGET(http)
{
    char id[WEB_ID_SIZE];
    Span input = {(const char *)data, size};
    fuzz_without_home();
    if (server == NULL)
        open_server();
    http_driver_begin();
    bool has_token = size > 0 && data[0] == '!';
    (void)snprintf(guard.token, sizeof guard.token, "%s", has_token ? "secret" : "");
    make_session(id);
    talk_as_told(has_token ? (Span){input.at + 1, input.length - 1} : input, id);
    guard.token[0] = '\0';
    require_service();
    web_sessions_clear(bench.context.sessions);
    http_driver_pause();
    // Matches and games with friends end with the server.
    if (memmem(data, size, "/matches", 8) != NULL || memmem(data, size, "/friends", 8) != NULL)
        close_server();
    return 0;
}
