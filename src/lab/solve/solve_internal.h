// Shared code for solving many positions, here or by workers.
#pragma once

#include "lab/jobs/job_items.h"
#include "lab/solve/solve.h"

// Solves a position of a batch. With a node limit only, the result does not depend on earlier positions.
Status solve_value_of(Exact *exact, const Board *board, const SolveOptions *options, ExactResult *result, Error *error);

// A batch from standard input.
typedef struct {
    const SolveBatchOptions *options;
    const Rules *rules;
    Exact *exact; // if this process solves them
    unsigned long line, differences, unknown;
} SolvingBatch;

// Reads all lines and sets `line` to the number of each. STATUS_FAILED after Ctrl-C.
typedef Status SolvingLineSink(void *context, Span line, Error *error);
Status solve_each_line(SolvingBatch *batch, SolvingLineSink *sink, void *context, Error *error);

// The position of a line, and with --check the expected score after it.
typedef struct {
    Span position;
    int expected;
    Game game;
} SolvingLine;

Status solve_read_line(const SolvingBatch *batch, Span text, SolvingLine *line, Error *error);

// Prints the answer, and with --check compares it.
void solve_print_answer(SolvingBatch *batch, Span position, int expected, const ExactResult *result);

Status solve_batch_by_workers(SolvingBatch *batch, Error *error);
