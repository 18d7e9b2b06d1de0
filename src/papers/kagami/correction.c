// The measure of section IV.A of Liu and Lin: how often the count of threats, corrected for two stones on one line, is
// right.
#include "papers/experiment/paper.h"

#include "papers/kagami/line_keys_agreement.h"

#include <math.h>

// A row of the table: how many turns of a case, or of all, some count is true of. The kind is less than two threats,
// two, or three and more, which by the paper is all that matters.
typedef struct {
    const char *label;
    uint64_t (*count)(const LineKeysAgreement *agreement);
} Agreement;

static const Agreement agreements[] = {
    {"right number", line_keys_same},
    {"right kind", line_keys_same_kind},
    {"kind too high", line_keys_too_high},
};

static void add_agreement(const PaperTrial *trial, const char *name, const LineKeysAgreement *agreement,
                          PaperFigures *figures)
{
    for (size_t i = 0; i < sizeof agreements / sizeof agreements[0]; i++) {
        double part = (double)agreements[i].count(agreement), whole = (double)agreement->turns;
        PaperFigure figure = {.trial = trial, .unit = trial->unit, .published = NAN, .n = (unsigned)agreement->turns};
        figure.wanted = figure.n;
        figure.measured = part / whole;
        figure.limits = stats_share(part, whole);
        Text label = {0};
        text_add(&label, "%s: %s", name, agreements[i].label);
        figure.label = label.data;
        paper_add_figure(figures, &figure);
    }
}

// Turns of two stones on boards with stones dealt at random, the same for every run of a scale.
static Status measure_correction(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures,
                                 Error *error)
{
    static const char *const names[LINE_CASES] = {"case 1, not on one line", "case 2, opposing stones between",
                                                  "case 3a, within 6 cells", "case 3b, within 11 cells",
                                                  "case 3c, further"};
    enum { BOARDS = 2000, TURNS = 200 };
    LineKeysAgreement cases[LINE_CASES], all = {0};
    Rules rules;
    Status status = rules_parse(span_of(trial->game), &rules, error);
    if (status == STATUS_OK)
        status = line_keys_agree(&rules, (unsigned)ceil(BOARDS * options->scale), TURNS, cases, error);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < LINE_CASES; i++) {
        line_keys_add(&all, &cases[i]);
        add_agreement(trial, names[i], &cases[i], figures);
    }
    add_agreement(trial, "all", &all, figures);
    return STATUS_OK;
}

const PaperMeasure paper_measure_correction = {.run = measure_correction};
