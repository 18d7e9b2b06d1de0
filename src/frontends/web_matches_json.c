// Matches as the page gets them.
#include "frontends/web_matches_internal.h"

#include "base/clock.h"
#include "frontends/output.h"
#include "frontends/report.h"

#include <math.h>
#include <stdlib.h>

const char *contest_state_name(ContestState state)
{
    static const char *const names[] = {"running", "paused", "done", "cancelled", "failed", "elsewhere"};
    return names[state];
}

Lab contest_view(const Contest *contest)
{
    const Lab *lab = &contest->lab;
    return (Lab){.event = lab->event,
                 .results = contest->shown,
                 .has_sprt = lab->has_sprt,
                 .sprt = lab->sprt,
                 .names = lab->names};
}

static json_t *moment(int64_t ms)
{
    return ms != 0 ? json_integer(ms) : json_null();
}

static json_t *tally_json(Tally tally)
{
    if (tally_games(tally) == 0)
        return json_null();
    return json_pack("{s:i, s:i, s:i, s:f}", "wins", (int)tally.wins, "draws", (int)tally.draws, "losses",
                     (int)tally.losses, "score", tally_score(tally));
}

static json_t *faults_json(FaultCounts faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults.illegal, "timeout", (int)faults.timeout, "crash",
                     (int)faults.crash);
}

// --- Agents and their table ---

static json_t *agent_json(const Lab *lab, const RatedAgents *rated, unsigned agent)
{
    static const char *const edges[] = {NULL, "won all", "lost all"};
    const AgentRating *rating = &rated->ratings[agent];
    const AgentCounts *counts = &lab->results.agents[agent];
    Tally all = results_of_agent(&lab->results, agent);
    bool has_games = tally_games(all) > 0;
    double ms = counts->turns > 0 ? counts->seconds * 1000 / (double)counts->turns : NAN;
    return json_pack("{s:i, s:s, s:o, s:o, s:s?, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "index", (int)agent, "name",
                     lab->names[agent], "rating", has_games ? report_number(rating->rating) : json_null(), "error",
                     has_games ? report_number(rating->error) : json_null(), "edge",
                     has_games ? edges[rating->edge] : NULL, "games", (int)tally_games(all), "wins", (int)all.wins,
                     "draws", (int)all.draws, "losses", (int)all.losses, "score",
                     has_games ? json_real(tally_score(all)) : json_null(), "faults", faults_json(counts->faults),
                     "ms_per_move", report_number(ms));
}

static json_t *table_json(const Lab *lab, const unsigned *order)
{
    json_t *table = json_array();
    unsigned n = lab->event.agent_count;
    for (unsigned i = 0; i < n; i++) {
        json_t *row = json_array();
        for (unsigned j = 0; j < n; j++)
            (void)json_array_append_new(row,
                                        i == j ? json_null() : tally_json(report_between(lab, order[i], order[j])));
        (void)json_array_append_new(table, row);
    }
    return table;
}

// Places in the table of those who play each other now.
static json_t *now_json(const Contest *contest, const unsigned *order)
{
    json_t *list = json_array();
    for (unsigned slot = 0; slot < contest->jobs; slot++) {
        const ContestBoard *board = &contest->boards[slot];
        unsigned place[2] = {0, 0};
        for (unsigned i = 0; i < contest->lab.event.agent_count; i++)
            for (unsigned side = 0; side < 2; side++)
                place[side] = order[i] == board->agents[side] ? i : place[side];
        if (board->is_used)
            (void)json_array_append_new(list, json_pack("[i,i]", (int)place[0], (int)place[1]));
    }
    return list;
}

// --- Statistics ---

static json_t *sprt_json(const Lab *lab)
{
    if (!lab->has_sprt)
        return json_null();
    SprtState state = lab_sprt(lab);
    return json_pack("{s:o, s:f, s:f, s:f, s:f, s:s}", "llr", report_number(state.llr), "lower", state.bounds.low,
                     "upper", state.bounds.high, "elo0", lab->sprt.nelo0, "elo1", lab->sprt.nelo1, "state",
                     sprt_verdict_name(state.verdict));
}

static json_t *stats_json(const Lab *lab)
{
    static const char *const judgements[] = {"too small", "A", "B"};
    const HeadToHead *pair = &lab->results.pairs[0];
    if (lab->event.agent_count != 2 || tally_games(pair->games) == 0)
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

// All games seen from whoever played first.
static Tally of_the_first(const Lab *lab)
{
    Tally sum = {0};
    unsigned n = lab->event.agent_count;
    for (unsigned i = 0; i < n * n; i++) {
        sum.wins += lab->results.table[i].wins;
        sum.draws += lab->results.table[i].draws;
        sum.losses += lab->results.table[i].losses;
    }
    return sum;
}

static FaultCounts all_faults(const Lab *lab)
{
    FaultCounts sum = {0};
    for (unsigned i = 0; i < lab->event.agent_count; i++) {
        sum.illegal += lab->results.agents[i].faults.illegal;
        sum.timeout += lab->results.agents[i].faults.timeout;
        sum.crash += lab->results.agents[i].faults.crash;
    }
    return sum;
}

static json_t *seconds_left(const Contest *contest)
{
    unsigned total = schedule_games(&contest->shown.schedule), played = contest->shown.games - contest->before;
    double seconds = clock_seconds() - contest->begun;
    if (contest->state != CONTEST_RUNNING || played == 0 || seconds <= 0)
        return json_null();
    return json_real(round(seconds / played * (total - contest->shown.games)));
}

static json_t *limits_json(const DuelLimits *limits)
{
    json_t *clock = limits->clock_seconds > 0
                        ? json_pack("{s:f, s:f}", "seconds", limits->clock_seconds, "increment", limits->increment)
                        : json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "time",
                     limits->turn_seconds > 0 ? json_real(limits->turn_seconds) : json_null(), "nodes",
                     limits->nodes > 0 ? json_integer((json_int_t)limits->nodes) : json_null(), "depth",
                     limits->depth > 0 ? json_integer(limits->depth) : json_null(), "clock", clock);
}

