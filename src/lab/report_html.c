// The HTML report: one self-contained page with tables and SVG plots, for light and dark mode.
#include "base/file.h"
#include "lab/report.h"
#include "view/json_view.h"
#include "view/plot_svg.h"

#include <assert.h>
#include <math.h>

// Colours and sizes follow the web board.
static const char style[] =
    ":root{--bg:#f7f4ed;--ink:#1f1d1a;--ink2:#5d574c;--hair:#ddd5c5;--accent:#0d665d;--soft:#dcebe5}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#161718;--ink:#ece8df;--ink2:#aaa89f;--hair:#34373a;"
    "--accent:#74cfc0;--soft:#1d3733}}\n"
    "body{background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,sans-serif;margin:32px auto;max-width:1100px;"
    "padding:0 32px}\n"
    "h1,h2{font-family:ui-serif,Palatino,Georgia,serif;font-weight:500}h1{font-size:28px}h2{font-size:20px;"
    "margin-top:40px}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:4px 12px;text-align:right;"
    "border-bottom:1px solid var(--hair)}\n"
    "th{color:var(--ink2);font-weight:500}td:first-child,th:first-child{text-align:left}\n"
    "svg{max-width:100%;height:auto;display:block}svg text{fill:var(--ink2);font-size:12px}\n"
    ".axis{stroke:var(--hair)}.bar{stroke:var(--accent);stroke-width:2}.dot{fill:var(--accent)}\n"
    ".area{fill:var(--soft)}.line{fill:none;stroke:var(--accent);stroke-width:2}p{color:var(--ink2)}\n";

static void add_ratings_table(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    text_add(text, "<h2>Ratings</h2>\n<table><tr><th>agent<th>rating<th>± 95 %%<th>games<th>wins<th>draws<th>losses"
                   "<th>score<th>illegal<th>on time<th>crashes<th>ms a turn</tr>\n");
    for (unsigned i = 0; i < run->event.agent_count; i++) {
        unsigned agent = rated->order[i];
        const AgentCounts *counts = &run->results.agents[agent];
        Tally all = results_of_agent(&run->results, agent);
        text_add(text, "<tr><td>");
        plot_add_words(text, run->names[agent]);
        text_add(text, "<td>%.1f<td>%.1f<td>%.0f<td>%u<td>%u<td>%u<td>%.1f %%<td>%u<td>%u<td>%u<td>%.3f</tr>\n",
                 rated->ratings[agent].rating, rated->ratings[agent].error, tally_games(all), all.wins, all.draws,
                 all.losses, 100 * tally_score(all), counts->faults.illegal, counts->faults.timeout,
                 counts->faults.crash, report_ms_per_turn(counts));
    }
    text_add(text, "</table>\n<p>Advantage of the first player: %+.1f ± %.1f Elo.</p>\n", rated->fit.advantage,
             rated->fit.advantage_error);
}

static void add_cross_table(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    unsigned n = run->event.agent_count;
    text_add(text, "<h2>Cross table</h2>\n<table><tr><th>wins–draws–losses");
    for (unsigned i = 0; i < n; i++)
        text_add(text, "<th>%u", i + 1);
    text_add(text, "</tr>\n");
    for (unsigned i = 0; i < n; i++) {
        text_add(text, "<tr><td>%u. ", i + 1);
        plot_add_words(text, run->names[rated->order[i]]);
        for (unsigned j = 0; j < n; j++) {
            Tally all = report_between(run, rated->order[i], rated->order[j]);
            if (i == j || tally_games(all) == 0)
                text_add(text, "<td>%s", i == j ? "·" : "");
            else
                text_add(text, "<td title=\"%.1f %%\">%u–%u–%u", 100 * tally_score(all), all.wins, all.draws,
                         all.losses);
        }
        text_add(text, "</tr>\n");
    }
    text_add(text, "</table>\n");
}

