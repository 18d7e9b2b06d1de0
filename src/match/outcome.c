// Names of results, reasons and faults.
#include "match/outcome.h"

const char *result_name(Result result)
{
    static const char *const names[] = {NULL, "first", "second", "draw"};
    return names[result];
}

Result result_of_name(Span name)
{
    for (Result result = RESULT_FIRST; result <= RESULT_DRAW; result++)
        if (span_is(name, result_name(result)))
            return result;
    return RESULT_NONE;
}

const char *reason_text(Reason reason)
{
    static const char *const texts[] = {
#define REASON_TEXT(name, text) text,
        REASON_LIST(REASON_TEXT)
#undef REASON_TEXT
    };
    return texts[reason];
}

Reason reason_of_fault(Fault fault)
{
    static const Reason reasons[] = {REASON_NONE, REASON_ILLEGAL, REASON_TIMEOUT, REASON_CRASH};
    return reasons[fault];
}

Result result_of_board(const Board *board)
{
    if (board_winner(board) != WINNER_NONE)
        return board_winner(board) == WINNER_FIRST ? RESULT_FIRST : RESULT_SECOND;
    return board_is_over(board) ? RESULT_DRAW : RESULT_NONE;
}
