#include "frontends/report.h"

#include "base/file.h"
#include "frontends/output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_t *report_number(double number)
{
    // Zero has no sign in a report.
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

static json_t *faults_json(FaultCounts faults)
{
    return json_pack("{s:i, s:i, s:i}", "illegal", (int)faults.illegal, "timeout", (int)faults.timeout, "crash",
                     (int)faults.crash);
}

static double ms_per_turn(const AgentCounts *agent)
{
    return agent->turns > 0 ? agent->seconds * 1000 / (double)agent->turns : 0;
}

// Numbers of the agent's own: in all, and for each game.
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

// A as first player, and as second, seen from A.
static Tally as_first(const Lab *lab)
{
    return lab->results.table[1];
}

static Tally as_second(const Lab *lab)
{
    return reversed(lab->results.table[2]);
}

json_t *report_match_json(const Lab *lab)
{
    const Results *results = &lab->results;
    const HeadToHead *pair = &results->pairs[0];
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    Estimate elo = stats_elo(pair), nelo = stats_nelo(pair);
    json_t *pairs = json_array(), *faults = json_object(), *ms = json_object(), *late = json_object(),
           *own = json_object();
    for (int i = 0; i < PAIR_KINDS; i++)
        (void)json_array_append_new(pairs, json_integer(pair->pairs[i]));
    for (unsigned i = 0; i < 2; i++) {
        (void)json_object_set_new(faults, lab->names[i], faults_json(results->agents[i].faults));
        (void)json_object_set_new(ms, lab->names[i], json_real(ms_per_turn(&results->agents[i])));
        (void)json_object_set_new(late, lab->names[i], json_integer((json_int_t)results->agents[i].late));
        (void)json_object_set_new(own, lab->names[i], own_json(&results->agents[i]));
    }
    SprtState sprt = lab->has_sprt ? lab_sprt(lab) : (SprtState){0};
    static const char *const judgements[] = {"too small", "A", "B"};
    return json_pack(
        "{s:[s,s], s:s, s:i, s:i, s:i, s:i, s:f, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:s, s:I}",
        "agents", lab->names[0], lab->names[1], "game", game, "games", (int)tally_games(pair->games), "wins",
        (int)pair->games.wins, "draws", (int)pair->games.draws, "losses", (int)pair->games.losses, "score",
        tally_score(pair->games), "elo", report_number(elo.value), "elo_error", report_number(elo.error), "nelo",
        report_number(nelo.value), "nelo_error", report_number(nelo.error), "los", stats_los(pair), "pairs", pairs,
        "llr", lab->has_sprt ? report_number(sprt.llr) : json_null(), "sprt",
        lab->has_sprt ? json_string(sprt_verdict_name(sprt.verdict)) : json_null(), "as_first",
        tally_json(as_first(lab)), "as_second", tally_json(as_second(lab)), "faults", faults, "ms_per_move", ms, "late",
        late, "counts", own, "stronger", judgements[stats_judge(pair)], "seed", (json_int_t)lab->event.seed);
}

static void print_estimate(const char *name, Estimate estimate)
{
    if (isfinite(estimate.value) && isfinite(estimate.error))
        (void)printf("%s %+.1f ± %.1f", name, estimate.value, estimate.error);
    else
        (void)printf("%s %s", name, isfinite(estimate.value) ? "unknown" : estimate.value > 0 ? "+∞" : "−∞");
}

static void print_faults(const Lab *lab)
{
    bool none = true;
    for (unsigned i = 0; i < lab->event.agent_count; i++) {
        const AgentCounts *agent = &lab->results.agents[i];
        const FaultCounts *faults = &agent->faults;
        if (faults->illegal + faults->timeout + faults->crash > 0) {
            (void)printf("faults of %s: %u illegal, %u on time, %u crashes\n", lab->names[i], faults->illegal,
                         faults->timeout, faults->crash);
            none = false;
        }
        if (agent->late > 0)
            (void)printf("%s was late, within the tolerance of %.0f ms, in %llu turns\n", lab->names[i],
                         DUEL_TOLERANCE * 1000, (unsigned long long)agent->late);
    }
    if (none)
        (void)printf("faults: none\n");
}

static void print_own(const Lab *lab)
{
    for (unsigned i = 0; i < lab->event.agent_count; i++) {
        const AgentCounts *agent = &lab->results.agents[i];
        for (unsigned j = 0; j < agent->own_count; j++)
            (void)printf("%s of %s: %.0f, %.2f a game\n", agent->own[j].name, lab->names[i], agent->own[j].sample.sum,
                         sample_mean(&agent->own[j].sample).value);
    }
}

static void print_times(const Lab *lab)
{
    (void)printf("time a turn:");
    for (unsigned i = 0; i < lab->event.agent_count; i++)
        (void)printf("%s %s %.3f ms", i > 0 ? "," : "", lab->names[i], ms_per_turn(&lab->results.agents[i]));
    (void)printf("\n");
}

static void print_judgement(const Lab *lab)
{
    Judgement judgement = stats_judge(&lab->results.pairs[0]);
    if (judgement == STATS_TOO_SMALL)
        (void)printf("The sample is too small to say who is stronger.\n");
    else
        (void)printf("%s is stronger.\n", lab->names[judgement == STATS_A_STRONGER ? 0 : 1]);
}

void report_match_text(const Lab *lab)
{
    const HeadToHead *pair = &lab->results.pairs[0];
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    Tally first = as_first(lab), second = as_second(lab);
    (void)printf("%s against %s, %s, %.0f games\n", lab->names[0], lab->names[1], game, tally_games(pair->games));
    (void)printf("wins %u, draws %u, losses %u, score %.1f %%\n", pair->games.wins, pair->games.draws,
                 pair->games.losses, 100 * tally_score(pair->games));
    print_estimate("Elo", stats_elo(pair));
    print_estimate(", normalised", stats_nelo(pair));
    (void)printf(", LOS %.1f %%\n", 100 * stats_los(pair));
    (void)printf("as first %u-%u-%u, as second %u-%u-%u (wins-draws-losses)\n", first.wins, first.draws, first.losses,
                 second.wins, second.draws, second.losses);
    (void)printf("pairs: LL %u, LD %u, DD or WL %u, WD %u, WW %u\n", pair->pairs[0], pair->pairs[1], pair->pairs[2],
                 pair->pairs[3], pair->pairs[4]);
    if (lab->has_sprt) {
        SprtState sprt = lab_sprt(lab);
        (void)printf("SPRT [%g, %g]: LLR %.2f within %.2f to %.2f: %s\n", lab->sprt.nelo0, lab->sprt.nelo1, sprt.llr,
                     sprt.bounds.low, sprt.bounds.high, sprt_verdict_name(sprt.verdict));
    }
    print_faults(lab);
    print_times(lab);
    print_own(lab);
    print_judgement(lab);
}

// --- Tournaments ---

Status report_rate(const Lab *lab, RatedAgents *rated, Error *error)
{
    unsigned n = lab->event.agent_count;
    *rated = (RatedAgents){.ratings = calloc(n, sizeof *rated->ratings), .order = calloc(n, sizeof *rated->order)};
    if (rated->ratings == NULL || rated->order == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for ratings");
    RatingOptions options = {.first_advantage = true};
    Status status = ratings_fit(lab->results.table, n, &options, rated->ratings, &rated->fit, error);
    if (status == STATUS_OK)
        ratings_order(rated->ratings, n, rated->order);
    return status;
}

void report_rated_close(RatedAgents *rated)
{
    free(rated->ratings);
    free(rated->order);
    *rated = (RatedAgents){0};
}

Tally report_between(const Lab *lab, unsigned a, unsigned b)
{
    unsigned n = lab->event.agent_count;
    Tally first = lab->results.table[a * n + b], second = reversed(lab->results.table[b * n + a]);
    return (Tally){first.wins + second.wins, first.draws + second.draws, first.losses + second.losses};
}

json_t *report_tournament_json(const Lab *lab, const RatedAgents *rated)
{
    unsigned n = lab->event.agent_count;
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    json_t *agents = json_array(), *table = json_array();
    for (unsigned i = 0; i < n; i++) {
        unsigned agent = rated->order[i];
        Tally all = results_of_agent(&lab->results, agent);
        (void)json_array_append_new(
            agents,
            json_pack("{s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:f, s:o}", "name", lab->names[agent], "rating",
                      report_number(rated->ratings[agent].rating), "error", report_number(rated->ratings[agent].error),
                      "games", (int)tally_games(all), "wins", (int)all.wins, "draws", (int)all.draws, "losses",
                      (int)all.losses, "faults", faults_json(lab->results.agents[agent].faults), "ms_per_move",
                      ms_per_turn(&lab->results.agents[agent]), "counts", own_json(&lab->results.agents[agent])));
    }
    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++) {
            Tally all = report_between(lab, a, b);
            if (tally_games(all) > 0)
                (void)json_array_append_new(
                    table, json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "a", lab->names[a], "b", lab->names[b],
                                     "games", (int)tally_games(all), "wins", (int)all.wins, "draws", (int)all.draws,
                                     "losses", (int)all.losses, "as_first", tally_json(lab->results.table[a * n + b]),
                                     "as_second", tally_json(reversed(lab->results.table[b * n + a]))));
        }
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:o, s:I}", "game", game, "games", (int)lab->results.games, "agents",
                     agents, "table", table, "first_advantage", report_number(rated->fit.advantage),
                     "first_advantage_error", report_number(rated->fit.advantage_error), "seed",
                     (json_int_t)lab->event.seed);
}

