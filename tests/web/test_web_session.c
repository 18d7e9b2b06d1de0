// Tests of games of the web board through requests.
#include "support/check.h"
#include "support/web_bench.h"
#include "web/http/pool.h"
#include "web/session/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static WebBench bench;
static char session_id[WEB_ID_SIZE];

static int open_bench(void **state)
{
    (void)state;
    web_bench_open(&bench, 0);
    return 0;
}

static int open_bench_with_threads(void **state)
{
    (void)state;
    web_bench_open(&bench, 3);
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    web_bench_close(&bench);
    return 0;
}

// The answer to a request, which must have this status. To be released.
static json_t *ask(const char *method, const char *path, const char *body, unsigned status)
{
    json_t *json = NULL;
    unsigned reported = web_bench_ask(&bench, method, path, body, &json);
    if (reported != status) {
        char *text = json_dumps(json, 0);
        print_message("%s %s %s: %s\n", method, path, body != NULL ? body : "", text != NULL ? text : "");
        free(text);
    }
    assert_int_equal(reported, status);
    return json;
}

static const char *path_of(const char *action, char path[160])
{
    (void)snprintf(path, 160, "/api/v1/sessions/%s%s%s", session_id, action[0] != '\0' ? "/" : "", action);
    return path;
}

// Creates a session, which the following requests use.
static void create(const char *body)
{
    json_t *state = ask("POST", "/api/v1/sessions", body, 201);
    (void)snprintf(session_id, sizeof session_id, "%s", json_string_value(json_object_get(state, "id")));
    json_decref(state);
}

static json_t *act(const char *action, const char *body, unsigned status)
{
    char path[160];
    return ask("POST", path_of(action, path), body, status);
}

static void does(const char *action, const char *body)
{
    json_decref(act(action, body, 200));
}

static void refuses(const char *action, const char *body, unsigned status, const char *words)
{
    json_t *json = act(action, body, status);
    const char *error = json_string_value(json_object_get(json, "error"));
    if (error == NULL || strstr(error, words) == NULL)
        fail_msg("'%s' does not say '%s'", error != NULL ? error : "", words);
    json_decref(json);
}

static json_t *state_now(void)
{
    char path[160];
    return ask("GET", path_of("", path), NULL, 200);
}

// The cells that lead to the current node.
static void assert_path(const char *expected)
{
    json_t *state = state_now(), *cell = NULL;
    char path[400] = "";
    size_t i = 0;
    json_array_foreach(json_object_get(state, "path"), i, cell)
    {
        (void)strcat(path, i > 0 ? " " : "");
        (void)strcat(path, json_string_value(cell));
    }
    assert_string_equal(path, expected);
    json_decref(state);
}

// A value of the state, as JSON text.
static void assert_value(const char *name, const char *expected)
{
    json_t *state = state_now();
    char *text = json_dumps(json_object_get(state, name), JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text != NULL ? text : "", expected);
    free(text);
    json_decref(state);
}

static void test_playing(void **unused)
{
    (void)unused;
    create("{\"game\": \"tictactoe\"}");
    assert_value("said", "\"No stones yet. Black opens with 1 stone.\"");
    does("play", "{\"cell\": \"b2\"}");
    refuses("play", "{\"cell\": \"b2\"}", 409, "b2 is taken.");
    refuses("play", "{\"cell\": \"d4\"}", 400, "d4");
    refuses("play", "{\"column\": 1}", 400, "gravity game");
    refuses("play", "{}", 400, "a cell is required");
    refuses("play", "{\"cell\": \"a1\", \"bogus\": 1}", 400, "bogus");
    does("play", "{\"cell\": \"a1\"}");
    assert_path("b2 a1");
    assert_value("said", "\"White played a1. Black to move.\"");
    assert_value("last", "[\"a1\"]");
    does("undo", "{}");
    assert_path("b2");
    assert_value("said", "\"1 stone taken back. White to move.\"");
    does("redo", "{}");
    assert_path("b2 a1");
    refuses("redo", "{}", 409, "nothing to play again");
    does("play", "{\"cell\": \"c2\"}");
    does("play", "{\"cell\": \"a2\"}");
    does("play", "{\"cell\": \"c3\"}");
    does("play", "{\"cell\": \"a3\"}");
    assert_value("over", "true");
    assert_value("winner", "\"second\"");
    assert_value("line", "[\"a1\",\"a2\",\"a3\"]");
    assert_value("reason", "\"White has 3 in a row.\"");
    assert_value("legal", "[]");
    refuses("play", "{\"cell\": \"b1\"}", 409, "over");
    refuses("resign", "{}", 409, "over");
    does("new", "{\"swap\": true}");
    assert_path("");
    refuses("undo", "{}", 409, "nothing to take back");
}

