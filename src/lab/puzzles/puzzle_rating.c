// Glicko ratings of puzzles and people.
#include "lab/puzzles/puzzle_rating.h"

#include <math.h>

// Levels 1 and 10 have these ratings; those between are evenly spaced, as their results against each other are.
static const double level_lowest = 800, level_highest = 2150;

// Elo points per factor e of odds.
static double scale(void)
{
    return 400 / log(10);
}

static double expected_from(double difference)
{
    return 1 / (1 + pow(10, -difference / 400));
}

// The factor g of Glicko: a result against an opponent of uncertain rating says less.
static double weight_of(double error)
{
    double q = 1 / scale(), pi = acos(-1);
    return 1 / sqrt(1 + 3 * q * q * error * error / (pi * pi));
}

double puzzle_rating_expected(PuzzleRating person, PuzzleRating puzzle)
{
    return expected_from(weight_of(puzzle.error) * (person.rating - puzzle.rating));
}

// One side's new rating after one result, 1 or 0.
static PuzzleRating updated(PuzzleRating own, PuzzleRating other, double result)
{
    double q = 1 / scale(), g = weight_of(other.error);
    double expected = expected_from(g * (own.rating - other.rating));
    double information = q * q * g * g * expected * (1 - expected);
    double variance = 1 / (1 / (own.error * own.error) + information);
    return (PuzzleRating){own.rating + q * variance * g * (result - expected),
                          fmax(sqrt(variance), PUZZLE_ERROR_LEAST)};
}

void puzzle_rating_update(PuzzleRating *person, PuzzleRating *puzzle, bool is_solved)
{
    PuzzleRating before = *person;
    *person = updated(before, *puzzle, is_solved ? 1 : 0);
    *puzzle = updated(*puzzle, before, is_solved ? 0 : 1);
}

double puzzle_rating_of_level(unsigned level, unsigned count)
{
    double share = count > 1 ? (double)(level - 1) / (count - 1) : 0;
    return level_lowest + share * (level_highest - level_lowest);
}

// The derivative of the log-likelihood at a rating, in units of 1 / scale; `information` gets its negative slope.
static double slope_at(const PuzzleLevel *levels, unsigned count, double rating, double *information)
{
    double prior = scale() / PUZZLE_ERROR_START, slope = -prior * prior * (rating - PUZZLE_RATING_START) / scale();
    *information = prior * prior;
    for (unsigned i = 0; i < count; i++) {
        double expected = expected_from(puzzle_rating_of_level(i + 1, count) - rating);
        slope += levels[i].tried * expected - levels[i].solved;
        *information += levels[i].tried * expected * (1 - expected);
    }
    return slope;
}

PuzzleRating puzzle_rating_from_levels(const PuzzleLevel *levels, unsigned count)
{
    double low = 0, high = 4000, information = 0;
    for (unsigned i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (slope_at(levels, count, middle, &information) > 0)
            low = middle;
        else
            high = middle;
    }
    (void)slope_at(levels, count, low, &information);
    return (PuzzleRating){round(low), fmax(round(scale() / sqrt(information)), PUZZLE_ERROR_LEAST)};
}
