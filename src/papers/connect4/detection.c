// Detection of chains: the steps of section 1a, each as a set of cells.
#include "papers/connect4/detection.h"

void detection_wins(const Board *board, bool gaps, ChainCells *cells)
{
    chains_completions(board, board_side(board), board_stones_left(board), gaps, cells);
}

void detection_blocks(const Board *board, bool gaps, ChainCells *cells)
{
    chains_completions(board, side_other(board_side(board)), board->rules.p, gaps, cells);
}

// Longer chains that no legal stone completes count as well. With several stones per turn, the next stone then
// continues what the last one began.
void detection_twos(const Board *board, ChainCells *cells)
{
    unsigned k = board->rules.k, p = board->rules.p;
    ChainCells theirs;
    *cells = (ChainCells){0};
    if (k < p + 2)
        return;
    chains_ends(board, board_side(board), k - p - 1, k - 1, cells);
    chains_ends(board, side_other(board_side(board)), k - p - 1, k - 1, &theirs);
    for (unsigned row = 0; row < board->rules.height; row++)
        cells->row[row] |= theirs.row[row];
}

DetectionStep detection_find(const DetectionStyle *style, const Board *board, ChainCells *cells)
{
    detection_wins(board, style->gaps, cells);
    if (chains_count(cells) > 0)
        return DETECTION_WIN;
    detection_blocks(board, style->gaps, cells);
    if (chains_count(cells) > 0)
        return DETECTION_BLOCK;
    if (!style->twos)
        return DETECTION_NOTHING;
    detection_twos(board, cells);
    return chains_count(cells) > 0 ? DETECTION_TWO : DETECTION_NOTHING;
}