static void test_tree(void **unused)
{
    (void)unused;
    create("{\"game\": \"gomoku\", \"moves\": \"h8 i9 h9\"}");
    does("goto", "{\"node\": 1}");
    does("play", "{\"cell\": \"a1\"}"); // node 4
    assert_path("h8 a1");
    does("promote", "{\"node\": 4}");
    does("comment", "{\"node\": 4, \"text\": \"why not\"}");
    json_t *state = state_now(), *nodes = json_object_get(state, "nodes"), *last = json_array_get(nodes, 3);
    assert_int_equal(json_array_size(nodes), 4);
    assert_true(json_is_true(json_object_get(last, "main")));
    assert_string_equal(json_string_value(json_object_get(last, "comment")), "why not");
    assert_string_equal(json_string_value(json_object_get(last, "side")), "second");
    assert_int_equal(json_integer_value(json_object_get(last, "ply")), 2);
    assert_false(json_is_true(json_object_get(json_array_get(nodes, 1), "main")));
    json_decref(state);
    does("play", "{\"node\": 3, \"cell\": \"b2\"}");
    assert_path("h8 i9 h9 b2");
    does("delete", "{\"node\": 2}");
    assert_path("h8");
    refuses("goto", "{\"node\": 3}", 404, "not have this stone");
    refuses("goto", "{\"node\": 99}", 404, "not have this stone");
    refuses("delete", "{\"node\": 0}", 400, "cannot be deleted");
    refuses("delete", "{}", 400, "missing");
    does("goto", "{\"node\": null}");
    assert_value("current", "null");
}

static void test_several_stones(void **unused)
{
    (void)unused;
    create("{\"game\": \"connect6\"}");
    static const char *const cells[] = {"j10", "a1", "b2", "k10"};
    for (size_t i = 0; i < 4; i++) {
        char body[40];
        (void)snprintf(body, sizeof body, "{\"cell\": \"%s\"}", cells[i]);
        does("play", body);
    }
    assert_value("stones_left", "1");
    assert_value("turn", "\"first\"");
    assert_value("said", "\"Black played k10. Black to move, 1 stone.\"");
    does("undo", "{}"); // a stone of the current turn
    assert_path("j10 a1 b2");
    does("undo", "{}"); // a whole turn
    assert_path("j10");
    json_t *state = state_now(), *nodes = json_object_get(state, "nodes");
    static const int plies[] = {1, 2, 2, 3};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(nodes, i), "ply")), plies[i]);
    json_decref(state);
}

static void test_gravity(void **unused)
{
    (void)unused;
    create("{\"game\": \"connect4\", \"moves\": \"444444\"}");
    assert_value("legal", "[\"a1\",\"b1\",\"c1\",\"e1\",\"f1\",\"g1\"]");
    refuses("play", "{\"column\": 4}", 409, "full");
    refuses("play", "{\"column\": 8}", 400, "column");
    refuses("play", "{\"cell\": \"a2\"}", 409, "a2");
    does("play", "{\"column\": 1}");
    assert_value("said", "\"Red played a1. Yellow to move.\"");
}

