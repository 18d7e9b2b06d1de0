// krow serve: the web board.
#include "base/file.h"
#include "cli/commands.h"
#include "store/paths.h"
#include "web/friends/friends.h"
#include "web/http/pool.h"
#include "web/http/server.h"
#include "web/http/stops.h"
#include "web/lab/explore.h"
#include "web/lab/jobs.h"
#include "web/lab/matches.h"
#include "web/saves/saves.h"
#include "web/session/session.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    CommandLine line;
    const char *bind; // NULL: not given
    bool opens, opens_not;
    unsigned port;
} ServeArgs;

enum {
    PORT = 8484,
    PORTS_TRIED = 20,
    THINK_NICENESS = 10,
    THINK_WAITING = 1000, // jobs
    TURN_THREADS = 16,    // more than cores: turns share them, so that none waits for another to end
    QUESTION_THREADS = 8, // likewise
    TICK_MS = 100,
    ADDRESS_SIZE = 400,
};

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x != NULL && x[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

// Starts the browser and does not wait for it: the shell ends at once, and the browser outlives krow.
static bool open_browser(char *address)
{
    char shell[] = "sh", option[] = "-c", name[] = "krow";
    char script[] = "command -v xdg-open >/dev/null || exit 1; xdg-open \"$1\" >/dev/null 2>&1 </dev/null &";
    char *arguments[] = {shell, option, script, name, address, NULL};
    pid_t child = 0;
    int status = 0;
    return posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) == 0 && waitpid(child, &status, 0) == child &&
           WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void address_of(const WebGuard *guard, unsigned port, char address[ADDRESS_SIZE])
{
    bool is_any = strcmp(guard->address, "0.0.0.0") == 0 || strcmp(guard->address, "::") == 0;
    bool is_v6 = strchr(guard->address, ':') != NULL;
    const char *host = is_any ? guard->name : guard->address;
    (void)snprintf(address, ADDRESS_SIZE, "http://%s%s%s:%u/%s%s", is_v6 && !is_any ? "[" : "", host,
                   is_v6 && !is_any ? "]" : "", port, guard->token[0] != '\0' ? "?token=" : "", guard->token);
}

// Every user can read the arguments of processes, so a browser gets an address with a token in a private file, which
// sends it on. The browser may read the file at any time while the server runs. False if there is no such file.
static bool write_redirect(const char *address, unsigned port, Text *path)
{
    Text page = {0};
    char name[32];
    (void)snprintf(name, sizeof name, "open-%u.html", port);
    text_add(&page,
             "<!doctype html><meta charset=\"utf-8\"><title>krow</title>"
             "<meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%s\">krow</a>\n",
             address, address);
    bool is_written = path_of(PATH_STATE, name, path, NULL) == STATUS_OK &&
                      file_write_private(path->data, (Span){page.data, page.length}, NULL) == STATUS_OK;
    text_close(&page);
    return is_written;
}

// `redirect` is empty, or the path of a page for the browser, to be removed at the end.
static bool open_page(char *address, const WebGuard *guard, unsigned port, Text *redirect)
{
    return guard->token[0] == '\0' ? open_browser(address)
                                   : write_redirect(address, port, redirect) && open_browser(redirect->data);
}

static void show(const ServeArgs *args, const WebGuard *guard, unsigned port, Text *redirect)
{
    char address[ADDRESS_SIZE];
    address_of(guard, port, address);
    (void)printf("krow is at %s\n", address);
    (void)fflush(stdout);
    if (args->opens_not || (!args->opens && !has_display()))
        (void)fprintf(stderr, "Open it in a browser. Ctrl-C ends krow.\n");
    else if (open_page(address, guard, port, redirect))
        (void)fprintf(stderr, "Your browser should show it. Ctrl-C ends krow.\n");
    else
        (void)fprintf(stderr, "No browser could be started; open it in one. Ctrl-C ends krow.\n");
}

static unsigned threads_that_think(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 2 ? 3 : cores > 15 ? 16 : (unsigned)cores + 1;
}

// Every connection takes a descriptor.
static void allow_connections(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= WEB_CONNECTIONS_MAX + 200)
        return;
    limit.rlim_cur = limit.rlim_max < WEB_CONNECTIONS_MAX + 200 ? limit.rlim_max : WEB_CONNECTIONS_MAX + 200;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

// Without --port, tries the next free port.
static Status listen_somewhere(const ServeArgs *args, WebServerOptions *options, WebServer **server, Error *error)
{
    unsigned first = args->port > 0 ? args->port : PORT, last = args->port > 0 ? first : first + PORTS_TRIED;
    Status status = STATUS_FAILED;
    bool is_taken = true;
    for (options->port = first; options->port <= last && status != STATUS_OK && is_taken; options->port++)
        status = web_server_open(server, options, &is_taken, error);
    return status;
}

// Serves until a signal arrives.
static void wait_for_end(WebServer *server, WebContext *context, const sigset_t *signals)
{
    const struct timespec pause = {.tv_nsec = TICK_MS * 1000000L};
    while (sigtimedwait(signals, NULL, &pause) < 0 && (errno == EAGAIN || errno == EINTR)) {
        web_server_tick(server);
        web_sessions_tick(context->sessions);
        web_friends_tick(context->friends);
        web_jobs_tick(context->jobs);
    }
    // A second signal ends it at once.
    (void)pthread_sigmask(SIG_UNBLOCK, signals, NULL);
    (void)fprintf(stderr, "\nkrow ends.\n");
}

// Without a folder for files, games with friends end with the server.
static void start_friends(WebFriends *friends, const WebReach *reach)
{
    Text folder = {0};
    Error error = {0};
    Status status = web_friends_folder(reach->port, &folder, &error);
    if (status == STATUS_OK)
        status = web_friends_start(friends, reach, folder.data, &error);
    else
        (void)web_friends_start(friends, reach, NULL, NULL);
    if (status != STATUS_OK)
        (void)fprintf(stderr, "Games with friends will end with the server: %s\n", error.text);
    text_close(&folder);
}

// Without a folder for files, a game that the database cannot take is lost with the server.
static void start_saves(WebSaves *saves, unsigned port)
{
    Text folder = {0};
    Error error = {0};
    Status status = web_saves_folder(port, &folder, &error);
    Status started = web_saves_start(saves, status == STATUS_OK ? folder.data : NULL, &error);
    if (status != STATUS_OK || started != STATUS_OK)
        (void)fprintf(stderr, "Finished games are saved without a file for the meantime: %s\n", error.text);
    text_close(&folder);
}

static Status serve(const ServeArgs *args, WebContext *context, const sigset_t *signals, Error *error)
{
    WebGuard guard;
    Status status = web_guard_open(&guard, args->bind != NULL ? args->bind : "127.0.0.1", error);
    if (status != STATUS_OK)
        return status;
    WebServerOptions options = {.guard = &guard, .tables = web_route_tables, .context = context};
    WebServer *server = NULL;
    status = listen_somewhere(args, &options, &server, error);
    if (status != STATUS_OK)
        return status;
    const WebReach reach = {&guard, web_server_port(server), context->saves};
    start_saves(context->saves, reach.port);
    start_friends(context->friends, &reach);
    Text redirect = {0};
    show(args, &guard, reach.port, &redirect);
    wait_for_end(server, context, signals);
    if (redirect.length > 0)
        (void)unlink(redirect.data);
    text_close(&redirect);
    atomic_store(&context->stop, true);
    web_stops_end(context->stops);
    web_sessions_clear(context->sessions);
    web_pool_finish(context->pool);
    web_server_close(server);
    // The guard ends with this function.
    web_friends_close(context->friends);
    context->friends = NULL;
    return STATUS_OK;
}

static Status run(const void *options, Error *error)
{
    const ServeArgs *args = options;
    if (args->opens && args->opens_not)
        return error_set(error, STATUS_BAD_INPUT, "--open and --no-open cannot be combined");
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGHUP);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    allow_connections();
    WebContext context = {.host = &args->line.host, .db = args->line.db};
    context.sessions = web_sessions_open();
    context.friends = web_friends_open();
    context.explorers = web_explorers_open();
    context.saves = web_saves_open(&context);
    unsigned base = threads_that_think() - 1;
    const unsigned threads[WEB_LANES] = {TURN_THREADS, QUESTION_THREADS, base, base};
    Status status = web_pool_open(&context.pool, threads, THINK_NICENESS, THINK_WAITING, error);
    if (status == STATUS_OK)
        status = web_stops_open(&context.stops, error);
    if (status == STATUS_OK)
        status = web_matches_open(&context.matches, &context, error);
    if (status == STATUS_OK)
        status = web_jobs_open(&context.jobs, context.db, error);
    if (status == STATUS_OK)
        status = serve(args, &context, &signals, error);
    web_friends_close(context.friends);
    web_saves_close(context.saves);
    web_jobs_close(context.jobs);
    web_matches_close(context.matches);
    web_pool_close(context.pool);
    web_stops_close(context.stops);
    web_sessions_close(context.sessions);
    web_explorers_close(context.explorers);
    return status;
}