// --- The whole ---

static void add_table(const Contest *contest, const Lab *lab, const RatedAgents *rated, json_t *object)
{
    json_t *agents = json_array();
    Tally first = of_the_first(lab);
    double games = tally_games(first);
    for (unsigned i = 0; i < lab->event.agent_count; i++)
        (void)json_array_append_new(agents, agent_json(lab, rated, rated->order[i]));
    (void)json_object_set_new(object, "agents", agents);
    (void)json_object_set_new(object, "table", table_json(lab, rated->order));
    (void)json_object_set_new(object, "now", now_json(contest, rated->order));
    (void)json_object_set_new(object, "sprt", sprt_json(lab));
    (void)json_object_set_new(object, "stats", stats_json(lab));
    (void)json_object_set_new(object, "first_score", games > 0 ? json_real(tally_score(first)) : json_null());
    (void)json_object_set_new(object, "draws_share", games > 0 ? json_real(first.draws / games) : json_null());
    (void)json_object_set_new(object, "faults", faults_json(all_faults(lab)));
    (void)json_object_set_new(object, "advantage",
                              games > 0 ? json_pack("{s:o, s:o}", "elo", report_number(rated->fit.advantage), "error",
                                                    report_number(rated->fit.advantage_error))
                                        : json_null());
}

json_t *contest_brief(const Contest *contest)
{
    char game[RULES_TEXT_SIZE];
    const Event *event = &contest->lab.event;
    rules_format(&event->rules, game);
    json_t *names = json_array();
    for (unsigned i = 0; i < event->agent_count; i++)
        (void)json_array_append_new(names, json_string(event->agents[i]));
    return json_pack("{s:I, s:s, s:s, s:s, s:o, s:s, s:i, s:i, s:o, s:o}", "id", (json_int_t)contest->id, "kind",
                     contest->kind == DATABASE_MATCH ? "match" : "tournament", "game", game, "state",
                     contest_state_name(contest->state), "agents", names, "format",
                     contest->kind == DATABASE_MATCH ? "match" : event_format_name(event->format), "games",
                     (int)schedule_games(&contest->shown.schedule), "played", (int)contest->shown.games, "began",
                     moment(contest->created), "finished", moment(contest->finished));
}

json_t *contest_json(const Contest *contest, bool with_boards)
{
    Lab lab = contest_view(contest);
    RatedAgents rated = {0};
    json_t *object = contest_brief(contest);
    (void)json_object_del(object, "games");
    json_t *more =
        json_pack("{s:s?, s:i, s:o, s:i, s:o, s:I, s:i}", "error", contest->error[0] != '\0' ? contest->error : NULL,
                  "total", (int)schedule_games(&contest->shown.schedule), "seconds_left", seconds_left(contest), "jobs",
                  (int)contest->jobs, "limits", limits_json(&lab.event.limits), "seed", (json_int_t)lab.event.seed,
                  "openings", (int)contest->openings);
    (void)json_object_update(object, more);
    json_decref(more);
    if (report_rate(&lab, &rated, NULL) == STATUS_OK)
        add_table(contest, &lab, &rated, object);
    report_rated_close(&rated);
    if (with_boards) {
        json_t *boards = json_array();
        for (unsigned slot = 0; slot < contest->jobs; slot++)
            if (contest->boards[slot].is_used)
                (void)json_array_append_new(boards, contest_board_json(contest, slot));
        (void)json_object_set_new(object, "boards", boards);
    }
    return object;
}

static json_t *pair_of_ms(const double seconds[2])
{
    return json_pack("{s:I, s:I}", "first", (json_int_t)(seconds[0] * 1000), "second", (json_int_t)(seconds[1] * 1000));
}

json_t *contest_board_json(const Contest *contest, unsigned slot)
{
    const ContestBoard *board = &contest->boards[slot];
    char game[RULES_TEXT_SIZE];
    rules_format(&board->board.rules, game);
    return json_pack("{s:i, s:i, s:s, s:s, s:s, s:o, s:o, s:s, s:i, s:b, s:s?, s:s?, s:o, s:o}", "slot", (int)slot,
                     "number", (int)board->number, "first", contest->lab.names[board->agents[0]], "second",
                     contest->lab.names[board->agents[1]], "game", game, "rows", output_rows(&board->board), "last",
                     output_cells(board->last, board->last_count), "turn", side_name(board_side(&board->board)),
                     "stones", (int)board_count(&board->board), "over", board->reason != REASON_NONE, "winner",
                     result_name(board->result), "reason",
                     board->reason != REASON_NONE ? reason_text(board->reason) : NULL, "ms", pair_of_ms(board->seconds),
                     "clock", board->has_clock ? pair_of_ms(board->clock) : json_null());
}
