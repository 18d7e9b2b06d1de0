// Measures of a trial's games. The laboratory plays and stores them like those of `krow match`.
#include "papers/experiment/paper_internal.h"

#include "base/memory.h"
#include "lab/jobs/job_agents.h"
#include "lab/learn/learn.h"
#include "match/ratings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Playing ---

// The name of a learning agent includes the version, so that each version of krow starts without patterns.
static Status add_learner(Tournament *event, const PaperTrial *trial, Error *error)
{
    Text text = {0};
    learning_agent(trial->agents[0], trial->set, &text);
    text_add(&text, "-" KROW_VERSION);
    Status status = tournament_add_agent(event, (Span){text.data, text.length}, error);
    text_close(&text);
    return status;
}

// The event has the games of a whole scale; a smaller scale plays the beginning. So --scale 1 reuses the games of
// --scale 0.1.
static Status make_event(const PaperTrial *trial, const ExperimentOptions *options, Tournament *event, Error *error)
{
    tournament_init(event);
    event->has_rules = true;
    event->limits = trial->limits;
    event->format = trial->measure == &paper_measure_ladder ? SCHEDULE_LADDER : SCHEDULE_ROUND_ROBIN;
    event->games = paper_games(trial->games, ceil(options->scale));
    bool is_made = trial->start == PAPER_OPENINGS || trial->start == PAPER_FIRST_TURNS;
    event->openings = is_made ? event->games / 2 : 0;
    Status status = rules_parse(span_of(trial->game), &event->rules, error);
    char *opponent = paper_needs_opponent(trial) ? paper_opponent(trial, options) : NULL;
    for (unsigned i = 0; status == STATUS_OK && trial->agents[i] != NULL; i++) {
        bool stands_in = strcmp(trial->agents[i], PAPER_OPPONENT) == 0;
        status = i == 0 && trial->set != NULL
                     ? add_learner(event, trial, error)
                     : tournament_add_agent(event, span_of(stands_in ? opponent : trial->agents[i]), error);
    }
    free(opponent);
    return status;
}

static Status check_alone(const PaperTrial *trial, const char *text, const ExperimentOptions *options, Error *error)
{
    Rules rules;
    Agent agent = {0};
    Status status = rules_parse(span_of(trial->game), &rules, error);
    if (status == STATUS_OK)
        status = agent_open_with(&agent, span_of(text), &rules, &options->host, error);
    agent_close(&agent);
    return status;
}

Status paper_check(const PaperTrial *trial, const ExperimentOptions *options, Error *error)
{
    if (paper_agents(trial) == 1)
        return check_alone(trial, trial->agents[0], options, error);
    if (paper_agents(trial) == 0)
        return STATUS_OK;
    Tournament event;
    Status status = make_event(trial, options, &event, error);
    for (unsigned i = 0; i < paper_asked(trial) && status == STATUS_OK; i++)
        status = check_alone(trial, trial->asked[i], options, error);
    // Workers do not play games of a sequence.
    bool by_workers = options->workers && trial->set == NULL && paper_asked(trial) == 0;
    if (status == STATUS_OK)
        status = by_workers ? job_event_check(&event, &options->host, error)
                            : tournament_check(&event, &options->host, error);
    tournament_close(&event);
    return status;
}

bool paper_resumes(const ExperimentOptions *options)
{
    return !options->fresh && (options->db == NULL || strcmp(options->db, "none") != 0);
}

Status paper_prepare_run(const PaperTrial *trial, const ExperimentOptions *options, MatchRun *run, Error *error)
{
    run->part = paper_games(trial->games, options->scale);
    run->opening_turns = trial->start == PAPER_FIRST_TURNS ? 2 : 0;
    Status status = make_event(trial, options, &run->event, error);
    if (status == STATUS_OK && trial->start == PAPER_POSITIONS)
        status = paper_make_positions(trial->positions, &run->event.rules, run->event.games / 2, options->stop,
                                      &run->openings, error);
    run->event.seed = options->seed;
    run->host = options->host;
    run->jobs = options->jobs > 0 ? options->jobs : 1;
    run->reporter = options->reporter;
    run->by_workers = options->workers;
    run->verify = options->workers ? options->workers_how.verify : 0;
    run->stop = options->stop;
    return status;
}

