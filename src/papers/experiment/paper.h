// A paper whose experiments can be run again. A paper is data: tables of trials, each with the figure that was
// published. Adding one is a file in data/papers (paper_files.c describes it) and its name in meson.build.
#pragma once

#include "lab/lab_workers.h"
#include "lab/learn/learning_curve.h"
#include "match/duel.h"
#include "match/openings.h"
#include "match/stats.h"

enum { PAPER_AGENTS_MAX = 12, PAPER_ASKED_MAX = 8 };

// Among the agents of a trial: the program that --opponent names, in the place of a program that is not available.
// Without the option the trial is not run.
#define PAPER_OPPONENT "--opponent"

typedef struct PaperTrial PaperTrial;
typedef struct PaperFigures PaperFigures;

// How experiments are run.
typedef struct {
    double scale;           // of the number of games and positions; above 0
    const char *opponent;   // plays in the place of PAPER_OPPONENT; NULL: those trials are not run
    const char *svg;        // folder for plots; NULL: none
    const char *db;         // NULL: the default database; "none": nothing is stored
    bool fresh;             // ignore stored games of earlier runs
    bool workers;           // let workers of the database do the work
    LabWorkers workers_how; // if `workers`
    unsigned jobs;          // threads; 0: 1
    uint64_t seed;
    AgentHost host;
    Reporter *reporter;      // NULL: nothing is shown
    const atomic_bool *stop; // ends the run when raised; never NULL
} ExperimentOptions;

typedef struct PaperPieces PaperPieces;

// Makes figures of the games of a trial that were played.
typedef Status PaperReport(const PaperTrial *trial, const ExperimentOptions *options, const MatchRun *run,
                           PaperFigures *figures, Error *error);

// How a trial is measured; one of the three.
typedef struct {
    PaperReport *report;       // of the games of the trial's agents
    const PaperPieces *pieces; // independent ones, which workers can do one by one (paper_internal.h)
    Status (*run)(const PaperTrial *trial, const ExperimentOptions *options, PaperFigures *figures, Error *error);
} PaperMeasure;

// Runs a trial and adds a figure for each row. STATUS_INTERRUPTED when `stop` was raised; the results so far are added
// all the same.
Status paper_measure_run(const PaperMeasure *measure, const PaperTrial *trial, const ExperimentOptions *options,
                         PaperFigures *figures, Error *error);

// Where the games of a trial begin.
typedef enum {
    PAPER_OPENINGS,    // openings made by krow, each played with both colours: as many as there are pairs of games
    PAPER_EMPTY_BOARD, // where the first player's advantage is the thing that is measured
    PAPER_FIRST_TURNS, // the first turn or the first two made as openings, the nearest to the empty board from which
                       // agents with few random choices do not repeat their games
    PAPER_POSITIONS,   // the positions of the trial, each played with both colours
} PaperStart;

// A list of positions. Those that are kept as texts of stones come first, and as many more as are wanted are made.
typedef struct {
    const char *const *kept; // NULL: none
    unsigned kept_count;
    OpeningRecipe recipe; // by which all were made; what the recipe makes beyond the kept ones follows them
} PaperPositions;

// One of the figures of a trial that has several.
typedef struct {
    const char *unit;
    double published; // NAN: none
} PaperUnit;

struct PaperTrial {
    const char *label;  // of its row; NULL: who plays whom
    const char *unit;   // of the figure: wins, score, nodes, ms, turns …
    double published;   // NAN: the paper gives none, or it is lost
    const char *source; // the section that has the published figure; NULL where there is none
    const char *remark; // a word on the published figure, as where it contradicts another one; NULL: none
    const PaperMeasure *measure;
    const char *table; // where it stands: "000/agents"; NULL: it is of no paper of data/papers
    unsigned number;   // within the table, from 1
    // What the measures of games need; others have their own way.
    const char *game;
    const char *agents[PAPER_AGENTS_MAX + 1]; // up to the first NULL
    const char *setting;                      // of PAPER_OPPONENT, such as "depth=5 quiescence=1"; NULL: none
    unsigned games;                           // for each pair of agents at scale 1; even
    PaperStart start;
    unsigned searches; // how many single positions are searched at scale 1; 0: games are played
    DuelLimits limits;
    const PaperUnit *further; // figures besides the one above, up to one without a unit; NULL: none
    // What the measure of single positions needs: one agent, the positions, and how far and how many nodes it searches
    // in `limits`. With PAPER_POSITIONS games begin from them.
    const PaperPositions *positions;
    // What the measure of learning needs: the first agent begins with no patterns, and learns into a set whose name
    // begins with this. Its games are a sequence, which one job plays. NULL: no learning.
    const char *set;
    // What the measure of turns needs: who is asked in every turn of the games between the two agents, without a part
    // in them. Trials with the same agents and games ask in the same positions. Several, up to the first NULL, have
    // rows each, which are labelled with their names: what is done once for a position serves all of them.
    const char *asked[PAPER_ASKED_MAX + 1];
    // Where the nodes of each turn of the only one asked are drawn with --svg: the title of the panel, in the order of
    // the trials, and the name of the line, which is the same in every panel. NULL: nowhere.
    const char *panel, *line;
};

