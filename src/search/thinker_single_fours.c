// The end of a line: fours only, to each of which there is one answer.
#include "search/thinker_single_internal.h"

enum {
    QUIET_FOURS = 8,  // in a row
    QUIET_NODES = 24, // in all; without a limit most of the time was spent here (65 % against it in 100 games)
};

// A search through fours: where the last one was placed (CELL_NONE: nowhere yet), and what is left of its nodes.
typedef struct {
    Cell last;
    int fours;
} Quiet;

static int quiesce(Worker *worker, int alpha, int beta, unsigned ply, Quiet quiet);

static int quiesce_after(Worker *worker, Cell cell, int alpha, int beta, unsigned ply, Quiet quiet)
{
    SingleState *state = worker->state;
    state->plies[ply].move = cell;
    field_play(&worker->field, cell);
    int score = -quiesce(worker, -beta, -alpha, ply + 1, quiet);
    field_undo(&worker->field);
    return score;
}

// Fours in the lines of the last one, or any. Fours that have nothing to do with each other would be tried in every
// order.
static void collect_fours(Worker *worker, Moves *moves, Cell last)
{
    const unsigned kinds = 1 << CELL_FOUR_THREE | 1 << CELL_FOUR;
    if (last == CELL_NONE)
        single_collect(&worker->field, moves, kinds, 0);
    else
        single_collect_lines(&worker->field, moves, kinds, last);
}

// The side to move may stop here with what the position is worth, or go on with fours, to which there is one answer
// each.
static int quiesce(Worker *worker, int alpha, int beta, unsigned ply, Quiet quiet)
{
    Field *field = &worker->field;
    SingleState *state = worker->state;
    state->plies[ply].pv_count = 0;
    if (worker_poll(worker))
        return 0;
    if (field_is_full(field))
        return 0;
    Counts counts = single_counts(field);
    int decided = single_decided(&counts);
    if (decided != 0)
        return single_score_of(decided, ply);
    worker->deepest = ply > worker->deepest ? ply : worker->deepest;
    state->quiet_nodes--;
    if (counts.other[CELL_COMPLETES] > 0 && ply < SINGLE_PLY_MAX)
        return quiesce_after(worker, single_completing_cell(field, side_other(field_side(field))), alpha, beta, ply,
                             quiet);
    worker->is_complete = false;
    int best = single_value(field);
    bool has_fours = counts.own[CELL_FOUR_THREE] > 0 || counts.own[CELL_FOUR] > 1;
    if (best >= beta || quiet.fours <= 0 || state->quiet_nodes <= 0 || !has_fours || ply >= SINGLE_PLY_MAX)
        return best;
    alpha = best > alpha ? best : alpha;
    Moves *moves = &state->moves[ply];
    collect_fours(worker, moves, quiet.last);
    single_score(worker, moves, &state->plies[ply], CELL_NONE);
    for (Move *move; (move = single_take(moves)) != NULL;) {
        int score = quiesce_after(worker, move->cell, alpha, beta, ply, (Quiet){move->cell, quiet.fours - 1});
        if (worker->is_stopped)
            return 0;
        best = score > best ? score : best;
        alpha = score > alpha ? score : alpha;
        if (score >= beta || score >= THINKER_PROVEN)
            break;
    }
    return best;
}

int single_fours(Worker *worker, int alpha, int beta, unsigned ply)
{
    SingleState *state = worker->state;
    state->quiet_nodes = QUIET_NODES;
    return quiesce(worker, alpha, beta, ply, (Quiet){CELL_NONE, QUIET_FOURS});
}
