// Tests of the library of the web board: requests compared with the content of the database.
#include "support/lab.h"
#include "support/web.h"

#include "store/db/database_books.h"
#include "store/db/database_internal.h"
#include "store/db/database_patterns.h"
#include "web/lab/explore.h"
#include "web/lab/library.h"
#include "web/saves/saves.h"
#include "web/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GAMES = 30 };

static char path[LAB_PATH_SIZE];

static WebContext context_of(void)
{
    return (WebContext){.db = lab_path(path, "krow.db")};
}

static void fill(void)
{
    Database *db = lab_open();
    Error error = {0};
    int64_t match = lab_begin(db, "tictactoe", "one");
    for (int64_t i = 0; i < GAMES; i++)
        assert_done(lab_add(db, match, i, &error), error);
    lab_import(db, "file",
               "# krow game\ngame 5x5:k=4\nfirst Ann\nsecond Bob\nstones a1 b1 a2 b2 a3 b3 a4\nresult first\n", 1, 0);
    database_close(db);
}

// --- Games ---

static void test_games(void **state)
{
    (void)state;
    fill();
    WebContext context = context_of();
    json_t *all = web_get(&context, "/games", NULL);
    assert_int_equal(web_int(all, "total"), GAMES + 1);
    assert_true(json_is_true(web_at(all, "complete")) && json_is_null(web_at(all, "next")));
    assert_string_equal(web_text(all, "games.0.first"), "Ann");
    assert_string_equal(web_text(all, "games.0.game"), "5x5:k=4");
    assert_string_equal(web_text(all, "games.0.winner"), "first");
    assert_int_equal(web_int(all, "games.0.stones"), 7);
    assert_true(json_is_null(web_at(all, "games.0.match")));
    assert_int_equal(web_int(all, "games.1.match"), 1);
    assert_int_equal(web_int(all, "games.1.number"), GAMES - 1);
    json_decref(all);

    // Two pages, by `before`.
    json_t *page = web_get(&context, "/games", "game=tictactoe&limit=20");
    assert_int_equal(json_array_size(web_at(page, "games")), 20);
    assert_int_equal(web_int(page, "total"), GAMES);
    char query[64];
    (void)snprintf(query, sizeof query, "game=tictactoe&limit=20&before=%lld", (long long)web_int(page, "next"));
    json_decref(page);
    page = web_get(&context, "/games", query);
    assert_int_equal(json_array_size(web_at(page, "games")), GAMES - 20);
    json_decref(page);

    page = web_get(&context, "/games", "agent=Bob&result=first&origin=imported");
    assert_int_equal(web_int(page, "total"), 1);
    json_decref(page);
    page = web_get(&context, "/games", "agent=' OR ''='");
    assert_int_equal(web_int(page, "total"), 0);
    json_decref(page);
    page = web_get(&context, "/games", "match=1&result=draw");
    int64_t draws = web_int(page, "total");
    json_decref(page);
    assert_true(draws > 0 && draws < GAMES);
}

static void test_positions(void **state)
{
    (void)state;
    fill();
    WebContext context = context_of();
    // All corners are one position, unless that is not wanted.
    int64_t corners = 0, symmetric = 0;
    static const char *const cells[] = {"a1", "a3", "c1", "c3"};
    for (int i = 0; i < 4; i++) {
        char query[96];
        (void)snprintf(query, sizeof query, "game=tictactoe&moves=%s&symmetric=0", cells[i]);
        json_t *page = web_get(&context, "/games", query);
        corners += web_int(page, "total");
        json_decref(page);
        (void)snprintf(query, sizeof query, "game=tictactoe&moves=%s", cells[i]);
        page = web_get(&context, "/games", query);
        symmetric = web_int(page, "total");
        json_decref(page);
    }
    assert_true(corners > 0 && symmetric == corners);
    json_t *page = web_get(&context, "/games", "game=5x5:k=4&moves=e5 d5 e4");
    assert_int_equal(web_int(page, "total"), 1);
    json_decref(page);
}