// Ratings with 95 % error bars, the best at the top.
static void add_rating_plot(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    unsigned n = run->event.agent_count;
    double low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < n; i++) {
        const AgentRating *rating = &rated->ratings[i];
        double error = isfinite(rating->error) ? rating->error : 0;
        low = fmin(low, rating->rating - error);
        high = fmax(high, rating->rating + error);
    }
    double span = high > low ? high - low : 1;
    const double left = 220, width = 760, row = 28;
    double height = row * n + 32;
    text_add(text,
             "<h2>Ratings with their 95 %% errors</h2>\n<svg viewBox=\"0 0 1000 %.0f\" role=\"img\" "
             "aria-label=\"ratings with error bars\">\n",
             height);
    for (unsigned i = 0; i < n; i++) {
        const AgentRating *rating = &rated->ratings[rated->order[i]];
        double error = isfinite(rating->error) ? rating->error : 0, y = row * i + row / 2;
        double x = left + width * (rating->rating - low) / span, reach = width * error / span;
        text_add(text, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">", left - 16, y + 4);
        plot_add_words(text, run->names[rated->order[i]]);
        text_add(text,
                 "</text><line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<line class=\"bar\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                 "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n",
                 left, left + width, y, y, x - reach, x + reach, y, y, x, y);
    }
    text_add(text, "<text x=\"%.0f\" y=\"%.0f\">%.0f</text><text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%.0f</text>",
             left, height - 8, low, left + width, height - 8, high);
    text_add(text, "</svg>\n");
}

// The first agent's cumulative score with its 95 % band.
static void add_score_plot(const MatchRun *run, unsigned a, unsigned b, unsigned pair, Text *text)
{
    const Schedule *schedule = &run->results.schedule;
    const double left = 48, width = 932, top = 8, height = 220;
    Tally tally = {0};
    Text area = {0}, line = {0};
    enum { POINTS_MAX = 400 };
    unsigned total = schedule->games, step = total / POINTS_MAX + 1, seen = 0, points = 0;
    double lower[POINTS_MAX + 1][2]; // the lower edge of the band, drawn backwards
    for (unsigned i = 0; i < schedule_games(schedule); i++) {
        if (!results_has(&run->results, i) || schedule_game(schedule, i).pair != pair)
            continue;
        tally_add(&tally, (unsigned)run->results.half_points[i]);
        seen++;
        if (seen % step != 0 && seen != total)
            continue;
        double x = left + width * seen / total;
        Interval band = stats_share(tally.wins + 0.5 * tally.draws, seen);
        text_add(&line, "%.1f,%.1f ", x, top + height * (1 - tally_score(tally)));
        text_add(&area, "%.1f,%.1f ", x, top + height * (1 - band.high));
        lower[points][0] = x;
        lower[points++][1] = top + height * (1 - band.low);
    }
    while (points-- > 0)
        text_add(&area, "%.1f,%.1f ", lower[points][0], lower[points][1]);
    text_add(text, "<h2>Score of ");
    plot_add_words(text, run->names[a]);
    text_add(text, " against ");
    plot_add_words(text, run->names[b]);
    text_add(text,
             " over the games</h2>\n<svg viewBox=\"0 0 1000 260\" role=\"img\" aria-label=\"score over games\">\n");
    for (int percent = 0; percent <= 100; percent += 25) {
        double y = top + height * (1 - percent / 100.0);
        text_add(text,
                 "<line class=\"axis\" x1=\"%.0f\" x2=\"%.0f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"40\" y=\"%.1f\" "
                 "text-anchor=\"end\">%d %%</text>\n",
                 left, left + width, y, y, y + 4, percent);
    }
    text_add(text, "<polygon class=\"area\" points=\"%s\"/><polyline class=\"line\" points=\"%s\"/>\n",
             area.data != NULL ? area.data : "", line.data != NULL ? line.data : "");
    text_add(
        text,
        "<text x=\"%.0f\" y=\"252\">0</text><text x=\"%.0f\" y=\"252\" text-anchor=\"end\">%u games</text></svg>\n",
        left, left + width, total);
    text_close(&area);
    text_close(&line);
}

// "A against B", or the number of agents.
static void add_agents(const MatchRun *run, Text *text)
{
    if (run->event.agent_count > 2) {
        text_add(text, "tournament of %u agents", run->event.agent_count);
        return;
    }
    plot_add_words(text, run->names[0]);
    text_add(text, " against ");
    plot_add_words(text, run->names[1]);
}

