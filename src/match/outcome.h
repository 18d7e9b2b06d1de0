// How a game ended.
#pragma once

#include "agents/agent.h"

typedef enum { RESULT_NONE, RESULT_FIRST, RESULT_SECOND, RESULT_DRAW } Result;

#define REASON_LIST(X)                                                                                                 \
    X(NONE, "")                                                                                                        \
    X(ROW, "k in a row")                                                                                               \
    X(FULL, "board full")                                                                                              \
    X(DEAD, "no line left")                                                                                            \
    X(TURNS, "turn limit")                                                                                             \
    X(RESIGNED, "adjudicated by score")                                                                                \
    X(AGREED, "adjudicated draw by score")                                                                             \
    X(ILLEGAL, "illegal stone")                                                                                        \
    X(TIMEOUT, "time")                                                                                                 \
    X(CRASH, "crash")                                                                                                  \
    X(STOPPED, "stopped")

typedef enum {
#define REASON_ENUM(name, text) REASON_##name,
    REASON_LIST(REASON_ENUM)
#undef REASON_ENUM
} Reason;

const char *result_name(Result result); // "first", "second", "draw", NULL while the game continues
Result result_of_name(Span name);       // RESULT_NONE for any other word
const char *reason_text(Reason reason);
Reason reason_of_fault(Fault fault);

// The result that the board alone determines.
Result result_of_board(const Board *board);

static inline Result result_lost_by(Side side)
{
    return side == SIDE_FIRST ? RESULT_SECOND : RESULT_FIRST;
}