static void test_one_game(void **state)
{
    (void)state;
    fill();
    WebContext context = context_of();
    json_t *game = web_get(&context, "/games/31", NULL);
    assert_string_equal(web_text(game, "moves.6"), "a4");
    assert_int_equal(json_array_size(web_at(game, "times")), 7);
    assert_true(json_is_null(web_at(game, "times.0")) && json_is_null(web_at(game, "setup")));
    json_decref(game);
    GameRecord record = {0};
    Error error = {0};
    assert_done(web_library_record(&context, 31, &record, &error), error);
    assert_string_equal(record.first, "Ann");
    assert_int_equal(record.count, 7);
    assert_int_equal(record.result, RESULT_FIRST);
    record_close(&record);
    record = (GameRecord){0};
    assert_refused(web_library_record(&context, 32, &record, &error), error, "no such game");
    record_close(&record);
    web_refused(&context, "GET", "/games/32", NULL, NULL, 404, "id");
    web_refused(&context, "GET", "/games/x", NULL, NULL, 404, "id");
    web_refused(&context, "GET", "/games/-1", NULL, NULL, 404, "id");
}

static void test_refused_searches(void **state)
{
    (void)state;
    fill();
    WebContext context = context_of();
    web_refused(&context, "GET", "/games", "game=chess", NULL, 400, "game");
    web_refused(&context, "GET", "/games", "moves=a1", NULL, 400, "game");
    web_refused(&context, "GET", "/games", "game=tictactoe&moves=z9", NULL, 400, "moves");
    web_refused(&context, "GET", "/games", "result=win", NULL, 400, "result");
    web_refused(&context, "GET", "/games", "limit=100000", NULL, 400, "limit");
    web_refused(&context, "GET", "/games", "limit=0", NULL, 400, "limit");
    web_refused(&context, "GET", "/games", "before=-1", NULL, 400, "before");
    web_refused(&context, "GET", "/games", "where=1", NULL, 400, "where");
}

// Without a database, all lists are empty, and no file is created.
static void test_no_database(void **state)
{
    (void)state;
    WebContext none = {.db = "none"}, missing = context_of();
    WebContext *contexts[] = {&none, &missing};
    for (int i = 0; i < 2; i++) {
        json_t *page = web_get(contexts[i], "/games", NULL);
        assert_int_equal(web_int(page, "total"), 0);
        json_decref(page);
        page = web_get(contexts[i], "/books", NULL);
        assert_int_equal(json_array_size(web_at(page, "books")), 0);
        json_decref(page);
        page = web_get(contexts[i], "/patterns", NULL);
        assert_int_equal(json_array_size(web_at(page, "sets")), 0);
        json_decref(page);
        page = web_get(contexts[i], "/ratings", NULL);
        assert_int_equal(json_array_size(web_at(page, "agents")), 0);
        json_decref(page);
        web_refused(contexts[i], "GET", "/games/1", NULL, NULL, 404, "id");
        web_refused(contexts[i], "GET", "/books/-", "game=gomoku", NULL, 404, "game");
    }
    assert_int_equal(access(path, F_OK), -1); // nothing was made
}

// --- Books ---

// Four games of tic-tac-toe: three began in the middle, of which the first player won two, and one in a corner.
static void save_book(Database *db)
{
    Error error = {0};
    BookGraph graph = {
        .spec = {.name = "small", .rules = rules_of("tictactoe"), .encoding = ENCODING_ABSOLUTE, .turns = 3}};
    static const struct {
        Cell stones[7];
        unsigned count;
        BookCounts outcome;
    } games[] = {
        {{65, 0, 1, 129, 2, 64, 66}, 5, {1, 0, 0}},
        {{65, 0, 1, 129, 2, 64, 66}, 5, {1, 0, 0}},
        {{65, 0, 1, 129, 2, 64, 66}, 5, {0, 1, 0}},
        {{0, 65, 1, 2, 128}, 5, {0, 0, 1}},
    };
    for (unsigned i = 0; i < 4; i++)
        assert_done(book_graph_add(&graph, games[i].stones, games[i].count, games[i].outcome, &error), error);
    book_graph_sort(&graph);
    assert_done(database_save_book(db, &graph, DATABASE_BOOK_REPLACE, 1234, &error), error);
    book_graph_close(&graph);
}