bool paper_title(const PaperTrial *trial, char title[PAPER_TITLE_SIZE])
{
    if (trial->table == NULL)
        return false;
    (void)snprintf(title, PAPER_TITLE_SIZE, "%s, trial %u", trial->table, trial->number);
    return true;
}

static Status play(const PaperTrial *trial, const ExperimentOptions *options, MatchRun *run, Error *error)
{
    MatchRunStore store = {.path = options->db, .repeat = paper_resumes(options) ? MATCH_RESUME : MATCH_REPEAT};
    char title[PAPER_TITLE_SIZE];
    run->title = paper_title(trial, title) ? title : NULL;
    Status status = paper_prepare_run(trial, options, run, error);
    if (status == STATUS_OK)
        status = match_run_open_event(run, &store, DATABASE_MATCH, error);
    if (status != STATUS_OK)
        return atomic_load(options->stop) ? STATUS_INTERRUPTED : status;
    status = lab_play(run, &options->workers_how, error);
    run->title = NULL;
    return status;
}

// --- Counting ---

// The games that a row counts, and the viewpoint.
typedef struct {
    enum { OF_PAIR, OF_AGENT, OF_FIRST } of; // the pair's first-named agent, one agent of all pairs, the first player
    unsigned number;                         // of the pair or the agent
    enum { ALL_GAMES, AS_FIRST, AS_SECOND } colour;
    const unsigned char *worth; // half points for a loss, a draw and a win; NULL: 0, 1, 2
} Selection;

// Half points of a game, or -1 if it is not counted.
static int points_of(const Results *results, unsigned number, const Selection *selection)
{
    ScheduledGame game = schedule_game(&results->schedule, number);
    int points = results->half_points[number];
    bool is_a = selection->of == OF_FIRST ? !game.reversed : selection->of == OF_PAIR || game.a == selection->number;
    bool is_meant = (selection->of != OF_PAIR || game.pair == selection->number) &&
                    (selection->of != OF_AGENT || is_a || game.b == selection->number) &&
                    (selection->colour == ALL_GAMES || game.reversed == (selection->colour == AS_SECOND));
    if (points < 0 || !is_meant)
        return -1;
    points = is_a ? points : 2 - points;
    return selection->worth != NULL ? selection->worth[points] : points;
}

// Games 2i and 2i + 1 are a pair; only an interruption leaves half a pair.
static HeadToHead count(const Results *results, const Selection *selection)
{
    HeadToHead counted = {0};
    for (unsigned i = 0; i < schedule_games(&results->schedule); i += 2) {
        int one = points_of(results, i, selection), other = points_of(results, i + 1, selection);
        if (one >= 0 && other >= 0)
            stats_add_pair(&counted, (unsigned)one, (unsigned)other);
        else if (one >= 0 || other >= 0)
            tally_add(&counted.games, (unsigned)(one >= 0 ? one : other));
    }
    return counted;
}

static HeadToHead count_pair(const Results *results, unsigned pair)
{
    return count(results, &(Selection){.of = OF_PAIR, .number = pair});
}

unsigned paper_faults(const Results *results)
{
    unsigned faults = 0;
    for (unsigned i = 0; i < results->schedule.agents; i++) {
        const FaultCounts *counts = &results->agents[i].faults;
        faults += counts->illegal + counts->timeout + counts->crash;
    }
    return faults;
}

void paper_set_estimate(PaperFigure *figure, Estimate estimate, unsigned n)
{
    figure->measured = n > 0 ? estimate.value : NAN;
    figure->limits = n > 0 ? estimate.range : (Interval){NAN, NAN};
    figure->n = n;
}

static void set_score(PaperFigure *figure, const HeadToHead *counted)
{
    unsigned games = (unsigned)tally_games(counted->games);
    Estimate score = {0};
    if (games > 0)
        score = (Estimate){.value = tally_score(counted->games), .range = stats_score_wilson(counted)};
    paper_set_estimate(figure, score, games);
}

// Sets the score and the games of a row.
static void set_games(PaperFigure *figure, const HeadToHead *counted)
{
    figure->has_games = true;
    figure->games = counted->games;
    set_score(figure, counted);
}

enum { SHARES_MAX = 16 }; // units of a trial

