// Papers whose experiments krow reproduces. A paper is data: tables of trials with the published figures. To add one,
// write a file in data/papers (format: paper_files.c) and add its name to meson.build.
#pragma once

#include "lab/learn/learning_curve.h"
#include "lab/submit/lab_workers.h"
#include "match/duel.h"
#include "match/openings.h"
#include "match/stats.h"

enum { PAPER_AGENTS_MAX = 12, PAPER_ASKED_MAX = 8 };

// Stands among the agents of a trial for a program that is not available. Replaced by the agent of --opponent; without
// the option the trial is not run.
#define PAPER_OPPONENT "--opponent"

typedef struct PaperTrial PaperTrial;
typedef struct PaperFigures PaperFigures;

typedef struct {
    double scale;           // factor for the number of games and positions; above 0
    const char *opponent;   // plays for PAPER_OPPONENT; NULL: those trials are not run
    const char *svg;        // folder for charts; NULL: none
    const char *saved;      // folder for results of searches and turns (paper_saved.c); NULL: not saved
    const char *db;         // NULL: the default database; "none": no database
    bool fresh;             // ignore stored games of earlier runs
    bool workers;           // let workers of the database do the work
    LabWorkers workers_how; // if `workers`
    unsigned jobs;          // threads; 0: 1
    uint64_t seed;
    AgentHost host;
    Reporter *reporter;      // NULL: no progress
    const atomic_bool *stop; // ends the run; never NULL
} ExperimentOptions;

typedef struct PaperPieces PaperPieces;

// Computes figures from the games of a trial.
typedef Status PaperReport(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                           PaperFigures *figures, Error *error);

// How a trial is measured: one of the three.
typedef struct {
    PaperReport *report;       // on the games of the trial's agents
    const PaperPieces *pieces; // independent pieces, which workers can do one by one (paper_internal.h)
    Status (*run)(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures, Error *error);
} PaperMeasure;

// Runs a trial and adds a figure for each row. After STATUS_INTERRUPTED the figures have the results so far.
Status paper_measure_run(const PaperMeasure *measure, const PaperTrial *trial, const ExperimentOptions *options,
                         PaperFigures *figures, Error *error);

// Where the games of a trial begin.
typedef enum {
    PAPER_OPENINGS,    // one generated opening per pair of games, played with both colours
    PAPER_EMPTY_BOARD, // to measure the first player's advantage
    PAPER_FIRST_TURNS, // generated openings of one or two turns: close to the empty board, but agents with few random
                       // choices do not repeat their games
    PAPER_POSITIONS,   // the positions of the trial, each played with both colours
} PaperStart;

// A list of positions: stored ones, given by their stones, and then as many generated ones as are needed.
typedef struct {
    const char *const *kept; // NULL: none
    unsigned kept_count;
    OpeningRecipe recipe; // generates the stored positions first, then the others
} PaperPositions;

typedef struct {
    const char *unit;
    double published; // NAN: none
} PaperUnit;

struct PaperTrial {
    const char *label;  // of its row; NULL: the names of the agents
    const char *unit;   // of the figure: wins, score, nodes, ms, turns …
    double published;   // NAN: the paper gives none, or it is lost
    const char *source; // section with the published figure; NULL: none
    const char *remark; // on the published figure, for example if it contradicts another one; NULL: none
    const PaperMeasure *measure;
    const char *table; // "000/agents"; NULL: the trial belongs to no paper of data/papers
    unsigned number;   // within the table, from 1
    // For all measures of games.
    const char *game;
    const char *agents[PAPER_AGENTS_MAX + 1]; // up to the first NULL
    const char *setting;                      // of PAPER_OPPONENT, such as "depth=5 quiescence=1"; NULL: none
    unsigned games;                           // per pair of agents at scale 1; even
    PaperStart start;
    unsigned searches; // number of single positions to search at scale 1; 0: play games
    DuelLimits limits;
    const PaperUnit *further; // further figures, up to one without a unit; NULL: none
    // For single positions: one agent searches them to the depth and nodes of `limits`. With PAPER_POSITIONS games
    // begin from them.
    const PaperPositions *positions;
    // For learning: the first agent begins without patterns and learns into a set whose name begins with this. Its
    // games are a sequence, which one job plays. NULL: no learning.
    const char *set;
    unsigned runs; // for learning: independent runs at scale 1, each with its own seed; 0: one
    // For turns: agents, up to the first NULL, that decide every turn of the games between the two agents without
    // affecting them. Trials with the same agents and games have the same positions. Each has its own rows, labelled
    // with its name if there are several; work done once per position serves all.
    const char *asked[PAPER_ASKED_MAX + 1];
    // For the plot of nodes per turn of a single `asked` agent: the title of the panel, in the order of the trials, and
    // the name of the line, which is the same in every panel. NULL: not drawn.
    const char *panel, *line;
};

