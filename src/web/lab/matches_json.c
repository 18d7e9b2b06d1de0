// JSON of matches for the page.
#include "web/lab/matches_internal.h"

#include "base/clock.h"
#include "lab/report.h"
#include "view/json_view.h"

#include <math.h>

const char *web_match_state_name(WebMatchState state)
{
    static const char *const names[] = {"running", "paused", "done", "cancelled", "failed", "elsewhere"};
    return names[state];
}

MatchRun web_match_view(const WebMatch *web_match)
{
    const MatchRun *run = &web_match->run;
    return (MatchRun){.event = run->event,
                      .results = web_match->shown,
                      .has_sprt = run->has_sprt,
                      .sprt = run->sprt,
                      .names = run->names};
}

static json_t *tally_json(Tally tally)
{
    if (tally_games(tally) == 0)
        return json_null();
    return json_pack("{s:i, s:i, s:i, s:f}", "wins", (int)tally.wins, "draws", (int)tally.draws, "losses",
                     (int)tally.losses, "score", tally_score(tally));
}

// --- Agents and their table ---

static json_t *agent_json(const MatchRun *run, const RatedAgents *rated, unsigned agent)
{
    static const char *const edges[] = {NULL, "won all", "lost all"};
    const AgentRating *rating = &rated->ratings[agent];
    const AgentCounts *counts = &run->results.agents[agent];
    Tally all = results_of_agent(&run->results, agent);
    bool has_games = tally_games(all) > 0;
    double ms = counts->turns > 0 ? counts->seconds * 1000 / (double)counts->turns : NAN;
    return json_pack("{s:i, s:s, s:o, s:o, s:s?, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "index", (int)agent, "name",
                     run->names[agent], "rating", has_games ? report_number(rating->rating) : json_null(), "error",
                     has_games ? report_number(rating->error) : json_null(), "edge",
                     has_games ? edges[rating->edge] : NULL, "games", (int)tally_games(all), "wins", (int)all.wins,
                     "draws", (int)all.draws, "losses", (int)all.losses, "score",
                     has_games ? json_real(tally_score(all)) : json_null(), "faults",
                     report_faults_json(counts->faults), "ms_per_move", report_number(ms));
}

static json_t *table_json(const MatchRun *run, const unsigned *order)
{
    json_t *table = json_array();
    unsigned n = run->event.agent_count;
    for (unsigned i = 0; i < n; i++) {
        json_t *row = json_array();
        for (unsigned j = 0; j < n; j++)
            (void)json_array_append_new(row,
                                        i == j ? json_null() : tally_json(report_between(run, order[i], order[j])));
        (void)json_array_append_new(table, row);
    }
    return table;
}

// Pairs of agents that play now, as rows of the table.
static json_t *now_json(const WebMatch *web_match, const unsigned *order)
{
    json_t *list = json_array();
    for (unsigned slot = 0; slot < web_match->jobs; slot++) {
        const WebMatchBoard *board = &web_match->boards[slot];
        unsigned place[2] = {0, 0};
        for (unsigned i = 0; i < web_match->run.event.agent_count; i++)
            for (unsigned side = 0; side < 2; side++)
                place[side] = order[i] == board->agents[side] ? i : place[side];
        if (board->is_used)
            (void)json_array_append_new(list, json_pack("[i,i]", (int)place[0], (int)place[1]));
    }
    return list;
}

// --- Statistics ---

static json_t *sprt_json(const MatchRun *run)
{
    if (!run->has_sprt)
        return json_null();
    SprtState state = match_run_sprt(run);
    return json_pack("{s:o, s:f, s:f, s:f, s:f, s:s}", "llr", report_number(state.llr), "lower", state.bounds.low,
                     "upper", state.bounds.high, "elo0", run->sprt.elo0, "elo1", run->sprt.elo1, "state",
                     sprt_verdict_name(state.verdict));
}

static json_t *stats_json(const MatchRun *run)
{
    static const char *const judgements[] = {"too small", "A", "B"};
    const HeadToHead *pair = &run->results.pairs[0];
    if (run->event.agent_count != 2 || tally_games(pair->games) == 0)
        return json_null();
    Estimate elo = stats_elo(pair), nelo = stats_nelo(pair);
    json_t *pairs = json_array();
    for (int i = 0; i < PAIR_KINDS; i++)
        (void)json_array_append_new(pairs, json_integer(pair->pairs[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:f, s:o, s:f, s:s}", "elo", report_number(elo.value), "elo_error",
                     report_number(elo.error), "nelo", report_number(nelo.value), "nelo_error",
                     report_number(nelo.error), "los", stats_los(pair), "pairs", pairs, "score",
                     tally_score(pair->games), "stronger", judgements[stats_judge(pair)]);
}

// The tally of all games for the first player.
static Tally of_the_first(const MatchRun *run)
{
    Tally sum = {0};
    unsigned n = run->event.agent_count;
    for (unsigned i = 0; i < n * n; i++) {
        sum.wins += run->results.table[i].wins;
        sum.draws += run->results.table[i].draws;
        sum.losses += run->results.table[i].losses;
    }
    return sum;
}

static FaultCounts all_faults(const MatchRun *run)
{
    FaultCounts sum = {0};
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        sum.illegal += run->results.agents[i].faults.illegal;
        sum.timeout += run->results.agents[i].faults.timeout;
        sum.crash += run->results.agents[i].faults.crash;
    }
    return sum;
}