static void test_ends(void **unused)
{
    (void)unused;
    create("{\"game\": \"gomoku\", \"moves\": \"h8\"}");
    does("resign", "{}");
    assert_value("winner", "\"first\"");
    assert_value("reason", "\"White resigned.\"");
    refuses("play", "{\"cell\": \"a1\"}", 409, "over");
    does("undo", "{}");
    assert_value("over", "false"); // it ended there, and nowhere else
    does("redo", "{}");
    assert_value("over", "true");
    does("edit", "{\"board\": \"X . .\\n. O .\\n. . .\", \"turn\": \"X 1\", \"game\": \"tictactoe\"}");
    assert_value("rows", "[\"X..\",\".O.\",\"...\"]");
    assert_value("turn", "\"first\"");
    refuses("edit", "{\"board\": \"X . .\\n. Z .\\n. . .\"}", 400, "line 2");
    assert_value("rows", "[\"X..\",\".O.\",\"...\"]");
}

static void test_settings(void **unused)
{
    (void)unused;
    create("{\"game\": \"gomoku\", \"clock\": {\"seconds\": 60, \"increment\": 2}, \"sides\": {\"second\": {\"kind\": "
           "\"level\", \"level\": 3}}}");
    json_t *state = state_now(), *clock = json_object_get(state, "clock");
    assert_in_range(json_integer_value(json_object_get(clock, "first")), 1, 60000);
    assert_int_equal(json_integer_value(json_object_get(clock, "second")), 60000);
    assert_int_equal(json_integer_value(json_object_get(clock, "increment")), 2000);
    json_decref(state);
    assert_value("sides", "{\"first\":{\"kind\":\"person\"},\"second\":{\"kind\":\"level\",\"level\":3}}");
    refuses("settings", "{\"sides\": {\"first\": {\"kind\": \"level\", \"level\": 11}}}", 400, "level");
    refuses("settings", "{\"sides\": {\"first\": {\"kind\": \"god\"}}}", 400, "kind");
    refuses("settings", "{\"sides\": {\"first\": {\"kind\": \"agent\", \"agent\": \"exec:sh\"}}}", 403, "exec");
    refuses("settings", "{\"time\": 1000}", 400, "time");
    refuses("settings", "{\"clock\": {\"increment\": 1}}", 400, "seconds");
    assert_value("sides", "{\"first\":{\"kind\":\"person\"},\"second\":{\"kind\":\"level\",\"level\":3}}");
    does("settings", "{\"clock\": null, \"sides\": {\"first\": {\"kind\": \"agent\", \"agent\": \"random\"}}}");
    assert_value("clock", "null");
    does("new", "{\"swap\": true}");
    assert_value("sides",
                 "{\"first\":{\"kind\":\"level\",\"level\":3},\"second\":{\"agent\":\"random\",\"kind\":\"agent\"}}");
    // Players that cannot play other rules.
    refuses("new", "{\"game\": \"tictactoe\", \"sides\": {\"second\": {\"kind\": \"level\", \"level\": 9}}}", 400,
            "level");
}

static void test_files(void **unused)
{
    (void)unused;
    create("{\"game\": \"gomoku\"}");
    does("import",
         "{\"text\": "
         "\"(;GM[4]SZ[15]PB[Ada]PW[Bob]C[first];B[hh]C[a\\\\]b]XX[1];W[ii](;B[gg];W[ff](;B[aa])(;B[bb](;W[cc])(;"
         "W[dd])))(;B[jj]KV[1.5 0.25 loss 8 12 h8 i9])(;W[kk]))\"}");
    assert_path("h8 i7 g9 f10 a15");
    assert_value("names", "{\"first\":\"Ada\",\"second\":\"Bob\"}");
    char path[160];
    json_t *text = ask("GET", path_of("export?format=sgf", path), NULL, 200), *state = state_now();
    const char *sgf = json_string_value(text);
    assert_non_null(strstr(sgf, "C[first]"));
    assert_non_null(strstr(sgf, ";B[hh]C[a\\]b]XX[1]"));
    assert_non_null(strstr(sgf, "(;B[jj]KV[1.5 0.2500 loss 8 12 h8 i9])"));
    assert_non_null(strstr(sgf, "(;B[bb](;W[cc])(;W[dd]))"));
    // What was written is read as the same tree.
    json_t *body = json_pack("{s:s}", "text", sgf);
    char *again = json_dumps(body, 0);
    does("import", again);
    json_t *same = state_now();
    assert_true(json_equal(json_object_get(state, "nodes"), json_object_get(same, "nodes")));
    assert_int_equal(json_array_size(json_object_get(same, "nodes")), 9);
    free(again);
    json_decref(body);
    json_decref(text);
    json_decref(state);
    json_decref(same);
    refuses("import", "{\"text\": \"(;GM[4]SZ[15];B[hh]\\n;W[hh])\"}", 400, "Line 2");
    refuses("import", "{\"text\": \"hello\"}", 400, "format");
    refuses("import", "{\"text\": \"x\", \"format\": \"doc\"}", 400, "no format");
    refuses("import", "{}", 400, "missing");
    json_decref(ask("GET", path_of("export?format=c6", path), NULL, 409));
    json_decref(ask("GET", path_of("export?format=nothing", path), NULL, 400));
    json_decref(ask("GET", path_of("export?path=/etc/passwd", path), NULL, 400));
}

