// Szóts and Harmati, Development of an Incremental Pattern Extraction Based Gomoku Agent: section 5. docs/papers/003.md
// says what agrees and what was decided.
//
// The paper lets its agent begin with no patterns, play 200 games against each of its reference agents and 1000 against
// Carbon, the other side first in every second one, and draws the win percentage so far and the number of patterns. The
// figures themselves are lost; what the text says of their ends is here. What it leaves open:
//
// - 84 and 79 % are called "percentage limits" (5.2), which the curve approaches: whether they are its last point or
//   read off by eye is not said. `score` is the last point, `recent` the score of the last 100 games, in which the
//   beginning has no part.
// - 516 and 696 patterns: whether with their turned and mirrored versions, which the paper stores as well (4.4), is not
//   said. `patterns` counts each once, `versions` all.
// - Its agent did not prove what it learned, which was planned (4.3): that is `prove=none`. With the proof it is the
//   agent of krow. Both stand beside the published figures.
// - max() in its algorithms takes the first of equal choices, which is `ties=first`. Agents of krow draw lots unless
//   reported otherwise; then there are more different games, and the same number of them teaches less. The reference
//   agents draw lots in all rows: otherwise the same two games would be played until something is learned.
// - "The main agent is set to use only top-tier patterns" in its heuristic (5.2): the default of the agent.
// - Limits of five seconds a turn and two minutes a game (5.1) are those of a whole machine of its time and MATLAB; the
//   agents here need a small part of them.
//
// Games begin on the empty board. How much they differ is the agents' lots, and what has been learned in between.
#include "papers/experiment/paper.h"

#include <math.h>

#define NONE NAN

// "each player has got at most five seconds to act in each turn. Time limit for the whole match was set to two minutes"
#define TURN_SECONDS 5
#define GAME_SECONDS 120

// --- Curves ---

#define UNPROVED "patterns:ties=first,prove=none"
#define UNPROVED_NAME "patterns without the proof, as in the paper"
#define PROVED "patterns:ties=first"
#define PROVED_NAME "patterns with the proof that the paper planned"
#define LOTS "patterns"
#define LOTS_NAME "patterns with the proof, and lots among equals"

#define CURVE(name, learner, against, opponent, into, figure, where, more, count, vague)                               \
    {                                                                                                                  \
        .label = name ", against " against, .unit = "score", .published = (figure), .source = (where),                 \
        .remark = (vague), .measure = &paper_measure_learning, .game = "gomoku", .agents = {(learner), (opponent)},    \
        .games = (count), .start = PAPER_EMPTY_BOARD, .further = (more), .set = "003-" into,                           \
        .limits = {.turn_seconds = TURN_SECONDS, .clock_seconds = GAME_SECONDS},                                       \
    }

#define VAGUE "called a percentage limit; patterns perhaps with turned and mirrored ones"

static const PaperUnit constant_units[] = {
    {"recent", NONE},  {"patterns", 516},   {"versions", NONE},
    {"refuted", NONE}, {"undecided", NONE}, {"turns", NONE},
    {"ms", NONE},      {"slowest", NONE},   {0},
};

static const PaperTrial constant_trials[] = {
    CURVE(UNPROVED_NAME, UNPROVED, "constant", "constant", "constant-unproved", 0.84, "Fig. 5 and section 5.2",
          constant_units, 200, VAGUE),
    CURVE(PROVED_NAME, PROVED, "constant", "constant", "constant", 0.84, "Fig. 5 and section 5.2", constant_units, 200,
          VAGUE),
    CURVE(LOTS_NAME, LOTS, "constant", "constant", "constant-lots", 0.84, "Fig. 5 and section 5.2", constant_units, 200,
          VAGUE),
    {0},
};

static const PaperUnit incremental_units[] = {
    {"recent", NONE},  {"patterns", 696},   {"versions", NONE},
    {"refuted", NONE}, {"undecided", NONE}, {"turns", NONE},
    {"ms", NONE},      {"slowest", NONE},   {0},
};

static const PaperTrial incremental_trials[] = {
    CURVE(UNPROVED_NAME, UNPROVED, "incremental", "incremental", "incremental-unproved", 0.79, "Fig. 6 and section 5.2",
          incremental_units, 200, VAGUE),
    CURVE(PROVED_NAME, PROVED, "incremental", "incremental", "incremental", 0.79, "Fig. 6 and section 5.2",
          incremental_units, 200, VAGUE),
    CURVE(LOTS_NAME, LOTS, "incremental", "incremental", "incremental-lots", 0.79, "Fig. 6 and section 5.2",
          incremental_units, 200, VAGUE),
    {0},
};

// "Our agent won 36 out of 1000 matches during the evaluation. There were no draws." The number of patterns was only in
// the figure.
static const PaperUnit carbon_units[] = {
    {"wins", 0.036},
    {"draws", 0},
    {"recent", NONE},
    {"patterns", NONE},
    {"versions", NONE},
    {"refuted", NONE},
    {"undecided", NONE},
    {"turns", NONE},
    {"ms", NONE},
    {"slowest", NONE},
    {0},
};

static const PaperTrial carbon_trials[] = {
    CURVE(UNPROVED_NAME, UNPROVED, "Carbon", PAPER_OPPONENT, "carbon-unproved", 0.036, "Fig. 7 and section 5.3",
          carbon_units, 1000, NULL),
    CURVE(PROVED_NAME, PROVED, "Carbon", PAPER_OPPONENT, "carbon", 0.036, "Fig. 7 and section 5.3", carbon_units, 1000,
          NULL),
    {0},
};

// --- The reference agents against each other ---

#define MATCH(name, agent, figure, where, more, count, begin)                                                          \
    {                                                                                                                  \
        .label = (name), .unit = "wins", .published = (figure), .source = (where), .measure = &paper_measure_games,    \
        .game = "gomoku", .agents = {(agent), "constant"}, .games = (count), .start = (begin), .further = (more),      \
        .limits = {.turn_seconds = TURN_SECONDS, .clock_seconds = GAME_SECONDS},                                       \
    }

// "only beat "constant" in 63 out of 100 games, with 8 draws": 29 lost.
static const PaperUnit agents_units[] = {{"draws", 0.08}, {"losses", 0.29}, {"turns", NONE}, {0}};
static const PaperUnit opened_units[] = {{"draws", NONE}, {"losses", NONE}, {"turns", NONE}, {0}};

static const PaperTrial agents_trials[] = {
    MATCH("incremental against constant", "incremental", 0.63, "section 5.2", agents_units, 100, PAPER_EMPTY_BOARD),
    MATCH("incremental by the letter (before=summed) against constant", "incremental:before=summed", 0.63,
          "section 5.2", agents_units, 100, PAPER_EMPTY_BOARD),
    MATCH("incremental against constant, first turns by lot (beyond the paper)", "incremental", NONE, NULL,
          opened_units, 200, PAPER_FIRST_TURNS),
    {0},
};

static const PaperTable tables[] = {
    {"constant", "Fig. 5: learning against constant", constant_trials},
    {"incremental", "Fig. 6: learning against incremental", incremental_trials},
    {"agents", "section 5.2: the reference agents against each other", agents_trials},
    {"carbon", "Fig. 7: learning where the paper has Carbon", carbon_trials},
    {0},
};

extern const Paper paper_003;
const Paper paper_003 = {
    .name = "003",
    .title = "Szóts and Harmati: Development of an Incremental Pattern Extraction Based Gomoku Agent",
    .tables = tables,
};
