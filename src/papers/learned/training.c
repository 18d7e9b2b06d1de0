// Temporal-difference learning: one game after another, and an update after each.
#include "papers/learned/training.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANDOM_STONES_MAX = 6 };                       // at the beginning of a game
static const double SCORE_LIMIT = 12, STEP_FLOOR = 1; // of the logistic function; of the sums of squared gradients

// A stone of the game that is being played.
typedef struct {
    unsigned stage;
    Side side;
    double value; // of the position after the stone, for its side
    double best;  // the value of the best stone in its place
    bool random;
} Placed;

struct Training {
    Rules rules;
    TrainingOptions options;
    TrainingReport report;
    LearnedWeights weights, squares;
    double sum[FEATURES_STAGES][FEATURES_MAX]; // of the weights after each game of the second half
    double loss;
    uint64_t loss_count;
    Features features;
    FeatureVector vector, chosen;
    unsigned placed_count;
    Placed placed[RULES_CELLS_MAX];
    float *values; // of the features of each placed stone
};

Training *training_open(const Rules *rules, const TrainingOptions *options)
{
    Training *training = memory_new(1, sizeof *training);
    training->rules = *rules;
    training->options = *options;
    features_init(&training->features, rules, training->weights.windows);
    training->values = memory_new((size_t)rules_cells(rules) * training->features.count, sizeof training->values[0]);
    return training;
}

void training_close(Training *training)
{
    if (training == NULL)
        return;
    free(training->values);
    free(training);
}

static double logistic(double score)
{
    double limited = score > SCORE_LIMIT ? SCORE_LIMIT : score < -SCORE_LIMIT ? -SCORE_LIMIT : score;
    return 1 / (1 + exp(-limited));
}

// --- Playing ---

// Rates all candidates. Leaves the features of the one to play in `chosen`, and returns it; `best` is the highest
// value.
static Cell choose(Training *training, const Board *board, bool random, Rng *rng, double *best)
{
    Cell cells[RULES_CELLS_MAX];
    unsigned count = features_candidates(board, cells), wanted = rng_below(rng, count), equals = 0;
    Cell chosen = cells[wanted];
    double highest = -INFINITY;
    features_read(&training->features, board);
    for (unsigned i = 0; i < count; i++) {
        features_of(&training->features, board, cells[i], &training->vector);
        double score = training->vector.wins
                           ? 1e6
                           : learned_score(&training->weights, &training->vector, training->features.count);
        equals = score > highest ? 1 : score == highest ? equals + 1 : equals;
        bool leads = score > highest || (score == highest && rng_below(rng, equals) == 0);
        highest = score > highest ? score : highest;
        if (random ? i == wanted : leads) {
            chosen = cells[i];
            training->chosen = training->vector;
        }
    }
    *best = highest >= 1e6 ? 1 : logistic(highest);
    return chosen;
}

static void place(Training *training, Board *board, Cell cell, const Placed *stone)
{
    unsigned count = training->features.count, n = training->placed_count++;
    training->placed[n] = *stone;
    memcpy(training->values + (size_t)n * count, training->chosen.value, count * sizeof training->values[0]);
    (void)board_play(board, cell);
}

// Plays a game. Returns its result for the first side.
static double play(Training *training, Rng *rng)
{
    Board board;
    board_init(&board, &training->rules);
    training->placed_count = 0;
    unsigned random_stones = rng_below(rng, RANDOM_STONES_MAX + 1);
    uint32_t exploring = (uint32_t)(training->options.exploration * 1e6);
    while (!board_is_over(&board)) {
        Placed stone = {.side = board_side(&board)};
        stone.random = training->placed_count < random_stones || rng_below(rng, 1000000) < exploring;
        Cell cell = choose(training, &board, stone.random, rng, &stone.best);
        stone.stage = training->chosen.stage;
        stone.value = training->chosen.wins
                          ? 1
                          : logistic(learned_score(&training->weights, &training->chosen, training->features.count));
        place(training, &board, cell, &stone);
    }
    Winner winner = board_winner(&board);
    training->report.stones += training->placed_count;
    if (winner == WINNER_FIRST || winner == WINNER_SECOND)
        training->report.won[winner == WINNER_SECOND]++;
    return winner == WINNER_FIRST ? 1 : winner == WINNER_SECOND ? 0 : 0.5;
}

// --- Learning ---

static void update(Training *training, unsigned n, double target)
{
    const Placed *stone = &training->placed[n];
    const float *value = training->values + (size_t)n * training->features.count;
    float *weights = training->weights.of[stone->stage], *squares = training->squares.of[stone->stage];
    double difference = target - stone->value;
    for (unsigned i = 0; i < training->features.count; i++) {
        if (value[i] == 0)
            continue;
        double gradient = difference * (double)value[i];
        squares[i] += (float)(gradient * gradient);
        weights[i] += (float)(training->options.rate * gradient / sqrt(STEP_FLOOR + (double)squares[i]));
    }
}

static void count_loss(Training *training, double value, double target)
{
    if (training->report.games < training->options.games - training->options.games / 10)
        return;
    training->loss -= target * log(value) + (1 - target) * log(1 - value);
    training->loss_count++;
}

