// The review of a game of a session (analysis/review.h): searches of the thread pool, one position at a time, and its
// result for the page. A finished review stays with the game: evaluations in the tree, and a mark in the properties of
// its root, so that the game needs no search when it is opened again from a file or from the database.
#include "web/session/session.h"

#include "analysis/review.h"
#include "base/clock.h"
#include "base/memory.h"
#include "game/notation.h"
#include "store/formats/sgf.h"
#include "web/http/pool.h"

#include <stdlib.h>
#include <string.h>

static const double pause = 0.3; // seconds between two events

// The property of the root of a reviewed game, and the version of the review.
static const char mark_name[] = "KW", mark_value[] = "1";

struct WebScan {
    WebSession *session; // held
    atomic_bool stop;
    double reported;
    WebNodeId *nodes; // of the points, the root first
    bool is_main;     // the main line
    Review review;
};

// --- The line ---

// The last node of the line that the current one is on.
static WebNodeId line_end(const WebSession *session)
{
    WebNodeId id = session->current, next = 0;
    while ((next = web_tree_next(&session->tree, id)) != 0)
        id = next;
    return id;
}

static bool is_main_line(const WebTree *tree, WebNodeId end)
{
    for (WebNodeId id = end; id != 0; id = tree->nodes[id].parent)
        if (tree->nodes[tree->nodes[id].parent].child != id)
            return false;
    return true;
}

// Prepares the review of the line to a node.
static Status open_line(WebScan *scan, WebSession *session, WebNodeId end, Error *error)
{
    const WebTree *tree = &session->tree;
    Game game;
    web_tree_game(tree, end, &game);
    Status status = review_open(&scan->review, &game, &tree->root, error);
    const Review *review = &scan->review;
    scan->is_main = is_main_line(tree, end);
    scan->nodes = memory_new(review->turn_count + 1, sizeof scan->nodes[0]);
    unsigned stones = game.played, point = review->turn_count;
    for (WebNodeId id = end; id != 0; id = tree->nodes[id].parent, stones--)
        if (review->points[point].stones == stones)
            scan->nodes[point--] = id;
    return status;
}

static void scan_close(WebScan *scan)
{
    review_close(&scan->review);
    free(scan->nodes);
    free(scan);
}

// --- The result ---

// The node of a point; null for the root.
static void add_node(const WebScan *scan, const WebTree *tree, json_t *object, unsigned point)
{
    WebNodeId node = scan->nodes[point];
    (void)json_object_set_new(object, "node", web_number_json(web_tree_has(tree, node) ? node : 0));
}

static json_t *result_json(const WebScan *scan, const WebSession *session, bool is_running)
{
    const Rules *rules = &session->rules;
    const char *const names[2] = {web_side_name(rules, SIDE_FIRST), web_side_name(rules, SIDE_SECOND)};
    json_t *result = review_json(&scan->review, names), *object = NULL;
    size_t index = 0;
    json_array_foreach(json_object_get(result, "points"), index, object)
        add_node(scan, &session->tree, object, (unsigned)json_integer_value(json_object_get(object, "ply")));
    json_array_foreach(json_object_get(result, "turning"), index, object)
    {
        unsigned ply = (unsigned)json_integer_value(json_object_get(object, "ply"));
        add_node(scan, &session->tree, object, ply);
        (void)json_object_set_new(object, "from", web_number_json(scan->nodes[ply - 1]));
    }
    (void)json_object_set_new(result, "running", json_boolean(is_running));
    return result;
}

// The session is locked.
static void publish(WebScan *scan, bool is_running)
{
    WebSession *session = scan->session;
    review_judge(&scan->review);
    json_decref(session->scan.result);
    session->scan.result = result_json(scan, session, is_running);
    scan->reported = clock_seconds();
    web_topic_send(session->topic, "scan", "scan", true, json_deep_copy(session->scan.result));
}

static bool is_marked(const WebNode *root)
{
    Span value = {0};
    return root->kept != NULL && sgf_property(span_of(root->kept), mark_name, &value) && span_is(value, mark_value);
}

static void mark(WebNode *root)
{
    if (is_marked(root))
        return;
    Text text = {0};
    text_add(&text, "%s", root->kept != NULL ? root->kept : "");
    sgf_add_property(&text, mark_name, mark_value);
    free(root->kept);
    root->kept = text.data;
}

