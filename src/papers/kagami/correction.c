// The measure of section IV.A of Liu and Lin: how often the count of threats, corrected for two stones on one line, is
// right, for each reading of the correction.
#include "papers/experiment/paper.h"

#include "papers/kagami/line_keys_agreement.h"

#include <math.h>

// A row of the table: a count of the turns of a case, or of all cases. The kind is less than two threats, two, or three
// and more; according to the paper nothing else matters.
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

// A case that the readings treat differently, or all cases together, as a row of one reading.
static void add_reading(const PaperTrial *trial, LineCorrection correction, const char *name,
                        const LineKeysAgreement *agreement, PaperFigures *figures)
{
    static const char *const readings[LINE_CORRECTIONS] = {"all", "two", "strict"};
    Text label = {0};
    text_add(&label, "correction=%s, %s", readings[correction], name);
    add_agreement(trial, label.data, agreement, figures);
    text_close(&label);
}

static void report_reading(const PaperTrial *trial, LineCorrection correction,
                           const LineKeysAgreement cases[LINE_CASES], PaperFigures *figures)
{
    LineKeysAgreement all = {0};
    for (unsigned i = 0; i < LINE_CASES; i++)
        line_keys_add(&all, &cases[i]);
    if (correction != LINE_CORRECTION_TWO)
        add_reading(trial, correction, "case 3a, within 6 cells", &cases[LINE_CASE_NEAR], figures);
    if (correction != LINE_CORRECTION_STRICT)
        add_reading(trial, correction, "case 3b, within 11 cells", &cases[LINE_CASE_MIDDLE], figures);
    add_reading(trial, correction, "all", &all, figures);
}

// Turns of two stones on boards with stones placed at random, the same for every run of a scale and every reading. The
// cases that no reading changes come first, once; a row of two readings stands with the first one.
static Status measure_correction(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures,
                                 Error *error)
{
    enum { BOARDS = 2000, TURNS = 200 };
    LineKeysSample sample = {.boards = (unsigned)ceil(BOARDS * options->scale), .turns = TURNS};
    Rules rules;
    Status status = rules_parse(span_of(trial->game), &rules, error);
    for (int i = 0; i < LINE_CORRECTIONS && status == STATUS_OK; i++) {
        LineKeysAgreement cases[LINE_CASES];
        sample.correction = (LineCorrection)i;
        status = line_keys_agree(&rules, &sample, cases, error);
        if (status == STATUS_OK && i == 0) {
            add_agreement(trial, "case 1, not on one line", &cases[LINE_CASE_APART], figures);
            add_agreement(trial, "case 2, opposing stones between", &cases[LINE_CASE_OPPOSED], figures);
            add_agreement(trial, "case 3c, further", &cases[LINE_CASE_FAR], figures);
        }
        if (status == STATUS_OK)
            report_reading(trial, sample.correction, cases, figures);
    }
    return status;
}

const PaperMeasure paper_measure_correction = {.run = measure_correction};