static void test_books(void **state)
{
    (void)state;
    Database *db = lab_open();
    save_book(db);
    database_close(db);
    WebContext context = context_of();
    json_t *list = web_get(&context, "/books", NULL);
    assert_string_equal(web_text(list, "books.0.name"), "small");
    assert_int_equal(web_int(list, "books.0.games"), 4);
    assert_int_equal(web_int(list, "books.0.built"), 1234);
    json_decref(list);

    static const char *const names[] = {"/books/small", "/books/-"};
    for (int i = 0; i < 2; i++) {
        json_t *book = web_get(&context, names[i], "game=tictactoe");
        assert_true(json_is_true(web_at(book, "known")));
        assert_int_equal(web_int(book, "games"), 4);
        assert_int_equal(web_int(book, "wins"), 2);
        assert_int_equal(web_int(book, "draws"), 1);
        assert_int_equal(web_int(book, "losses"), 1);
        assert_int_equal(json_array_size(web_at(book, "moves")), 2);
        // The turn with most games first.
        assert_string_equal(web_text(book, "moves.0.stones.0"), "b2");
        assert_int_equal(web_int(book, "moves.0.games"), 3);
        assert_int_equal(web_int(book, "moves.0.wins"), 2);
        assert_true(web_number(book, "moves.0.share") == 0.75);
        assert_true(web_number(book, "moves.0.score") == 1); // of the decided ones
        assert_true(web_number(book, "moves.1.share") == 0.25);
        json_decref(book);
    }
    json_t *book = web_get(&context, "/books/small", "game=tictactoe&moves=a3");
    assert_true(json_is_false(web_at(book, "known")));
    assert_string_equal(web_text(book, "unknown"), "no game had it");
    json_decref(book);

    web_refused(&context, "GET", "/books/small", NULL, NULL, 400, "game");
    web_refused(&context, "GET", "/books/small", "game=gomoku", NULL, 400, "game");
    web_refused(&context, "GET", "/books/small", "game=tictactoe&moves=a1 a1", NULL, 400, "moves");
    web_refused(&context, "GET", "/books/other", "game=tictactoe", NULL, 404, "name");
    web_refused(&context, "GET", "/books/..%2f", "game=tictactoe", NULL, 404, "name");
    web_refused(&context, "GET", "/books/-", "game=gomoku", NULL, 404, "game");
}

// --- The opening explorer ---

static void test_explore(void **state)
{
    (void)state;
    Database *db = lab_open();
    save_book(db);
    lab_import(db, "file", "# krow game\ngame 3x3:k=3\nstones b2 c3 a1 c1 c2 a2\nresult draw\n", 1, 0);
    lab_import(db, "file", "# krow game\ngame 3x3:k=3\nstones b2 a1 c3 a3 a2 c2\nresult first\n", 1, 0);
    WebContext context = context_of(), none = {.db = "none"};
    context.explorers = none.explorers = web_explorers_open();
    json_t *found = web_get(&context, "/explore", "game=tictactoe&moves=b2");
    assert_int_equal(web_int(found, "games"), 2);
    assert_int_equal(web_int(found, "total"), 2);
    assert_int_equal(web_int(found, "first"), 1);
    assert_int_equal(web_int(found, "draws"), 1);
    assert_true(json_is_true(web_at(found, "complete")) && json_is_null(web_at(found, "unknown")));
    assert_int_equal(json_array_size(web_at(found, "moves")), 1); // a corner
    assert_string_equal(web_text(found, "moves.0.stones.0"), "a1");
    assert_int_equal(web_int(found, "moves.0.games"), 2);
    assert_string_equal(web_text(found, "moves.0.books.0.book"), "small");
    assert_int_equal(web_int(found, "moves.0.books.0.games"), 3);
    assert_string_equal(web_text(found, "books.0.book"), "small");
    json_decref(found);

    // Games stored meanwhile are found too; other rules and a missing database have none.
    lab_import(db, "file", "# krow game\ngame 3x3:k=3\nstones b2 b1 c3 a3 a2 c2\nresult second\n", 1, 0);
    database_close(db);
    found = web_get(&context, "/explore", "game=tictactoe&moves=b2");
    assert_int_equal(json_array_size(web_at(found, "moves")), 2);
    assert_string_equal(web_text(found, "moves.1.stones.0"), "b1");
    assert_int_equal(web_int(found, "moves.1.second"), 1);
    json_decref(found);
    for (unsigned width = 3; width < 9; width++) {
        char query[64];
        (void)snprintf(query, sizeof query, "game=%ux3:k=3", width + 1);
        found = web_get(&context, "/explore", query);
        assert_int_equal(web_int(found, "total"), 0);
        json_decref(found);
    }
    found = web_get(&context, "/explore", "game=tictactoe");
    assert_int_equal(web_int(found, "games"), 3);
    json_decref(found);
    found = web_get(&none, "/explore", "game=gomoku&moves=h8");
    assert_int_equal(web_int(found, "games"), 0);
    assert_true(web_number(found, "moves.0.engine") != 0);
    json_decref(found);

    web_refused(&context, "GET", "/explore", NULL, NULL, 400, "game");
    web_refused(&context, "GET", "/explore", "game=tictactoe&moves=a1 a1", NULL, 400, "moves");
    web_refused(&context, "GET", "/explore", "game=tictactoe&name=small", NULL, 400, "name");
    web_explorers_close(context.explorers);
}

