// Results of matches and tournaments as JSON and PGN.
#include "lab/report.h"

#include "base/file.h"
#include "base/memory.h"
#include "view/json_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *report_number(double number)
{
    // Avoids -0.
    return isfinite(number) ? json_real(number == 0 ? 0 : number) : json_null();
}

static json_t *tally_json(Tally tally)
{
    return json_pack("{s:i, s:i, s:i}", "wins", (int)tally.wins, "draws", (int)tally.draws, "losses",
                     (int)tally.losses);
}

static Tally reversed(Tally tally)
{
    return (Tally){tally.losses, tally.draws, tally.wins};
}

json_t *report_faults_json(FaultCounts faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults.illegal, "timeout", (int)faults.timeout, "crash",
                     (int)faults.crash);
}

json_t *report_agent_json(const char *name, const AgentRating *rating, Tally games, FaultCounts faults)
{
    return json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:o}", "name", name, "rating", report_number(rating->rating),
                     "error", report_number(rating->error), "games", (int)tally_games(games), "wins", (int)games.wins,
                     "draws", (int)games.draws, "losses", (int)games.losses, "faults", report_faults_json(faults));
}

double report_ms_per_turn(const AgentCounts *agent)
{
    return agent->turns > 0 ? agent->seconds * 1000 / (double)agent->turns : 0;
}

// The agent's own counts: total, and mean per game.
static json_t *own_json(const AgentCounts *agent)
{
    json_t *object = json_object();
    for (unsigned i = 0; i < agent->own_count; i++) {
        const Sample *sample = &agent->own[i].sample;
        (void)json_object_set_new(
            object, agent->own[i].name,
            json_pack("{s:I, s:f}", "sum", (json_int_t)sample->sum, "per_game", sample_mean(sample).value));
    }
    return object;
}

Tally report_as_first(const MatchRun *run)
{
    return run->results.table[1];
}

Tally report_as_second(const MatchRun *run)
{
    return reversed(run->results.table[2]);
}

const char *report_estimate(Estimate estimate, char text[REPORT_ESTIMATE_SIZE])
{
    Interval range = estimate.range;
    if (isfinite(estimate.value) && isfinite(estimate.error))
        (void)snprintf(text, REPORT_ESTIMATE_SIZE, "%+.1f ± %.1f", estimate.value, estimate.error);
    else if (isfinite(estimate.value))
        (void)snprintf(text, REPORT_ESTIMATE_SIZE, "unknown");
    else if (isfinite(range.low) || isfinite(range.high))
        (void)snprintf(text, REPORT_ESTIMATE_SIZE, "%s (at %s %+.0f)", estimate.value > 0 ? "+∞" : "−∞",
                       isfinite(range.low) ? "least" : "most", isfinite(range.low) ? range.low : range.high);
    else
        (void)snprintf(text, REPORT_ESTIMATE_SIZE, "%s", estimate.value > 0 ? "+∞" : "−∞");
    return text;
}

// The games that were lost by faults, with the reasons.
static json_t *fault_list_json(const MatchRun *run)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < run->fault_count; i++)
        (void)json_array_append_new(list, json_pack("{s:i, s:s, s:o}", "game", (int)run->faults[i].game + 1, "agent",
                                                    run->names[run->faults[i].agent], "reason",
                                                    view_text(run->faults[i].reason)));
    return list;
}

static json_t *adjudicated_json(const MatchRun *run)
{
    return json_pack("{s:i, s:i}", "won", (int)run->results.resigned, "drawn", (int)run->results.agreed);
}

// Adds what a verification of workers has found.
static json_t *with_verification(json_t *report, const MatchRun *run)
{
    const JobVerification *found = &run->verification;
    if (run->verify <= 0)
        return report;
    json_t *quarantined = json_array();
    for (size_t i = 0; i < found->quarantined_count; i++)
        (void)json_array_append_new(quarantined,
                                    json_pack("{s:o, s:o}", "worker", view_text(found->quarantined[i].label), "reason",
                                              view_text(found->quarantined[i].reason)));
    (void)json_object_set_new(report, "verification",
                              json_pack("{s:f, s:b, s:I, s:I, s:o}", "share", found->share, "repeatable",
                                        !found->varies, "checked", (json_int_t)found->checked, "discarded",
                                        (json_int_t)found->discarded, "quarantined", quarantined));
    return report;
}

