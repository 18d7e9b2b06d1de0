// Fits ratings by Newton's method; the header describes the model.
#include "match/ratings.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// With x = ln(strength of the first / strength of the second) + advantage, a game is won, drawn and lost with odds
// exp(x/2) : exp(lambda) : exp(-x/2). This is Davidson's model with the order effect of Davidson and Beaver (1977), in
// a form whose log-likelihood is concave in the unknowns, so Newton's method converges.
//
// The unknowns are a vector: the log strengths of the agents, then lambda, then the advantage.
typedef struct {
    const Tally *table;
    unsigned agents, size;
    unsigned lambda, advantage; // indices of the last two
    bool has_draws;             // without draws lambda is minus infinity: the model omits drawn games
    bool has_advantage;
    double prior;
    // Work space, one allocation.
    double *point, *trial, *gradient, *step, *row; // size numbers each
    double *information;                           // size x size; later the lower triangle is its Cholesky factor
} Model;

#define ELO_PER_LOG (400 / M_LN10)
#define MAX_STEPS 200
#define CONVERGED 1e-12 // squared length of a step in standard errors

typedef struct {
    double win, draw, loss; // probabilities, seen from the first player
    double log_sum;         // logarithm of the sum of the odds
} Chances;

static Chances chances_of(const Model *model, const double *point, unsigned first, unsigned second)
{
    double half = (point[first] - point[second]) / 2;
    if (model->has_advantage)
        half += point[model->advantage] / 2;
    double top = model->has_draws ? fmax(fabs(half), point[model->lambda]) : fabs(half); // keeps exp in range
    double win = exp(half - top), loss = exp(-half - top);
    double draw = model->has_draws ? exp(point[model->lambda] - top) : 0;
    double sum = win + draw + loss;
    return (Chances){win / sum, draw / sum, loss / sum, top + log(sum)};
}

static double log_likelihood_of(const Model *model, const double *point, unsigned first, unsigned second)
{
    Tally tally = model->table[first * model->agents + second];
    Chances chances = chances_of(model, point, first, second);
    double x = point[first] - point[second] + (model->has_advantage ? point[model->advantage] : 0);
    double draws = tally.draws > 0 ? tally.draws * point[model->lambda] : 0;
    return ((double)tally.wins - tally.losses) * x / 2 + draws - tally_games(tally) * chances.log_sum;
}

// The prior on one unknown: `prior` games with even odds at the centre, half of them won and half lost. The centre is 0
// for strengths and advantage; for lambda it is where half of the games between equal agents are drawn.
static double prior_offset(const Model *model, const double *point, unsigned i)
{
    return i == model->lambda ? point[i] - M_LN2 : point[i];
}

static double log_prior_of(const Model *model, const double *point, unsigned i)
{
    double offset = fabs(prior_offset(model, point, i));
    return -model->prior * (offset / 2 + log1p(exp(-offset)));
}

static double log_posterior(const Model *model, const double *point)
{
    double sum = 0;
    for (unsigned i = 0; i < model->agents; i++)
        for (unsigned j = 0; j < model->agents; j++)
            if (tally_games(model->table[i * model->agents + j]) > 0)
                sum += log_likelihood_of(model, point, i, j);
    for (unsigned i = 0; i < model->size; i++)
        sum += log_prior_of(model, point, i);
    return sum;
}

