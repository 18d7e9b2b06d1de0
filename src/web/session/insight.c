// Routes that explain a position: analysis, scan, hint, threats, forced wins, opening books.
#include "web/session/session.h"

#include "agents/agent.h"
#include "analysis/analyze.h"
#include "analysis/explain.h"
#include "game/notation.h"
#include "match/referee.h"
#include "web/lab/explore.h"
#include "web/lab/library.h"

enum {
    ENGINE_MEGABYTES = 16,
    TABLE_MEGABYTES = 16,
    REFUTED_MAX = 24,      // answers that are refuted at most
    REFUTE_NODES = 100000, // for the refutation of one answer
};

static const double hint_seconds = 1, forced_seconds = 3;

// --- Analysis and scan ---

static Status analysis_set(WebSession *session, WebCall *call)
{
    bool on = web_field_bool(call, "on", session->analysis.on);
    unsigned lines = (unsigned)web_field_int(call, "lines", 1, WEB_LINES_MAX, session->analysis.lines);
    bool cells = web_field_bool(call, "cells", session->analysis.cells);
    unsigned depth = (unsigned)web_field_int(call, "depth", 0, RULES_CELLS_MAX, 0);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    web_analysis_stop(session);
    session->analysis.on = on;
    session->analysis.lines = lines;
    session->analysis.cells = cells;
    session->analysis.depth = depth;
    web_analysis_schedule(session);
    if (on && session->analysis.job == NULL && !game_is_over(&session->game))
        return web_fail(call, 429, NULL, "Too many searches are running; try again in a moment.");
    return STATUS_OK;
}

static Status scan_set(WebSession *session, WebCall *call)
{
    bool cancels = web_field_bool(call, "cancel", false);
    if (call->error->status != STATUS_OK)
        return call->error->status;
    if (!cancels)
        return web_scan_start(session, call->error);
    web_scan_stop(session);
    if (session->scan.result != NULL)
        web_topic_send(session->topic, "scan", "scan", true, json_deep_copy(session->scan.result));
    return STATUS_OK;
}

// --- A hint ---

static json_t *hint_json(const Game *game, const Decision *decision)
{
    Text reason = {0};
    const Rules *rules = &game->board.rules;
    const char *const names[] = {web_side_name(rules, SIDE_FIRST), web_side_name(rules, SIDE_SECOND)};
    explain_decision_as(game, decision, names, " ", &reason);
    json_t *object =
        json_pack("{s:o, s:s, s:f, s:s?, s:o, s:o}", "stones", view_cells(decision->stones, decision->count), "reason",
                  reason.data, "score", decision->score, "proven", proven_name(decision->proven), "distance",
                  decision->distance >= 0 ? json_integer(decision->distance) : json_null(), "pv",
                  view_cells(decision->line, decision->line_count));
    text_close(&reason);
    return object;
}

static Status think_of_hint(const Game *game, Decision *decision, WebCall *call)
{
    char text[WEB_AGENT_SIZE];
    Status status = web_agent_check(call, "agent", agent_best(&game->board.rules)->name, &game->board.rules, text);
    Agent agent;
    if (status == STATUS_OK)
        status = agent_open_with(&agent, span_of(text), &game->board.rules, call->context->host, call->error);
    if (status != STATUS_OK)
        return status;
    Rng rng = rng_make(board_key(&game->board));
    AgentTask task = {.budget = {.seconds = hint_seconds}, .rng = &rng, .stop = web_stop(call)};
    agent_decide(&agent, game, &task, decision);
    agent_close(&agent);
    Game trial;
    game_copy(&trial, game);
    return referee_play(&trial, decision, call->error) == STATUS_OK ? STATUS_OK : STATUS_FAILED;
}

// The game of a request, which must not be over.
static Status live_game(WebCall *call, Game *game)
{
    Status status = web_play_game(call, game);
    return status == STATUS_OK && game_is_over(game) ? web_fail(call, 409, NULL, "The game is over.") : status;
}

static Status handle_hint(WebCall *call)
{
    Game game;
    Status status = live_game(call, &game);
    if (status != STATUS_OK)
        return status;
    Decision decision = {0};
    status = think_of_hint(&game, &decision, call);
    if (status == STATUS_OK)
        call->reply->json = hint_json(&game, &decision);
    return status;
}

static Status handle_threats(WebCall *call)
{
    Game game;
    Status status = web_play_game(call, &game);
    ThreatsView threats[2] = {0};
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        threats_view_find(&threats[side], &game.board, (Side)side);
    if (status == STATUS_OK)
        call->reply->json =
            json_pack("{s:o, s:o}", "first", threats_view_json(&threats[0]), "second", threats_view_json(&threats[1]));
    threats_view_close(&threats[0]);
    threats_view_close(&threats[1]);
    return status;
}

// --- Forced wins ---

// The caller closes the analysis, also after a failure.
static Status analyse_for(Analysis *analysis, const WebCall *call, const Game *game, Budget budget)
{
    // With gravity there is no tree; the solver gives the value of every column.
    AnalyzeOptions options = {
        .budget = budget,
        .host = call->context->host,
        .lines = game->board.rules.gravity ? WEB_LINES_MAX : 1,
        .memory = ENGINE_MEGABYTES,
        .tables = TABLE_MEGABYTES,
        .stop = web_stop(call),
    };
    return analyze(analysis, &options, game, call->error);
}

// The win of the side to move after an answer; NULL if none was found. Limited by nodes, so that all machines refute
// the same answers.
static Status refute(const WebCall *call, const Game *answered, json_t **win)
{
    Analysis analysis = {0};
    Budget budget = {.nodes = REFUTE_NODES};
    Status status = game_is_over(answered) ? STATUS_OK : analyse_for(&analysis, call, answered, budget);
    if (status == STATUS_OK && analysis.own.tree.count > 0)
        *win = analyze_forced_json(&analysis.own);
    analyze_close(&analysis);
    return status;
}

