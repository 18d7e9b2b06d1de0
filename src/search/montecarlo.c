#include "search/montecarlo.h"

#include "base/clock.h"
#include "search/playout.h"

// Stones of each random game whose positions get its result: enough for the other stone of a turn of two, and for the
// next own turn where turns are single stones.
enum { TRACE = 2, BATCH_MAX = 16 };

typedef struct {
    const MonteCarloLimits *limits;
    unsigned playouts, now;
    Samples *samples;
    Rng *rng;
    uint64_t games;
    Board after, board;
} Comparison;

static bool is_out(const Comparison *comparison)
{
    const MonteCarloLimits *limits = comparison->limits;
    if (limits->games > 0 && comparison->games >= limits->games)
        return true;
    if (limits->stop != NULL && atomic_load_explicit(limits->stop, memory_order_relaxed))
        return true;
    return limits->deadline > 0 && clock_seconds() >= limits->deadline;
}

static Sample result_of(Winner winner)
{
    return (Sample){1, {winner == WINNER_FIRST, winner == WINNER_SECOND}};
}

static void add(Sample *sample, Sample more)
{
    sample->games += more.games;
    sample->wins[0] += more.wins[0];
    sample->wins[1] += more.wins[1];
}

static void leave_result(const Comparison *comparison, Sample result)
{
    const Board *board = &comparison->after;
    samples_add(comparison->samples, board_key(board), board_count(board), comparison->now, result);
}

// Gives the result of a game to the position it began from, and to those after its first stones as long as it went on.
static void leave_results(Comparison *comparison, const Cell *trace, unsigned played, Sample result)
{
    Board *board = &comparison->after;
    BoardState before[TRACE];
    unsigned count = 0;
    leave_result(comparison, result);
    for (; count < TRACE && count + 1 < played; count++) {
        before[count] = board_play(board, trace[count]);
        leave_result(comparison, result);
    }
    while (count-- > 0)
        board_undo(board, trace[count], before[count]);
}

static void play_game(Comparison *comparison, Candidate *candidate)
{
    Cell trace[TRACE];
    board_copy(&comparison->board, &comparison->after);
    unsigned played = playout_traced(&comparison->board, comparison->rng, trace, TRACE);
    Sample result = result_of(board_winner(&comparison->board));
    add(&candidate->sample, result);
    comparison->games++;
    if (comparison->samples != NULL)
        leave_results(comparison, trace, played, result);
}

// Some games of one candidate; false when a limit has been reached.
static bool play_batch(Comparison *comparison, const Board *board, Candidate *candidate, unsigned batch)
{
    board_copy(&comparison->after, board);
    (void)board_play(&comparison->after, candidate->cell);
    for (unsigned i = 0; i < batch && candidate->sample.games < comparison->playouts; i++) {
        if (is_out(comparison))
            return false;
        play_game(comparison, candidate);
    }
    return true;
}

static uint64_t key_after(const Board *board, Cell cell)
{
    Board after;
    board_copy(&after, board);
    (void)board_play(&after, cell);
    return board_key(&after);
}

static bool needs_games(const Comparison *comparison, const Candidate *candidates, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (candidates[i].sample.games < comparison->playouts)
            return true;
    return false;
}

uint64_t montecarlo_compare(const Board *board, Candidate *candidates, unsigned count, unsigned playouts,
                            const MonteCarloLimits *limits, Samples *samples, Rng *rng)
{
    Comparison comparison = {
        .limits = limits, .playouts = playouts, .now = board_count(board), .samples = samples, .rng = rng};
    // 1. What is known already.
    for (unsigned i = 0; i < count; i++) {
        candidates[i].sample =
            samples != NULL ? samples_find(samples, key_after(board, candidates[i].cell)) : (Sample){0};
    }
    // 2. Rounds over all candidates.
    bool goes_on = true;
    for (unsigned batch = 1; goes_on && needs_games(&comparison, candidates, count); batch *= batch < BATCH_MAX ? 2 : 1)
        for (unsigned i = 0; goes_on && i < count; i++)
            goes_on = play_batch(&comparison, board, &candidates[i], batch);
    return comparison.games;
}

double montecarlo_share(const Candidate *candidate, Side side)
{
    const Sample *sample = &candidate->sample;
    if (sample->games == 0)
        return -1;
    double draws = sample->games - sample->wins[0] - sample->wins[1];
    return (sample->wins[side] + draws / 2) / sample->games;
}