// Adds the derivatives of the games of one pair in one colour. The model is an exponential family in x and lambda, so
// the gradient is observed minus expected, and the information is the covariance of (win - loss)/2 and draw.
static void add_games(Model *model, unsigned first, unsigned second)
{
    Tally tally = model->table[first * model->agents + second];
    double games = tally_games(tally);
    if (games == 0)
        return;
    Chances chances = chances_of(model, model->point, first, second);
    double mean = (chances.win - chances.loss) / 2;
    double slope = ((double)tally.wins - tally.losses) / 2 - games * mean;
    double xx = games * ((chances.win + chances.loss) / 4 - mean * mean);
    double xd = -games * mean * chances.draw;
    // x = first - second + advantage
    const unsigned index[] = {first, second, model->advantage};
    const double sign[] = {1, -1, 1};
    unsigned terms = model->has_advantage ? 3 : 2;
    double *information = model->information;
    for (unsigned i = 0; i < terms; i++) {
        model->gradient[index[i]] += sign[i] * slope;
        for (unsigned j = 0; j < terms; j++)
            information[index[i] * model->size + index[j]] += sign[i] * sign[j] * xx;
        information[index[i] * model->size + model->lambda] += sign[i] * xd;
        information[model->lambda * model->size + index[i]] += sign[i] * xd;
    }
    if (model->has_draws) {
        model->gradient[model->lambda] += tally.draws - games * chances.draw;
        information[model->lambda * model->size + model->lambda] += games * chances.draw * (1 - chances.draw);
    }
}

static void add_prior(Model *model, unsigned i)
{
    double offset = prior_offset(model, model->point, i);
    double share = 1 / (1 + exp(-offset));
    model->gradient[i] += model->prior * (0.5 - share);
    model->information[i * model->size + i] += model->prior * share * (1 - share);
}

static void differentiate(Model *model)
{
    memset(model->gradient, 0, model->size * sizeof *model->gradient);
    memset(model->information, 0, (size_t)model->size * model->size * sizeof *model->information);
    for (unsigned i = 0; i < model->agents; i++)
        for (unsigned j = 0; j < model->agents; j++)
            add_games(model, i, j);
    for (unsigned i = 0; i < model->size; i++)
        add_prior(model, i);
}

