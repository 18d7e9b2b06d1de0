// Ladders: each agent against the next one, and how far all of them are apart.
#include "frontends/paper_internal.h"

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

static Status report_steps(const PaperTrial *trial, const Lab *lab, PaperFigures *figures, Error *error)
{
    const Results *results = &lab->results;
    Status status = STATUS_OK;
    for (unsigned pair = 0; pair < schedule_pairs(&results->schedule) && status == STATUS_OK; pair++) {
        HeadToHead counted = paper_count_pair(results, pair);
        PaperFigure figure = {
            .trial = trial,
            .unit = trial->unit,
            .published = NAN,
            .wanted = results->schedule.games,
            .has_games = true,
            .games = counted.games,
        };
        if (asprintf(&figure.label, "%s against %s", lab->names[pair], lab->names[pair + 1]) < 0)
            figure.label = NULL;
        paper_set_score(&figure, &counted);
        figure.note = step_note(&figure);
        status = paper_add_figure(figures, &figure, error);
    }
    return status;
}

static Status add_rating(const PaperTrial *trial, const char *name, const AgentRating *rating, unsigned wanted,
                         PaperFigures *figures, Error *error)
{
    bool is_known = tally_games(rating->games) > 0;
    PaperFigure figure = {
        .trial = trial,
        .label = strdup(name),
        .unit = "elo",
        .published = NAN,
        .measured = is_known ? rating->rating : NAN,
        .limits = is_known ? (Interval){rating->rating - rating->error, rating->rating + rating->error}
                           : (Interval){NAN, NAN},
        .n = (unsigned)tally_games(rating->games),
        .wanted = wanted,
        .note = is_known && rating->edge != RATING_INSIDE ? "won or lost all: a bound" : NULL,
    };
    return paper_add_figure(figures, &figure, error);
}

static Status report_ladder(const PaperTrial *trial, const Args *args, const Lab *lab, PaperFigures *figures,
                            Error *error)
{
    (void)args;
    const Results *results = &lab->results;
    unsigned agents = results->schedule.agents, games = results->schedule.games;
    AgentRating ratings[PAPER_AGENTS_MAX];
    RatingFit fit;
    RatingOptions options = {.anchored = true, .anchor = agents - 1};
    Status status = report_steps(trial, lab, figures, error);
    if (status == STATUS_OK)
        status = ratings_fit(results->table, agents, &options, ratings, &fit, error);
    for (unsigned i = 0; i < agents && status == STATUS_OK; i++) {
        bool is_end = i == 0 || i == agents - 1;
        status = add_rating(trial, lab->names[i], &ratings[i], is_end ? games : 2 * games, figures, error);
    }
    return status;
}

Status paper_measure_ladder(const PaperTrial *trial, const Args *args, PaperFigures *figures, Error *error)
{
    return paper_measure_by(report_ladder, trial, args, figures, error);
}
