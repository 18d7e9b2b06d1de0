// Parts shared by the negamax searches outside the tree: depth, finished games, results.
#include "agents/search/negamax.h"

#include <string.h>

void negamax_begin(Negamax *core, const Limits *limits)
{
    core->limits = *limits;
    core->nodes = 0;
    core->out = false;
}

unsigned negamax_depth(const Negamax *core, const Board *board, unsigned most)
{
    unsigned depth = core->limits.depth, empty = board->cells - board_count(board);
    if (depth == 0 || depth > most)
        depth = most;
    return empty < depth ? empty : depth;
}

NegamaxScore negamax_end(const Negamax *core, const Board *board, unsigned ply)
{
    int64_t win = core->win - ply * core->stone;
    Winner winner = board_winner(board);
    bool mine = winner == (board_side(board) == SIDE_FIRST ? WINNER_FIRST : WINNER_SECOND);
    return (NegamaxScore){winner == WINNER_NONE ? 0 : mine ? win : -win, true};
}

void negamax_adopt(const Negamax *core, NegamaxScore score, NegamaxResult *result)
{
    int64_t size = score.value < 0 ? -score.value : score.value;
    result->value = score.value;
    result->proven = score.proven;
    result->won = negamax_is_win(core, score.value);
    result->lost = negamax_is_win(core, -score.value);
    result->distance = negamax_is_win(core, size) && core->stone > 0 ? (int)((core->win - size) / core->stone) : -1;
    result->depth = core->depth;
    result->line_count = core->line_count[0];
    memcpy(result->line, core->line[0], result->line_count * sizeof(Cell));
}
