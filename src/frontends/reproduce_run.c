// The trials of a paper run, one after another or several at once.
#include "frontends/reproduce.h"

#include "base/file.h"
#include "frontends/interrupt.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// One trial, and what came of it.
typedef struct {
    const PaperTable *table;
    const PaperTrial *trial;
    unsigned row; // rows before it
    PaperFigures figures;
} Part;

// A run and how far it is. Trials whose games are a sequence come first, several at once with --jobs; the others have
// games or positions to give to all jobs, and follow one after the other.
typedef struct {
    const Args *args;
    Part *parts; // in the order of the tables
    unsigned count;
    unsigned rows, games, all_games;
    pthread_mutex_t lock; // of what follows, of `games`, and of stderr between rows
    unsigned next;        // part to look at
    Status status;        // the first failure
    Error error;
} Run;

static bool is_wanted(const PaperTable *table, const PaperTable *only)
{
    return only == NULL || table == only;
}

// Why a trial is not run, NULL if it is. Of many agents the one without its book plays all the same, and its rows say
// so.
static const char *why_left_out(const PaperTrial *trial, const Args *args)
{
    if (paper_needs_opponent(trial) && args->opponent == NULL)
        return "not run: name a stand-in with --opponent";
    if (paper_agents(trial) == 2 && paper_lacks_book(trial, args))
        return "not run: no opening book for the game; 'krow book build' makes one";
    return NULL;
}

// Everything that can be refused is refused before hours are spent.
static Status check(const Paper *paper, const PaperTable *only, const Args *args, Run *run, Error *error)
{
    bool has_place = false, has_curve = false;
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        for (const PaperTrial *trial = table->trials; is_wanted(table, only) && trial->measure != NULL; trial++) {
            has_place = has_place || paper_needs_opponent(trial);
            has_curve = has_curve || paper_is_drawn(trial);
            run->rows += paper_units(trial);
            run->count++;
            if (why_left_out(trial, args) != NULL)
                continue;
            Status status = paper_check(trial, args, error);
            if (status != STATUS_OK) {
                error_prefix(error, "table %s: ", table->name);
                return status;
            }
            run->all_games += paper_trial_games(trial, args->scale);
        }
    if (args->opponent != NULL && !has_place)
        return error_set(error, STATUS_BAD_INPUT, "--opponent: nothing is played against one in %s%s%s", paper->name,
                         only != NULL ? "/" : "", only != NULL ? only->name : "");
    if (args->svg != NULL && !has_curve)
        return error_set(error, STATUS_BAD_INPUT, "--svg: there is no curve in %s%s%s", paper->name,
                         only != NULL ? "/" : "", only != NULL ? only->name : "");
    return args->svg != NULL ? file_make_folder(args->svg, error) : STATUS_OK;
}

// Rows that were not run stay in their table and say so.
static Status add_empty(const PaperTrial *trial, const Args *args, const char *note, PaperFigures *figures,
                        Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < paper_units(trial) && status == STATUS_OK; i++) {
        PaperUnit unit = paper_unit(trial, i);
        PaperFigure figure = {
            .trial = trial,
            .label = paper_label(trial, args),
            .unit = unit.unit,
            .published = unit.published,
            .measured = NAN,
            .limits = {NAN, NAN},
            .wanted = paper_trial_games(trial, args->scale) + paper_trial_positions(trial, args->scale),
            .note = note,
        };
        status = paper_add_figure(figures, &figure, error);
    }
    return status;
}

static void announce(const Run *run, const Part *part)
{
    char *label = paper_label(part->trial, run->args);
    unsigned last = part->row + paper_units(part->trial);
    char rows[40];
    if (last > part->row + 1)
        (void)snprintf(rows, sizeof rows, "rows %u to %u", part->row + 1, last);
    else
        (void)snprintf(rows, sizeof rows, "row %u", last);
    char games[60] = "";
    if (run->all_games > 0)
        (void)snprintf(games, sizeof games, ", %u of %u games done", run->games, run->all_games);
    if (!run->args->quiet && label != NULL)
        (void)fprintf(stderr, "%s of %u%s; %s: %s\n", rows, run->rows, games, part->table->name, label);
    free(label);
}

// --- Running ---

static Status run_trial(Run *run, Part *part, Error *error)
{
    const PaperTrial *trial = part->trial;
    const char *left_out = why_left_out(trial, run->args);
    if (left_out != NULL)
        return add_empty(trial, run->args, left_out, &part->figures, error);
    if (atomic_load(interrupt_flag()))
        return add_empty(trial, run->args, "not run: interrupted", &part->figures, error);
    (void)pthread_mutex_lock(&run->lock);
    announce(run, part);
    (void)pthread_mutex_unlock(&run->lock);
    Status status = trial->measure(trial, run->args, &part->figures, error);
    (void)pthread_mutex_lock(&run->lock);
    run->games += paper_trial_games(trial, run->args->scale);
    (void)pthread_mutex_unlock(&run->lock);
    if (status != STATUS_INTERRUPTED)
        return status;
    return part->figures.count > 0 ? STATUS_OK
                                   : add_empty(trial, run->args, "not run: interrupted", &part->figures, error);
}