// --- Patterns ---

static void test_patterns(void **state)
{
    (void)state;
    Database *db = lab_open();
    Error error = {0};
    Rules rules = rules_of("gomoku");
    Pattern patterns[2];
    uint64_t kept = 0;
    assert_done(pattern_parse(span_of(".xxxx."), 1, &patterns[0], &error), error);
    assert_done(pattern_parse(span_of("..xxx../-------/..xxx.."), 2, &patterns[1], &error), error);
    assert_done(database_learn_patterns(db, &(DatabaseLearned){"mine", &rules, patterns, 2, 77}, &kept, &error), error);
    assert_int_equal(kept, 2);
    database_close(db);
    WebContext context = context_of();
    json_t *sets = web_get(&context, "/patterns", NULL);
    assert_string_equal(web_text(sets, "sets.0.set"), "mine");
    assert_int_equal(web_int(sets, "sets.0.patterns"), 2);
    assert_int_equal(web_int(sets, "sets.0.tiers.1"), 1);
    assert_int_equal(json_array_size(web_at(sets, "sets.0.tiers")), 3);
    json_decref(sets);

    json_t *list = web_get(&context, "/patterns/mine", "game=gomoku");
    assert_int_equal(web_int(list, "total"), 2);
    assert_int_equal(web_int(list, "patterns.0.tier"), 1);
    assert_int_equal(web_int(list, "patterns.0.width"), 6);
    assert_int_equal(web_int(list, "patterns.0.height"), 1);
    assert_int_equal(json_array_size(web_at(list, "patterns.0.cells")), 6);
    assert_string_equal(web_text(list, "patterns.0.cells.0.what"), "empty");
    assert_string_equal(web_text(list, "patterns.0.cells.1.what"), "own");
    assert_int_equal(web_int(list, "patterns.0.cells.1.x"), 1);
    json_decref(list);
    list = web_get(&context, "/patterns/mine", "game=gomoku&tier=2");
    assert_int_equal(web_int(list, "total"), 1);
    assert_int_equal(web_int(list, "patterns.0.tier"), 2);
    json_decref(list);
    list = web_get(&context, "/patterns/mine", "game=gomoku&limit=1&offset=1");
    assert_int_equal(web_int(list, "total"), 2);
    assert_int_equal(json_array_size(web_at(list, "patterns")), 1);
    assert_int_equal(web_int(list, "patterns.0.tier"), 2);
    json_decref(list);
    web_refused(&context, "GET", "/patterns/mine", NULL, NULL, 400, "game");
    web_refused(&context, "GET", "/patterns/a b", "game=gomoku", NULL, 404, "set");
    web_refused(&context, "GET", "/patterns/mine", "game=gomoku&tier=99", NULL, 400, "tier");
}

static void test_ratings(void **state)
{
    (void)state;
    fill();
    WebContext context = context_of();
    json_t *ratings = web_get(&context, "/ratings", "game=tictactoe");
    assert_int_equal(json_array_size(web_at(ratings, "agents")), 2);
    assert_int_equal(web_int(ratings, "agents.0.games"), GAMES);
    assert_true(web_number(ratings, "agents.0.rating") >= web_number(ratings, "agents.1.rating"));
    json_decref(ratings);
    ratings = web_get(&context, "/ratings", "game=gomoku");
    assert_int_equal(json_array_size(web_at(ratings, "agents")), 0);
    json_decref(ratings);
    web_refused(&context, "GET", "/ratings", "game=9", NULL, 400, "game");
}

// --- Game files ---

