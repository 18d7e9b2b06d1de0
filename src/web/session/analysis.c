// The engine's analysis of the position of a session.
//
// It searches in slices, so that many sessions share few threads. Each slice is at least as long as all before it,
// since a search restarts with only its transposition table. A slice continues while no other session waits.
#include "web/session/view.h"

#include "base/clock.h"
#include "base/memory.h"
#include "web/http/pool.h"

#include <stdlib.h>

enum {
    ENGINE_MEGABYTES = 12,
    EXACT_TABLE_MEGABYTES = 16,
    KNOWN_NODES = 50000, // of the engine for the principal variation when all values are known
};

static const double least_slice = 0.3, shared_slice = 1.5, pause = 0.2, longest = 120; // seconds

struct WebAnalysis {
    WebSession *session; // held
    atomic_bool stop;
    WebNodeId node;
    unsigned lines, depth;
    bool cells;
    double slice_began;     // clock_seconds, under the lock of the session; 0: waiting
    double began, reported; // clock_seconds
    double total;           // seconds of all slices
    uint64_t nodes;         // of the slices before
    bool is_over, is_exact;
    Search *search;
    Exact *exact;
    WebEval eval;
    unsigned depth_seen, deepest; // stones
    unsigned reached;             // turns: the reported depth never falls below this
    Game game;
    SearchInfo report;
    ExactCells known;
};

// --- Events ---

static Analysis view_of(const WebAnalysis *job)
{
    return (Analysis){.options = {.lines = job->lines, .stop = &job->stop}, .game = &job->game, .thinks = true};
}

static void publish(WebAnalysis *job, const Analysis *analysis, uint64_t nodes, bool final)
{
    double seconds = clock_seconds() - job->began;
    json_t *object = web_view_json(analysis, job->cells, job->is_exact);
    (void)json_object_update_new(object, json_pack("{s:o, s:i, s:i, s:I, s:I, s:I, s:b}", "node",
                                                   web_number_json(job->node), "depth", (int)job->depth_seen, "deepest",
                                                   (int)job->deepest, "nodes", (json_int_t)nodes, "nps",
                                                   (json_int_t)(seconds > 0.001 ? (double)nodes / seconds : 0), "ms",
                                                   (json_int_t)(seconds * 1000), "final", final));
    job->eval = eval_of_analysis(analysis);
    job->reported = clock_seconds();
    // The session may meanwhile show another position.
    WebSession *session = job->session;
    (void)pthread_mutex_lock(&session->lock);
    bool is_wanted = session->analysis.job == job;
    if (is_wanted)
        web_topic_send(session->topic, "analysis", "analysis", true, json_incref(object));
    (void)pthread_mutex_unlock(&session->lock);
    json_decref(object);
}

static void publish_report(WebAnalysis *job, const SearchInfo *report, bool final)
{
    // A slice begins with the previous results.
    if (report->depth < job->reached && !final)
        return;
    Analysis analysis = view_of(job);
    SearchInfo copy = *report;
    const Board *board = &job->game.board;
    job->reached = report->depth > job->reached ? report->depth : job->reached;
    analyze_take_report(&analysis, job->search, &copy, job->cells);
    job->depth_seen = analyze_stones_of(board, report->depth);
    job->deepest = analyze_stones_of(board, report->deepest);
    publish(job, &analysis, job->nodes + report->nodes, final);
    analyze_close(&analysis);
}

static void progress(void *context, const SearchInfo *report)
{
    WebAnalysis *job = context;
    if (clock_seconds() - job->reported >= pause && !atomic_load(&job->stop))
        publish_report(job, report, false);
}

// --- Search ---

static Status open_all(WebAnalysis *job, Error *error)
{
    const Rules *rules = &job->game.board.rules;
    SearchOptions search = {.megabytes = ENGINE_MEGABYTES};
    ExactOptions exact = {.megabytes = EXACT_TABLE_MEGABYTES, .openings = true};
    Analysis analysis = view_of(job);
    if (!search_suits(rules))
        return error_set(error, STATUS_FAILED, "The engine does not search games with this many stones per turn.");
    Status status = search_open(&job->search, &search, rules, error);
    if (status == STATUS_OK && analyze_may_be_exact(&analysis))
        status = exact_open(&job->exact, &exact, rules, error);
    return status;
}

// Asks the exact solver; true when all values are known, and reported.
static bool solve(WebAnalysis *job, double seconds)
{
    Limits limits = {.deadline = clock_seconds() + seconds, .stop = &job->stop};
    ExactQuery query = {.board = &job->game.board, .aim = EXACT_SCORE, .limits = &limits};
    if (exact_cells(job->exact, &query, &job->known, NULL) != STATUS_OK || !analyze_are_known(&job->known))
        return false;
    SearchLimits few = {.limits.nodes = KNOWN_NODES, .lines = job->lines, .limits.stop = &job->stop};
    search_run(job->search, &job->game.board, &few, &job->report);
    Analysis analysis = view_of(job);
    search_sort_lines(&job->report);
    analyze_take_exact(&analysis, &job->known, &job->report);
    job->is_exact = true;
    publish(job, &analysis, job->known.nodes + job->report.nodes, true);
    analyze_close(&analysis);
    return true;
}

