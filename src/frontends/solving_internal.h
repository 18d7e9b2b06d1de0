// What the ways of solving many positions share.
#pragma once

#include "frontends/job_items.h"
#include "frontends/solving.h"

// How a position of a batch is solved. What is known of it then does not depend on the positions before it, as long as
// there is no limit of time.
typedef struct {
    bool weak;
    uint64_t nodes; // 0: no limit
    double seconds; // 0: no limit
    unsigned memory;
} SolvingBudget;

SolvingBudget solving_budget(const Args *args);

// `stop` and `alive` as ExactLimits has them.
Status solving_value_of(Exact *exact, const Board *board, const SolvingBudget *budget, const atomic_bool *stop,
                        atomic_ullong *alive, ExactResult *result, Error *error);

// Lines of standard input and what came of them.
typedef struct {
    const Args *args;
    const Rules *rules;
    unsigned long line, differences, unknown;
} SolvingBatch;

// All lines of standard input, `line` being the number of each. STATUS_FAILED after Ctrl-C.
typedef Status SolvingLineSink(void *context, Span line, Error *error);
Status solving_each_line(SolvingBatch *batch, SolvingLineSink *sink, void *context, Error *error);

// The position of a line, and with --check the score that stands behind it.
Status solving_read_line(const SolvingBatch *batch, Span line, Span *position, int *expected, Game *game, Error *error);

// Prints the answer, and compares it with --check.
void solving_tell(SolvingBatch *batch, Span position, int expected, const ExactResult *result);

// solving_batch by workers of the database.
Status solving_batch_by_workers(SolvingBatch *batch, Error *error);