// For each unit "part/whole" of a trial, the counters of the first-named agent in the games so far. "@first" or
// "@second" after the unit leaves only the games that this agent began, or that the other one began.
typedef struct {
    const PaperTrial *trial;
    Ratio ratios[SHARES_MAX];
} Shares;

static double counted_as(const OwnCounts *own, Span name)
{
    char text[OWN_COUNT_NAME_SIZE];
    (void)snprintf(text, sizeof text, "%.*s", SPAN_PRINT(name));
    return (double)own_counts_value(own, text);
}

// Called for each game, in any order.
static void count_shares(void *context, const Results *results, const GameCounts *game)
{
    Shares *shares = context;
    bool reversed = schedule_game(&results->schedule, game->number).reversed;
    const OwnCounts *own = &game->own[reversed ? SIDE_SECOND : SIDE_FIRST];
    for (unsigned i = 0; i < paper_units(shares->trial); i++) {
        Span whole = span_of(paper_unit(shares->trial, i).unit), part = {0};
        if (strchr(whole.at, '/') == NULL)
            continue;
        (void)span_next_part(&whole, '/', &part);
        Span games = whole;
        (void)span_next_part(&games, '@', &whole);
        if (games.length > 0 && reversed == span_is(games, "first"))
            continue;
        ratio_add(&shares->ratios[i], counted_as(own, part), counted_as(own, whole));
    }
}

void paper_set_share(PaperFigure *figure, const Ratio *ratio)
{
    Estimate share = ratio_value(ratio);
    if (share.range.high > 1)
        share.range.high = 1;
    paper_set_estimate(figure, share, ratio->whole > 0 ? ratio->n : 0);
}

// A share of the games with one colour has their results.
static void set_colour(PaperFigure *figure, const char *colour, const Results *results)
{
    Selection selection = {.colour = strcmp(colour, "first") == 0 ? AS_FIRST : AS_SECOND};
    figure->games = count(results, &selection).games;
    figure->wanted /= 2;
}

// --- The measures ---

// Plays a trial's games, until interrupted, and reports them.
static Status measure_by(PaperReport *report, const PaperTrial *trial, const ExperimentOptions *options,
                         PaperFigures *figures, Error *error)
{
    MatchRun *run = memory_new(1, sizeof *run);
    Shares shares = {.trial = trial};
    assert(paper_units(trial) <= SHARES_MAX);
    run->on_game = count_shares;
    run->on_game_context = &shares;
    Status status = play(trial, options, run, error);
    bool has_results = run->results.half_points != NULL;
    if (has_results && (status == STATUS_OK || status == STATUS_INTERRUPTED)) {
        Status reported = report(trial, options, run, figures, error);
        figures->faults += paper_faults(&run->results);
        status = reported == STATUS_OK ? status : reported;
    }
    match_run_close(run);
    free(run);
    return status;
}

static Status report_first(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                           PaperFigures *figures, Error *error)
{
    (void)error;
    HeadToHead counted = count(&run->results, &(Selection){.of = OF_FIRST});
    PaperFigure figure = paper_figure(trial, options, 0, schedule_games(&run->results.schedule));
    set_games(&figure, &counted);
    paper_add_figure(figures, &figure);
    return STATUS_OK;
}

const PaperMeasure paper_measure_first = {.report = report_first};

void paper_set_unit(PaperFigure *figure, const Results *results)
{
    static const unsigned char wins[] = {0, 0, 2}, draws[] = {0, 2, 0}, losses[] = {2, 0, 0};
    static const struct {
        const char *unit;
        Selection selection;
    } shares[] = {{"wins", {.worth = wins}},  {"draws", {.worth = draws}},        {"losses", {.worth = losses}},
                  {"score", {.of = OF_PAIR}}, {"as_first", {.colour = AS_FIRST}}, {"as_second", {.colour = AS_SECOND}}};
    for (unsigned i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        if (strcmp(figure->unit, shares[i].unit) != 0)
            continue;
        HeadToHead counted = count(results, &shares[i].selection);
        set_score(figure, &counted);
        if (shares[i].selection.colour != ALL_GAMES) {
            figure->games = counted.games;
            figure->wanted /= 2;
        }
        return;
    }
    Sample sample = strcmp(figure->unit, "turns") == 0 ? results->lengths[0] : results_own(results, 0, figure->unit);
    paper_set_estimate(figure, sample_mean(&sample), sample.n);
}

