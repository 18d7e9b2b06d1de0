// What the measures share.
#pragma once

#include "papers/experiment/paper.h"

// The files of data/papers, made into a source file by tools/embed-texts.
extern const Span paper_texts[];
extern const unsigned paper_texts_count;

// Whether stored games count: a reproduction is long, so it continues what is stored unless it is to be fresh.
bool paper_resumes(const ExperimentOptions *options);

// The event and openings of a trial. The caller then opens the run.
Status paper_prepare_run(const PaperTrial *trial, const ExperimentOptions *options, MatchRun *run, Error *error);

// What a trial is called in the list of jobs, such as "000/agents, trial 2"; false where it is of no paper.
enum { PAPER_TITLE_SIZE = 80 };
bool paper_title(const PaperTrial *trial, char title[PAPER_TITLE_SIZE]);

// Games that ended by a fault.
unsigned paper_faults(const Results *results);

// The figure of a row by its unit: wins, draws, losses or turns of all games, or the mean of what the agent counts.
void paper_set_unit(PaperFigure *figure, const Results *results);

// The measured figure of a row with its limits; without measurements (n is 0) both are NAN.
void paper_set_estimate(PaperFigure *figure, Estimate estimate, unsigned n);

// A share of two counts that were added up game by game.
void paper_set_share(PaperFigure *figure, const Ratio *ratio);

// The figure of the n-th unit of a trial, not measured yet.
PaperFigure paper_figure(const PaperTrial *trial, const ExperimentOptions *options, unsigned number, unsigned wanted);

// Who is asked while a piece is done: whether to stop, and a number that is counted up as the work continues.
typedef struct {
    const atomic_bool *stop;
    atomic_ullong *alive; // NULL: not counted
} PaperTask;

static inline void paper_is_alive(const PaperTask *task)
{
    if (task->alive != NULL)
        (void)atomic_fetch_add_explicit(task->alive, 1, memory_order_relaxed);
}

// Counts the progress reports of an agent as signs of life.
void paper_watch_agent(AgentTask *task, const PaperTask *paper);

// A trial whose pieces are done: the first member of what each measure keeps for it.
typedef struct {
    const PaperPieces *pieces;
    const PaperTrial *trial;
    const ExperimentOptions *options; // borrowed
    PaperTask task;
    Rules rules;
    unsigned count; // pieces
} PaperWork;

// How the pieces of a trial are done. They do not depend on one another, and are numbered from 0.
struct PaperPieces {
    const char *things; // what is counted: positions
    size_t size;        // of the measure's own struct, which begins with a PaperWork
    // Counts the pieces and makes room for what comes out of them. `end` releases it, also after a failure.
    Status (*begin)(PaperWork *work, Error *error);
    void (*end)(PaperWork *work);
    // Makes what a thread needs for itself, such as agents; `worker` is NULL before, and closed also when it fails.
    Status (*open)(const PaperWork *work, void **worker, Error *error);
    // Does one piece, at the same time as others; `is_done` says whether it got to its end.
    Status (*run)(PaperWork *work, void *worker, unsigned number, bool *is_done, Error *error);
    void (*close)(void *worker); // safe on NULL
    // What came out of a piece that is done, as a text, and back: so that it can be done by another process. `read` is
    // false where it is no such text.
    void (*write)(const PaperWork *work, unsigned number, Text *text);
    bool (*read)(PaperWork *work, unsigned number, Span text);
    void (*report)(const PaperWork *work, PaperFigures *figures); // what all of them came to
};

// Begins the work on a trial; `start` has all members but the rules and the count. Close it also after a failure.
Status paper_open_work(const PaperWork *start, PaperWork **work, Error *error);
void paper_close_work(PaperWork *work); // NULL is fine

// A measure: opens the pieces, does them, options->jobs at a time, and reports them. The first failure ends it.
Status paper_measure_pieces(const PaperPieces *pieces, const PaperTrial *trial, const ExperimentOptions *options,
                            PaperFigures *figures, Error *error);

// Lets workers of the database do the pieces: what they find is read into them. Fewer after Ctrl-C, which is no
// failure.
Status paper_pieces_by_workers(PaperWork *work, Error *error);