static int name_width(const Lab *lab)
{
    int width = 5;
    for (unsigned i = 0; i < lab->event.agent_count; i++) {
        int length = (int)span_of(lab->names[i]).length;
        width = length > width ? length : width;
    }
    return width < 40 ? width : 40;
}

static void print_cross_table(const Lab *lab, const RatedAgents *rated, int width)
{
    unsigned n = lab->event.agent_count;
    (void)printf("\n%-*s", width + 4, "score");
    for (unsigned i = 0; i < n; i++)
        (void)printf(" %6u", i + 1);
    (void)printf("\n");
    for (unsigned i = 0; i < n; i++) {
        (void)printf("%2u. %-*.*s", i + 1, width, width, lab->names[rated->order[i]]);
        for (unsigned j = 0; j < n; j++) {
            Tally all = report_between(lab, rated->order[i], rated->order[j]);
            if (i == j || tally_games(all) == 0)
                (void)printf(" %6s", i == j ? "-" : "");
            else
                (void)printf(" %5.1f%%", 100 * tally_score(all));
        }
        (void)printf("\n");
    }
}

void report_tournament_text(const Lab *lab, const RatedAgents *rated)
{
    int width = name_width(lab);
    (void)printf("%-*s %8s %7s %6s %6s %6s %6s %7s %9s\n", width + 4, "agent", "rating", "±95 %", "games", "wins",
                 "draws", "losses", "score", "ms a turn");
    for (unsigned i = 0; i < lab->event.agent_count; i++) {
        unsigned agent = rated->order[i];
        const AgentRating *rating = &rated->ratings[agent];
        Tally all = results_of_agent(&lab->results, agent);
        (void)printf("%2u. %-*.*s %8.1f %7.1f %6.0f %6u %6u %6u %6.1f%% %9.3f%s\n", i + 1, width, width,
                     lab->names[agent], rating->rating, rating->error, tally_games(all), all.wins, all.draws,
                     all.losses, 100 * tally_score(all), ms_per_turn(&lab->results.agents[agent]),
                     rating->edge == RATING_WON_ALL    ? "  won all: at least this"
                     : rating->edge == RATING_LOST_ALL ? "  lost all: at most this"
                                                       : "");
    }
    print_cross_table(lab, rated, width);
    (void)printf("\nadvantage of the first player: %+.1f ± %.1f Elo\n", rated->fit.advantage,
                 rated->fit.advantage_error);
    if (rated->fit.groups > 1)
        (void)printf("%u groups of agents have not met; their ratings cannot be compared\n", rated->fit.groups);
    print_own(lab);
    print_faults(lab);
}

