// Prints results of matches and tournaments.
#include "cli/output/report_text.h"

#include "view/json_view.h"

#include <math.h>
#include <stdio.h>

enum { FAULTS_SHOWN = 10 };

bool report_faults_print(const char *name, const FaultCounts *faults)
{
    bool any = faults->illegal + faults->timeout + faults->crash > 0;
    if (any)
        (void)printf("faults of %s: %u illegal moves, %u time forfeits, %u crashes\n", name, faults->illegal,
                     faults->timeout, faults->crash);
    return any;
}

static void print_faults(const MatchRun *run)
{
    bool none = true;
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        const AgentCounts *agent = &run->results.agents[i];
        none = !report_faults_print(run->names[i], &agent->faults) && none;
        if (agent->late > 0)
            (void)printf("%s was late, within the tolerance of %.0f ms, in %llu turns\n", run->names[i],
                         DUEL_TOLERANCE * 1000, (unsigned long long)agent->late);
    }
    if (none)
        (void)printf("faults: none\n");
    for (unsigned i = 0; i < run->fault_count && i < FAULTS_SHOWN; i++)
        (void)printf("  game %u, %s: %s\n", run->faults[i].game + 1, run->names[run->faults[i].agent],
                     run->faults[i].reason);
    if (run->fault_count > FAULTS_SHOWN)
        (void)printf("  and more; --json lists up to %d\n", MATCH_FAULTS_MAX);
}

static void print_adjudicated(const MatchRun *run)
{
    unsigned won = run->results.resigned, drawn = run->results.agreed;
    if (won + drawn > 0)
        (void)printf("adjudicated by score: %u win%s, %u draw%s\n", won, view_plural(won), drawn, view_plural(drawn));
}

static void print_own(const MatchRun *run)
{
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        const AgentCounts *agent = &run->results.agents[i];
        for (unsigned j = 0; j < agent->own_count; j++)
            (void)printf("%s of %s: %.0f, %.2f a game\n", agent->own[j].name, run->names[i], agent->own[j].sample.sum,
                         sample_mean(&agent->own[j].sample).value);
    }
}

static void print_times(const MatchRun *run)
{
    (void)printf("time a turn:");
    for (unsigned i = 0; i < run->event.agent_count; i++)
        (void)printf("%s %s %.3f ms", i > 0 ? "," : "", run->names[i], report_ms_per_turn(&run->results.agents[i]));
    (void)printf("\n");
}

static void print_judgement(const MatchRun *run)
{
    Judgement judgement = stats_judge(&run->results.pairs[0]);
    if (judgement == STATS_TOO_SMALL)
        (void)printf("The sample is too small to say who is stronger.\n");
    else
        (void)printf("%s is stronger.\n", run->names[judgement == STATS_A_STRONGER ? 0 : 1]);
}

void report_match_print(const MatchRun *run)
{
    const HeadToHead *pair = &run->results.pairs[0];
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    Tally first = report_as_first(run), second = report_as_second(run);
    unsigned games = (unsigned)tally_games(pair->games);
    (void)printf("%s against %s, %s, %u game%s\n", run->names[0], run->names[1], game, games, view_plural(games));
    (void)printf("wins %u, draws %u, losses %u, score %.1f %%\n", pair->games.wins, pair->games.draws,
                 pair->games.losses, 100 * tally_score(pair->games));
    char elo[REPORT_ESTIMATE_SIZE], nelo[REPORT_ESTIMATE_SIZE];
    (void)printf("Elo %s, normalised %s, LOS %.1f %%\n", report_estimate(stats_elo(pair), elo),
                 report_estimate(stats_nelo(pair), nelo), 100 * stats_los(pair));
    (void)printf("as first %u-%u-%u, as second %u-%u-%u (wins-draws-losses)\n", first.wins, first.draws, first.losses,
                 second.wins, second.draws, second.losses);
    (void)printf("pairs: LL %u, LD %u, DD or WL %u, WD %u, WW %u\n", pair->pairs[0], pair->pairs[1], pair->pairs[2],
                 pair->pairs[3], pair->pairs[4]);
    if (run->has_sprt) {
        SprtState sprt = match_run_sprt(run);
        (void)printf("SPRT [%g, %g], %s Elo: LLR %.2f (bounds %.2f, %.2f): %s\n", run->sprt.elo0, run->sprt.elo1,
                     sprt_model_name(&run->sprt), sprt.llr, sprt.bounds.low, sprt.bounds.high,
                     sprt.verdict == SPRT_H0   ? "H0 accepted"
                     : sprt.verdict == SPRT_H1 ? "H1 accepted"
                                               : "running");
    }
    print_faults(run);
    print_adjudicated(run);
    print_times(run);
    print_own(run);
    print_judgement(run);
}

