// Tests of games between two people through requests: seats, clocks, offers, files.
#include "base/clock.h"
#include "base/file.h"
#include "support/check.h"
#include "support/web_bench.h"
#include "web/friends/friends.h"
#include "web/friends/guesses.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOST, GUEST };

static WebBench bench;
static char folder[64];
static char id[WEB_TOKEN_SIZE], invitation[WEB_TOKEN_SIZE], keys[2][WEB_TOKEN_SIZE];

static void start(const char *where)
{
    Error error = {0};
    WebReach reach = {&bench.guard, 8484, NULL};
    assert_done(web_friends_start(bench.context.friends, &reach, where, &error), error);
}

static int open_bench(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/krow-friends-XXXXXX");
    web_bench_open(&bench, 0);
    if (mkdtemp(folder) == NULL)
        return -1;
    start(folder);
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    web_bench_close(&bench);
    DIR *files = opendir(folder);
    for (const struct dirent *entry = NULL; files != NULL && (entry = readdir(files)) != NULL;)
        (void)unlinkat(dirfd(files), entry->d_name, 0);
    if (files != NULL)
        (void)closedir(files);
    return rmdir(folder);
}

// Ends the server, and starts another one.
static void restart(void)
{
    web_bench_close(&bench);
    web_bench_open(&bench, 0);
    start(folder);
}

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

static void copy(char text[WEB_TOKEN_SIZE], const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    assert_non_null(value);
    (void)snprintf(text, WEB_TOKEN_SIZE, "%s", value);
}

// The key that the last answer set as a cookie, for this game alone.
static void take_key(char key[WEB_TOKEN_SIZE])
{
    char path[100];
    (void)snprintf(path, sizeof path, "Path=/api/v1/friends/%s; ", id);
    assert_int_equal(strncmp(bench.cookie, "krow_seat=", 10), 0);
    (void)snprintf(key, WEB_TOKEN_SIZE, "%.*s", WEB_TOKEN_SIZE - 1, bench.cookie + 10);
    assert_int_equal(strspn(key, "0123456789abcdef"), WEB_TOKEN_SIZE - 1);
    assert_non_null(strstr(bench.cookie, path));
    assert_non_null(strstr(bench.cookie, "HttpOnly; SameSite=Strict"));
}

static void invite(const char *body)
{
    bench.seat = NULL;
    json_t *state = ask("POST", "/api/v1/friends", body, 201);
    copy(id, state, "id");
    copy(invitation, state, "invitation");
    json_decref(state);
    take_key(keys[HOST]);
}

static const char *path_of(const char *action, char path[120])
{
    (void)snprintf(path, 120, "/api/v1/friends/%s%s%s", id, action[0] != '\0' ? "/" : "", action);
    return path;
}

static json_t *asks_with(const char *seat, const char *action, const char *body, unsigned status)
{
    char path[120];
    bench.seat = seat;
    return ask(body != NULL ? "POST" : "GET", path_of(action, path), body, status);
}

static json_t *present(const char *action, const char *secret, const char *name, unsigned status)
{
    char body[200];
    (void)snprintf(body, sizeof body, "{\"invitation\": \"%s\"%s%s%s}", secret, name != NULL ? ", \"name\": \"" : "",
                   name != NULL ? name : "", name != NULL ? "\"" : "");
    return asks_with(bench.seat, action, body, status);
}

static void join(void)
{
    bench.seat = NULL;
    json_decref(present("join", invitation, "Ben", 200));
    take_key(keys[GUEST]);
}

static void does(int player, const char *action, const char *body)
{
    json_decref(asks_with(keys[player], action, body, 200));
}

static void plays(int player, const char *cell)
{
    char body[40];
    (void)snprintf(body, sizeof body, "{\"cell\": \"%s\"}", cell);
    does(player, "play", body);
}

static void refuses(int player, const char *action, const char *body, unsigned status, const char *words)
{
    json_t *json = asks_with(keys[player], action, body, status);
    const char *error = json_string_value(json_object_get(json, "error"));
    if (error == NULL || strstr(error, words) == NULL)
        fail_msg("'%s' does not say '%s'", error != NULL ? error : "", words);
    json_decref(json);
}

