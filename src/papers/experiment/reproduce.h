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

// The published figures of a run by what the tables say about them.
typedef struct {
    unsigned published, inside, outside, open, not_run; // open: too few measurements, or a lower bound
} PaperCounts;

PaperCounts reproduce_counts(const Reproduction *done);

// A page of tables, cross tables, charts and legends, complete in itself.
void reproduce_add_page(const Reproduction *done, const ExperimentOptions *options, Text *text);
Status reproduce_write_page(const Reproduction *done, const ExperimentOptions *options, const char *path, Error *error);

// The index of several papers, whose pages are beside it.
typedef struct {
    const Paper *paper;
    enum { PAPER_NOT_BEGUN, PAPER_CUT_SHORT, PAPER_COMPLETE } progress;
    PaperCounts counts;
} PaperState;

Status reproduce_write_index(const PaperState *states, unsigned count, const char *path, Error *error);

// Draws every table into options->svg; NULL: none.
Status reproduce_write_charts(const Reproduction *done, const ExperimentOptions *options, Error *error);

enum { PAPERS_MAX = 16 };
typedef struct {
    PaperState list[PAPERS_MAX];
    unsigned count;
} PaperStates;

// Runs all papers of the list that have published figures, and writes a page for each and an index into `folder`. The
// same call continues after STATUS_INTERRUPTED: nothing finished is computed again, if there is a database.
Status reproduce_all(const Paper *const *list, int count, const ExperimentOptions *options, const char *folder,
                     PaperStates *states, Error *error);
json_t *reproduce_all_json(const PaperStates *states);

// Lists papers, tables, published figures, and games at scale 1.
json_t *reproduce_list_json(const Paper *const *list, int count);