// A tree of the answers of the side to move: every turn that stops the threats of the other side, with the win of the
// other side after it. JSON null if not all stones of the turn are needed, which allows far more turns, or if an answer
// is not refuted.
static Status refute_all(const WebCall *call, const Game *game, json_t **lost)
{
    const Board *board = &game->board;
    ThreatAnswers answers = {0};
    Status status = STATUS_OK;
    threats_answers(board, side_other(board_side(board)), &answers);
    unsigned count =
        !answers.is_truncated && answers.size == board_stones_left(board) && !board->rules.gravity ? answers.count : 0;
    json_t *branches = json_array();
    unsigned refuted = 0;
    while (status == STATUS_OK && refuted < count && count <= REFUTED_MAX) {
        const Cell *answer = &answers.cells[refuted * (size_t)answers.size];
        json_t *win = NULL;
        Game answered;
        game_copy(&answered, game);
        for (unsigned i = 0; i < answers.size; i++)
            game_play(&answered, answer[i]);
        status = refute(call, &answered, &win);
        if (win == NULL)
            break;
        (void)json_array_append_new(
            branches, json_pack("{s:o, s:i, s:o}", "answer", view_cells(answer, answers.size), "free", 0, "then", win));
        refuted++;
    }
    *lost = refuted > 0 && refuted == count ? json_pack("{s:[], s:O, s:n}", "turn", "answers", branches, "ends")
                                            : json_null();
    json_decref(branches);
    threats_answers_close(&answers);
    return status;
}

static json_t *forced_json(const Analysis *analysis, json_t *lost)
{
    const ForcedView *own = &analysis->own, *threat = &analysis->threat;
    Side side = board_side(&analysis->game->board);
    return json_pack("{s:s, s:o, s:i, s:b, s:{s:s, s:o, s:b}, s:o, s:o, s:o}", "side", side_name(side), "forced",
                     analyze_forced_json(own), "turns", analyze_is_won(own) ? (int)own->result.turns : 0, "won",
                     analyze_is_won(own), "threatens", "side", side_name(side_other(side)), "forced",
                     analyze_forced_json(threat), "won", analyze_is_won(threat), "stops",
                     analysis->stops.is_searched ? view_cells(analysis->stops.cells, analysis->stops.count)
                                                 : json_null(),
                     "lost", lost, "lines", analyze_lines_json(analysis));
}

// The live game of a request after the stones of the parameter "after".
static Status game_after(WebCall *call, Game *game)
{
    const char *after = web_query(call, "after");
    Status status = live_game(call, game);
    if (status != STATUS_OK || after == NULL)
        return status;
    status = web_blame(call, "after", game_read(game, span_of(after), call->error));
    return status == STATUS_OK && game_is_over(game) ? web_fail(call, 409, "after", "The game is over.") : status;
}

static Status handle_forced(WebCall *call)
{
    Game game;
    Status status = game_after(call, &game);
    if (status != STATUS_OK)
        return status;
    if (!search_suits(&game.board.rules))
        return web_fail(call, 409, NULL, "The engine does not search games with this many stones per turn.");
    Analysis analysis;
    json_t *lost = NULL;
    status = analyse_for(&analysis, call, &game, (Budget){.seconds = forced_seconds});
    if (status == STATUS_OK && !analyze_is_won(&analysis.own))
        status = refute_all(call, &game, &lost);
    if (status == STATUS_OK)
        call->reply->json = forced_json(&analysis, lost != NULL ? lost : json_null());
    else
        json_decref(lost);
    analyze_close(&analysis);
    return status;
}

static Status handle_book(WebCall *call)
{
    Game game;
    const char *name = web_query(call, "name");
    Status status = web_play_game(call, &game);
    if (status != STATUS_OK)
        return status;
    call->reply->json = web_library_book(call, name != NULL && name[0] != '\0' ? name : "-", &game);
    return call->reply->json != NULL ? STATUS_OK : call->error->status;
}

static Status handle_explore(WebCall *call)
{
    Game game;
    Status status = web_play_game(call, &game);
    if (status != STATUS_OK)
        return status;
    call->reply->json = web_explore(call, &game);
    return call->reply->json != NULL ? STATUS_OK : call->error->status;
}

const WebRoute web_insight_routes[] = {
    {"POST", "/sessions/{id}/analysis", web_play_act, 0, "Start or stop the analysis of the current position",
     .names = "on lines cells depth", .action = analysis_set},
    {"POST", "/sessions/{id}/scan", web_play_act, 0, "Review the whole game", .names = "cancel", .action = scan_set},
    {"POST", "/sessions/{id}/try", web_scan_try, WEB_THINKS, "Judge a turn: is it as good as the best one?",
     .names = "node stones"},
    {"POST", "/sessions/{id}/hint", handle_hint, WEB_THINKS, "What krow would play, and why", .names = "node"},
    {"GET", "/sessions/{id}/threats", handle_threats, WEB_SLOW, "Threats of both sides, and what answers them",
     .names = "node"},
    {"GET", "/sessions/{id}/forced", handle_forced, WEB_THINKS | WEB_PROVES, "A forced win with all answers",
     .names = "node after"},
    {"GET", "/sessions/{id}/book", handle_book, WEB_SLOW, "What an opening book says of a position",
     .names = "name node"},
    {"GET", "/sessions/{id}/explore", handle_explore, WEB_SLOW, "How games and opening books continued from a position",
     .names = "node"},
    {0},
};
