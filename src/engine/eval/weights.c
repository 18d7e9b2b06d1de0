// Weights: the formula for untuned values, and the tuned weights of a family.
#include "engine/eval/weights.h"

#include "engine/eval/weights_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The number of a sorted choice of four out of 16 with repetition: counted from its largest element on.
unsigned weights_unordered(unsigned code)
{
    unsigned line_pattern[4] = {code & 15, code >> 4 & 15, code >> 8 & 15, code >> 12 & 15};
    for (unsigned i = 1; i < 4; i++)
        for (unsigned j = i; j > 0 && line_pattern[j - 1] < line_pattern[j]; j--) {
            unsigned swapped = line_pattern[j];
            line_pattern[j] = line_pattern[j - 1];
            line_pattern[j - 1] = swapped;
        }
    unsigned a = line_pattern[0] + 3, b = line_pattern[1] + 2, c = line_pattern[2] + 1, d = line_pattern[3];
    return a * (a - 1) * (a - 2) * (a - 3) / 24 + b * (b - 1) * (b - 2) / 6 + c * (c - 1) / 2 + d;
}

unsigned weights_next_code(unsigned code)
{
    // The last direction counts up to the one before it, and so on, as digits that never rise.
    for (unsigned direction = 0; direction < 4; direction++) {
        unsigned shift = 4 * direction, digit = code >> shift & 15;
        unsigned limit = direction < 3 ? code >> (shift + 4) & 15 : LINE_PATTERNS_MAX - 1;
        if (digit < limit)
            return (code >> shift << shift) + (1u << shift);
    }
    return 0;
}

// Parameters of the formula. With several stones per turn the side to move, rows that are still far from complete, and
// rows that can be made in more than one way matter much more. These parameters were tuned one after another on the
// results of games with k = 6, p = 2 (5 000 games; the loss of tuning.md went from 0.741 to 0.549), k = 7, p = 3 (400;
// 0.702 to 0.648) and k = 5, p = 2 (0.848 to 0.239).
typedef struct {
    double threat;   // value of a direction with a threat
    double fading;   // factor for each further missing stone
    double level[4]; // by LINE_PATTERN_LEVEL
    double together; // for all but the best direction, in addition
    double to_move;
    double own[6], other[6]; // counters of pattern_board.h that are above 0, for the side to move and for the other
} Formula;

static const Formula one_stone = {.threat = 28,
                                  .fading = 0.25,
                                  .level = {0, 0.35, 1, 1.2},
                                  .together = 0.5,
                                  .to_move = 15,
                                  .own = {2000, 1200, 700, 400, 60, 60},
                                  .other = {600, 300, 150, 80, 20, 20}};

static const Formula more_stones = {.threat = 6,
                                    .fading = 0.5,
                                    .level = {0, 0.1, 1, 5.8},
                                    .together = 0.2,
                                    .to_move = 235,
                                    .own = {2000, 1200, 700, 400, 820, 256},
                                    .other = {600, 300, 150, 80, 160, 117}};

// The values of the line patterns, by their numbers; 0 for those that are worth nothing.
typedef struct {
    double code[LINE_PATTERNS_MAX], move[LINE_PATTERNS_MAX];
} PatternValues;

static double missing_turns(const LinePatterns *line_patterns, LinePattern line_pattern)
{
    return (double)line_pattern.need - (double)line_patterns->p;
}

static PatternValues pattern_values(const Formula *formula, const LinePatterns *line_patterns)
{
    static const double MOVE_LEVEL[] = {0, 0.3, 1, 1.1};
    PatternValues values = {{0}, {0}};
    for (unsigned number = 0; number < line_patterns->count; number++) {
        if (number == LINE_PATTERN_DEAD)
            continue;
        LinePattern line_pattern = line_patterns->kind[number];
        double missing = missing_turns(line_patterns, line_pattern);
        values.code[number] =
            formula->threat * pow(formula->fading, missing > 0 ? missing : 0) * formula->level[line_pattern.level];
        values.move[number] = 600 * pow(0.33, missing > 0 ? missing : 0.5 * missing) * MOVE_LEVEL[line_pattern.level];
    }
    return values;
}

static double code_value(const Formula *formula, const PatternValues *values, unsigned code)
{
    double sum = 0, best = 0;
    for (unsigned direction = 0; direction < 4; direction++) {
        double value = values->code[code >> (4 * direction) & 15];
        sum += value;
        best = value > best ? value : best;
    }
    return sum + formula->together * (sum - best);
}

// What is at hand, for each side by the first of its counters that is above 0.
static double situation_value(const Formula *formula, unsigned situation)
{
    unsigned own = bits_lowest(situation & bits_low(WEIGHTS_KINDS)), other = bits_lowest(situation >> WEIGHTS_KINDS);
    return formula->to_move + (own < WEIGHTS_KINDS ? formula->own[own] : 0) -
           (other < WEIGHTS_KINDS ? formula->other[other] : 0);
}

static double move_value(const PatternValues *values, unsigned code)
{
    double sum = 0;
    for (unsigned direction = 0; direction < 4; direction++)
        sum += values->move[code >> (4 * direction) & 15];
    return sum > WEIGHTS_MOVE_MAX ? WEIGHTS_MOVE_MAX : sum;
}

void weights_formula(Weights *weights, const LinePatterns *line_patterns)
{
    const Formula *formula = line_patterns->p > 1 ? &more_stones : &one_stone;
    const PatternValues values = pattern_values(formula, line_patterns);
    memset(weights, 0, sizeof *weights);
    unsigned code = 0;
    // The sorted codes come in the order of their numbers.
    for (unsigned number = 0; number < WEIGHTS_CODES; number++) {
        double move = move_value(&values, code);
        weights->code[number] = (int16_t)lrint(code_value(formula, &values, code));
        weights->move[number] = (WeightsMove){(int16_t)lrint(move), (int16_t)lrint(0.7 * move)};
        code = weights_next_code(code);
    }
    for (unsigned i = 0; i < WEIGHTS_SITUATIONS; i++)
        weights->situation[i] = (int16_t)lrint(situation_value(formula, i));
}

bool weights_find(Weights *weights, const LinePatterns *line_patterns, const Rules *rules)
{
    char family[WEIGHTS_FAMILY_SIZE];
    weights_family(rules, family);
    for (unsigned i = 0; i < weights_tuned_count; i++) {
        if (!weights_is_for(weights_tuned[i], family))
            continue;
        Status status = weights_parse(weights, line_patterns, rules, weights_tuned[i], NULL);
        assert(status == STATUS_OK);
        if (status == STATUS_OK)
            return true;
    }
    weights_formula(weights, line_patterns);
    return false;
}