// Cholesky: the information becomes L, in its lower triangle, with L L^T = information. False if it is not positive.
static bool factorise(Model *model)
{
    unsigned size = model->size;
    for (unsigned i = 0; i < size; i++) {
        double *row = model->information + (size_t)i * size;
        for (unsigned j = 0; j <= i; j++) {
            const double *other = model->information + (size_t)j * size;
            double sum = row[j];
            for (unsigned k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum / other[j];
            else if (sum > 0)
                row[i] = sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

// Replaces b by the solution of L y = b.
static void solve_lower(const Model *model, double *b)
{
    for (unsigned i = 0; i < model->size; i++) {
        const double *row = model->information + (size_t)i * model->size;
        for (unsigned k = 0; k < i; k++)
            b[i] -= row[k] * b[k];
        b[i] /= row[i];
    }
}

// Replaces b by the solution of L^T y = b.
static void solve_upper(const Model *model, double *b)
{
    for (unsigned i = model->size; i-- > 0;) {
        const double *row = model->information + (size_t)i * model->size;
        b[i] /= row[i];
        for (unsigned k = 0; k < i; k++)
            b[k] -= row[k] * b[i];
    }
}

static double squared_length(const Model *model, const double *vector)
{
    double sum = 0;
    for (unsigned i = 0; i < model->size; i++)
        sum += vector[i] * vector[i];
    return sum;
}

// Takes the Newton step, halved until the posterior does not decrease.
static void climb(Model *model)
{
    double before = log_posterior(model, model->point);
    double rounding = 1e-12 * (1 + fabs(before));
    for (int halvings = 0; halvings < 30; halvings++) {
        for (unsigned i = 0; i < model->size; i++)
            model->trial[i] = model->point[i] + ldexp(model->step[i], -halvings);
        if (log_posterior(model, model->trial) >= before - rounding) {
            memcpy(model->point, model->trial, model->size * sizeof *model->point);
            return;
        }
    }
}

// Newton's method; the factor of the information at the solution remains for the errors.
static Status maximise(Model *model, unsigned *steps, Error *error)
{
    bool done = false;
    for (*steps = 0; *steps <= MAX_STEPS; ++*steps) {
        differentiate(model);
        if (!factorise(model))
            return error_set(error, STATUS_FAILED, "the ratings cannot be computed: the results do not determine them");
        if (done)
            return STATUS_OK;
        memcpy(model->step, model->gradient, model->size * sizeof *model->step);
        solve_lower(model, model->step);
        done = squared_length(model, model->step) < CONVERGED; // the last step below makes it far smaller
        solve_upper(model, model->step);
        climb(model);
    }
    return error_set(error, STATUS_FAILED, "the ratings did not converge within %d steps", MAX_STEPS);
}

// The slope of Davidson's expected score between equals is 1 - draw share times that of Elo's curve. Ratings are scaled
// by it, so that near equality they agree with Elo (as in BayesElo); without draws the factor is 1.
static double draw_share(const Model *model)
{
    return model->has_draws ? 1 / (1 + 2 * exp(-model->point[model->lambda])) : 0;
}

static double elo_per_log(const Model *model)
{
    return ELO_PER_LOG * (1 - draw_share(model));
}

// The 95 % error of an Elo number elo_per_log() x (weights . point), by the delta method: lambda contributes too, since
// the scale depends on it. Overwrites the weights, which are in model->row.
static double error_of_row(Model *model)
{
    double value = 0;
    for (unsigned i = 0; i < model->size; i++) {
        value += model->row[i] * model->point[i];
        model->row[i] *= elo_per_log(model);
    }
    double share = draw_share(model);
    model->row[model->lambda] -= ELO_PER_LOG * share * (1 - share) * value;
    solve_lower(model, model->row);
    return STATS_Z95 * sqrt(squared_length(model, model->row));
}

static bool have_met(const Model *model, unsigned i, unsigned j)
{
    return tally_games(model->table[i * model->agents + j]) + tally_games(model->table[j * model->agents + i]) > 0;
}

// Assigns the group of `from` to every agent connected with it.
static void spread_group(const Model *model, unsigned from, AgentRating *ratings, bool *reached)
{
    unsigned queue[RATINGS_MAX_AGENTS] = {from}, length = 1;
    reached[from] = true;
    for (unsigned next = 0; next < length; next++) {
        for (unsigned other = 0; other < model->agents; other++) {
            if (reached[other] || !have_met(model, queue[next], other))
                continue;
            reached[other] = true;
            ratings[other].group = ratings[from].group;
            queue[length++] = other;
        }
    }
}

static unsigned find_groups(const Model *model, AgentRating *ratings)
{
    bool reached[RATINGS_MAX_AGENTS] = {false};
    unsigned groups = 0;
    for (unsigned i = 0; i < model->agents; i++) {
        if (reached[i])
            continue;
        ratings[i].group = groups++;
        spread_group(model, i, ratings, reached);
    }
    return groups;
}

static void count_games(const Model *model, unsigned agent, AgentRating *rating)
{
    Tally games = tally_of_agent(model->table, model->agents, agent);
    rating->games = games;
    if (games.wins > 0 && games.draws + games.losses == 0)
        rating->edge = RATING_WON_ALL;
    else if (games.losses > 0 && games.draws + games.wins == 0)
        rating->edge = RATING_LOST_ALL;
}

// Sets model->row to the weights of a group's reference point, its anchor or its mean, which is subtracted from the
// strengths. Returns the number of agents in the group.
static unsigned set_reference(Model *model, const RatingOptions *options, const AgentRating *ratings, unsigned group)
{
    memset(model->row, 0, model->size * sizeof *model->row);
    unsigned members = 0;
    for (unsigned i = 0; i < model->agents; i++)
        members += ratings[i].group == group;
    if (options->anchored && ratings[options->anchor].group == group) {
        model->row[options->anchor] = 1;
        return members;
    }
    for (unsigned i = 0; i < model->agents; i++)
        if (ratings[i].group == group)
            model->row[i] = 1.0 / members;
    return members;
}

static void rate(Model *model, const RatingOptions *options, AgentRating *ratings, unsigned agent)
{
    AgentRating *rating = &ratings[agent];
    bool with_anchor = options->anchored && ratings[options->anchor].group == rating->group;
    unsigned members = set_reference(model, options, ratings, rating->group);
    double reference = 0;
    for (unsigned i = 0; i < model->agents; i++) {
        reference += model->row[i] * model->point[i];
        model->row[i] = -model->row[i];
    }
    model->row[agent] += 1;
    rating->rating = elo_per_log(model) * (model->point[agent] - reference);
    rating->error = error_of_row(model);
    if (with_anchor)
        rating->rating += options->anchor_rating;
    else if (members == 1)
        rating->error = INFINITY;
}

static void describe(Model *model, const RatingOptions *options, AgentRating *ratings, RatingFit *fit)
{
    fit->groups = find_groups(model, ratings);
    for (unsigned i = 0; i < model->agents; i++) {
        count_games(model, i, &ratings[i]);
        rate(model, options, ratings, i);
    }
    fit->draw_share = draw_share(model);
    if (model->has_advantage) {
        memset(model->row, 0, model->size * sizeof *model->row);
        model->row[model->advantage] = 1;
        fit->advantage = elo_per_log(model) * model->point[model->advantage];
        fit->advantage_error = error_of_row(model);
    }
}

static bool has_draws(const Tally *table, unsigned agents)
{
    for (unsigned i = 0; i < agents * agents; i++)
        if (table[i].draws > 0)
            return true;
    return false;
}

static void model_open(Model *model)
{
    size_t size = model->size;
    double *space = memory_new(size * (size + 5), sizeof *space);
    model->point = space;
    model->trial = space + size;
    model->gradient = space + 2 * size;
    model->step = space + 3 * size;
    model->row = space + 4 * size;
    model->information = space + 5 * size;
    model->point[model->lambda] = M_LN2; // the centre of its prior, where it stays without draws
}

static Status check(unsigned agents, const RatingOptions *options, Error *error)
{
    if (agents < 1 || agents > RATINGS_MAX_AGENTS)
        return error_set(error, STATUS_BAD_INPUT, "ratings support 1 to %d agents, not %u", RATINGS_MAX_AGENTS, agents);
    if (options->anchored && (options->anchor >= agents || !isfinite(options->anchor_rating)))
        return error_set(error, STATUS_BAD_INPUT, "the anchor of the ratings is not one of the agents, or not finite");
    if (options->prior != 0 && !(options->prior >= RATINGS_PRIOR_MIN && isfinite(options->prior)))
        return error_set(error, STATUS_BAD_INPUT, "the prior of the ratings must be at least %g", RATINGS_PRIOR_MIN);
    return STATUS_OK;
}

Status ratings_fit(const RatingGames *games, const RatingOptions *options, AgentRating *ratings, RatingFit *fit,
                   Error *error)
{
    const Tally *table = games->table;
    unsigned agents = games->agents;
    Status status = check(agents, options, error);
    if (status != STATUS_OK)
        return status;
    Model model = {
        .table = table,
        .agents = agents,
        .size = agents + 2,
        .lambda = agents,
        .advantage = agents + 1,
        .has_draws = has_draws(table, agents),
        .has_advantage = options->first_advantage,
        .prior = options->prior > 0 ? options->prior : RATINGS_PRIOR,
    };
    model_open(&model);
    memset(ratings, 0, agents * sizeof *ratings);
    *fit = (RatingFit){0};
    status = maximise(&model, &fit->steps, error);
    if (status == STATUS_OK)
        describe(&model, options, ratings, fit);
    free(model.point); // the start of the allocation
    return status;
}

void ratings_order(const AgentRating *ratings, unsigned agents, unsigned *order)
{
    // Insertion sort: stable, and there are at most two hundred agents.
    for (unsigned i = 0; i < agents; i++) {
        unsigned at = i;
        for (; at > 0 && ratings[order[at - 1]].rating < ratings[i].rating; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}
