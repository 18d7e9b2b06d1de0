// Random games after each candidate, in rounds.
#include "papers/levin/montecarlo.h"

#include "game/playout.h"

// The positions after this many stones of a random game receive its result: enough for the second stone of a turn of
// two, and for the next own turn with one stone per turn.
enum { TRACE = 2, BATCH_MAX = 16 };

typedef struct {
    const MonteCarloTask *task;
    Rng *rng;
    uint64_t games;
    Board after, board;
} Comparison;

static void add(PlayoutSample *sample, PlayoutSample more)
{
    sample->games += more.games;
    sample->wins[0] += more.wins[0];
    sample->wins[1] += more.wins[1];
}

static void leave_result(const Comparison *comparison, PlayoutSample result)
{
    const Board *board = &comparison->after;
    const MonteCarloTask *task = comparison->task;
    samples_add(task->samples, board_key(board), board_count(board), board_count(task->board), result);
}

// Stores the result of a game for its first position and those after its first stones.
static void leave_results(Comparison *comparison, const Cell *trace, unsigned played, PlayoutSample result)
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
    Winner winner = board_winner(&comparison->board);
    PlayoutSample result = {1, {winner == WINNER_FIRST, winner == WINNER_SECOND}};
    add(&candidate->sample, result);
    comparison->games++;
    if (comparison->task->samples != NULL)
        leave_results(comparison, trace, played, result);
}

// Plays some games of one candidate; false if a limit has been reached.
static bool play_batch(Comparison *comparison, Candidate *candidate, unsigned batch)
{
    board_copy(&comparison->after, comparison->task->board);
    (void)board_play(&comparison->after, candidate->cell);
    for (unsigned i = 0; i < batch && candidate->sample.games < comparison->task->playouts; i++) {
        if (limits_reached_every(&comparison->task->limits, comparison->games, 1))
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

static bool needs_games(const MonteCarloTask *task)
{
    for (unsigned i = 0; i < task->count; i++)
        if (task->candidates[i].sample.games < task->playouts)
            return true;
    return false;
}

uint64_t montecarlo_compare(const MonteCarloTask *task, Rng *rng)
{
    Comparison comparison = {.task = task, .rng = rng};
    Candidate *list = task->candidates;
    // 1. Stored results.
    for (unsigned i = 0; i < task->count; i++)
        list[i].sample = task->samples != NULL ? samples_find(task->samples, key_after(task->board, list[i].cell))
                                               : (PlayoutSample){0};
    // 2. Rounds over all candidates.
    bool continues = true;
    for (unsigned batch = 1; continues && needs_games(task); batch *= batch < BATCH_MAX ? 2 : 1)
        for (unsigned i = 0; continues && i < task->count; i++)
            continues = play_batch(&comparison, &list[i], batch);
    return comparison.games;
}

double montecarlo_share(const Candidate *candidate, Side side)
{
    const PlayoutSample *sample = &candidate->sample;
    if (sample->games == 0)
        return -1;
    double draws = sample->games - sample->wins[0] - sample->wins[1];
    return (sample->wins[side] + draws / 2) / sample->games;
}
