// A match in which one agent learns patterns from its games against another.
//
// The games are a sequence, played by one job, since each depends on what was learned in earlier ones. Learned patterns
// are stored at once, a game when it is finished. A game interrupted by a kill is played again after --resume, by an
// agent that remembers what it learned in the lost part: curves can gain by that, never lose.
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
    uint64_t known;    // patterns of the set at the end
    uint64_t versions; // their symmetric images, which is what the agent matches against the board
    uint64_t *sums;    // versions of the first patterns of the set: of none, one, two and so on
    size_t sum_capacity;
    bool has_later_games; // later games have added patterns to the set, so its size says nothing about these
    PatternMemory memory; // zeroed if the patterns are stored elsewhere
    LearningView view;
} Learning;

// How a run is named and reported.
typedef struct {
    const char *label;  // prefix of progress lines; NULL: none
    bool is_alone;      // no other process writes to the terminal
    bool has_own_set;   // appends the number of the match to the set's name, which makes it unique
    bool keeps_the_log; // without a terminal, one line per game
} LearningStyle;

// The text of an agent that learns into a set of patterns; the set is its last option.
void learning_agent(const char *agent, const char *set, Text *text);

// Opens a run whose event and limits are set and whose first agent learns. If the host has no pattern store, patterns
// are kept in memory.
Status learning_open(Learning *learning, const MatchRunStore *store, const LearningStyle *style, Error *error);

// Reports, when a run to be resumed was not found, what the new one begins with: a run with another number of games is
// another run, but its patterns are in the set.
Status learning_report_new(Learning *learning, Error *error);

// Plays the remaining games. STATUS_INTERRUPTED after Ctrl-C; everything finished is stored.
Status learning_run(Learning *learning, Error *error);
void learning_close(Learning *learning);

// The name of the agent's pattern set.
const char *learning_set(const Learning *learning);

// Each game with the number of patterns known after it.
json_t *learning_curve_json(const LearningCurve *curve);

// Curves in one plot, with published values at their ends: NAN for none.
typedef struct {
    const char *name;
    const LearningCurve *curve;
} LearningPlotLine;

typedef struct {
    const char *title, *subtitle;
    const LearningPlotLine *lines;
    unsigned count;                       // at most PLOT_KINDS
    double published, published_versions; // score from 0 to 1; number of patterns with symmetric ones
    unsigned published_games;             // number of games after which they were reached
    unsigned games;                       // length of a complete curve
} LearningPlot;

void learning_svg(const LearningPlot *plot, Text *text);
Status learning_write_svg(const LearningPlot *plot, const char *path, Error *error);