static void think(WebAnalysis *job, double seconds)
{
    SearchLimits limits = {
        .limits.deadline = clock_seconds() + seconds,
        .limits.depth = analyze_turns_of(&job->game.board, job->depth),
        .lines = job->lines,
        .limits.stop = &job->stop,
        .progress = progress,
        .context = job,
    };
    search_run(job->search, &job->game.board, &limits, &job->report);
    unsigned reached = analyze_stones_of(&job->game.board, job->report.depth);
    bool is_stopped = atomic_load(&job->stop);
    job->is_over = !is_stopped && (job->report.is_final || (job->depth > 0 && reached >= job->depth) ||
                                   job->total + seconds >= longest);
    publish_report(job, &job->report, job->is_over);
    job->nodes += job->report.nodes;
}

static double slice_of(const WebAnalysis *job)
{
    bool is_alone = web_pool_waiting(job->session->context->pool, WEB_LANE_LONG) == 0;
    double slice = job->total > least_slice ? job->total : least_slice;
    double most = is_alone ? longest - job->total : shared_slice;
    return slice < most ? slice : most > least_slice ? most : least_slice;
}

static void run_slice(WebAnalysis *job)
{
    double seconds = slice_of(job), begin = clock_seconds();
    Error error = {0};
    if (job->search == NULL && open_all(job, &error) != STATUS_OK) {
        job->is_over = true;
        web_topic_send(job->session->topic, "problem", "problem", false, json_pack("{s:s}", "error", error.text));
        return;
    }
    if (job->began <= 0)
        job->began = begin;
    // Until the solver finishes, solver and engine each have half of the time.
    if (job->exact != NULL && solve(job, seconds / 2))
        job->is_over = true;
    else if (!atomic_load(&job->stop))
        think(job, seconds);
    job->total += clock_seconds() - begin;
}

static void job_free(WebAnalysis *job)
{
    search_close(job->search);
    exact_close(job->exact);
    web_sessions_search_end(job->session->context->sessions);
    web_session_release(job->session);
    free(job);
}

static void run(void *context)
{
    WebAnalysis *job = context;
    WebSession *session = job->session;
    (void)pthread_mutex_lock(&session->lock);
    bool is_wanted = session->analysis.job == job;
    job->slice_began = clock_seconds();
    (void)pthread_mutex_unlock(&session->lock);
    if (is_wanted)
        run_slice(job);
    (void)pthread_mutex_lock(&session->lock);
    job->slice_began = 0;
    bool goes_on = false;
    if (session->analysis.job == job) {
        if (job->eval.is_known && web_tree_has(&session->tree, job->node))
            web_tree_evaluate(&session->tree, job->node, &job->eval);
        atomic_store(&job->stop, false);
        goes_on = !job->is_over && web_pool_add(session->context->pool, WEB_LANE_LONG, (WebJob){run, job, 0});
        session->analysis.is_done = job->is_over;
        session->analysis.job = goes_on ? job : NULL;
    }
    (void)pthread_mutex_unlock(&session->lock);
    if (!goes_on)
        job_free(job);
}

// --- Beginning and end ---

void web_analysis_schedule(WebSession *session)
{
    if (!session->analysis.on || session->analysis.job != NULL || session->analysis.is_done || session->is_gone ||
        game_is_over(&session->game) || !web_session_is_watched(session) ||
        !web_sessions_search_begin(session->context->sessions))
        return;
    WebAnalysis *job = memory_new(1, sizeof *job);
    job->session = web_session_hold(session);
    job->node = session->current;
    job->lines = session->analysis.lines;
    job->depth = session->analysis.depth;
    job->cells = session->analysis.cells;
    game_copy(&job->game, &session->game);
    session->analysis.job = job;
    if (web_pool_add(session->context->pool, WEB_LANE_LONG, (WebJob){run, job, 0}))
        return;
    session->analysis.job = NULL;
    job_free(job);
}

void web_analysis_stop(WebSession *session)
{
    if (session->analysis.job != NULL)
        atomic_store(&session->analysis.job->stop, true);
    session->analysis.job = NULL;
    session->analysis.is_done = false;
    web_topic_forget(session->topic, "analysis");
}

void web_analysis_share(WebSession *session)
{
    WebAnalysis *job = session->analysis.job;
    if (job != NULL && job->slice_began > 0 && clock_seconds() - job->slice_began > shared_slice &&
        web_pool_waiting(session->context->pool, WEB_LANE_LONG) > 0)
        atomic_store(&job->stop, true);
}
