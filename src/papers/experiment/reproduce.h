// Reproduction of a paper's experiments: its tables with published and measured figures.
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

// Runs one table of a paper, or all if `only` is NULL. Checks everything before the first game. After
// STATUS_INTERRUPTED (Ctrl-C) every row is there with the results so far. Close `done` also after a failure.
Status reproduce_run(const Paper *paper, const PaperTable *only, const ExperimentOptions *options, Reproduction *done,
                     Error *error);
void reproduce_close(Reproduction *done);

json_t *reproduce_json(const Reproduction *done);

// Lists papers, tables, published figures, and games at scale 1.
json_t *reproduce_list_json(const Paper *const *list, int count);