// Variations in variations, as deep as a board: written and read without a stack as deep.
static void test_deep_variations(void **unused)
{
    (void)unused;
    Rules rules = rules_of("64x64:k=64");
    WebSession *session = NULL;
    assert_int_equal(web_sessions_add(bench.context.sessions, &bench.context, &session, NULL), STATUS_OK);
    Board root;
    board_init(&root, &rules);
    (void)pthread_mutex_lock(&session->lock);
    web_session_start(session, &root);
    WebNodeId at = 0, beside = 0;
    for (unsigned i = 0; i < 2000; i++) {
        assert_int_equal(web_tree_play(&session->tree, at, cell_at(2 * i % 64, 2 * i / 64), &beside, NULL), STATUS_OK);
        assert_int_equal(web_tree_play(&session->tree, at, cell_at((2 * i + 1) % 64, 2 * i / 64), &at, NULL),
                         STATUS_OK);
    }
    GameRecord record = {0}, copy = {0};
    Error error = {0};
    assert_done(web_files_record(session, &record, &error), error);
    assert_done(web_files_open(session, &record, &error), error);
    assert_int_equal(session->tree.there, 4000);
    assert_done(web_files_record(session, &copy, &error), error);
    assert_int_equal(copy.branches.length, record.branches.length);
    assert_memory_equal(copy.branches.data, record.branches.data, record.branches.length);
    record_close(&record);
    record_close(&copy);
    web_session_leave(session);
}

static void test_missing(void **unused)
{
    (void)unused;
    (void)snprintf(session_id, sizeof session_id, "missing");
    char path[160];
    for (const WebRoute *const *table = web_route_tables; *table != NULL; table++)
        for (const WebRoute *route = *table; route->method != NULL; route++) {
            static const char prefix[] = "/sessions/{id}";
            if (strncmp(route->path, prefix, sizeof prefix - 1) != 0)
                continue;
            const char *action = route->path + sizeof prefix - 1;
            const char *body = strstr(action, "import") != NULL ? "{\"text\": \"4453\", \"format\": \"digits\"}" : "{}";
            json_decref(ask(route->method, path_of(action[0] == '/' ? action + 1 : action, path), body, 404));
        }
    create("{\"game\": \"gomoku\"}");
    json_decref(ask("DELETE", path_of("", path), NULL, 204));
    json_decref(ask("GET", path_of("", path), NULL, 404));
}