// A value of the state as a player sees it, as JSON text. `name` may be "offers.draw".
static void assert_sees(int player, const char *name, const char *expected)
{
    json_t *state = asks_with(keys[player], "", NULL, 200), *value = state;
    Span rest = span_of(name), part = {0};
    while (span_next_part(&rest, '.', &part))
        value = json_object_getn(value, part.at, part.length);
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(text != NULL ? text : "", expected);
    free(text);
    json_decref(state);
}

static void begin(const char *body)
{
    invite(body);
    join();
}

static void test_invitation(void **state)
{
    (void)state;
    invite("{\"game\": \"gomoku\", \"side\": \"second\", \"name\": \" Ann \", \"clock\": {\"seconds\": 60}}");
    assert_sees(HOST, "stage", "\"waiting\"");
    assert_sees(HOST, "you", "null");
    refuses(HOST, "play", "{\"cell\": \"h8\"}", 409, "not here yet");
    bench.seat = NULL;
    json_t *offer = present("look", invitation, NULL, 200);
    assert_string_equal(json_string_value(json_object_get(offer, "host")), "Ann");
    assert_string_equal(json_string_value(json_object_get(offer, "side")), "first");
    assert_true(json_is_false(json_object_get(offer, "taken")));
    json_decref(offer);
    // The host's own browser does not take the other seat.
    bench.seat = keys[HOST];
    json_decref(present("join", invitation, "Ann", 200));
    assert_string_equal(bench.cookie, "");
    assert_sees(HOST, "stage", "\"waiting\"");
    // An answer that was lost on the way: the link still works, with a new key, until its key has been shown.
    join();
    char lost[WEB_TOKEN_SIZE];
    memcpy(lost, keys[GUEST], sizeof lost);
    join();
    json_decref(asks_with(lost, "", NULL, 403));
    assert_sees(GUEST, "you", "\"first\"");
    assert_sees(HOST, "you", "\"second\"");
    assert_sees(GUEST, "names", "{\"first\":\"Ben\",\"second\":\"Ann\"}");
    assert_sees(HOST, "invitation", "null");
    bench.seat = NULL;
    json_decref(present("join", invitation, "Eve", 409));
    bench.seat = keys[GUEST];
    json_decref(present("join", invitation, "Ben", 200));
    refuses(HOST, "cancel", "{}", 409, "has begun");
}

static void test_cancelling(void **state)
{
    (void)state;
    invite("{\"game\": \"gomoku\"}");
    json_decref(asks_with(keys[HOST], "cancel", "{}", 204));
    json_decref(asks_with(keys[HOST], "", NULL, 404));
    bench.seat = NULL;
    json_decref(present("look", invitation, NULL, 403));
    json_decref(ask("POST", "/api/v1/friends", "{\"game\": \"gomoku\", \"side\": \"both\"}", 400));
    json_decref(ask("POST", "/api/v1/friends", "{\"game\": \"nothing\"}", 400));
    json_decref(ask("POST", "/api/v1/friends", "{}", 400));
}

static void test_limits(void **state)
{
    (void)state;
    json_t *list = ask("GET", "/api/v1/friends", NULL, 200), *item = NULL;
    size_t waiting = 0, i = 0;
    json_array_foreach(json_object_get(list, "games"), i, item) waiting +=
        strcmp(json_string_value(json_object_get(item, "stage")), "waiting") == 0;
    size_t others = json_array_size(json_object_get(list, "games")) - waiting;
    json_decref(list);
    for (; waiting < WEB_INVITATIONS_MAX; waiting++)
        invite("{\"game\": \"tictactoe\"}");
    json_decref(ask("POST", "/api/v1/friends", "{\"game\": \"tictactoe\"}", 429));
    list = ask("GET", "/api/v1/friends", NULL, 200);
    assert_int_equal(json_array_size(json_object_get(list, "games")), others + waiting);
    json_array_foreach(json_object_get(list, "games"), i, item)
    {
        char path[120];
        (void)snprintf(path, sizeof path, "/api/v1/friends/%s", json_string_value(json_object_get(item, "id")));
        json_decref(ask("DELETE", path, NULL, 204));
        json_decref(ask("DELETE", path, NULL, 404));
    }
    json_decref(list);
}