static void test_import(void **state)
{
    (void)state;
    WebContext context = {.db = "none"};
    WebReply reply = web_ask(&context, "POST", "/import", NULL,
                             "{\"text\": \"# krow game\\ngame 3x3:k=3\\nfirst Ann\\nstones a1 b1 a2 b2 a3\\n"
                             "result first\\n\"}");
    assert_int_equal(reply.status, 200);
    assert_string_equal(web_text(reply.json, "format"), "krow");
    assert_string_equal(web_text(reply.json, "games.0.names.first"), "Ann");
    assert_string_equal(web_text(reply.json, "games.0.game"), "3x3:k=3");
    assert_int_equal(web_int(reply.json, "games.0.stones"), 5);
    assert_string_equal(web_text(reply.json, "games.0.moves.4"), "a3");
    assert_int_equal(json_array_size(web_at(reply.json, "errors")), 0);
    web_reply_close(&reply);

    // An illegal stone is reported with its line.
    reply = web_ask(&context, "POST", "/import", NULL,
                    "{\"text\": \"# krow game\\ngame 3x3:k=3\\nstones a1 z9\\n\", \"format\": \"krow\"}");
    assert_int_equal(reply.status, 200);
    assert_int_equal(json_array_size(web_at(reply.json, "games")), 0);
    assert_int_equal(web_int(reply.json, "errors.0.line"), 3);
    web_reply_close(&reply);

    web_refused(&context, "POST", "/import", NULL, "{}", 400, "text");
    web_refused(&context, "POST", "/import", NULL, "{\"text\": \"x\", \"format\": \"exe\"}", 400, "format");
    web_refused(&context, "POST", "/import", NULL, "{\"text\": \"no game at all\"}", 400, "format");
    web_refused(&context, "POST", "/import", NULL, "{\"text\": \"x\", \"path\": \"/etc/passwd\"}", 400, "path");
}

// --- Saved games ---

// A server with a session, whose games are saved.
static void start(WebContext *context, const char *db)
{
    char folder[LAB_PATH_SIZE];
    Error error = {0};
    *context = (WebContext){.db = db};
    context->sessions = web_sessions_open();
    context->saves = web_saves_open(context);
    assert_done(web_saves_start(context->saves, lab_path(folder, "saves"), &error), error);
}

// Ends it as a kill does: without a word to anybody, except that the thread stores what it can.
static void end(WebContext *context)
{
    web_saves_close(context->saves);
    web_sessions_close(context->sessions);
}

// Creates a session, and returns its id.
static void create(WebContext *context, const char *body, char id[WEB_ID_SIZE], char key[DATABASE_KEY_SIZE])
{
    WebReply reply = web_ask(context, "POST", "/sessions", NULL, body);
    assert_int_equal(reply.status, 201);
    (void)snprintf(id, WEB_ID_SIZE, "%s", web_text(reply.json, "id"));
    (void)snprintf(key, DATABASE_KEY_SIZE, "%s", web_text(reply.json, "saved.key"));
    web_reply_close(&reply);
}

static void act(WebContext *context, const char *id, const char *action, const char *body)
{
    char place[100];
    (void)snprintf(place, sizeof place, "/sessions/%s/%s", id, action);
    WebReply reply = web_ask(context, "POST", place, NULL, body);
    assert_int_equal(reply.status, 200);
    web_reply_close(&reply);
}

static void play(WebContext *context, const char *id, const char *cells)
{
    char body[40];
    for (; *cells != '\0'; cells += 2) {
        (void)snprintf(body, sizeof body, "{\"cell\": \"%.2s\"}", cells);
        act(context, id, "play", body);
    }
}

// The number of saved games, and the moves of the newest.
static int64_t saved(char moves[40])
{
    WebContext context = context_of();
    json_t *found = web_get(&context, "/games", "origin=saved&boards=1");
    int64_t count = web_int(found, "total");
    char *text = json_dumps(web_at(found, "games.0.moves"), JSON_COMPACT | JSON_ENCODE_ANY);
    (void)snprintf(moves, 40, "%s", text != NULL ? text : "");
    free(text);
    json_decref(found);
    return count;
}