// If there are too many sessions, the least recently used one is removed.
static void test_limit(void **unused)
{
    (void)unused;
    create("{\"game\": \"tictactoe\"}");
    char kept[WEB_ID_SIZE], path[160];
    memcpy(kept, session_id, sizeof kept);
    create("{\"game\": \"tictactoe\"}");
    char gone[WEB_ID_SIZE];
    memcpy(gone, session_id, sizeof gone);
    for (unsigned i = web_sessions_count(bench.context.sessions); i < WEB_SESSIONS_MAX; i++)
        create("{\"game\": \"tictactoe\"}");
    memcpy(session_id, kept, sizeof kept);
    json_decref(state_now());
    // Everything that was there before goes first.
    for (unsigned i = 0; i < WEB_SESSIONS_MAX - 1; i++)
        create("{\"game\": \"tictactoe\"}");
    assert_int_equal(web_sessions_count(bench.context.sessions), WEB_SESSIONS_MAX);
    memcpy(session_id, gone, sizeof gone);
    json_decref(ask("GET", path_of("", path), NULL, 404));
    memcpy(session_id, kept, sizeof kept);
    json_decref(state_now());
}

// Waits for other threads.
static json_t *wait_until(bool (*is_done)(const json_t *state))
{
    for (;;) {
        json_t *state = state_now();
        if (is_done(state))
            return state;
        json_decref(state);
        (void)usleep(1000);
    }
}

static bool is_over(const json_t *state)
{
    return json_is_true(json_object_get(state, "over"));
}

static bool is_persons_turn(const json_t *state)
{
    return json_array_size(json_object_get(state, "path")) == 2;
}

static bool is_scanned(const json_t *state)
{
    const json_t *scan = json_object_get(state, "scan");
    return json_is_object(scan) && json_is_false(json_object_get(scan, "running"));
}

static void test_agents(void **unused)
{
    (void)unused;
    create("{\"game\": \"tictactoe\", \"sides\": {\"first\": {\"kind\": \"agent\", \"agent\": \"engine\"}, \"second\": "
           "{\"kind\": \"agent\", \"agent\": \"perfect\"}}}");
    json_t *state = wait_until(is_over);
    assert_string_equal(json_string_value(json_object_get(state, "winner")), "draw");
    json_decref(state);
    does("new", "{\"sides\": {\"first\": {\"kind\": \"person\"}}}");
    does("play", "{\"cell\": \"b2\"}");
    json_decref(wait_until(is_persons_turn));
    does("undo", "{}"); // the agent's turn and one's own
    assert_path("");
    does("redo", "{}");
    state = state_now();
    assert_int_equal(json_array_size(json_object_get(state, "path")), 2);
    json_decref(state);
}

static void test_scan(void **unused)
{
    (void)unused;
    // O does not block: X had won already, and wins.
    create("{\"game\": \"5x5:k=4\", \"moves\": \"b2 a5 c2 a4 d2 e5 e2\"}");
    does("scan", "{}");
    json_t *state = wait_until(is_scanned), *scan = json_object_get(state, "scan");
    json_t *points = json_object_get(scan, "points");
    assert_int_equal(json_array_size(points), 8);
    assert_int_equal(json_integer_value(json_object_get(scan, "done")), 8);
    // Before the last stone the first side wins, proven.
    assert_string_equal(json_string_value(json_object_get(json_array_get(points, 6), "proven")), "win");
    assert_string_equal(json_string_value(json_object_get(json_array_get(points, 7), "proven")), "loss");
    assert_true(json_object_get(json_array_get(json_object_get(state, "nodes"), 5), "eval") != NULL);
    json_decref(state);
}

