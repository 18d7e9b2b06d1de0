// Ladders: each agent against the next one, and how far all of them are apart.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "match/ratings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *step_note(const PaperFigure *figure)
{
    if (isnan(figure->measured))
        return NULL;
    return figure->measured < PAPER_STEP_MIN   ? "below 60 %: too small a step"
           : figure->measured > PAPER_STEP_MAX ? "above 85 %: too large a step"
                                               : "within 60 to 85 %";
}

static void report_steps(const PaperTrial *trial, const MatchRun *run, PaperFigures *figures)
{
    const Results *results = &run->results;
    for (unsigned pair = 0; pair < schedule_pairs(&results->schedule); pair++) {
        Text label = {0};
        text_add(&label, "%s against %s", run->names[pair], run->names[pair + 1]);
        HeadToHead counted = paper_count_pair(results, pair);
        PaperFigure figure = {
            .trial = trial,
            .label = label.data,
            .unit = trial->unit,
            .published = NAN,
            .wanted = results->schedule.games,
            .has_games = true,
            .games = counted.games,
        };
        paper_set_score(&figure, &counted);
        figure.note = step_note(&figure);
        paper_add_figure(figures, &figure);
    }
}

static void add_rating(const PaperTrial *trial, const char *name, const AgentRating *rating, unsigned wanted,
                       PaperFigures *figures)
{
    bool is_known = tally_games(rating->games) > 0;
    PaperFigure figure = {
        .trial = trial,
        .label = memory_copy_text(name),
        .unit = "elo",
        .published = NAN,
        .measured = is_known ? rating->rating : NAN,
        .limits = is_known ? (Interval){rating->rating - rating->error, rating->rating + rating->error}
                           : (Interval){NAN, NAN},
        .n = (unsigned)tally_games(rating->games),
        .wanted = wanted,
        .note = is_known && rating->edge != RATING_INSIDE ? "won or lost all: a bound" : NULL,
    };
    paper_add_figure(figures, &figure);
}

static Status report_ladder(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                            PaperFigures *figures, Error *error)
{
    (void)options;
    const Results *results = &run->results;
    unsigned agents = results->schedule.agents, games = results->schedule.games;
    AgentRating ratings[PAPER_AGENTS_MAX];
    RatingFit fit;
    RatingOptions rating = {.anchored = true, .anchor = agents - 1};
    report_steps(trial, run, figures);
    Status status = ratings_fit(&(RatingGames){results->table, agents}, &rating, ratings, &fit, error);
    for (unsigned i = 0; i < agents && status == STATUS_OK; i++) {
        bool is_end = i == 0 || i == agents - 1;
        add_rating(trial, run->names[i], &ratings[i], is_end ? games : 2 * games, figures);
    }
    return status;
}

const PaperMeasure paper_measure_ladder = {.report = report_ladder};
