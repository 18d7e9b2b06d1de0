// Functions and types shared by the measures.
#pragma once

#include "papers/experiment/paper.h"

// The files of data/papers, compiled in by tools/embed-texts.
extern const Span paper_texts[];
extern const unsigned paper_texts_count;

// Whether stored games are used: a reproduction takes long, so it resumes unless options->fresh is set.
bool paper_resumes(const ExperimentOptions *options);

// Prepares the event and openings of a trial. The caller then opens the run.
Status paper_prepare_run(const PaperTrial *trial, const ExperimentOptions *options, MatchRun *run, Error *error);

// The title of a trial in the list of jobs, such as "000/agents, trial 2"; false if it belongs to no paper.
enum { PAPER_TITLE_SIZE = 80 };
bool paper_title(const PaperTrial *trial, char title[PAPER_TITLE_SIZE]);

// Games that ended by a fault.
unsigned paper_faults(const Results *results);

// Sets the figure of a row by its unit (paper_measure_games).
void paper_set_unit(PaperFigure *figure, const Results *results);

// Sets the figure of a row and its limits; both are NAN without measurements (n is 0).
void paper_set_estimate(PaperFigure *figure, Estimate estimate, unsigned n);

// Sets a share of two counts that were added up game by game.
void paper_set_share(PaperFigure *figure, const Ratio *ratio);

// The figure of the n-th unit of a trial, without a measurement.
PaperFigure paper_figure(const PaperTrial *trial, const ExperimentOptions *options, unsigned number, unsigned wanted);

typedef struct {
    const atomic_bool *stop;
    atomic_ullong *alive; // incremented as the work continues; or NULL
} PaperTask;

static inline void paper_is_alive(const PaperTask *task)
{
    if (task->alive != NULL)
        (void)atomic_fetch_add_explicit(task->alive, 1, memory_order_relaxed);
}

// Increments `alive` with each progress report of an agent.
void paper_watch_agent(AgentTask *task, const PaperTask *paper);

// The work on a trial: the first member of each measure's own struct.
typedef struct {
    const PaperPieces *pieces;
    const PaperTrial *trial;
    const ExperimentOptions *options; // borrowed
    PaperTask task;
    Rules rules;
    unsigned count; // pieces
} PaperWork;

// How a measure divides a trial into independent pieces, numbered from 0.
struct PaperPieces {
    const char *things; // plural name of the pieces for progress, such as positions
    size_t size;        // of the measure's own struct, which begins with a PaperWork
    // Counts the pieces and allocates room for their results. `end` releases it, also after a failure.
    Status (*begin)(PaperWork *work, Error *error);
    void (*end)(PaperWork *work);
    // Opens what one thread needs, such as agents. *worker is NULL before, and is closed also after a failure.
    Status (*open)(const PaperWork *work, void **worker, Error *error);
    // Does one piece, concurrently with others; `is_done`: it was completed.
    Status (*run)(PaperWork *work, void *worker, unsigned number, bool *is_done, Error *error);
    void (*close)(void *worker); // safe on NULL
    // The result of a piece as text and back, so that another process can do it. `read` is false for an invalid text.
    void (*write)(const PaperWork *work, unsigned number, Text *text);
    bool (*read)(PaperWork *work, unsigned number, Span text);
    bool (*is_time)(unsigned word);                               // whether this word of the text, from 0, is a time
    void (*report)(const PaperWork *work, PaperFigures *figures); // computes figures from all pieces
};

// Begins the work on a trial; `start` has all members but the rules and the count. Close it also after a failure.
Status paper_open_work(const PaperWork *start, PaperWork **work, Error *error);
void paper_close_work(PaperWork *work); // NULL is fine

// Does all pieces, options->jobs at a time, and reports them. The first failure ends it.
Status paper_measure_pieces(const PaperPieces *pieces, const PaperTrial *trial, const ExperimentOptions *options,
                            PaperFigures *figures, Error *error);

// Reads the pieces that an earlier run saved: sets is_done and their number. Without options->saved there are none.
Status paper_read_saved(PaperWork *work, bool *is_done, unsigned *count, Error *error);
Status paper_save_piece(const PaperWork *work, unsigned number, Error *error);

// Draws rows as SVG, one panel per unit (paper_chart.c).
void paper_add_chart(const PaperFigures *figures, const char *title, const char *subtitle, Text *text);

// Lets workers of the database do the pieces and reads their results; after Ctrl-C only some, which is no failure.
Status paper_pieces_by_workers(PaperWork *work, Error *error);