// --- PGN ---

// A tag value: quotes and backslashes are escaped.
static void add_tag(Text *text, const char *name, const char *value)
{
    text_add(text, "[%s \"", name);
    for (; *value != '\0'; value++)
        text_add(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    text_add(text, "\"]\n");
}

void report_pgn_text(const Lab *lab, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&lab->event.rules, game);
    const Schedule *schedule = &lab->results.schedule;
    for (unsigned i = 0; i < schedule_games(schedule); i++) {
        if (!results_has(&lab->results, i))
            continue;
        ScheduledGame scheduled = schedule_game(schedule, i);
        int half = lab->results.half_points[i];
        int first_half = scheduled.reversed ? 2 - half : half;
        const char *result = first_half == 2 ? "1-0" : first_half == 1 ? "1/2-1/2" : "0-1";
        char round[16];
        (void)snprintf(round, sizeof round, "%u", i + 1);
        add_tag(text, "Event", game);
        add_tag(text, "Site", "?");
        add_tag(text, "Date", "????.??.??");
        add_tag(text, "Round", round);
        add_tag(text, "White", lab->names[scheduled.reversed ? scheduled.b : scheduled.a]);
        add_tag(text, "Black", lab->names[scheduled.reversed ? scheduled.a : scheduled.b]);
        add_tag(text, "Result", result);
        text_add(text, "\n%s\n\n", result);
    }
}

Status report_pgn(const Lab *lab, const char *path, Error *error)
{
    Text text = {0};
    report_pgn_text(lab, &text);
    Status status = text.failed ? error_set(error, STATUS_NO_MEMORY, "no memory for '%s'", path)
                                : file_write(path, (Span){text.data != NULL ? text.data : "", text.length}, error);
    text_close(&text);
    return status;
}
