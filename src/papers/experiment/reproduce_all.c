// Reproduction of all papers into a folder of pages. A run can be interrupted at any time: the database has the games,
// and the folder `searches` has the results of searches and turns.
#include "papers/experiment/reproduce.h"

#include "base/file.h"

#include <stdlib.h>

Status reproduce_write_charts(const Reproduction *done, const ExperimentOptions *options, Error *error)
{
    Status status = STATUS_OK;
    for (unsigned i = 0; i < done->count && status == STATUS_OK && options->svg != NULL; i++)
        status = paper_write_svg(done->paper, done->tables[i].table, &done->tables[i].figures, options, error);
    return status;
}

// The calibration of levels is no paper: it has no published figure.
static bool is_published(const Paper *paper)
{
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
            if (trial->source != NULL)
                return true;
    return false;
}

static bool uses_opponent(const Paper *paper)
{
    for (const PaperTable *table = paper->tables; table->name != NULL; table++)
        for (const PaperTrial *trial = table->trials; trial->measure != NULL; trial++)
            if (paper_needs_opponent(trial))
                return true;
    return false;
}

static Status make_folders(const ExperimentOptions *options, const char *folder, Error *error)
{
    Status status = file_make_folder(folder, error);
    return status == STATUS_OK ? file_make_folder(options->saved, error) : status;
}

static Status write_index(const PaperStates *states, const char *folder, Error *error)
{
    Text path = {0};
    text_add(&path, "%s/index.html", folder);
    Status status = reproduce_write_index(states->list, states->count, path.data, error);
    text_close(&path);
    return status;
}

// Runs one paper and writes its page, also after an interruption.
static Status run_paper(PaperState *state, const ExperimentOptions *all, const char *folder, Error *error)
{
    ExperimentOptions options = *all;
    options.opponent = uses_opponent(state->paper) ? all->opponent : NULL;
    Reproduction done;
    Status status = reproduce_run(state->paper, NULL, &options, &done, error);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED) {
        Text path = {0};
        text_add(&path, "%s/%s.html", folder, state->paper->name);
        Status written = reproduce_write_page(&done, &options, path.data, error);
        if (written == STATUS_OK)
            written = reproduce_write_charts(&done, &options, error);
        text_close(&path);
        state->progress = status == STATUS_OK ? PAPER_COMPLETE : PAPER_CUT_SHORT;
        state->counts = reproduce_counts(&done);
        status = written != STATUS_OK ? written : status;
    }
    reproduce_close(&done);
    return status;
}

static Status run_each(PaperStates *states, const ExperimentOptions *options, const char *folder, Error *error)
{
    Status status = write_index(states, folder, error);
    for (unsigned i = 0; i < states->count && status == STATUS_OK; i++) {
        PaperState *state = &states->list[i];
        reporter_note(options->reporter, "paper %s, %u of %u", state->paper->name, i + 1, states->count);
        status = run_paper(state, options, folder, error);
        Error other = {0};
        if (write_index(states, folder, &other) != STATUS_OK && status == STATUS_OK)
            status = error_set(error, STATUS_IO, "%s", other.text);
    }
    return status;
}

Status reproduce_all(const Paper *const *list, int count, const ExperimentOptions *options, const char *folder,
                     PaperStates *states, Error *error)
{
    *states = (PaperStates){0};
    for (int i = 0; i < count && states->count < PAPERS_MAX; i++)
        if (is_published(list[i]))
            states->list[states->count++] = (PaperState){.paper = list[i]};
    Text saved = {0};
    text_add(&saved, "%s/searches", folder);
    ExperimentOptions kept = *options;
    kept.saved = saved.data;
    Status status = make_folders(&kept, folder, error);
    if (status == STATUS_OK)
        status = run_each(states, &kept, folder, error);
    text_close(&saved);
    return status;
}