static void test_guesses(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\"}");
    json_decref(asks_with(keys[GUEST], "", NULL, 200));
    bench.peer = "192.0.2.1";
    bench.seat = NULL;
    static const char wrong[] = "00000000000000000000000000000000";
    for (int i = 0; i < GUESSES_MAX; i++)
        json_decref(present("join", wrong, NULL, 403));
    json_decref(present("join", wrong, NULL, 429));
    json_decref(present("join", invitation, NULL, 429)); // not even the right one
    json_decref(asks_with(wrong, "", NULL, 429));
    json_decref(asks_with(keys[HOST], "", NULL, 200)); // who sits there plays on
    bench.peer = "192.0.2.2";
    bench.seat = NULL;
    json_decref(present("join", invitation, NULL, 409));
    bench.peer = NULL;
    Guesses guesses = {0};
    for (int i = 0; i < GUESSES_MAX; i++) {
        assert_true(guesses_may(&guesses, "a", 100));
        guesses_count(&guesses, "a", 100);
    }
    assert_false(guesses_may(&guesses, "a", 159));
    assert_true(guesses_may(&guesses, "b", 159));
    assert_true(guesses_may(&guesses, "a", 160));
    guesses_count(&guesses, "a", 160);
    assert_true(guesses_may(&guesses, "a", 160));
    // Many addresses: the oldest is forgotten.
    for (int i = 0; i < 2 * GUESSES_ADDRESSES; i++) {
        char peer[20];
        (void)snprintf(peer, sizeof peer, "%d", i);
        guesses_count(&guesses, peer, 200 + i);
    }
    assert_true(guesses_may(&guesses, "a", 400));
}

static void test_stones(void **state)
{
    (void)state;
    begin("{\"game\": \"connect6\", \"side\": \"first\"}");
    refuses(GUEST, "play", "{\"cell\": \"j10\"}", 409, "your friend");
    refuses(HOST, "play", "{}", 400, "a cell is required");
    plays(HOST, "j10");
    refuses(HOST, "play", "{\"cell\": \"a1\"}", 409, "your friend");
    refuses(GUEST, "play", "{\"cell\": \"j10\"}", 409, "j10 is taken");
    refuses(GUEST, "play", "{\"cell\": \"a1\", \"after\": 0}", 409, "has changed");
    does(GUEST, "play", "{\"cell\": \"a1\", \"after\": 1}");
    assert_sees(HOST, "turn", "\"second\"");
    plays(GUEST, "a2");
    assert_sees(HOST, "path", "[\"j10\",\"a1\",\"a2\"]");
    assert_sees(GUEST, "last", "[\"a1\",\"a2\"]");
    assert_sees(GUEST, "said", "\"White played a1, a2. Black to move, 2 stones.\"");
}

static void test_takeback(void **state)
{
    (void)state;
    begin("{\"game\": \"connect6\", \"side\": \"first\"}");
    assert_sees(HOST, "offers.takeback", "{\"by\":null,\"can\":false}");
    plays(HOST, "j10");
    assert_sees(GUEST, "offers.takeback", "{\"by\":null,\"can\":false}");
    does(HOST, "takeback", "{\"answer\": \"offer\"}");
    assert_sees(GUEST, "offers.takeback.by", "\"friend\"");
    refuses(HOST, "takeback", "{\"answer\": \"accept\"}", 409, "not open");
    does(GUEST, "takeback", "{\"answer\": \"accept\"}");
    assert_sees(HOST, "path", "[]");
    plays(HOST, "k10");
    plays(GUEST, "a1");
    // One stone of an unfinished turn.
    does(GUEST, "takeback", "{\"answer\": \"offer\"}");
    does(HOST, "takeback", "{\"answer\": \"accept\"}");
    assert_sees(HOST, "path", "[\"k10\"]");
    plays(GUEST, "a1");
    plays(GUEST, "a2");
    plays(HOST, "b1");
    // Everything since the player's last turn, an unfinished turn of the other included.
    does(GUEST, "takeback", "{\"answer\": \"offer\"}");
    does(HOST, "takeback", "{\"answer\": \"decline\"}");
    refuses(GUEST, "takeback", "{\"answer\": \"offer\"}", 409, "cannot offer");
    plays(HOST, "b2"); // now it may be asked again
    does(GUEST, "takeback", "{\"answer\": \"offer\"}");
    does(GUEST, "takeback", "{\"answer\": \"withdraw\"}");
    plays(GUEST, "c1");
    does(HOST, "takeback", "{\"answer\": \"offer\"}");
    plays(GUEST, "c2"); // withdraws it
    assert_sees(HOST, "offers.takeback.by", "null");
    refuses(GUEST, "takeback", "{\"answer\": \"accept\"}", 409, "not open");
    does(HOST, "takeback", "{\"answer\": \"offer\"}");
    does(GUEST, "takeback", "{\"answer\": \"accept\"}");
    assert_sees(HOST, "path", "[\"k10\",\"a1\",\"a2\"]");
    refuses(HOST, "takeback", "{\"answer\": \"maybe\"}", 400, "accept, decline");
}

