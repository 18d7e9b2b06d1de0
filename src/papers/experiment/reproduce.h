// A paper's experiments run again: its tables, published beside measured.
#pragma once

#include "papers/experiment/paper.h"

#include <jansson.h>

typedef struct {
    const PaperTable *table;
    PaperFigures figures;
} ReproducedTable;

typedef struct {
    const Paper *paper;
    double scale;
    ReproducedTable *tables;
    unsigned count;
} Reproduction;

// Runs one table of a paper, or all where `only` is NULL, at options->scale, which must be above 0. Checks everything
// before the first game. STATUS_INTERRUPTED after Ctrl-C: every row is there, with what was played so far. Close it
// also after a failure.
Status reproduce_run(const Paper *paper, const PaperTable *only, const ExperimentOptions *options, Reproduction *done,
                     Error *error);
void reproduce_close(Reproduction *done);

json_t *reproduce_json(const Reproduction *done);

// What there is: papers, tables, published figures, and games at scale 1.
json_t *reproduce_list_json(const Paper *const *list, int count);