typedef struct {
    const char *name;         // as in `krow reproduce PAPER/NAME`
    const char *about;        // in one line
    const PaperTrial *trials; // up to one without a measure
} PaperTable;

typedef struct {
    const char *name;
    const char *title;
    const PaperTable *tables; // up to one without a name
} Paper;

// --- What comes out ---

// One row of a table, beside what was published.
typedef struct {
    const PaperTrial *trial;
    char *label; // owned
    const char *unit;
    double published; // NAN: none
    double measured;  // NAN: not run
    Interval limits;  // of 95 %
    unsigned n;       // how many measurements the figure stands on
    unsigned wanted;  // and how many were asked for
    unsigned cut;     // of n, how many ended at their limit: with any of them the figure is a lower bound
    bool has_games;
    Tally games;      // seen from whom the row is about
    const char *note; // why it was not run, or NULL
} PaperFigure;

// How an agent did while it learned, from the first game on.
typedef struct {
    const PaperTrial *trial;
    char *label, *set; // owned
    LearningCurve curve;
} PaperCurve;

// What is known of the n-th turn of games.
typedef struct {
    unsigned n; // games that got there
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

// Add a copy, which takes what the figure, curve or series owns.
void paper_add_figure(PaperFigures *figures, const PaperFigure *figure);
void paper_add_curve(PaperFigures *figures, const PaperCurve *curve);
void paper_add_series(PaperFigures *figures, const PaperSeries *series);

// Moves all that `from` has to the end of `to`.
void paper_move_figures(PaperFigures *to, PaperFigures *from);
void paper_close_figures(PaperFigures *figures);

// Whether figures of this unit are shares, from 0 to 1; those with a slash are such.
bool paper_is_share(const char *unit);

// Whether there is a published figure and limits to compare it with, which a mere lower bound has not.
bool paper_compares(const PaperFigure *figure);

// Whether the published figure lies inside of the limits; 0: it does, -1 or 1: it lies below or above.
int paper_compare(const PaperFigure *figure);

// --- Papers ---

// The papers of data/papers.
const Paper *const *papers(void);
int paper_count(void);

// A place among papers.
typedef struct {
    const Paper *paper;
    const PaperTable *table;
} PaperPlace;

// "000" or "000/agents" looked up in a list of papers; the table is NULL where none is named. The error says what there
// is.
Status paper_find(const Paper *const *list, int count, Span name, PaperPlace *place, Error *error);

unsigned paper_agents(const PaperTrial *trial);
unsigned paper_asked(const PaperTrial *trial); // how many

// All figures of a trial: its own, then the further ones.
unsigned paper_units(const PaperTrial *trial);
PaperUnit paper_unit(const PaperTrial *trial, unsigned number);

bool paper_needs_opponent(const PaperTrial *trial);

// The agent that plays in the place of PAPER_OPPONENT: options->opponent with each {NAME} that the trial's setting has
// replaced by its value. The caller frees it.
char *paper_opponent(const PaperTrial *trial, const ExperimentOptions *options);

// Whether an agent of a trial plays by an opening book, and whether the database has none for its game: then the agent
// would be nothing but its fallback.
bool paper_uses_book(const char *agent);
bool paper_lacks_book(const PaperTrial *trial, const ExperimentOptions *options);

// Games for each pair of agents at this scale: whole pairs of games, and at least one.
unsigned paper_games(unsigned games, double scale);

// All games of a trial at this scale; 0 where a trial plays none.
unsigned paper_trial_games(const PaperTrial *trial, double scale);

// All positions that a trial searches at this scale, at least one and, above 1, those of scale 1; 0 where it plays
// games.
unsigned paper_trial_positions(const PaperTrial *trial, double scale);

// The same for all trials of a table, at scale 1.
unsigned paper_table_games(const PaperTable *table);
unsigned paper_table_positions(const PaperTable *table);

// The label of a trial's row. The caller frees it.
char *paper_label(const PaperTrial *trial, const ExperimentOptions *options);

// --- Measures of games ---

extern const PaperMeasure paper_measure_first; // the score of the first player, over all games of all agents
// What the games between two agents came to, a row for each unit of the trial, seen from the first-named one: the
// shares `wins`, `draws` and `losses`; `score`, and `as_first` and `as_second`, the same of the games that it began and
// of the others; `turns`, the mean length of a game, opening and all; `part/whole`, a share of all games together, of
// what the agent itself counts under these names; or the mean, for each game, of what it counts under that name.
extern const PaperMeasure paper_measure_games;

extern const PaperMeasure paper_measure_field; // a round robin: the score of each agent, then of each pair

// A ladder, the best agent first: the score of each against the next, with a note on whether it lies from
// PAPER_STEP_MIN to PAPER_STEP_MAX; then the rating of each in Elo above the last one.
extern const PaperMeasure paper_measure_ladder; // each agent plays only the next one of the list
#define PAPER_STEP_MIN 0.60
#define PAPER_STEP_MAX 0.85

// --- The measure of learning ---

// One agent learns from its games against another, a row for each unit of the trial: `score`, of all games with draws
// as halves; `recent`, the same of the last LEARNING_RECENT games; shares as above; `patterns`, known at the end, and
// `versions`, with their turned and mirrored ones; `refuted` and `undecided`, in all games together; `ms` and
// `slowest`, its mean turn and its longest one.
extern const PaperMeasure paper_measure_learning;

// --- Plots ---

// Whether something of a trial is drawn.
bool paper_is_drawn(const PaperTrial *trial);

// Draws the curves of a table into a file named after it in the folder options->svg, which exists: those of learning
// beside the published ends, or series by turns. A table with neither has no file.
Status paper_write_svg(const Paper *paper, const PaperTable *table, const PaperFigures *figures,
                       const ExperimentOptions *options, Error *error);

// --- The measure of single positions ---

// The first `wanted` positions of a list. STATUS_INTERRUPTED when `stop` was raised (NULL: it cannot be stopped).
Status paper_make_positions(const PaperPositions *positions, const Rules *rules, unsigned wanted,
                            const atomic_bool *stop, Openings *list, Error *error);

// What an agent finds in each of a list of positions, a row for each unit of the trial: `nodes` and `ms`, the means of
// a position; `beyond`, by how many stones a proven win lies beyond the depth of the search, the mean of those
// positions in which one does; `furthest`, the most of them. Several positions are searched at once with --jobs.
// Nothing is kept: nodes come out the same again.
extern const PaperMeasure paper_measure_positions;

// --- The measure of turns ---

// What an agent would do in every turn of games that others play, the first-named beginning every second one from the
// empty board: `nodes` and `ms`, the means of a turn, with games as what is independent; `slowest`, the longest turn in
// ms; and a series of nodes where one is drawn. Several games are played at once with --jobs. Nothing is kept: nodes
// come out the same again. Each agent asked gets the same random numbers in the same position.
//
// Units with a slash are shares of turns, by an exact solver, in games of one stone a turn that it can solve:
// `kept/turns`, in which the stone keeps the value of the position (won, drawn or lost with best play of both);
// `kept_score/turns`, in which it also wins as soon or loses as late as possible, where there are scores;
// `critical/turns`, in which some legal stone would not keep the value; `kept/critical`, the first of these turns
// alone.
extern const PaperMeasure paper_measure_turns;

// --- A measure of its own ---

// How often the count of threats of paper 001 is right (papers/kagami/correction.c).
extern const PaperMeasure paper_measure_correction;

// --- All measures ---

// Whether the agents of a trial exist and play its game; says nothing about trials without agents.
Status paper_check(const PaperTrial *trial, const ExperimentOptions *options, Error *error);
