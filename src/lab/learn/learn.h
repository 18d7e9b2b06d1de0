// A run in which one agent learns patterns from its games against another.
//
// It is a match like any other, kept and gone on with by the laboratory, but its games are a sequence: each begins with
// what the ones before have taught, so one job plays them in order. What is learned is kept at once, a game when it is
// finished. A game that was cut off by a kill is played again when the run continues, by an agent that has kept what it
// learned in the lost part: curves can gain by that, never lose.
#pragma once

#include "lab/learn/learning_curve.h"
#include "lab/learn/learning_view.h"
#include "lab/learn/pattern_memory.h"
#include "lab/match_run.h"
#include "view/plot_svg.h"

#include <jansson.h>

typedef struct {
    MatchRun run;
    LearningCurve curve;
    uint64_t known;       // patterns of the set at the end
    uint64_t versions;    // all their pictures, which is what is looked for on the board
    bool went_on;         // the set has been learned into by games after these, and says nothing about them
    PatternMemory memory; // zeroed if the patterns are elsewhere
    LearningView view;
} Learning;

// How a run is to be.
typedef struct {
    const char *label;  // in front of what is reported while it runs; NULL: nothing
    bool is_alone;      // has the terminal for itself
    bool has_own_set;   // the name of the set is the beginning of one that no other match has
    bool keeps_the_log; // a line for each game where there is no terminal
} LearningStyle;

// The text of an agent that learns into a set of patterns: the set comes last.
void learning_agent(const char *agent, const char *set, Text *text);

// Opens a run whose event and limits are set, its first agent being the one that learns. Without a place for patterns
// in the host they are kept in memory.
Status learning_open(Learning *learning, const MatchRunStore *store, const LearningStyle *style, Error *error);

// What a run that was to be gone on with and was not found begins with, on stderr: a run of another number of games is
// another run, and the patterns of that one are there all the same.
Status learning_tell_new(Learning *learning, Error *error);

// Plays what is left to play. STATUS_INTERRUPTED after Ctrl-C, with everything finished kept.
Status learning_run(Learning *learning, Error *error);
void learning_close(Learning *learning);

// The set of patterns, as the agent has it.
const char *learning_set(const Learning *learning);

// Each game with what was known after it.
json_t *learning_curve_json(const LearningCurve *curve);

// Curves in one plot, with published figures at their ends: NAN where there is none.
typedef struct {
    const char *name;
    const LearningCurve *curve;
} LearningPlotLine;

typedef struct {
    const char *title, *subtitle;
    const LearningPlotLine *lines;
    unsigned count;                       // at most PLOT_KINDS
    double published, published_patterns; // a score from 0 to 1, and a number
    unsigned published_games;             // after which they were reached
    unsigned games;                       // of a whole curve
} LearningPlot;

void learning_svg(const LearningPlot *plot, Text *text);
Status learning_write_svg(const LearningPlot *plot, const char *path, Error *error);