json_t *report_match_json(const MatchRun *run)
{
    const Results *results = &run->results;
    const HeadToHead *pair = &results->pairs[0];
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    Estimate elo = stats_elo(pair), nelo = stats_nelo(pair);
    json_t *pairs = json_array(), *faults = json_object(), *ms = json_object(), *late = json_object(),
           *own = json_object();
    for (int i = 0; i < PAIR_KINDS; i++)
        (void)json_array_append_new(pairs, json_integer(pair->pairs[i]));
    for (unsigned i = 0; i < 2; i++) {
        (void)json_object_set_new(faults, run->names[i], report_faults_json(results->agents[i].faults));
        (void)json_object_set_new(ms, run->names[i], json_real(report_ms_per_turn(&results->agents[i])));
        (void)json_object_set_new(late, run->names[i], json_integer((json_int_t)results->agents[i].late));
        (void)json_object_set_new(own, run->names[i], own_json(&results->agents[i]));
    }
    SprtState sprt = run->has_sprt ? match_run_sprt(run) : (SprtState){0};
    static const char *const judgements[] = {"too small", "A", "B"};
    json_t *report = json_pack(
        "{s:[s,s], s:s, s:i, s:i, s:i, s:i, s:f, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:s, s:I, s:o, s:o, s:s?}",
        "agents", run->names[0], run->names[1], "game", game, "games", (int)tally_games(pair->games), "wins",
        (int)pair->games.wins, "draws", (int)pair->games.draws, "losses", (int)pair->games.losses, "score",
        tally_score(pair->games), "elo", report_number(elo.value), "elo_error", report_number(elo.error), "nelo",
        report_number(nelo.value), "nelo_error", report_number(nelo.error), "los", stats_los(pair), "pairs", pairs,
        "llr", run->has_sprt ? report_number(sprt.llr) : json_null(), "sprt",
        run->has_sprt ? json_string(sprt_verdict_name(sprt.verdict)) : json_null(), "as_first",
        tally_json(report_as_first(run)), "as_second", tally_json(report_as_second(run)), "faults", faults,
        "ms_per_move", ms, "late", late, "counts", own, "stronger", judgements[stats_judge(pair)], "seed",
        (json_int_t)run->event.seed, "fault_list", fault_list_json(run), "adjudicated", adjudicated_json(run),
        "sprt_model", run->has_sprt ? sprt_model_name(&run->sprt) : NULL);
    return with_verification(report, run);
}

Status report_rate_games(const RatingGames *games, const RatingOptions *options, RatedAgents *rated, Error *error)
{
    unsigned n = games->agents;
    *rated =
        (RatedAgents){.ratings = memory_new(n, sizeof *rated->ratings), .order = memory_new(n, sizeof *rated->order)};
    Status status = ratings_fit(games, options, rated->ratings, &rated->fit, error);
    if (status == STATUS_OK)
        ratings_order(rated->ratings, n, rated->order);
    return status;
}

Status report_rate(const MatchRun *run, RatedAgents *rated, Error *error)
{
    RatingOptions options = {.first_advantage = true};
    return report_rate_games(&(RatingGames){run->results.table, run->event.agent_count}, &options, rated, error);
}

void report_rated_close(RatedAgents *rated)
{
    free(rated->ratings);
    free(rated->order);
    *rated = (RatedAgents){0};
}

Tally report_between(const MatchRun *run, unsigned a, unsigned b)
{
    unsigned n = run->event.agent_count;
    Tally first = run->results.table[a * n + b], second = reversed(run->results.table[b * n + a]);
    return (Tally){first.wins + second.wins, first.draws + second.draws, first.losses + second.losses};
}