static json_t *seconds_left(const WebMatch *web_match)
{
    unsigned total = schedule_games(&web_match->shown.schedule), played = web_match->shown.games - web_match->before;
    double seconds = clock_seconds() - web_match->begun;
    if (web_match->state != CONTEST_RUNNING || played == 0 || seconds <= 0)
        return json_null();
    return json_real(round(seconds / played * (total - web_match->shown.games)));
}

static json_t *limits_json(const DuelLimits *limits)
{
    json_t *clock = limits->clock_seconds > 0
                        ? json_pack("{s:f, s:f}", "seconds", limits->clock_seconds, "increment", limits->increment)
                        : json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "time",
                     limits->turn_seconds > 0 ? json_real(limits->turn_seconds) : json_null(), "nodes",
                     web_number_json((int64_t)limits->nodes), "depth", web_number_json(limits->depth), "clock", clock);
}

// --- The whole ---

static void add_table(const WebMatch *web_match, const MatchRun *run, const RatedAgents *rated, json_t *object)
{
    json_t *agents = json_array();
    Tally first = of_the_first(run);
    double games = tally_games(first);
    for (unsigned i = 0; i < run->event.agent_count; i++)
        (void)json_array_append_new(agents, agent_json(run, rated, rated->order[i]));
    json_t *advantage = games > 0 ? json_pack("{s:o, s:o}", "elo", report_number(rated->fit.advantage), "error",
                                              report_number(rated->fit.advantage_error))
                                  : json_null();
    (void)json_object_update_new(object,
                                 json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "agents", agents, "table",
                                           table_json(run, rated->order), "now", now_json(web_match, rated->order),
                                           "sprt", sprt_json(run), "stats", stats_json(run), "first_score",
                                           games > 0 ? json_real(tally_score(first)) : json_null(), "draws_share",
                                           games > 0 ? json_real(first.draws / games) : json_null(), "faults",
                                           report_faults_json(all_faults(run)), "advantage", advantage));
}

json_t *web_match_brief(const WebMatch *web_match)
{
    const Tournament *event = &web_match->run.event;
    json_t *names = json_array();
    for (unsigned i = 0; i < event->agent_count; i++)
        (void)json_array_append_new(names, json_string(event->names[i]));
    return json_pack("{s:I, s:s, s:o, s:s, s:o, s:s, s:i, s:i, s:o, s:o}", "id", (json_int_t)web_match->id, "kind",
                     web_match->kind == DATABASE_MATCH ? "match" : "tournament", "game", view_rules(&event->rules),
                     "state", web_match_state_name(web_match->state), "agents", names, "format",
                     web_match->kind == DATABASE_MATCH ? "match" : tournament_format_name(event->format), "games",
                     (int)schedule_games(&web_match->shown.schedule), "played", (int)web_match->shown.games, "began",
                     web_number_json(web_match->created), "finished", web_number_json(web_match->finished));
}

json_t *web_match_json(const WebMatch *web_match, bool with_boards)
{
    MatchRun run = web_match_view(web_match);
    RatedAgents rated = {0};
    json_t *object = web_match_brief(web_match);
    (void)json_object_del(object, "games");
    (void)json_object_update_new(object, json_pack("{s:s?, s:i, s:o, s:i, s:o, s:I, s:i}", "error",
                                                   web_match->error[0] != '\0' ? web_match->error : NULL, "total",
                                                   (int)schedule_games(&web_match->shown.schedule), "seconds_left",
                                                   seconds_left(web_match), "jobs", (int)web_match->jobs, "limits",
                                                   limits_json(&run.event.limits), "seed", (json_int_t)run.event.seed,
                                                   "openings", (int)web_match->openings));
    if (report_rate(&run, &rated, NULL) == STATUS_OK)
        add_table(web_match, &run, &rated, object);
    report_rated_close(&rated);
    if (with_boards) {
        json_t *boards = json_array();
        for (unsigned slot = 0; slot < web_match->jobs; slot++)
            if (web_match->boards[slot].is_used)
                (void)json_array_append_new(boards, web_match_board_json(web_match, slot));
        (void)json_object_set_new(object, "boards", boards);
    }
    return object;
}

static json_t *pair_of_ms(const double seconds[2])
{
    return json_pack("{s:I, s:I}", "first", (json_int_t)(seconds[0] * 1000), "second", (json_int_t)(seconds[1] * 1000));
}

json_t *web_match_board_json(const WebMatch *web_match, unsigned slot)
{
    const WebMatchBoard *board = &web_match->boards[slot];
    return json_pack("{s:i, s:i, s:s, s:s, s:o, s:o, s:o, s:s, s:i, s:b, s:s?, s:s?, s:o, s:o}", "slot", (int)slot,
                     "number", (int)board->number, "first", web_match->run.names[board->agents[0]], "second",
                     web_match->run.names[board->agents[1]], "game", view_rules(&board->board.rules), "rows",
                     view_rows(&board->board), "last", view_cells(board->last, board->last_count), "turn",
                     side_name(board_side(&board->board)), "stones", (int)board_count(&board->board), "over",
                     board->reason != REASON_NONE, "winner", result_name(board->result), "reason",
                     board->reason != REASON_NONE ? reason_text(board->reason) : NULL, "ms", pair_of_ms(board->seconds),
                     "clock", board->has_clock ? pair_of_ms(board->clock) : json_null());
}
