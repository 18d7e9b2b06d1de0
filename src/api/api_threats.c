// Public library: threats, immediate wins and defences.
#include "api/api_internal.h"

#include "base/memory.h"
#include "threats/immediate.h"
#include "threats/threats.h"

#include <stdlib.h>

size_t krow_threat_windows(const KrowGame *game, KrowSide side, KrowWindow *windows, size_t capacity)
{
    const Board *board = &game->game.board;
    Window *found = memory_new(WINDOWS_MAX, sizeof *found);
    size_t count = threats_windows(board, (Side)side, found);
    for (size_t i = 0; i < count && i < capacity; i++) {
        KrowWindow *to = &windows[i];
        *to = (KrowWindow){0};
        to->count = (uint16_t)window_cells(board, found[i].line, window_bits(board, found[i]), to->cells);
        for (unsigned n = 0; n < to->count; n++)
            to->empty |= (uint64_t)(board_stone(board, to->cells[n]) == STONE_NONE) << n;
    }
    free(found);
    return count;
}

size_t krow_immediate_wins(const KrowGame *game, KrowCell *cells, size_t capacity, unsigned *needed)
{
    const Board *board = &game->game.board;
    WindowList *windows = memory_new(1, sizeof *windows);
    uint16_t *finishes = memory_new(1, sizeof(FinishCells));
    Cell list[RULES_CELLS_MAX];
    unsigned count = 0, stones = 0;
    if (!board_is_over(board)) {
        immediate_windows(&board->rules, windows);
        stones = immediate_cells(board, windows, board_side(board), board_stones_left(board), finishes);
        Cell legal[RULES_CELLS_MAX];
        unsigned legal_count = stones > 0 ? board_legal_cells(board, legal) : 0;
        for (unsigned i = 0; i < legal_count; i++)
            if (finishes[legal[i]] > 0)
                list[count++] = legal[i];
    }
    free(finishes);
    free(windows);
    if (needed != NULL)
        *needed = stones;
    return api_cells(list, count, cells, capacity);
}

KrowStatus krow_threat_defence(const KrowGame *game, KrowSide side, KrowDefence *defence, KrowCell *cells,
                               size_t capacity, KrowError *error)
{
    ThreatAnswers answers;
    (void)error; // cannot fail at present
    threats_answers(&game->game.board, (Side)side, &answers);
    *defence = (KrowDefence){.stones_needed = answers.size,
                             .is_uncertain = answers.exact.is_uncertain,
                             .answer_count = answers.count,
                             .is_truncated = answers.is_truncated};
    size_t whole = answers.size > 0 ? capacity / answers.size : 0;
    if (whole > answers.count)
        whole = answers.count;
    (void)api_cells(answers.cells, whole * answers.size, cells, capacity);
    threats_answers_close(&answers);
    return KROW_OK;
}