static void test_ends(void **state)
{
    (void)state;
    begin("{\"game\": \"tictactoe\", \"side\": \"first\"}");
    refuses(HOST, "draw", "{\"answer\": \"offer\"}", 409, "cannot offer");
    refuses(HOST, "rematch", "{\"answer\": \"offer\"}", 409, "cannot offer");
    plays(HOST, "b2");
    does(HOST, "draw", "{\"answer\": \"offer\"}");
    does(GUEST, "draw", "{\"answer\": \"offer\"}"); // both offer: they agree
    assert_sees(HOST, "winner", "\"draw\"");
    assert_sees(HOST, "reason", "\"The players agreed to a draw.\"");
    assert_sees(GUEST, "yourself.points", "0.5");
    refuses(HOST, "resign", "{}", 409, "no game");
    refuses(HOST, "play", "{\"cell\": \"a1\"}", 409, "over");
    does(GUEST, "rematch", "{\"answer\": \"offer\"}");
    does(HOST, "rematch", "{\"answer\": \"accept\"}");
    assert_sees(HOST, "you", "\"second\"");
    assert_sees(HOST, "number", "2");
    plays(GUEST, "b2");
    does(GUEST, "resign", "{}");
    assert_sees(GUEST, "winner", "\"second\"");
    assert_sees(GUEST, "reason", "\"Black resigned.\"");
    assert_sees(GUEST, "friend.points", "1.5");
    json_t *file = asks_with(keys[GUEST], "export", NULL, 200);
    assert_non_null(strstr(json_string_value(file), "PB[Ben]"));
    assert_non_null(strstr(json_string_value(file), "RE[W+R"));
    json_decref(file);
    does(HOST, "rematch", "{\"answer\": \"offer\"}");
    does(GUEST, "rematch", "{\"answer\": \"accept\"}");
    static const char *const cells[] = {"a1", "a2", "b1", "b2", "c1"};
    for (int i = 0; i < 5; i++)
        plays(i % 2 == 0 ? HOST : GUEST, cells[i]);
    assert_sees(GUEST, "stage", "\"over\"");
    assert_sees(GUEST, "reason", "\"Black has 3 in a row.\"");
    assert_sees(GUEST, "line", "[\"a1\",\"b1\",\"c1\"]");
}

// The clock of a side, in milliseconds.
static int64_t clock_of(const char *side)
{
    json_t *state = asks_with(keys[HOST], "", NULL, 200);
    int64_t ms = json_integer_value(json_object_get(json_object_get(state, "clock"), side));
    json_decref(state);
    return ms;
}