typedef struct {
    const char *name;         // as in `krow reproduce PAPER/NAME`
    const char *about;        // one line
    const PaperTrial *trials; // up to one without a measure
} PaperTable;

typedef struct {
    const char *name;
    const char *title;
    const PaperTable *tables; // up to one without a name
} Paper;

// --- Results ---

// One row of a table.
typedef struct {
    const PaperTrial *trial;
    char *label; // owned
    const char *unit;
    double published; // NAN: none
    double measured;  // NAN: not run
    Interval limits;  // of 95 %
    unsigned n;       // number of measurements
    unsigned wanted;  // number of measurements requested
    unsigned cut;     // measurements of n that ended at their limit: if any did, the figure is a lower bound
    bool has_games;
    Tally games;      // from the viewpoint of the agent of the row
    bool is_partial;  // of a sequence of games shorter than the published one
    unsigned runs;    // the mean of this many runs, which are the measurements then; 0: not of several runs
    Interval spread;  // of them: the lowest and the highest one
    const char *note; // such as why it was not run, or NULL
} PaperFigure;

// The results of a learning agent from its first game on, in one run of a trial.
typedef struct {
    const PaperTrial *trial;
    char *label, *set; // owned
    LearningCurve curve;
    uint64_t seed;
} PaperCurve;

typedef struct {
    unsigned n; // games that reached this turn
    double mean;
    Interval limits; // of 95 %
} PaperPoint;

// A figure as a function of the turn of the game.
typedef struct {
    const PaperTrial *trial;
    char *label; // owned
    const char *unit;
    unsigned games, count; // games, and turns of the longest
    PaperPoint *points;    // owned; turn 1 first
} PaperSeries;

struct PaperFigures {
    PaperFigure *list;
    PaperCurve *curves;
    PaperSeries *series;
    unsigned count, curve_count, series_count;
    size_t capacity, curve_capacity, series_capacity;
    unsigned faults;  // games that ended by an illegal stone, on time or by a crash
    uint64_t unsaved; // learned patterns that could not be written
};

// Add a copy, which takes over what the figure, curve or series owns.
void paper_add_figure(PaperFigures *figures, const PaperFigure *figure);
void paper_add_curve(PaperFigures *figures, const PaperCurve *curve);
void paper_add_series(PaperFigures *figures, const PaperSeries *series);

// Appends all of `from` to `to` and closes `from`.
void paper_move_figures(PaperFigures *to, PaperFigures *from);
void paper_close_figures(PaperFigures *figures);

// Whether figures of this unit are shares, from 0 to 1; units with a slash are.
bool paper_is_share(const char *unit);

// Whether a figure is the first one of its unit: legends and charts have each unit once.
bool paper_begins_unit(const PaperFigures *figures, unsigned number);

// The meaning of a unit in one line, for legends.
const char *paper_unit_meaning(const char *unit);

// The legend of a table: each of its units with its meaning, in the order of the rows, between the texts of a style.
typedef struct {
    const char *before, *between, *after;
} PaperLegendStyle;
void paper_add_legend(const PaperFigures *figures, const PaperLegendStyle *style, Text *text);

// Whether the published figure can be compared with limits: a lower bound has none.
bool paper_compares(const PaperFigure *figure);

// 0 if the published figure is within the limits, -1 or 1 if it is below or above.
int paper_compare(const PaperFigure *figure);