static void add_head(const MatchRun *run, Text *text)
{
    char game[RULES_TEXT_SIZE];
    rules_format(&run->event.rules, game);
    text_add(text, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width\"><title>krow: ");
    add_agents(run, text);
    text_add(text, "</title>\n<style>%s</style></head><body>\n<h1>", style);
    add_agents(run, text);
    text_add(text, "</h1>\n<p>%s, %u game%s.</p>\n", game, run->results.games, view_plural(run->results.games));
    const DuelLimits *limits = &run->event.limits;
    text_add(text, "<p>Seed %llu", (unsigned long long)run->event.seed);
    if (run->openings.count > 0)
        text_add(text, ", %u openings, each with both colours", run->openings.count);
    if (limits->turn_seconds > 0)
        text_add(text, ", %g s a turn", limits->turn_seconds);
    if (limits->clock_seconds > 0)
        text_add(text, ", clock %g+%g s", limits->clock_seconds, limits->increment);
    if (limits->nodes > 0)
        text_add(text, ", %llu nodes a turn", (unsigned long long)limits->nodes);
    if (limits->depth > 0)
        text_add(text, ", depth %u", limits->depth);
    text_add(text, ". krow " KROW_VERSION ".</p>\n");
}

// The statistics of a match of two agents.
static void add_match(const MatchRun *run, Text *text)
{
    const HeadToHead *pair = &run->results.pairs[0];
    char elo[REPORT_ESTIMATE_SIZE], nelo[REPORT_ESTIMATE_SIZE];
    text_add(text,
             "<h2>Result</h2>\n<table><tr><th>wins–draws–losses<th>score<th>Elo<th>normalised Elo<th>LOS</tr>\n"
             "<tr><td>%u–%u–%u<td>%.1f %%<td>%s<td>%s<td>%.1f %%</tr></table>\n",
             pair->games.wins, pair->games.draws, pair->games.losses, 100 * tally_score(pair->games),
             report_estimate(stats_elo(pair), elo), report_estimate(stats_nelo(pair), nelo), 100 * stats_los(pair));
    text_add(text, "<table><tr><th>pairs of games<th>LL<th>LD<th>DD or WL<th>WD<th>WW</tr>\n<tr><td>number");
    for (int i = 0; i < PAIR_KINDS; i++)
        text_add(text, "<td>%u", pair->pairs[i]);
    text_add(text, "</tr></table>\n");
    if (!run->has_sprt)
        return;
    SprtState sprt = match_run_sprt(run);
    text_add(text, "<p>SPRT [%g, %g] in %s Elo, errors %g and %g: LLR %.2f (bounds %.2f, %.2f), %s.</p>\n",
             run->sprt.elo0, run->sprt.elo1, sprt_model_name(&run->sprt), run->sprt.alpha, run->sprt.beta, sprt.llr,
             sprt.bounds.low, sprt.bounds.high, sprt_verdict_name(sprt.verdict));
}

static void add_faults(const MatchRun *run, Text *text)
{
    if (run->fault_count == 0)
        return;
    text_add(text, "<h2>Faults</h2>\n<table><tr><th>game<th>agent<th>reason</tr>\n");
    for (unsigned i = 0; i < run->fault_count; i++) {
        text_add(text, "<tr><td>%u<td>", run->faults[i].game + 1);
        plot_add_words(text, run->names[run->faults[i].agent]);
        text_add(text, "<td>");
        plot_add_words(text, run->faults[i].reason);
        text_add(text, "</tr>\n");
    }
    text_add(text, "</table>\n");
}

void report_html_text(const MatchRun *run, const RatedAgents *rated, Text *text)
{
    add_head(run, text);
    if (run->event.agent_count == 2)
        add_match(run, text);
    add_ratings_table(run, rated, text);
    add_rating_plot(run, rated, text);
    add_cross_table(run, rated, text);
    add_faults(run, text);
    for (unsigned pair = 0; pair < schedule_pairs(&run->results.schedule); pair++) {
        ScheduledGame game = schedule_game(&run->results.schedule, 2 * pair);
        assert(game.pair == pair);
        add_score_plot(run, game.a, game.b, pair, text);
    }
    text_add(text, "</body></html>\n");
}

Status report_html(const MatchRun *run, const RatedAgents *rated, const char *path, Error *error)
{
    Text text = {0};
    report_html_text(run, rated, &text);
    Status status = file_write(path, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}
