// Quiescence search (VCF): only fours, each of which has one answer.
#include "engine/search/single/single_internal.h"

enum {
    QUIESCENCE_FOURS = 8,  // attacking moves in a line
    QUIESCENCE_NODES = 24, // unlimited, it took most of the time (this limit scored 65 % against it in 100 games)
};

// The last four (CELL_NONE: none yet) and the number of fours that may follow in the line.
typedef struct {
    Cell last;
    int fours;
} QuiescenceState;

static int quiesce(SearchThread *thread, int alpha, int beta, unsigned ply, QuiescenceState quiescence);

static int quiesce_after(SearchThread *thread, Cell cell, int alpha, int beta, unsigned ply, QuiescenceState quiescence)
{
    SingleState *state = thread->state;
    state->plies[ply].move = cell;
    search_play(thread, cell);
    int score = -quiesce(thread, -beta, -alpha, ply + 1, quiescence);
    search_undo(thread);
    return score;
}

// Collects fours in the lines of the last one, or any. Independent fours would be tried in every order.
static void collect_fours(SearchThread *thread, SingleMoves *moves, Cell last)
{
    const unsigned kinds = 1 << CELL_FOUR_THREE | 1 << CELL_FOUR;
    if (last == CELL_NONE)
        single_collect(&thread->patterns, moves, kinds, 0);
    else
        single_collect_lines(&thread->patterns, moves, kinds, last);
}

// The side to move may stop here with the static evaluation (stand pat), or continue with fours, which have one answer
// each.
static int quiesce(SearchThread *thread, int alpha, int beta, unsigned ply, QuiescenceState quiescence)
{
    PatternBoard *patterns = &thread->patterns;
    SingleState *state = thread->state;
    state->plies[ply].pv.count = 0;
    if (search_poll(thread))
        return 0;
    if (pattern_board_is_full(patterns))
        return 0;
    SingleCounts counts = single_counts(patterns);
    int decided = single_decided(&counts);
    if (decided != 0)
        return single_score_of(decided, ply);
    thread->deepest = ply > thread->deepest ? ply : thread->deepest;
    state->quiescence_nodes--;
    if (counts.other[CELL_COMPLETES] > 0 && ply < SINGLE_PLY_MAX)
        return quiesce_after(thread, single_completing_cell(patterns, side_other(pattern_board_side(patterns))), alpha,
                             beta, ply, quiescence);
    thread->is_complete = false;
    int best = search_value(thread, alpha, beta);
    bool has_fours = counts.own[CELL_FOUR_THREE] > 0 || counts.own[CELL_FOUR] > 1;
    if (best >= beta || quiescence.fours <= 0 || state->quiescence_nodes <= 0 || !has_fours || ply >= SINGLE_PLY_MAX)
        return best;
    alpha = best > alpha ? best : alpha;
    SingleMoves *moves = &state->moves[ply];
    collect_fours(thread, moves, quiescence.last);
    single_score(thread, moves, &state->plies[ply], CELL_NONE);
    for (ScoredCell *move; (move = single_take(moves)) != NULL;) {
        int score =
            quiesce_after(thread, move->cell, alpha, beta, ply, (QuiescenceState){move->cell, quiescence.fours - 1});
        if (thread->is_stopped)
            return 0;
        best = score > best ? score : best;
        alpha = score > alpha ? score : alpha;
        if (score >= beta || score >= SEARCH_PROVEN)
            break;
    }
    return best;
}

int single_quiescence(SearchThread *thread, int alpha, int beta, unsigned ply)
{
    SingleState *state = thread->state;
    state->quiescence_nodes = QUIESCENCE_NODES;
    return quiesce(thread, alpha, beta, ply, (QuiescenceState){CELL_NONE, QUIESCENCE_FOURS});
}