static void test_clocks(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\", \"side\": \"first\", \"clock\": {\"seconds\": 300, \"increment\": 5}}");
    // The first turn takes no time, and gives none.
    clock_sleep(0.02);
    web_friends_tick(bench.context.friends);
    assert_sees(HOST, "clock.running", "null");
    plays(HOST, "h8");
    assert_int_equal(clock_of("first"), 300000);
    assert_sees(HOST, "clock.running", "\"second\"");
    clock_sleep(0.02);
    plays(GUEST, "a1");
    assert_in_range(clock_of("second"), 5001, 304980);
    assert_sees(HOST, "clock.running", "\"first\"");
    clock_sleep(0.02);
    assert_in_range(clock_of("first"), 1, 299980);
    // A takeback of the first turn stops the clocks, and sets none back.
    does(HOST, "takeback", "{\"answer\": \"offer\"}");
    does(GUEST, "takeback", "{\"answer\": \"accept\"}");
    assert_sees(HOST, "clock.running", "null");
    assert_in_range(clock_of("first"), 1, 299980);
    assert_in_range(clock_of("second"), 5001, 304980);
}

static void test_time_forfeit(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\", \"side\": \"first\", \"clock\": {\"seconds\": 1}}");
    plays(HOST, "h8");
    // Nobody is connected; the clock runs and ends the game.
    double late = clock_seconds() + 60;
    for (bool is_over = false; !is_over;) {
        assert_true(clock_seconds() < late);
        web_friends_tick(bench.context.friends);
        json_t *seen = asks_with(keys[HOST], "", NULL, 200);
        is_over = json_is_true(json_object_get(seen, "over"));
        json_decref(seen);
    }
    refuses(GUEST, "play", "{\"cell\": \"a2\"}", 409, "over");
    assert_sees(GUEST, "reason", "\"White ran out of time.\"");
    assert_sees(GUEST, "winner", "\"first\"");
    assert_sees(HOST, "yourself.points", "1.0");
    assert_int_equal(clock_of("second"), 0);
}

static void test_late_stone(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\", \"side\": \"first\", \"clock\": {\"seconds\": 1}}");
    plays(HOST, "h8");
    while (clock_of("second") > 0)
        clock_sleep(0.05);
    plays(GUEST, "a1"); // too late, although no tick has noticed it
    assert_sees(GUEST, "path", "[\"h8\"]");
    assert_sees(GUEST, "reason", "\"White ran out of time.\"");
}

static void test_restart(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\", \"side\": \"second\", \"name\": \"Ann\", \"clock\": {\"seconds\": 300, "
          "\"increment\": 3}}");
    plays(GUEST, "h8");
    plays(HOST, "a1");
    plays(GUEST, "h9");
    does(GUEST, "draw", "{\"answer\": \"offer\"}");
    char path[200];
    struct stat file;
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, id);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(stat(folder, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0700);
    restart();
    assert_sees(HOST, "path", "[\"h8\",\"a1\",\"h9\"]");
    assert_sees(HOST, "names", "{\"first\":\"Ben\",\"second\":\"Ann\"}");
    assert_sees(HOST, "offers.draw.by", "\"friend\"");
    assert_in_range(clock_of("second"), 290000, 303000);
    // The clock waits for the player to come back.
    web_friends_tick(bench.context.friends);
    assert_sees(HOST, "clock.running", "null");
    bench.seat = NULL;
    json_decref(present("join", invitation, NULL, 409));
    plays(HOST, "a2");
    assert_sees(GUEST, "path", "[\"h8\",\"a1\",\"h9\",\"a2\"]");
    does(HOST, "resign", "{}");
    restart();
    assert_sees(GUEST, "reason", "\"White resigned.\"");
    assert_sees(GUEST, "yourself.points", "1.0");
}