// The next trial of a kind, NULL where there is none or one has failed.
static Part *take_part(Run *run, bool is_sequence)
{
    (void)pthread_mutex_lock(&run->lock);
    while (run->next < run->count && (run->parts[run->next].trial->set != NULL) != is_sequence)
        run->next++;
    Part *part = run->next < run->count && run->status == STATUS_OK ? &run->parts[run->next++] : NULL;
    (void)pthread_mutex_unlock(&run->lock);
    return part;
}

static void run_kind(Run *run, bool is_sequence)
{
    Part *part = NULL;
    while ((part = take_part(run, is_sequence)) != NULL) {
        Error error = {0};
        Status status = run_trial(run, part, &error);
        (void)pthread_mutex_lock(&run->lock);
        if (status != STATUS_OK && run->status == STATUS_OK) {
            run->status = status;
            run->error = error;
        }
        (void)pthread_mutex_unlock(&run->lock);
    }
}

static void *run_sequences(void *context)
{
    run_kind(context, true);
    return NULL;
}

// A thread that cannot be started is a job less.
static void run_sequences_at_once(Run *run)
{
    enum { THREADS_MAX = 64 };
    pthread_t threads[THREADS_MAX];
    unsigned started = 0, sequences = 0;
    for (unsigned i = 0; i < run->count; i++)
        sequences += run->parts[i].trial->set != NULL;
    for (unsigned i = 1; i < run->args->jobs && i < sequences && i < THREADS_MAX; i++)
        if (pthread_create(&threads[started], NULL, run_sequences, run) == 0)
            started++;
    run_kind(run, true);
    for (unsigned i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
}

// With --workers all that can be done by others is put up before anything is waited for, so that nobody is idle at the
// end of each trial. What follows goes on with that.
static Status put_up_all(const Run *run, Error *error)
{
    Status status = STATUS_OK;
    Args args = *run->args;
    args.puts_up = true;
    for (unsigned i = 0; i < run->count && status == STATUS_OK && !atomic_load(interrupt_flag()); i++) {
        const PaperTrial *trial = run->parts[i].trial;
        PaperFigures nothing = {0};
        bool has_work = paper_trial_games(trial, args.scale) > 0 || paper_trial_positions(trial, args.scale) > 0;
        if (has_work && trial->set == NULL && why_left_out(trial, &args) == NULL)
            status = trial->measure(trial, &args, &nothing, error);
        paper_close_figures(&nothing);
    }
    return status == STATUS_INTERRUPTED ? STATUS_OK : status;
}

static Status run_all(Run *run, Error *error)
{
    if (pthread_mutex_init(&run->lock, NULL) != 0)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a run");
    run_sequences_at_once(run);
    run->next = 0;
    run_kind(run, false);
    (void)pthread_mutex_destroy(&run->lock);
    return run->status == STATUS_OK ? STATUS_OK : error_set(error, run->status, "%s", run->error.text);
}

// --- Tables ---

static void list_parts(Run *run, const Paper *paper, const PaperTable *only)
{
    unsigned count = 0, row = 0;
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        for (const PaperTrial *trial = table->trials; is_wanted(table, only) && trial->measure != NULL; trial++) {
            run->parts[count++] = (Part){.table = table, .trial = trial, .row = row};
            row += paper_units(trial);
        }
    assert(count == run->count && row == run->rows);
}

static Status gather(Run *run, Reproduction *done, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < run->count; i++) {
        Part *part = &run->parts[i];
        if (done->count == 0 || done->tables[done->count - 1].table != part->table)
            done->tables[done->count++].table = part->table;
        Status moved = paper_move_figures(&done->tables[done->count - 1].figures, &part->figures, error);
        status = status == STATUS_OK ? moved : status;
    }
    return status;
}

Status reproduce_run(const Paper *paper, const PaperTable *only, const Args *args, Reproduction *done, Error *error)
{
    assert(args->scale > 0);
    *done = (Reproduction){.paper = paper, .scale = args->scale};
    Run run = {.args = args};
    Status status = check(paper, only, args, &run, error);
    if (status != STATUS_OK)
        return status;
    interrupt_catch();
    run.parts = calloc(run.count + 1, sizeof *run.parts);
    done->tables = calloc(run.count + 1, sizeof *done->tables);
    if (run.parts == NULL || done->tables == NULL) {
        free(run.parts);
        return error_set(error, STATUS_NO_MEMORY, "no memory for tables");
    }
    list_parts(&run, paper, only);
    Args going_on = *args;
    if (args->workers) {
        status = put_up_all(&run, error);
        going_on.fresh = false;
        run.args = &going_on;
    }
    if (status == STATUS_OK)
        status = run_all(&run, error);
    Status gathered = gather(&run, done, status == STATUS_OK ? error : NULL);
    free(run.parts);
    status = status == STATUS_OK ? gathered : status;
    if (status == STATUS_OK && atomic_load(interrupt_flag()))
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
