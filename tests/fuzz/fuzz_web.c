// Requests to the web board, a line each: the method, the path below /api/v1 (* is the session that there is) and the
// body. Whatever they say, every one has an answer, a failure says why in words, and what is asked next is answered
// too.
#include "fuzz/fuzz.h"
#include "support/web_bench.h"

enum { REQUESTS_MAX = 12, PATH_SIZE = 600 };

static WebBench bench;
static bool is_open;
static bool is_worn; // it has matches or games with friends

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void require_answer(const char *path, unsigned status, const json_t *json)
{
    static const unsigned known[] = {200, 201, 204, 400, 401, 403, 404, 405, 409, 429, 503};
    // The results of puzzles have no file here.
    bool is_known = status == 500 && starts_with(path, "/api/v1/puzzles/");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is_known |= status == known[i];
    REQUIRE(is_known);
    if (status < 400 || json == NULL) {
        REQUIRE(status == 204 || status == 404 || status == 405 || json != NULL);
        return;
    }
    const char *words = json_string_value(json_object_get(json, "error"));
    REQUIRE(words != NULL && words[0] != '\0');
}

// What an answer says must be JSON that can be sent.
static void require_text(const json_t *json)
{
    REQUIRE(json == NULL || json_dumpb(json, NULL, 0, JSON_ENCODE_ANY | JSON_COMPACT) > 0);
}

// Chapters of the tour are the same each time, and making one takes as long as a hundred other requests.
static bool is_known_chapter(const char *method, const char *path)
{
    static char known[16][64];
    static unsigned count;
    if (strcmp(method, "GET") != 0 || !starts_with(path, "/api/v1/tour/") || strlen(path) >= sizeof known[0])
        return false;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(known[i], path) == 0)
            return true;
    if (count < sizeof known / sizeof known[0])
        (void)snprintf(known[count++], sizeof known[0], "%s", path);
    return false;
}

// Requests about puzzles read a whole collection: a process makes only so many.
static bool is_one_puzzle_too_many(const char *path)
{
    enum { PUZZLES_MOST = 20 };
    static unsigned asked;
    return starts_with(path, "/api/v1/puzzles") && asked++ >= PUZZLES_MOST;
}

static void ask(const char *method, const char *path, const char *body)
{
    json_t *json = NULL;
    if (is_known_chapter(method, path) || is_one_puzzle_too_many(path))
        return;
    is_worn |= starts_with(path, "/api/v1/matches") || starts_with(path, "/api/v1/friends");
    unsigned status = web_bench_ask(&bench, method, path, body, &json);
    require_answer(path, status, json);
    require_text(json);
    json_decref(json);
}

// The path with the session's id for each *.
static void expand(Span from, const char *id, char path[PATH_SIZE])
{
    size_t length = (size_t)snprintf(path, PATH_SIZE, "/api/v1");
    for (size_t i = 0; i < from.length && length + WEB_ID_SIZE + 1 < PATH_SIZE; i++)
        length += (size_t)snprintf(path + length, PATH_SIZE - length, from.at[i] == '*' ? "%s" : "%.1s",
                                   from.at[i] == '*' ? id : from.at + i);
}

static void ask_line(Span line, const char *id)
{
    Span method = {0}, path = {0};
    char method_text[16], path_text[PATH_SIZE];
    if (!span_next_word(&line, " ", &method) || !span_next_word(&line, " ", &path))
        return;
    (void)snprintf(method_text, sizeof method_text, "%.*s", SPAN_PRINT(method));
    expand(path, id, path_text);
    char *body = strndup(line.at, line.length);
    REQUIRE(body != NULL);
    ask(method_text, path_text, body);
    free(body);
}

// The session that lines are about.
static void make_session(char id[WEB_ID_SIZE])
{
    json_t *json = NULL;
    unsigned status =
        web_bench_ask(&bench, "POST", "/api/v1/sessions", "{\"game\": \"5x5:k=4\", \"moves\": \"c3 b2 d3\"}", &json);
    REQUIRE(status == 201);
    (void)snprintf(id, WEB_ID_SIZE, "%s", json_string_value(json_object_get(json, "id")));
    json_decref(json);
}

// Sessions end with an input. The board stays open, because opening it takes as long as dozens of requests, unless
// there were requests about what no request removes at once.
static void clean_up(void)
{
    web_sessions_tick(bench.context.sessions);
    web_sessions_clear(bench.context.sessions);
    if (is_worn)
        web_bench_close(&bench);
    is_open = !is_worn;
    is_worn = false;
}

FUZZ_TARGET(web)
{
    char id[WEB_ID_SIZE], path[PATH_SIZE];
    // A path with control characters or no UTF-8 never gets this far; the server refuses it.
    Span rest = {(const char *)data, size}, line = {0};
    if (memchr(data, 0, size) != NULL)
        return 0;
    fuzz_without_home();
    if (!is_open)
        web_bench_open(&bench, 0);
    is_open = true;
    make_session(id);
    for (unsigned i = 0; i < REQUESTS_MAX && span_next_part(&rest, '\n', &line); i++)
        ask_line(line, id);
    expand(span_of("/sessions/*"), id, path);
    ask("GET", path, "");
    clean_up();
    return 0;
}