static const CliOption options[] = {
    CLI_OPTION(ServeArgs, port, "port", CLI_WHOLE, "N", "Port to listen on (default: 8484 or the next free one)",
               .min = 1, .max = 65535),
    CLI_OPTION(ServeArgs, bind, "bind", CLI_TEXT, "ADDRESS",
               "Address to listen on (default 127.0.0.1); addresses that other machines can reach require a token"),
    CLI_OPTION(ServeArgs, opens, "open", CLI_FLAG, NULL, "Open the browser even without a display"),
    CLI_OPTION(ServeArgs, opens_not, "no-open", CLI_FLAG, NULL, "Do not open the browser"),
    OPTION_BOOKS,
    CLI_END(ServeArgs),
};

const Command command_serve = {
    .name = "serve",
    .summary = "Serve the web board: play, analyse and watch in a browser",
    .about = "Serves the board on this machine, prints its address and opens the browser if there is one. Other "
             "machines cannot reach it without --bind. If --bind makes it reachable, the printed address contains a "
             "token, and only requests with the token are answered; loopback addresses such as 127.0.0.2 and ::1 need "
             "none. Ctrl-C stops it.\n\nExamples:\n  krow serve\n  krow serve --port "
             "9000 --no-open\n  krow serve --bind 0.0.0.0",
    .options = options,
    .run = run,
};