static double for_first(Side side, double value)
{
    return side == SIDE_FIRST ? value : 1 - value;
}

// From the last stone to the first; `target` is the return for the first side. A stone that completed a row has no
// value of its own: the result is known.
static void learn(Training *training, double result)
{
    double target = result, lambda = training->options.lambda;
    for (unsigned n = training->placed_count; n-- > 0;) {
        const Placed *stone = &training->placed[n];
        bool last = n + 1 == training->placed_count;
        if (!last) {
            double goal = for_first(stone->side, target);
            count_loss(training, stone->value, goal);
            update(training, n, goal);
        }
        // The return of the stone before this one.
        if (stone->random)
            target = for_first(stone->side, stone->best);
        else if (!last)
            target = lambda * target + (1 - lambda) * for_first(stone->side, stone->value);
    }
}

static void add_weights(Training *training)
{
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++)
        for (unsigned i = 0; i < training->features.count; i++)
            training->sum[stage][i] += (double)training->weights.of[stage][i];
}

bool training_step(Training *training)
{
    unsigned number = training->report.games;
    if (number >= training->options.games)
        return false;
    Rng rng = rng_make(rng_derive(training->options.seed, number));
    learn(training, play(training, &rng));
    training->report.games++;
    if (number >= training->options.games / 2)
        add_weights(training);
    return true;
}

TrainingReport training_report(const Training *training)
{
    TrainingReport report = training->report;
    report.loss = training->loss_count > 0 ? training->loss / (double)training->loss_count : 0;
    return report;
}

void training_weights(const Training *training, LearnedWeights *weights)
{
    *weights = training->weights;
    unsigned half = training->options.games / 2;
    if (training->report.games <= half)
        return;
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++)
        for (unsigned i = 0; i < training->features.count; i++)
            weights->of[stage][i] = (float)(training->sum[stage][i] / (training->report.games - half));
}

// --- The state ---

// Binary fractions as hexadecimal digits, so that reading gives the same numbers.
static void add_numbers(const Training *training, Text *text)
{
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++)
        for (unsigned i = 0; i < training->features.count; i++)
            text_add(text, "%a %a %a\n", (double)training->weights.of[stage][i], (double)training->squares.of[stage][i],
                     training->sum[stage][i]);
}

static void add_head(const Training *training, Text *text)
{
    char rules[RULES_TEXT_SIZE];
    const TrainingOptions *options = &training->options;
    rules_format(&training->rules, rules);
    text_add(text, "krow learning 2\n%s %u %llu %a %a %a\n", rules, options->games, (unsigned long long)options->seed,
             options->lambda, options->rate, options->exploration);
}

void training_save(const Training *training, Text *text)
{
    const TrainingReport *report = &training->report;
    add_head(training, text);
    text_add(text, "%u %llu %u %u %a %llu\n", report->games, (unsigned long long)report->stones, report->won[0],
             report->won[1], training->loss, (unsigned long long)training->loss_count);
    add_numbers(training, text);
}

// The next word as a number; false if it is none.
static bool next_number(Span *rest, double *number)
{
    Span word = {0};
    char text[64] = {0}, *end = NULL;
    if (!span_next_word(rest, " \n", &word) || word.length >= sizeof text)
        return false;
    memcpy(text, word.at, word.length);
    *number = strtod(text, &end);
    return *end == '\0' && isfinite(*number);
}

static bool read_numbers(Training *training, Span *rest)
{
    double numbers[6] = {0};
    bool good = true;
    for (unsigned i = 0; i < 6; i++)
        good = good && next_number(rest, &numbers[i]) && numbers[i] >= 0;
    if (!good || numbers[0] > training->options.games)
        return false;
    training->report = (TrainingReport){.games = (unsigned)numbers[0],
                                        .stones = (uint64_t)numbers[1],
                                        .won = {(unsigned)numbers[2], (unsigned)numbers[3]}};
    training->loss = numbers[4];
    training->loss_count = (uint64_t)numbers[5];
    for (unsigned stage = 0; stage < FEATURES_STAGES; stage++) {
        for (unsigned i = 0; i < training->features.count; i++) {
            double weight = 0, square = 0;
            good = good && next_number(rest, &weight) && next_number(rest, &square) &&
                   next_number(rest, &training->sum[stage][i]);
            training->weights.of[stage][i] = (float)weight;
            training->squares.of[stage][i] = (float)square;
        }
    }
    return good && rest->length <= 1;
}

Status training_restore(Training *training, Span text, Error *error)
{
    Text head = {0};
    add_head(training, &head);
    bool same = text.length > head.length && memcmp(text.at, head.data, head.length) == 0;
    Span rest = {text.at + head.length, same ? text.length - head.length : 0};
    text_close(&head);
    if (!same)
        return error_set(error, STATUS_BAD_INPUT, "the stored state is of another game or of other options");
    return read_numbers(training, &rest) ? STATUS_OK
                                         : error_set(error, STATUS_BAD_INPUT, "the stored state is damaged");
}
