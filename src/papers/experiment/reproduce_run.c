// Runs the trials of a paper, one after another or several at once.
#include "papers/experiment/paper_internal.h"
#include "papers/experiment/reproduce.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// One trial and its results.
typedef struct {
    const PaperTable *table;
    const PaperTrial *trial;
    unsigned row; // rows before it
    PaperFigures figures;
} Part;

// A run and its progress. Trials whose games are a sequence come first, --jobs of them at once; the others distribute
// their games or positions to all jobs, and follow one after another.
typedef struct {
    const ExperimentOptions *options;
    Part *parts; // in the order of the tables
    unsigned count;
    unsigned rows, games, all_games;
    bool takes_sequences; // runs trials whose games are a sequence now, else the others
    pthread_mutex_t lock; // of what follows, of `games`, and of stderr between rows
    Status status;        // the first failure
    Error error;
} Run;

// Why a trial is not run; NULL if it is. Among more than two agents one without its book plays its fallback, and its
// rows say so.
static const char *why_left_out(const PaperTrial *trial, const ExperimentOptions *options)
{
    if (paper_needs_opponent(trial) && options->opponent == NULL)
        return "not run: name a stand-in with --opponent";
    if (paper_agents(trial) == 2 && paper_lacks_book(trial, options))
        return "not run: no opening book for the game; 'krow book build' makes one";
    return NULL;
}

// The trials of one table, or of all where `only` is NULL.
static void list_parts(Run *run, const Paper *paper, const PaperTable *only)
{
    size_t capacity = 0;
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        for (const PaperTrial *trial = table->trials; (only == NULL || table == only) && trial->measure != NULL;
             trial++) {
            run->parts = array_grow(run->parts, &capacity, (size_t)run->count + 1, sizeof *run->parts);
            run->parts[run->count++] = (Part){.table = table, .trial = trial, .row = run->rows};
            run->rows += paper_units(trial);
        }
}

// Checks everything before hours are spent.
static Status check(Run *run, const Paper *paper, const PaperTable *only, Error *error)
{
    const ExperimentOptions *options = run->options;
    bool has_place = false;
    for (unsigned i = 0; i < run->count; i++) {
        const PaperTrial *trial = run->parts[i].trial;
        has_place = has_place || paper_needs_opponent(trial);
        if (why_left_out(trial, options) != NULL)
            continue;
        Status status = paper_check(trial, options, error);
        if (status != STATUS_OK) {
            error_prefix(error, "table %s: ", run->parts[i].table->name);
            return status;
        }
        run->all_games += paper_trial_games(trial, options->scale);
    }
    if (options->opponent != NULL && !has_place)
        return error_set(error, STATUS_BAD_INPUT, "--opponent: no trial of %s%s%s uses it", paper->name,
                         only != NULL ? "/" : "", only != NULL ? only->name : "");
    return options->svg != NULL ? file_make_folder(options->svg, error) : STATUS_OK;
}

// Adds rows that were not run, with a note.
static void add_empty(const PaperTrial *trial, const ExperimentOptions *options, const char *note,
                      PaperFigures *figures)
{
    for (unsigned i = 0; i < paper_units(trial); i++) {
        unsigned wanted = paper_trial_games(trial, options->scale) + paper_trial_positions(trial, options->scale);
        PaperFigure figure = paper_figure(trial, options, i, wanted);
        figure.note = note;
        paper_add_figure(figures, &figure);
    }
}

static void announce(const Run *run, const Part *part)
{
    char *label = paper_label(part->trial, run->options);
    unsigned last = part->row + paper_units(part->trial);
    char rows[40];
    if (last > part->row + 1)
        (void)snprintf(rows, sizeof rows, "rows %u to %u", part->row + 1, last);
    else
        (void)snprintf(rows, sizeof rows, "row %u", last);
    char games[60] = "";
    if (run->all_games > 0)
        (void)snprintf(games, sizeof games, ", %u of %u games done", run->games, run->all_games);
    reporter_note(run->options->reporter, "%s of %u%s; %s: %s", rows, run->rows, games, part->table->name, label);
    free(label);
}