// What a table says about the published figure. Below or above the limits needs PAPER_LEAST_MEASUREMENTS. Inside also
// needs narrow limits, because wide ones contain almost every figure: at most PAPER_SHARE_WIDTH for a share, and at
// most PAPER_RELATIVE_WIDTH of the larger figure for other units.
typedef enum {
    PAPER_NO_VERDICT, // no published figure, no limits, or a lower bound
    PAPER_BELOW,
    PAPER_INSIDE,
    PAPER_ABOVE,
    PAPER_TOO_FEW, // too few measurements
    PAPER_SHORTER, // the published figure belongs to a longer sequence of games
} PaperVerdict;
#define PAPER_LEAST_MEASUREMENTS 10
#define PAPER_SHARE_WIDTH 0.25
#define PAPER_RELATIVE_WIDTH 0.5

PaperVerdict paper_verdict(const PaperFigure *figure);
const char *paper_verdict_name(PaperVerdict verdict);  // one word for programs; NULL for none
const char *paper_verdict_words(PaperVerdict verdict); // for readers; "-" for none

// The note of a row, which says if measurements ended at their limit. NULL: none.
enum { PAPER_NOTE_SIZE = 100 };
const char *paper_note(const PaperFigure *figure, char note[PAPER_NOTE_SIZE]);

// A value for readers: shares in percent, "-" for none.
enum { PAPER_VALUE_SIZE = 32 };
const char *paper_value_text(const char *unit, double value, char text[PAPER_VALUE_SIZE]);

// --- Cross tables ---

// The shares of one player's games against another; NAN: unknown.
typedef struct {
    double score, wins, losses, draws;
} PaperCrossCell;

// Every player against every other one; cell i * PAPER_AGENTS_MAX + j is player i against player j.
typedef struct {
    char *players[PAPER_AGENTS_MAX]; // owned
    unsigned count;
    bool is_paired[PAPER_AGENTS_MAX * PAPER_AGENTS_MAX], has_published;
    PaperCrossCell published[PAPER_AGENTS_MAX * PAPER_AGENTS_MAX], measured[PAPER_AGENTS_MAX * PAPER_AGENTS_MAX];
} PaperCross;

// False for tables that are none: a cross table has rows "A against B" for all pairs of at least three players.
bool paper_cross(const PaperFigures *figures, PaperCross *cross);
void paper_close_cross(PaperCross *cross);
bool paper_cross_is_known(const PaperCrossCell *cell);

// A cell in percent, "wins-losses-draws" as in paper 002, or the score.
enum { PAPER_CROSS_SIZE = 40 };
const char *paper_cross_text(const PaperCrossCell *cell, char text[PAPER_CROSS_SIZE]);

// --- Papers ---

// The papers of data/papers.
const Paper *const *papers(void);
int paper_count(void);

typedef struct {
    const Paper *paper;
    const PaperTable *table; // NULL: the whole paper
} PaperPlace;

// Finds "000" or "000/agents" in a list of papers. The error lists the available names.
Status paper_find(const Paper *const *list, int count, Span name, PaperPlace *place, Error *error);

unsigned paper_agents(const PaperTrial *trial);
unsigned paper_asked(const PaperTrial *trial);

// All figures of a trial: its own, then the further ones.
unsigned paper_units(const PaperTrial *trial);
PaperUnit paper_unit(const PaperTrial *trial, unsigned number);

bool paper_needs_opponent(const PaperTrial *trial);

// The agent that plays in the place of PAPER_OPPONENT: options->opponent with each {NAME} that the trial's setting has
// replaced by its value. The caller frees it.
char *paper_opponent(const PaperTrial *trial, const ExperimentOptions *options);

// Whether an agent uses an opening book, and whether a trial uses one but the database has none for its game, so that
// only the agent's fallback would play.
bool paper_uses_book(const char *agent);
bool paper_lacks_book(const PaperTrial *trial, const ExperimentOptions *options);

// Games per pair of agents at this scale: whole pairs of games, at least one.
unsigned paper_games(unsigned games, double scale);

// Runs of a trial of learning at this scale, at least one, and the scale of their games: whole runs if there are
// several, and otherwise the beginning of the first. Other trials have one run of this scale.
unsigned paper_runs(const PaperTrial *trial, double scale);
double paper_run_scale(const PaperTrial *trial, double scale);

// All games of a trial at this scale.
unsigned paper_trial_games(const PaperTrial *trial, double scale);

// Positions that a trial searches at this scale: at least one, and no more than at scale 1; 0 if it plays games.
unsigned paper_trial_positions(const PaperTrial *trial, double scale);