// Stores the evaluations in the tree. The session is locked.
static void keep(WebScan *scan)
{
    WebTree *tree = &scan->session->tree;
    const Review *review = &scan->review;
    for (unsigned i = 0; i <= review->turn_count; i++)
        if (review->points[i].eval.is_known && web_tree_has(tree, scan->nodes[i]))
            web_tree_evaluate(tree, scan->nodes[i], &review->points[i].eval);
    if (review->is_complete && scan->is_main)
        mark(&tree->nodes[0]);
    if (review->is_complete && scan->is_main)
        web_save_review(scan->session);
}

// Fills in the evaluations of a game that was reviewed before; false if one is missing.
static bool take_evals(WebScan *scan, const WebTree *tree)
{
    Review *review = &scan->review;
    for (unsigned i = 0; i <= review->turn_count; i++) {
        const WebEval *eval = &tree->nodes[scan->nodes[i]].eval;
        if (!eval->is_known)
            return false;
        review->points[i].eval = *eval;
    }
    review->done = review->total;
    review->is_complete = true;
    return true;
}

void web_scan_restore(WebSession *session)
{
    if (session->scan.job != NULL || !is_marked(&session->tree.nodes[0]))
        return;
    WebScan *scan = memory_new(1, sizeof *scan);
    WebNodeId end = 0;
    while (session->tree.nodes[end].child != 0)
        end = session->tree.nodes[end].child;
    scan->session = session;
    if (open_line(scan, session, end, NULL) == STATUS_OK && take_evals(scan, &session->tree))
        publish(scan, false);
    scan_close(scan);
}

// --- Search ---

// Ends the search of a review that another thread may not use any more. One that was stopped is kept, so that it can
// continue: without its transposition table, which is large.
static void scan_end(WebScan *scan)
{
    WebSession *session = scan->session;
    web_sessions_search_end(session->context->sessions);
    evaluation_close(&scan->review.evaluation);
    (void)pthread_mutex_lock(&session->lock);
    bool is_kept = !scan->review.is_complete && session->scan.paused == NULL && !session->is_gone;
    if (is_kept)
        session->scan.paused = scan;
    web_session_leave(session);
    if (!is_kept)
        scan_close(scan);
}

void web_scan_forget(WebSession *session)
{
    if (session->scan.paused != NULL)
        scan_close(session->scan.paused);
    session->scan.paused = NULL;
}

// Whether a stopped review is that of the line of another one.
static bool is_same_line(const WebScan *a, const WebScan *b)
{
    const Review *left = &a->review, *right = &b->review;
    return left->stone_count == right->stone_count && left->turn_count == right->turn_count &&
           a->is_main == b->is_main && rules_equal(&left->rules, &right->rules) &&
           board_key(&left->root) == board_key(&right->root) &&
           memcmp(left->stones, right->stones, left->stone_count * sizeof left->stones[0]) == 0 &&
           memcmp(a->nodes, b->nodes, (left->turn_count + 1) * sizeof a->nodes[0]) == 0;
}

// Takes over what a stopped review of the same line has found.
static void resume(WebScan *scan, WebSession *session)
{
    const WebScan *paused = session->scan.paused;
    Review *review = &scan->review;
    if (paused != NULL && is_same_line(paused, scan)) {
        memcpy(review->points, paused->review.points, (review->turn_count + 1) * sizeof review->points[0]);
        // A search that was stopped does not count.
        for (unsigned i = 0; i <= review->turn_count; i++)
            review->points[i].searches = review->points[i].eval.is_known ? review->points[i].searches : 0;
        review->done = paused->review.done;
        review->total = paused->review.total;
        review->nodes = paused->review.nodes;
    }
    web_scan_forget(session);
}

static void run(void *context);

// Continues later, or ends. The session is locked.
static bool go_on(WebScan *scan, bool has_more)
{
    WebSession *session = scan->session;
    if (has_more && clock_seconds() - scan->reported >= pause)
        publish(scan, true);
    // Another thread may search as soon as the pool has the scan.
    if (has_more && web_pool_add(session->context->pool, WEB_LANE_LONG, (WebJob){run, scan, 0}))
        return true;
    session->scan.job = NULL;
    keep(scan);
    publish(scan, false);
    json_decref(web_session_changed(session));
    return false;
}

// The review belongs to this thread while its turn of the pool lasts.
static void run(void *context)
{
    WebScan *scan = context;
    WebSession *session = scan->session;
    bool goes_on = review_step(&scan->review, &scan->stop);
    (void)pthread_mutex_lock(&session->lock);
    goes_on = session->scan.job == scan && go_on(scan, goes_on);
    (void)pthread_mutex_unlock(&session->lock);
    if (!goes_on)
        scan_end(scan);
}