static void test_damaged_files(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\"}");
    static const char *const texts[] = {"", "{", "[]", "{\"format\": 1}", "{\"format\": 1, \"game\": \"gomoku\"}"};
    char path[200], good_id[WEB_TOKEN_SIZE];
    memcpy(good_id, id, sizeof id);
    Error error = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%zu.json", folder, i);
        assert_done(file_write(path, span_of(texts[i]), &error), error);
    }
    // A good game whose stones are not legal.
    Text text = {0};
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, id);
    assert_done(file_read(path, 1 << 20, &text, &error), error);
    json_t *object = json_loadb(text.data, text.length, 0, NULL);
    text_close(&text);
    json_object_set_new(object, "id", json_string("f"));
    json_object_set_new(object, "stones", json_pack("[s, s]", "h8", "h8"));
    json_object_set_new(object, "ms", json_pack("[i, i]", 1, 1));
    char *bad = json_dumps(object, 0);
    (void)snprintf(path, sizeof path, "%s/f.json", folder);
    assert_done(file_write(path, span_of(bad), &error), error);
    free(bad);
    json_decref(object);
    restart();
    json_t *list = ask("GET", "/api/v1/friends", NULL, 200), *item = NULL;
    size_t i = 0, found = 0;
    json_array_foreach(json_object_get(list, "games"), i, item)
    {
        const char *name = json_string_value(json_object_get(item, "id"));
        assert_int_equal(strlen(name), WEB_TOKEN_SIZE - 1);
        found += strcmp(name, good_id) == 0;
    }
    assert_int_equal(found, 1);
    json_decref(list);
    // A second server does not write into the same folder.
    WebFriends *other = web_friends_open();
    WebReach reach = {&bench.guard, 8484, NULL};
    assert_int_equal(web_friends_start(other, &reach, folder, &error), STATUS_IO);
    assert_non_null(strstr(error.text, "in use by another"));
    web_friends_close(other);
}

// Changes a number in the file of the game, as if it had been stored then.
static void age(const char *name, int64_t value)
{
    char path[200];
    Text text = {0};
    Error error = {0};
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, id);
    assert_done(file_read(path, 1 << 20, &text, &error), error);
    json_t *object = json_loadb(text.data, text.length, 0, NULL);
    text_close(&text);
    assert_true(json_is_integer(json_object_get(object, name)));
    json_object_set_new(object, name, json_integer(value));
    char *changed = json_dumps(object, 0);
    assert_done(file_write_private(path, span_of(changed), &error), error);
    free(changed);
    json_decref(object);
}

static void test_expiry(void **state)
{
    (void)state;
    static const int64_t hour = INT64_C(3600) * 1000;
    int64_t now = clock_unix_ms();
    invite("{\"game\": \"gomoku\"}");
    web_friends_tick(bench.context.friends);
    assert_sees(HOST, "stage", "\"waiting\"");
    age("created", now - INT64_C(25) * hour);
    restart();
    web_friends_tick(bench.context.friends);
    json_decref(asks_with(keys[HOST], "", NULL, 404));
    restart(); // its file has gone, too
    json_decref(asks_with(keys[HOST], "", NULL, 404));
    begin("{\"game\": \"gomoku\"}");
    age("used", now - INT64_C(29) * 24 * hour);
    restart();
    web_friends_tick(bench.context.friends);
    does(HOST, "resign", "{}");
    age("used", now - INT64_C(8) * 24 * hour);
    restart();
    web_friends_tick(bench.context.friends);
    json_decref(asks_with(keys[HOST], "", NULL, 404));
}

// With the largest number of games, a finished one makes room; one in play does not.
static void test_most_games(void **state)
{
    (void)state;
    WebFriends *stored = bench.context.friends;
    bench.context.friends = web_friends_open();
    const WebReach reach = {&bench.guard, 8484, NULL};
    assert_int_equal(web_friends_start(bench.context.friends, &reach, NULL, NULL), STATUS_OK);
    for (int i = 0; i < WEB_FRIENDS_MAX; i++)
        begin("{\"game\": \"tictactoe\"}");
    bench.seat = NULL;
    json_decref(ask("POST", "/api/v1/friends", "{\"game\": \"tictactoe\"}", 429));
    does(HOST, "resign", "{}");
    char finished[WEB_TOKEN_SIZE], key[WEB_TOKEN_SIZE];
    memcpy(finished, id, sizeof finished);
    memcpy(key, keys[HOST], sizeof key);
    invite("{\"game\": \"tictactoe\"}");
    memcpy(id, finished, sizeof id);
    json_decref(asks_with(key, "", NULL, 404));
    web_friends_close(bench.context.friends);
    bench.context.friends = stored;
}