json_t *report_tournament_json(const MatchRun *run, const RatedAgents *rated)
{
    unsigned n = run->event.agent_count;
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    json_t *agents = json_array(), *table = json_array();
    for (unsigned i = 0; i < n; i++) {
        unsigned agent = rated->order[i];
        Tally all = results_of_agent(&run->results, agent);
        const AgentCounts *counts = &run->results.agents[agent];
        json_t *row = report_agent_json(run->names[agent], &rated->ratings[agent], all, counts->faults);
        (void)json_object_set_new(row, "ms_per_move", json_real(report_ms_per_turn(counts)));
        (void)json_object_set_new(row, "counts", own_json(counts));
        (void)json_array_append_new(agents, row);
    }
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++) {
            Tally all = report_between(run, a, b);
            if (tally_games(all) > 0)
                (void)json_array_append_new(
                    table, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "a", run->names[a], "b", run->names[b],
                                     "games", (int)tally_games(all), "wins", (int)all.wins, "draws", (int)all.draws,
                                     "losses", (int)all.losses, "as_first", tally_json(run->results.table[a * n + b]),
                                     "as_second", tally_json(reversed(run->results.table[b * n + a]))));
        }
    json_t *report = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "game", game, "games",
                               (int)run->results.games, "agents", agents, "table", table, "first_advantage",
                               report_number(rated->fit.advantage), "first_advantage_error",
                               report_number(rated->fit.advantage_error), "seed", (json_int_t)run->event.seed,
                               "fault_list", fault_list_json(run), "adjudicated", adjudicated_json(run));
    return with_verification(report, run);
}

// Adds a tag; escapes quotes and backslashes.
static void add_tag(Text *text, const char *name, const char *value)
{
    text_add(text, "[%s \"", name);
    for (; *value != '\0'; value++)
        text_add(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    text_add(text, "\"]\n");
}

// "2026.11.19"
static const char *pgn_date(int64_t ended, char date[MATCH_DATE_SIZE])
{
    if (ended <= 0)
        return "????.??.??";
    (void)match_date(ended, date);
    for (char *at = date; *at != '\0'; at++)
        *at = *at == '-' ? '.' : *at;
    return date;
}

void report_pgn_text(const MatchRun *run, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    const Schedule *schedule = &run->results.schedule;
    for (unsigned i = 0; i < schedule_games(schedule); i++) {
        if (!results_has(&run->results, i))
            continue;
        ScheduledGame scheduled = schedule_game(schedule, i);
        int half = run->results.half_points[i];
        int first_half = scheduled.reversed ? 2 - half : half;
        const char *result = first_half == 2 ? "1-0" : first_half == 1 ? "1/2-1/2" : "0-1";
        char round[16], date[MATCH_DATE_SIZE];
        (void)snprintf(round, sizeof round, "%u", i + 1);
        add_tag(text, "Event", game);
        add_tag(text, "Site", "?");
        add_tag(text, "Date", pgn_date(run->results.ended[i], date));
        add_tag(text, "Round", round);
        add_tag(text, "White", run->names[scheduled.reversed ? scheduled.b : scheduled.a]);
        add_tag(text, "Black", run->names[scheduled.reversed ? scheduled.a : scheduled.b]);
        add_tag(text, "Result", result);
        text_add(text, "\n%s\n\n", result);
    }
}

Status report_pgn(const MatchRun *run, const char *path, Error *error)
{
    Text text = {0};
    report_pgn_text(run, &text);
    Status status = file_write(path, (Span){text.data != NULL ? text.data : "", text.length}, error);
    text_close(&text);
    return status;
}

Status report_sgf(const MatchRun *run, const char *path, Error *error)
{
    Text text = {0};
    for (unsigned i = 0; run->sgf != NULL && i < schedule_games(&run->results.schedule); i++)
        text_add_span(&text, (Span){run->sgf[i].data, run->sgf[i].length});
    Status status = file_write(path, (Span){text.data != NULL ? text.data : "", text.length}, error);
    text_close(&text);
    return status;
}