// "8.0+0.08s", "0.5s a turn", "1000 nodes" or "no limit".
static void print_limits(const DuelLimits *limits)
{
    const char *before = "";
    if (limits->clock_seconds > 0) {
        (void)printf("%g+%gs", limits->clock_seconds, limits->increment);
        before = ", ";
    }
    if (limits->turn_seconds > 0) {
        (void)printf("%s%gs a turn", before, limits->turn_seconds);
        before = ", ";
    }
    if (limits->nodes > 0) {
        (void)printf("%s%llu nodes", before, (unsigned long long)limits->nodes);
        before = ", ";
    }
    if (limits->depth > 0) {
        (void)printf("%sdepth %u", before, limits->depth);
        before = ", ";
    }
    (void)printf("%s\n", before[0] == '\0' ? "no limit" : "");
}

void report_openbench_print(const MatchRun *run)
{
    const HeadToHead *pair = &run->results.pairs[0];
    char elo[REPORT_ESTIMATE_SIZE], game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    Estimate value = stats_elo(pair);
    (void)report_estimate(value, elo);
    (void)printf("Test  | %s vs %s (%s)\n", run->names[0], run->names[1], game);
    if (isfinite(value.value) && isfinite(value.error))
        (void)printf("Elo   | %.2f +- %.2f (95%%)\n", value.value + 0.0, value.error);
    else
        (void)printf("Elo   | %s (95%%)\n", elo);
    (void)printf("%s  | ", run->has_sprt ? "SPRT" : "Conf");
    print_limits(&run->event.limits);
    if (run->has_sprt) {
        SprtState sprt = match_run_sprt(run);
        (void)printf("LLR   | %.2f (%.2f, %.2f) [%.2f, %.2f] %s\n", sprt.llr, sprt.bounds.low, sprt.bounds.high,
                     run->sprt.elo0, run->sprt.elo1, sprt_model_name(&run->sprt));
    }
    (void)printf("Games | N: %.0f W: %u L: %u D: %u\n", tally_games(pair->games), pair->games.wins, pair->games.losses,
                 pair->games.draws);
    (void)printf("Penta | [%u, %u, %u, %u, %u]\n", pair->pairs[0], pair->pairs[1], pair->pairs[2], pair->pairs[3],
                 pair->pairs[4]);
}

static int name_width(const MatchRun *run)
{
    int width = 5;
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        int length = (int)span_of(run->names[i]).length;
        width = length > width ? length : width;
    }
    return width < 40 ? width : 40;
}

static void print_cross_table(const MatchRun *run, const RatedAgents *rated, int width)
{
    unsigned n = run->event.agent_count;
    (void)printf("\n%-*s", width + 4, "score");
    for (unsigned i = 0; i < n; i++)
        (void)printf(" %6u", i + 1);
    (void)printf("\n");
    for (unsigned i = 0; i < n; i++) {
        (void)printf("%2u. %-*.*s", i + 1, width, width, run->names[rated->order[i]]);
        for (unsigned j = 0; j < n; j++) {
            Tally all = report_between(run, rated->order[i], rated->order[j]);
            if (i == j || tally_games(all) == 0)
                (void)printf(" %6s", i == j ? "-" : "");
            else
                (void)printf(" %5.1f%%", 100 * tally_score(all));
        }
        (void)printf("\n");
    }
}

void report_tournament_print(const MatchRun *run, const RatedAgents *rated)
{
    int width = name_width(run);
    (void)printf("%-*s %8s %7s %6s %6s %6s %6s %7s %9s\n", width + 4, "agent", "rating", "±95 %", "games", "wins",
                 "draws", "losses", "score", "ms a turn");
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        unsigned agent = rated->order[i];
        const AgentRating *rating = &rated->ratings[agent];
        Tally all = results_of_agent(&run->results, agent);
        (void)printf("%2u. %-*.*s %8.1f %7.1f %6.0f %6u %6u %6u %6.1f%% %9.3f%s\n", i + 1, width, width,
                     run->names[agent], rating->rating, rating->error, tally_games(all), all.wins, all.draws,
                     all.losses, 100 * tally_score(all), report_ms_per_turn(&run->results.agents[agent]),
                     rating->edge == RATING_WON_ALL    ? "  won all: at least this"
                     : rating->edge == RATING_LOST_ALL ? "  lost all: at most this"
                                                       : "");
    }
    print_cross_table(run, rated, width);
    (void)printf("\nadvantage of the first player: %+.1f ± %.1f Elo\n", rated->fit.advantage,
                 rated->fit.advantage_error);
    if (rated->fit.groups > 1)
        (void)printf("%u groups of agents have not met; their ratings cannot be compared\n", rated->fit.groups);
    print_own(run);
    print_faults(run);
    print_adjudicated(run);
}
