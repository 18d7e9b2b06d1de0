#include "support/oracle.h"

#include "support/check.h"

#include <stdlib.h>

void value_oracle_open(ValueOracle *oracle, unsigned size_log)
{
    *oracle = (ValueOracle){.size = (size_t)1 << size_log};
    oracle->keys = calloc(oracle->size, sizeof *oracle->keys);
    oracle->values = calloc(oracle->size, sizeof *oracle->values);
    assert_non_null(oracle->keys);
    assert_non_null(oracle->values);
}

void value_oracle_close(ValueOracle *oracle)
{
    free(oracle->keys);
    free(oracle->values);
}

static int search(ValueOracle *oracle, Board *board)
{
    Side side = board_side(board);
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    int best = -1;
    for (unsigned i = 0; i < count && best < 1; i++) {
        BoardState before = board_play(board, cells[i]);
        int value = value_oracle_value(oracle, board);
        value = board_side(board) == side ? value : -value;
        board_undo(board, cells[i], before);
        best = value > best ? value : best;
    }
    return best;
}

int value_oracle_value(ValueOracle *oracle, Board *board)
{
    if (board_winner(board) != WINNER_NONE)
        return (int)board_winner(board) - 1 == (int)board_side(board) ? 1 : -1;
    if (board_is_over(board))
        return 0;
    uint64_t key = board_key(board);
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (oracle->size - 1);
    if (oracle->keys[at] != key) {
        int value = search(oracle, board);
        oracle->keys[at] = key;
        oracle->values[at] = (int8_t)value;
    }
    return oracle->values[at];
}

Status value_oracle_answer(void *context, const Board *board, CertificateClaim claim, CertificateAnswers *answers,
                           Error *error)
{
    ValueOracle *oracle = context;
    if (++oracle->asked == oracle->fails_at)
        return error_set(error, STATUS_FAILED, "out of wisdom");
    assert_true(board_side(board) == claim.side);
    Board work = *board;
    Cell cells[RULES_CELLS_MAX];
    unsigned count = board_legal_cells(board, cells);
    for (unsigned i = 0; i < count; i++) {
        BoardState before = board_play(&work, cells[i]);
        int value = value_oracle_value(oracle, &work);
        value = board_side(&work) == claim.side ? value : -value;
        board_undo(&work, cells[i], before);
        if (value >= (claim.wins ? 1 : 0))
            answers->cells[answers->count++] = cells[i];
    }
    if (answers->count == 0)
        answers->count = board_legal_cells(board, answers->cells);
    return STATUS_OK;
}