static void test_saved_once(void **state)
{
    (void)state;
    WebContext context;
    char id[WEB_ID_SIZE], key[DATABASE_KEY_SIZE], first[DATABASE_KEY_SIZE], moves[40];
    fill();
    start(&context, lab_path(path, "krow.db"));
    create(&context, "{\"game\": \"tictactoe\", \"save\": \"new\"}", id, first);
    play(&context, id, "a1b1a2b2a3");
    // Taken back after the end, and finished again: the same game.
    act(&context, id, "undo", "{}");
    play(&context, id, "c3b3");
    // A second game, which is resigned; and one that goes on.
    act(&context, id, "new", "{}");
    play(&context, id, "a1");
    act(&context, id, "resign", "{}");
    act(&context, id, "new", "{}");
    play(&context, id, "c1");
    end(&context);
    assert_int_equal(saved(moves), 2);
    assert_string_equal(moves, "[\"a1\"]");

    // After a restart the page creates the finished game again, under its key.
    char body[160];
    start(&context, lab_path(path, "krow.db"));
    (void)snprintf(body, sizeof body, "{\"game\": \"tictactoe\", \"moves\": \"a1 b1 a2 b2 c3 b3\", \"save\": \"%s\"}",
                   first);
    create(&context, body, id, key);
    assert_string_equal(key, first);
    // Without a key, a finished game that is looked at is not saved.
    create(&context, "{\"game\": \"tictactoe\", \"moves\": \"a1 b1 a2 b2 a3\", \"save\": \"new\"}", id, key);
    WebReply reply = web_ask(&context, "POST", "/sessions", NULL, "{\"game\": \"tictactoe\", \"save\": \"../x\"}");
    assert_int_equal(reply.status, 400);
    web_reply_close(&reply);
    end(&context);
    assert_int_equal(saved(moves), 2);
}

// A database that cannot be opened: the game waits in a file.
static void test_saved_later(void **state)
{
    (void)state;
    WebContext context;
    char id[WEB_ID_SIZE], key[DATABASE_KEY_SIZE], moves[40], nowhere[LAB_PATH_SIZE];
    fill();
    start(&context, lab_path(nowhere, "missing/folder/krow.db"));
    create(&context, "{\"game\": \"tictactoe\", \"save\": \"new\"}", id, key);
    play(&context, id, "a1b1a2b2a3");
    end(&context);
    assert_int_equal(saved(moves), 0);
    start(&context, lab_path(path, "krow.db"));
    end(&context);
    assert_int_equal(saved(moves), 1);
    assert_string_equal(moves, "[\"a1\",\"b1\",\"a2\",\"b2\",\"a3\"]");
    // The file is gone.
    char file[LAB_PATH_SIZE], name[100];
    (void)snprintf(name, sizeof name, "saves/%s.json", key);
    assert_int_equal(access(lab_path(file, name), F_OK), -1);
}

static void test_deleting(void **state)
{
    (void)state;
    WebContext context;
    char id[WEB_ID_SIZE], key[DATABASE_KEY_SIZE], moves[40], place[40];
    fill();
    start(&context, lab_path(path, "krow.db"));
    create(&context, "{\"game\": \"tictactoe\", \"save\": \"new\"}", id, key);
    play(&context, id, "a1b1a2b2a3");
    end(&context);
    context = context_of();
    json_t *page = web_get(&context, "/games", "origin=saved&player=black");
    int64_t number = web_int(page, "games.0.id");
    assert_true(json_is_true(web_at(page, "games.0.saved")) && json_is_false(web_at(page, "games.0.reviewed")));
    json_decref(page);
    WebReply reply = web_ask(&context, "GET", "/games/file", "origin=saved&format=krow", NULL);
    assert_int_equal(reply.status, 200);
    assert_string_equal(reply.name, "games.krow");
    assert_non_null(strstr(reply.text.data, "stones a1 b1 a2 b2 a3"));
    web_reply_close(&reply);
    web_refused(&context, "GET", "/games/file", "origin=saved&format=exe", NULL, 400, "format");
    web_refused(&context, "GET", "/games/file", "origin=saved&player=nobody", NULL, 409, "format");
    web_refused(&context, "DELETE", "/games/1", NULL, NULL, 409, "id");
    web_refused(&context, "DELETE", "/games/999", NULL, NULL, 404, "id");
    (void)snprintf(place, sizeof place, "/games/%lld", (long long)number);
    reply = web_ask(&context, "DELETE", place, NULL, NULL);
    assert_int_equal(reply.status, 204);
    web_reply_close(&reply);
    assert_int_equal(saved(moves), 0);
}

TEST_GROUP(web_library)
{
    const struct CMUnitTest tests[] = {
        LAB_TEST(test_games),       LAB_TEST(test_positions),
        LAB_TEST(test_one_game),    LAB_TEST(test_refused_searches),
        LAB_TEST(test_no_database), LAB_TEST(test_books),
        LAB_TEST(test_explore),     LAB_TEST(test_patterns),
        LAB_TEST(test_ratings),     LAB_TEST(test_import),
        LAB_TEST(test_saved_once),  LAB_TEST(test_saved_later),
        LAB_TEST(test_deleting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
