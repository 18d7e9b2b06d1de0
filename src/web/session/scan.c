// The engine analyses the whole game of a session: the position after each turn, from the last to the first, so that
// values proven at the end help with earlier positions. The turning points of the game are found from these values.
#include "web/session/view.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "web/http/pool.h"

#include <stdlib.h>
#include <string.h>

enum { ENGINE_MEGABYTES = 16 };

static const double pause = 0.3; // seconds between two events

// The drop of the winning chance that makes a turn a blunder; a won game counts as missed only below `missed`.
static const double blunder = 0.25, still_won = 0.85;

typedef struct {
    WebNodeId node;
    unsigned ply; // turns before it
    Side mover;
    bool is_done;
    WebEval eval;
} Point;

struct WebScan {
    WebSession *session; // held
    atomic_bool stop;
    double seconds, reported;
    unsigned total, left; // positions; the next is points[left - 1]
    Search *search;
    Game game;
    SearchInfo report;
    Point points[];
};

// --- Words ---

static double chance_of(const WebEval *eval, Side side)
{
    return side == SIDE_FIRST ? eval->chance_first : 1 - eval->chance_first;
}

static void add_cells(const Cell *cells, unsigned count, Text *text)
{
    for (unsigned i = 0; i < count; i++) {
        char name[CELL_TEXT_SIZE];
        cell_format(cells[i], name);
        text_add(text, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", name);
    }
}

// The stones of the turn between two positions, in order. The session is locked.
static unsigned stones_between(const WebTree *tree, WebNodeId from, WebNodeId to, Cell stones[RULES_CELLS_MAX])
{
    unsigned count = 0;
    for (WebNodeId id = to; id != from && id != 0; id = tree->nodes[id].parent)
        stones[count++] = tree->nodes[id].cell;
    for (unsigned i = 0; i < count / 2; i++) {
        Cell swap = stones[i];
        stones[i] = stones[count - 1 - i];
        stones[count - 1 - i] = swap;
    }
    return count;
}

// "lets", "misses" or "blunder"; NULL without a turning point.
static const char *kind_of(const Point *before, const Point *after)
{
    Side mover = before->mover;
    double drop = chance_of(&before->eval, mover) - chance_of(&after->eval, mover);
    bool was_won = before->eval.proven == PROVEN_WIN, was_lost = before->eval.proven == PROVEN_LOSS;
    bool is_lost = after->mover != mover && after->eval.proven == PROVEN_WIN;
    if (was_won && chance_of(&after->eval, mover) < still_won && !is_lost)
        return "misses";
    if (is_lost && !was_lost)
        return "lets";
    return drop >= blunder ? "blunder" : NULL;
}

static json_t *turning_json(const WebTree *tree, const Rules *rules, const Point *before, const Point *after)
{
    const char *kind = kind_of(before, after);
    if (kind == NULL)
        return NULL;
    Cell stones[RULES_CELLS_MAX];
    unsigned count = stones_between(tree, before->node, after->node, stones);
    Text words = {0};
    const char *mover = web_side_name(rules, before->mover), *other = web_side_name(rules, side_other(before->mover));
    text_add(&words, "%s's ", mover);
    add_cells(stones, count, &words);
    if (strcmp(kind, "lets") == 0)
        text_add(&words, " lets %s win by force.", other);
    else if (strcmp(kind, "misses") == 0)
        text_add(&words, " misses a proven win.");
    else
        text_add(&words, " is a mistake: the winning chance drops from %.0f to %.0f %%.",
                 100 * chance_of(&before->eval, before->mover), 100 * chance_of(&after->eval, before->mover));
    if (!analyze_same_turn(stones, count, before->eval.best, before->eval.best_count)) {
        text_add(&words, " Better was ");
        add_cells(before->eval.best, before->eval.best_count, &words);
        text_add(&words, ".");
    }
    json_t *object = json_pack("{s:i, s:i, s:s, s:s, s:s, s:o}", "ply", (int)after->ply, "node", (int)after->node,
                               "side", side_name(before->mover), "kind", kind, "words", words.data, "best",
                               view_cells(before->eval.best, before->eval.best_count));
    text_close(&words);
    return object;
}

// --- The result ---

static json_t *point_json(const Point *point)
{
    json_t *object = web_eval_json(&point->eval);
    (void)json_object_set_new(object, "ply", json_integer(point->ply));
    (void)json_object_set_new(object, "node", web_number_json(point->node));
    (void)json_object_set_new(object, "turn", json_string(side_name(point->mover)));
    return object;
}

static json_t *result_json(const WebScan *scan, bool is_running)
{
    json_t *points = json_array(), *turning = json_array();
    const WebSession *session = scan->session;
    unsigned done = 0;
    for (unsigned i = 0; i < scan->total; i++) {
        const Point *point = &scan->points[i];
        if (!point->is_done)
            continue;
        done++;
        (void)json_array_append_new(points, point_json(point));
        bool follows = i > 0 && scan->points[i - 1].is_done && web_tree_has(&session->tree, point->node);
        json_t *turn = follows ? turning_json(&session->tree, &session->rules, &scan->points[i - 1], point) : NULL;
        if (turn != NULL)
            (void)json_array_append_new(turning, turn);
    }
    return json_pack("{s:i, s:i, s:b, s:o, s:o}", "done", (int)done, "total", (int)scan->total, "running", is_running,
                     "points", points, "turning", turning);
}

// The session is locked.
static void publish(WebScan *scan, bool is_running)
{
    WebSession *session = scan->session;
    json_decref(session->scan.result);
    session->scan.result = result_json(scan, is_running);
    scan->reported = clock_seconds();
    web_topic_send(session->topic, "scan", "scan", true, json_incref(session->scan.result));
}

// --- Search ---

static WebEval eval_of_end(const Board *board)
{
    Winner winner = board_winner(board);
    double chance = winner == WINNER_FIRST ? 1 : winner == WINNER_SECOND ? 0 : 0.5;
    bool mover_won = winner != WINNER_NONE && (winner == WINNER_FIRST) == (board_side(board) == SIDE_FIRST);
    Proven proven = winner == WINNER_NONE ? PROVEN_DRAW : mover_won ? PROVEN_WIN : PROVEN_LOSS;
    return (WebEval){.is_known = true, .chance_first = chance, .proven = proven, .distance = 0};
}

// Unknown if the search has no memory.
static WebEval look(WebScan *scan)
{
    SearchOptions options = {.megabytes = ENGINE_MEGABYTES};
    if (game_is_over(&scan->game))
        return eval_of_end(&scan->game.board);
    if (scan->search == NULL && search_open(&scan->search, &options, &scan->game.board.rules, NULL) != STATUS_OK)
        return (WebEval){.distance = -1};
    Analysis analysis = {.options = {.lines = 1, .stop = &scan->stop}, .game = &scan->game, .thinks = true};
    SearchLimits limits = {.limits.deadline = clock_seconds() + scan->seconds, .lines = 1, .limits.stop = &scan->stop};
    search_run(scan->search, &scan->game.board, &limits, &scan->report);
    analyze_take_report(&analysis, scan->search, &scan->report, false);
    WebEval eval = web_view_eval(&analysis);
    analyze_close(&analysis);
    return eval;
}

static void scan_free(WebScan *scan)
{
    search_close(scan->search);
    web_sessions_search_end(scan->session->context->sessions);
    web_session_release(scan->session);
    free(scan);
}

// Takes the next position; false if none is left or the scan was stopped. The session is locked.
static bool take_next(WebScan *scan)
{
    WebSession *session = scan->session;
    while (session->scan.job == scan && scan->left > 0 &&
           !web_tree_has(&session->tree, scan->points[scan->left - 1].node))
        scan->left--;
    if (session->scan.job != scan || scan->left == 0)
        return false;
    web_tree_game(&session->tree, scan->points[scan->left - 1].node, &scan->game);
    return true;
}

// Stores the evaluation. Returns whether positions are left. The session is locked.
static bool keep(WebScan *scan, WebEval eval)
{
    WebSession *session = scan->session;
    Point *point = &scan->points[--scan->left];
    point->eval = eval;
    point->is_done = eval.is_known;
    if (eval.is_known && web_tree_has(&session->tree, point->node))
        session->tree.nodes[point->node].eval = eval;
    return scan->left > 0;
}

static void run(void *context);

// Continues later, or ends. The session is locked.
static bool go_on(WebScan *scan, bool has_more)
{
    WebSession *session = scan->session;
    if (has_more && web_pool_add(session->context->pool, WEB_LANE_LONG, run, scan)) {
        if (clock_seconds() - scan->reported >= pause)
            publish(scan, true);
        return true;
    }
    session->scan.job = NULL;
    publish(scan, false);
    json_decref(web_session_changed(session));
    return false;
}

static void run(void *context)
{
    WebScan *scan = context;
    WebSession *session = scan->session;
    (void)pthread_mutex_lock(&session->lock);
    bool goes_on = take_next(scan);
    (void)pthread_mutex_unlock(&session->lock);
    WebEval eval = {.distance = -1};
    if (goes_on)
        eval = look(scan);
    (void)pthread_mutex_lock(&session->lock);
    if (session->scan.job == scan)
        goes_on = go_on(scan, goes_on && keep(scan, eval));
    else
        goes_on = false;
    (void)pthread_mutex_unlock(&session->lock);
    if (!goes_on)
        scan_free(scan);
}

// --- Beginning and end ---

// The last node of the line that the current one is on.
static WebNodeId line_end(const WebSession *session)
{
    WebNodeId id = session->current, next = 0;
    while ((next = web_tree_next(&session->tree, id)) != 0)
        id = next;
    return id;
}

// The positions after each turn of the line, the root first.
static unsigned list_points(const WebSession *session, Point points[RULES_CELLS_MAX + 1])
{
    WebNodeId path[RULES_CELLS_MAX + 1];
    unsigned depth = 0, count = 0;
    for (WebNodeId id = line_end(session); id != 0; id = session->tree.nodes[id].parent)
        path[depth++] = id;
    Game game;
    game_init_from(&game, &session->tree.root);
    points[count++] = (Point){.node = 0, .mover = board_side(&game.board)};
    while (depth > 0) {
        Side side = board_side(&game.board);
        WebNodeId id = path[--depth];
        game_play(&game, session->tree.nodes[id].cell);
        if (board_side(&game.board) == side && depth > 0)
            continue;
        points[count] = (Point){.node = id, .ply = count, .mover = board_side(&game.board)};
        count++;
    }
    return count;
}

Status web_scan_start(WebSession *session, double seconds, Error *error)
{
    web_scan_stop(session);
    if (!search_suits(&session->rules))
        return error_set(error, STATUS_FAILED, "The engine does not search games with this many stones per turn.");
    WebScan *scan = memory_new(1, sizeof *scan + (RULES_CELLS_MAX + 1) * sizeof scan->points[0]);
    scan->seconds = seconds;
    scan->total = scan->left = list_points(session, scan->points);
    if (!web_sessions_search_begin(session->context->sessions)) {
        free(scan);
        return error_set(error, STATUS_FAILED, "Too many searches run; try again.");
    }
    scan->session = web_session_hold(session);
    session->scan.job = scan;
    publish(scan, true);
    if (web_pool_add(session->context->pool, WEB_LANE_LONG, run, scan))
        return STATUS_OK;
    session->scan.job = NULL;
    scan_free(scan);
    return error_set(error, STATUS_FAILED, "Too many searches run; try again.");
}

void web_scan_stop(WebSession *session)
{
    if (session->scan.job == NULL)
        return;
    atomic_store(&session->scan.job->stop, true);
    session->scan.job = NULL;
    if (session->scan.result == NULL)
        return;
    (void)json_object_set_new(session->scan.result, "running", json_false());
}