static Status run_trial(Run *run, Part *part, Error *error)
{
    const PaperTrial *trial = part->trial;
    const char *left_out = why_left_out(trial, run->options);
    if (left_out == NULL && atomic_load(run->options->stop))
        left_out = "not run: interrupted";
    if (left_out != NULL) {
        add_empty(trial, run->options, left_out, &part->figures);
        return STATUS_OK;
    }
    (void)pthread_mutex_lock(&run->lock);
    announce(run, part);
    (void)pthread_mutex_unlock(&run->lock);
    Status status = paper_measure_run(trial->measure, trial, run->options, &part->figures, error);
    (void)pthread_mutex_lock(&run->lock);
    run->games += paper_trial_games(trial, run->options->scale);
    (void)pthread_mutex_unlock(&run->lock);
    if (status != STATUS_INTERRUPTED)
        return status;
    if (part->figures.count == 0)
        add_empty(trial, run->options, "not run: interrupted", &part->figures);
    return STATUS_OK;
}

static bool run_part(void *context, unsigned thread, uint64_t number)
{
    (void)thread;
    Run *run = context;
    Part *part = &run->parts[number];
    if ((part->trial->set != NULL) != run->takes_sequences)
        return true;
    Error error = {0};
    Status status = run_trial(run, part, &error);
    (void)pthread_mutex_lock(&run->lock);
    if (status != STATUS_OK && run->status == STATUS_OK) {
        run->status = status;
        run->error = error;
    }
    (void)pthread_mutex_unlock(&run->lock);
    return status == STATUS_OK;
}

// With --workers all work that workers can do is submitted before the first result is awaited, so that no worker is
// idle at the end of a trial. The run continues these jobs.
static Status submit_all(const Run *run, Error *error)
{
    Status status = STATUS_OK;
    ExperimentOptions options = *run->options;
    options.workers_how.submit_only = true;
    for (unsigned i = 0; i < run->count && status == STATUS_OK && !atomic_load(options.stop); i++) {
        const PaperTrial *trial = run->parts[i].trial;
        PaperFigures nothing = {0};
        bool has_work = paper_trial_games(trial, options.scale) > 0 || paper_trial_positions(trial, options.scale) > 0;
        if (has_work && trial->set == NULL && why_left_out(trial, &options) == NULL)
            status = paper_measure_run(trial->measure, trial, &options, &nothing, error);
        paper_close_figures(&nothing);
    }
    return status == STATUS_INTERRUPTED ? STATUS_OK : status;
}

static Status run_all(Run *run, Error *error)
{
    run->takes_sequences = true;
    (void)parallel_for(run->options->jobs, run->count, run_part, run);
    run->takes_sequences = false;
    if (run->status == STATUS_OK)
        (void)parallel_for(1, run->count, run_part, run);
    return run->status == STATUS_OK ? STATUS_OK : error_set(error, run->status, "%s", run->error.text);
}

static void gather(Run *run, Reproduction *done)
{
    for (unsigned i = 0; i < run->count; i++) {
        Part *part = &run->parts[i];
        if (done->count == 0 || done->tables[done->count - 1].table != part->table)
            done->tables[done->count++].table = part->table;
        paper_move_figures(&done->tables[done->count - 1].figures, &part->figures);
    }
}

Status reproduce_run(const Paper *paper, const PaperTable *only, const ExperimentOptions *options, Reproduction *done,
                     Error *error)
{
    assert(options->scale > 0);
    *done = (Reproduction){.paper = paper, .scale = options->scale};
    Run run = {.options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
    list_parts(&run, paper, only);
    Status status = check(&run, paper, only, error);
    if (status != STATUS_OK) {
        free(run.parts);
        return status;
    }
    done->tables = memory_new(run.count, sizeof *done->tables);
    ExperimentOptions continued = *options;
    if (options->workers) {
        status = submit_all(&run, error);
        continued.fresh = false;
        run.options = &continued;
    }
    if (status == STATUS_OK)
        status = run_all(&run, error);
    gather(&run, done);
    free(run.parts);
    if (status == STATUS_OK && atomic_load(options->stop))
        status = error_set(error, STATUS_INTERRUPTED, "interrupted");
    return status;
}

void reproduce_close(Reproduction *done)
{
    for (unsigned i = 0; i < done->count; i++)
        paper_close_figures(&done->tables[i].figures);
    free(done->tables);
    *done = (Reproduction){0};
}