static Status report_games(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                           PaperFigures *figures, Error *error)
{
    const Results *results = &run->results;
    const Shares *shares = run->on_game_context;
    (void)error;
    for (unsigned i = 0; i < paper_units(trial); i++) {
        PaperFigure figure = paper_figure(trial, options, i, schedule_games(&results->schedule));
        figure.has_games = true;
        figure.games = results->pairs[0].games;
        const char *colour = strchr(figure.unit, '@');
        if (strchr(figure.unit, '/') != NULL)
            paper_set_share(&figure, &shares->ratios[i]);
        else
            paper_set_unit(&figure, results);
        if (colour != NULL)
            set_colour(&figure, colour + 1, results);
        paper_add_figure(figures, &figure);
    }
    return STATUS_OK;
}

const PaperMeasure paper_measure_games = {.report = report_games};

static char *pair_label(const MatchRun *run, unsigned a, unsigned b)
{
    Text label = {0};
    text_add(&label, "%s against %s", run->names[a], run->names[b]);
    return label.data;
}

static void add_row(PaperFigures *figures, const PaperTrial *trial, char *label, unsigned wanted,
                    const HeadToHead *counted, const char *note)
{
    PaperFigure figure = {
        .trial = trial, .unit = trial->unit, .published = trial->published, .wanted = wanted, .note = note};
    figure.label = label;
    set_games(&figure, counted);
    paper_add_figure(figures, &figure);
}

static Status report_field(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                           PaperFigures *figures, Error *error)
{
    static const char no_book[] = "no opening book: it is its fallback";
    const Results *results = &run->results;
    unsigned agents = results->schedule.agents, games = results->schedule.games;
    bool lacks = paper_lacks_book(trial, options);
    (void)error;
    for (unsigned i = 0; i < agents; i++) {
        HeadToHead counted = count(results, &(Selection){.of = OF_AGENT, .number = i});
        add_row(figures, trial, memory_copy_text(run->names[i]), games * (agents - 1), &counted,
                lacks && paper_uses_book(run->names[i]) ? no_book : NULL);
    }
    for (unsigned pair = 0; pair < schedule_pairs(&results->schedule); pair++) {
        HeadToHead counted = count_pair(results, pair);
        ScheduledGame game = schedule_game(&results->schedule, 2 * pair);
        bool has_book = paper_uses_book(run->names[game.a]) || paper_uses_book(run->names[game.b]);
        add_row(figures, trial, pair_label(run, game.a, game.b), games, &counted, lacks && has_book ? no_book : NULL);
    }
    return STATUS_OK;
}

const PaperMeasure paper_measure_field = {.report = report_field};

// --- Ladders ---

static const char *step_note(const HeadToHead *counted)
{
    if (tally_games(counted->games) == 0)
        return NULL;
    double score = tally_score(counted->games);
    return score < PAPER_STEP_MIN   ? "below 60 %: too small a step"
           : score > PAPER_STEP_MAX ? "above 85 %: too large a step"
                                    : "within 60 to 85 %";
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
    for (unsigned pair = 0; pair < schedule_pairs(&results->schedule); pair++) {
        HeadToHead counted = count_pair(results, pair);
        add_row(figures, trial, pair_label(run, pair, pair + 1), games, &counted, step_note(&counted));
    }
    Status status = ratings_fit(&(RatingGames){results->table, agents}, &rating, ratings, &fit, error);
    for (unsigned i = 0; i < agents && status == STATUS_OK; i++) {
        bool is_end = i == 0 || i == agents - 1;
        add_rating(trial, run->names[i], &ratings[i], is_end ? games : 2 * games, figures);
    }
    return status;
}

const PaperMeasure paper_measure_ladder = {.report = report_ladder};

// --- All measures ---

Status paper_measure_run(const PaperMeasure *measure, const PaperTrial *trial, const ExperimentOptions *options,
                         PaperFigures *figures, Error *error)
{
    if (measure->report != NULL)
        return measure_by(measure->report, trial, options, figures, error);
    if (measure->pieces != NULL)
        return paper_measure_pieces(measure->pieces, trial, options, figures, error);
    return measure->run(trial, options, figures, error);
}