// The same for all trials of a table, at scale 1.
unsigned paper_table_games(const PaperTable *table);
unsigned paper_table_positions(const PaperTable *table);

// The label of a trial's row. The caller frees it.
char *paper_label(const PaperTrial *trial, const ExperimentOptions *options);

// --- Measures of games ---

extern const PaperMeasure paper_measure_first; // the score of the first player, over all games of all agents

// The games between two agents from the viewpoint of the first-named one, with a row for each unit of the trial: the
// shares `wins`, `draws` and `losses`; `score`, and `as_first` and `as_second`, the scores with either colour; `turns`,
// the mean length of a game including the opening; `part/whole`, the ratio of two counters of the agent over all games,
// and with "@first" or "@second" after it, over those that the agent or the other one began; or the mean per game of
// the agent's counter of that name.
extern const PaperMeasure paper_measure_games;

extern const PaperMeasure paper_measure_field; // a round robin: the score of each agent, then of each pair

// A ladder, the best agent first; each plays only the next one. The score of each against the next, with a note whether
// it is from PAPER_STEP_MIN to PAPER_STEP_MAX; then the rating of each, in Elo above the last one.
extern const PaperMeasure paper_measure_ladder;
#define PAPER_STEP_MIN 0.60
#define PAPER_STEP_MAX 0.85

// One agent learns from its games against another. Several runs differ by their seeds, S, S + 1 and so on; their
// figures are means over the finished runs with Student's limits, so that the limits include the variation between
// runs. One run has the limits of its games. There is a row for each unit of the trial: `score` of all games, draws as
// halves; `recent`, the score of the last LEARNING_RECENT games; shares as above; `patterns` known at the end, and
// `versions` with their rotations and reflections; `refuted` and `undecided` in all games; `ms` and `slowest`, its mean
// and longest turn.
extern const PaperMeasure paper_measure_learning;

// --- Plots ---

// Whether a trial has a curve or a series.
bool paper_is_drawn(const PaperTrial *trial);

// Draws a table as SVG: learning curves beside the published final figures, if there is room for them, or series by
// turns, or otherwise the values of its rows beside the published ones.
void paper_draw(const PaperTable *table, const PaperFigures *figures, const ExperimentOptions *options, Text *text);

// Writes the drawing into a file named after the table in the folder options->svg, which exists.
Status paper_write_svg(const Paper *paper, const PaperTable *table, const PaperFigures *figures,
                       const ExperimentOptions *options, Error *error);

// --- Measures of positions and turns ---

// The first `wanted` positions of a list. STATUS_INTERRUPTED if `stop` was raised (NULL: cannot be stopped).
Status paper_make_positions(const PaperPositions *positions, const Rules *rules, unsigned wanted,
                            const atomic_bool *stop, Openings *list, Error *error);

// An agent searches each of a list of positions, with a row for each unit of the trial: `nodes` and `ms`, means per
// position; `beyond`, by how many stones a proven win exceeds the search depth, as the mean of the positions in which
// one does; `furthest`, the maximum. Searches --jobs positions at once. Results are not stored: a repeated run counts
// the same nodes.
extern const PaperMeasure paper_measure_positions;

// Agents decide every turn of games that others play; the first-named agent begins every second game, from the empty
// board: `nodes` and `ms`, means per turn, with games as the independent samples; `slowest`, the longest turn in ms;
// and a series of nodes if one is drawn. Plays --jobs games at once. Results are not stored: a repeated run counts the
// same nodes. All agents get the same random numbers in the same position.
//
// Units with a slash are shares of turns by an exact solver, for games with p = 1 that it can solve. `kept/turns`: the
// stone keeps the value of the position (won, drawn or lost with best play of both). `kept_score/turns`: it also wins
// as soon or loses as late as possible, if there are scores. `critical/turns`: some legal stone would not keep the
// value. `kept/critical`: as `kept/turns`, for critical turns only.
extern const PaperMeasure paper_measure_turns;

// How often the threat count of paper 001 is right (papers/kagami/correction.c).
extern const PaperMeasure paper_measure_correction;

// Checks that the agents of a trial exist and support its game.
Status paper_check(const PaperTrial *trial, const ExperimentOptions *options, Error *error);