static void test_insight(void **unused)
{
    (void)unused;
    char path[160];
    create("{\"game\": \"gomoku\", \"moves\": \"h8 a1 h9 a3 h10 a5\"}");
    json_t *threats = ask("GET", path_of("threats", path), NULL, 200);
    json_t *first = json_object_get(threats, "first");
    assert_int_equal(json_array_size(json_object_get(first, "windows")), 0); // a three threatens nothing at once
    json_t *three = json_array_get(json_object_get(first, "rows"), 0);
    assert_string_equal(json_string_value(json_object_get(three, "name")), "open three");
    json_decref(threats);
    json_t *hint = act("hint", "{}", 200);
    assert_string_equal(json_string_value(json_object_get(hint, "proven")), "win");
    json_decref(hint);
    json_t *forced = ask("GET", path_of("forced", path), NULL, 200);
    assert_string_equal(json_string_value(json_object_get(forced, "side")), "first");
    assert_true(json_is_object(json_object_get(forced, "forced")));
    assert_true(json_is_null(json_object_get(forced, "lost")));
    json_decref(forced);
    // An open four and a stone elsewhere: the next stone completes the row.
    forced = ask("GET", path_of("forced?after=h11,o1", path), NULL, 200);
    assert_int_equal(json_integer_value(json_object_get(forced, "turns")), 1);
    json_t *line = json_array_get(json_object_get(forced, "lines"), 0);
    assert_string_equal(json_string_value(json_object_get(line, "proven")), "win");
    json_decref(forced);
    json_decref(ask("GET", path_of("forced?after=h8", path), NULL, 400));
    json_decref(ask("GET", path_of("forced?after=h11,o1,h12", path), NULL, 409));
    json_decref(ask("GET", path_of("threats?node=99", path), NULL, 404));
    json_decref(ask("GET", path_of("threats?node=x", path), NULL, 400));
    json_decref(ask("GET", path_of("threats?bogus=1", path), NULL, 400));
    does("analysis", "{\"on\": true, \"lines\": 2, \"cells\": true}");
    refuses("analysis", "{\"lines\": 9}", 400, "lines");
    does("goto", "{\"node\": 3}");
    does("analysis", "{\"on\": false}");
}

// How many answers the side to move has that are all refuted; -1: it is not lost in that way.
static int refuted_answers(const char *game, const char *moves)
{
    char body[400], path[160];
    (void)snprintf(body, sizeof body, "{\"game\": \"%s\", \"moves\": \"%s\"}", game, moves);
    create(body);
    json_t *forced = ask("GET", path_of("forced", path), NULL, 200), *lost = json_object_get(forced, "lost");
    json_t *answers = json_object_get(lost, "answers"), *answer = NULL;
    size_t i = 0;
    json_array_foreach(answers, i, answer)
        assert_true(json_array_size(json_object_get(json_object_get(answer, "then"), "turn")) > 0);
    int count = json_is_null(lost) ? -1 : (int)json_array_size(answers);
    json_decref(forced);
    return count;
}

static void test_lost(void **unused)
{
    (void)unused;
    // Three windows of Black that two stones stop in four ways, none of which helps.
    assert_int_equal(refuted_answers("connect6", "i9 h9 h10 j10 j11 i10 i11 g9 h8 g8 k11 h11 i7 f10 k12 k13 j12 j13 i8 "
                                                 "j6 j7"),
                     4);
    // A four with one end, and an open three beside it; then the same four alone.
    assert_int_equal(refuted_answers("gomoku", "a8 o1 b8 o3 c8 o5 h9 o7 h10 o9 h11 o11 d8"), 1);
    assert_int_equal(refuted_answers("gomoku", "a8 o1 b8 o3 c8 o5 d8"), -1);
    // Two answers, of which the first loses and the second wins.
    assert_int_equal(refuted_answers("9x9:k=5,p=2,q=1", "c6 d6 c4 g4 f2 e7 h2 h6 h8 g5 e2 h5 g6 f5 e8 g2 d5"), -1);
    // Neither a threat, nor a win of the side to move, is a loss.
    assert_int_equal(refuted_answers("gomoku", "h8 i9"), -1);
    assert_int_equal(refuted_answers("gomoku", "a8 o1 b8 o2 c8 o3 h9 o4 d8"), -1);
}

// A separate bench for each test.
#define ALONE(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)
#define WITH_THREADS(test) cmocka_unit_test_setup_teardown(test, open_bench_with_threads, close_bench)

TEST_GROUP(web_session)
{
    const struct CMUnitTest tests[] = {
        ALONE(test_playing),        ALONE(test_tree),        ALONE(test_several_stones), ALONE(test_gravity),
        ALONE(test_ends),           ALONE(test_settings),    ALONE(test_files),          ALONE(test_deep_variations),
        ALONE(test_missing),        ALONE(test_limit),       WITH_THREADS(test_agents),  WITH_THREADS(test_scan),
        WITH_THREADS(test_insight), WITH_THREADS(test_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