Status web_scan_start(WebSession *session, Error *error)
{
    web_scan_stop(session);
    WebScan *scan = memory_new(1, sizeof *scan);
    Status status = open_line(scan, session, line_end(session), error);
    if (status == STATUS_OK && !web_sessions_search_begin(session->context->sessions))
        status = error_set(error, STATUS_FAILED, "Too many searches run; try again.");
    if (status != STATUS_OK) {
        scan_close(scan);
        return status;
    }
    resume(scan, session);
    scan->session = web_session_hold(session);
    session->scan.job = scan;
    publish(scan, true);
    if (web_pool_add(session->context->pool, WEB_LANE_LONG, (WebJob){run, scan, 0}))
        return STATUS_OK;
    session->scan.job = NULL;
    web_sessions_search_end(session->context->sessions);
    web_session_release(session);
    scan_close(scan);
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

// --- Another turn ---

// What is needed to judge a turn, copied while the session was locked.
typedef struct {
    Game game;
    WebEval known;
} Position;

static Status read_position(WebCall *call, Position *position)
{
    WebSession *session = web_play_enter(call);
    if (session == NULL)
        return STATUS_BAD_INPUT;
    int64_t node = web_field_int(call, "node", 0, UINT32_MAX, session->current);
    if (call->error->status == STATUS_OK && !web_tree_has(&session->tree, node))
        (void)web_fail(call, 404, "node", "the game does not have this stone");
    if (call->error->status == STATUS_OK) {
        web_tree_game(&session->tree, (WebNodeId)node, &position->game);
        position->known = session->tree.nodes[node].eval;
    }
    web_session_leave(session);
    if (call->error->status == STATUS_OK && game_is_over(&position->game))
        (void)web_fail(call, 409, "node", "The game is over.");
    if (call->error->status == STATUS_OK && !search_suits(&position->game.board.rules))
        (void)web_fail(call, 409, NULL, "The engine does not search games with this many stones per turn.");
    return call->error->status;
}

// The stones of a whole turn.
static Status read_turn(WebCall *call, const Game *game, Cell stones[RULES_CELLS_MAX], unsigned *count)
{
    enum { TURN_TEXT_MAX = 8192 };
    const char *text = web_field_text(call, "stones", TURN_TEXT_MAX);
    web_field_need(call, "stones");
    if (call->error->status != STATUS_OK)
        return call->error->status;
    Game after;
    game_copy(&after, game);
    if (game_read(&after, span_of(text), call->error) != STATUS_OK)
        return web_fail(call, 400, "stones", "%s", call->error->text);
    *count = after.played - game->played;
    memcpy(stones, after.stones + game->played, *count * sizeof stones[0]);
    unsigned left = board_stones_left(&game->board);
    if (*count > left || *count == 0 || (*count < left && !game_is_over(&after)))
        return web_fail(call, 400, "stones", "A turn here has %u stone%s.", left, left == 1 ? "" : "s");
    return STATUS_OK;
}

static json_t *try_json(const ReviewTry *tried, const WebEval *known)
{
    static const char *const verdicts[] = {"best", "good", "wrong"};
    return json_pack("{s:s, s:s, s:o, s:o}", "verdict", verdicts[tried->verdict], "words", tried->words.data, "eval",
                     eval_json(&tried->after), "known", eval_json(known));
}

Status web_scan_try(WebCall *call)
{
    Position position;
    Cell stones[RULES_CELLS_MAX];
    unsigned count = 0;
    Evaluation evaluation = {0};
    Status status = read_position(call, &position);
    if (status == STATUS_OK)
        status = read_turn(call, &position.game, stones, &count);
    if (status == STATUS_OK)
        status = evaluation_open(&evaluation, &position.game.board.rules, call->error);
    if (status == STATUS_OK && !evaluation_is_ready(&evaluation))
        status = error_set(call->error, STATUS_FAILED, "There is not enough memory for the search.");
    if (status == STATUS_OK) {
        const Rules *rules = &position.game.board.rules;
        const char *const names[2] = {web_side_name(rules, SIDE_FIRST), web_side_name(rules, SIDE_SECOND)};
        uint64_t nodes = 0;
        ReviewTry tried;
        if (!position.known.is_known)
            position.known = evaluation_run(&evaluation, &position.game, EVALUATION_LEVELS - 1, web_stop(call), &nodes);
        review_try(&evaluation, &position.game, stones, count, &position.known, names, web_stop(call), &tried);
        call->reply->json = try_json(&tried, &position.known);
        text_close(&tried.words);
    }
    evaluation_close(&evaluation);
    return status;
}
