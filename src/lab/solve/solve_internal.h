// What the ways of solving many positions share.
#pragma once

#include "lab/jobs/job_items.h"
#include "lab/solve/solve.h"

// Solves a position of a batch. What is known of it then does not depend on the positions before it, as long as there
// is no limit of time.
Status solve_value_of(Exact *exact, const Board *board, const SolveOptions *options, ExactResult *result, Error *error);

// Lines of standard input and what came of them.
typedef struct {
    const SolveBatchOptions *options;
    const Rules *rules;
    Exact *exact; // where this process solves them
    unsigned long line, differences, unknown;
} SolvingBatch;

// All lines of standard input, `line` being the number of each. STATUS_FAILED after Ctrl-C.
typedef Status SolvingLineSink(void *context, Span line, Error *error);
Status solve_each_line(SolvingBatch *batch, SolvingLineSink *sink, void *context, Error *error);

// The position of a line, and with --check the score that stands behind it.
typedef struct {
    Span position;
    int expected;
    Game game;
} SolvingLine;

Status solve_read_line(const SolvingBatch *batch, Span text, SolvingLine *line, Error *error);

// Prints the answer, and compares it with --check.
void solve_tell(SolvingBatch *batch, Span position, int expected, const ExactResult *result);

// solve_batch by workers of the database.
Status solve_batch_by_workers(SolvingBatch *batch, Error *error);