// What a seat may reach; every other route must need the token.
static bool is_for_seats(const WebRoute *route)
{
    static const char *const allowed[] = {
        "POST /friends/{id}/look",     "POST /friends/{id}/join",  "POST /friends/{id}/cancel",
        "GET /friends/{id}",           "GET /friends/{id}/events", "POST /friends/{id}/play",
        "POST /friends/{id}/takeback", "POST /friends/{id}/draw",  "POST /friends/{id}/rematch",
        "POST /friends/{id}/resign",   "GET /friends/{id}/export"};
    char name[100];
    (void)snprintf(name, sizeof name, "%s %s", route->method, route->path);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (strcmp(allowed[i], name) == 0)
            return true;
    return false;
}

// A valid body of an action.
static const char *body_of(const char *action)
{
    if (strcmp(action, "/look") == 0 || strcmp(action, "/join") == 0)
        return "{\"invitation\": \"0\"}";
    if (strcmp(action, "/play") == 0)
        return "{\"cell\": \"h8\"}";
    return strcmp(action, "/cancel") == 0 || strcmp(action, "/resign") == 0 ? "{}" : "{\"answer\": \"offer\"}";
}

// Every route of the program with a seat in another game, as other machines reach it: none answers but with a refusal.
static void test_every_route(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\"}");
    char seat[WEB_TOKEN_SIZE];
    memcpy(seat, keys[GUEST], sizeof seat);
    invite("{\"game\": \"gomoku\"}");
    WebGuard open;
    Error error = {0};
    assert_done(web_guard_open(&open, "0.0.0.0", &error), error);
    unsigned count = 0;
    for (const WebRoute *const *table = web_route_tables; *table != NULL; table++)
        for (const WebRoute *route = *table; route->method != NULL; route++, count++) {
            WebHeaders headers = {.method = route->method,
                                  .path = "/api/v1",
                                  .host = "192.168.1.5:8484",
                                  .type = "application/json",
                                  .is_open = (route->flags & WEB_SEAT) != 0};
            WebVerdict verdict = web_guard_check(&open, &headers);
            bool is_open = verdict.status != 401;
            if (is_open != is_for_seats(route))
                fail_msg("%s %s with a seat: %u", route->method, route->path, verdict.status);
            if (!is_open)
                continue;
            char path[120];
            json_t *json = NULL;
            const char *action = strrchr(route->path, '}') + 1;
            (void)snprintf(path, sizeof path, "/api/v1/friends/%s%s", id, action);
            char peer[20];
            (void)snprintf(peer, sizeof peer, "%u", count);
            bench.seat = seat;
            bench.peer = peer;
            const char *sent = strcmp(route->method, "POST") == 0 ? body_of(action) : NULL;
            unsigned status = web_bench_ask(&bench, route->method, path, sent, &json);
            json_decref(json);
            if (status != 403)
                fail_msg("%s %s with the seat of another game: %u", route->method, route->path, status);
            bench.seat = NULL;
            status = web_bench_ask(&bench, route->method, path, sent, &json);
            json_decref(json);
            if (status != 401 && status != 403)
                fail_msg("%s %s without a seat: %u", route->method, route->path, status);
        }
    bench.peer = NULL;
    assert_true(count > 60);
}

static void test_starting(void **state)
{
    (void)state;
    begin("{\"game\": \"gomoku\"}");
    WebFriends *started = bench.context.friends;
    bench.context.friends = web_friends_open();
    json_decref(asks_with(keys[HOST], "", NULL, 503)); // not 404: the page would give the game up
    web_friends_close(bench.context.friends);
    bench.context.friends = started;
}

TEST_GROUP(web_friends)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invitation),   cmocka_unit_test(test_cancelling), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_guesses),      cmocka_unit_test(test_stones),     cmocka_unit_test(test_takeback),
        cmocka_unit_test(test_ends),         cmocka_unit_test(test_clocks),     cmocka_unit_test(test_late_stone),
        cmocka_unit_test(test_time_forfeit), cmocka_unit_test(test_restart),    cmocka_unit_test(test_damaged_files),
        cmocka_unit_test(test_every_route),  cmocka_unit_test(test_starting),   cmocka_unit_test(test_expiry),
        cmocka_unit_test(test_most_games),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
