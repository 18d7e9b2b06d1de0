// Vasilchenko and Johnson, Intelligent Agent for Connect 4: Figures 1, 2 and 4, and what its discussion and its future
// work would like to know. docs/papers/004.md says what agrees and what was decided.
//
// All figures were pictures and are lost; of their numbers the text has one, the 13 % of turns that the hybrid agent
// decided without a search. What it leaves open:
//
// - Who plays first. Here both agents begin every second game, and `as_first` and `as_second` tell the games apart.
// - Where games begin: the empty board. Both agents draw lots, so that their games differ; where `chain` plays itself
//   games begin from random openings, or they would often repeat one another.
// - Fig. 1 has calls of Min and Max "per turn", of unknown games. Here all searches are asked in every turn of
//   the same games, `chain` against `hybrid`, and a call is a position that the search visits. The search that it
//   was drawn for is that of the hybrid agent before there was any detection (`detect=0`); `chain` came later.
// - Against whom and of what the 13 % are is not said. It is put beside all turns that were decided without a search
//   (`detected`); those of threes alone (`threes`) are beside nothing.
//
// Budgets are depths, so that games come out the same again; milliseconds do not.
#include "papers/experiment/paper.h"

#include <math.h>

#define NONE NAN

// Searches go straight to their depth, whatever it takes.
#define FULL "nodes=0"

// --- Calls of the search ---

#define TURNS(text, agent, first_unit, more, count, title, name)                                                       \
    {                                                                                                                  \
        .label = (text), .unit = (first_unit), .published = NONE, .measure = &paper_measure_turns, .game = "connect4", \
        .agents = {"chain", "hybrid"}, .games = (count), .start = PAPER_EMPTY_BOARD, .further = (more),                \
        .asked = {(agent)}, .panel = (title), .line = (name)                                                           \
    }

#define OUTCOMES "Calls a turn, knowing wins and losses alone (hybrid)"
#define CHAINS "Calls a turn, counting chains (chain)"

static const PaperUnit time_units[] = {{"ms", NONE}, {"slowest", NONE}, {0}};

#define CALLS(text, agent, title, name) TURNS(text, agent, "nodes", time_units, 200, title, name)

static const PaperTrial calls_trials[] = {
    CALLS("search of hybrid, without pruning", "hybrid:detect=0,pruning=0," FULL, OUTCOMES, "without pruning"),
    CALLS("search of hybrid, with pruning", "hybrid:detect=0," FULL, OUTCOMES, "with pruning"),
    CALLS("search of chain, without pruning", "chain:pruning=0," FULL, CHAINS, "without pruning"),
    CALLS("search of chain, with pruning", "chain:" FULL, CHAINS, "with pruning"),
    {0},
};

// --- Games ---

#define GAMES(text, a, b, first_unit, figure, where, more, count, begin)                                               \
    {                                                                                                                  \
        .label = (text), .unit = (first_unit), .published = (figure), .source = (where),                               \
        .measure = &paper_measure_games, .game = "connect4", .agents = {(a), (b)}, .games = (count), .start = (begin), \
        .further = (more)                                                                                              \
    }

// "an average of 13% of the turns could be made without calling the recursive minimax function" (section 1a).
#define DETECTED 0.13

static const PaperUnit detected_units[] = {
    {"threes/turns", NONE}, {"score", NONE},  {"wins", NONE},
    {"draws", NONE},        {"losses", NONE}, {"as_first", NONE},
    {"as_second", NONE},    {"turns", NONE},  {0},
};

#define HYBRID(text, opponent, count)                                                                                  \
    GAMES(text, "hybrid", opponent, "detected/turns", DETECTED, "section 1a", detected_units, count, PAPER_EMPTY_BOARD)

static const PaperTrial hybrid_trials[] = {
    HYBRID("hybrid against random", "random", 10000),
    HYBRID("hybrid against chain", "chain", 2000),
    HYBRID("hybrid against itself", "hybrid", 2000),
    {0},
};

static const PaperUnit game_units[] = {
    {"wins", NONE},     {"draws", NONE},     {"losses", NONE}, // of all games
    {"as_first", NONE}, {"as_second", NONE}, {"turns", NONE},  {0},
};

#define MATCH(text, a, b, count) GAMES(text, a, b, "score", NONE, NULL, game_units, count, PAPER_EMPTY_BOARD)

static const PaperTrial chain_trials[] = {
    MATCH("chain against random", "chain", "random", 10000),
    MATCH("chain against hybrid", "chain", "hybrid", 10000),
    {0},
};

// "Indirect Actions", and the two reasons that the discussion has for what it found: hybrid is "impulsive", and chain
// plans at every move.
static const PaperTrial detection_trials[] = {
    MATCH("hybrid that sees gaps against hybrid", "hybrid:gaps=1", "hybrid", 10000),
    MATCH("hybrid without detection against hybrid", "hybrid:detect=0", "hybrid", 10000),
    MATCH("hybrid that sees gaps against hybrid without detection", "hybrid:gaps=1", "hybrid:detect=0", 10000),
    MATCH("chain against hybrid that sees gaps", "chain", "hybrid:gaps=1", 2000),
    MATCH("chain against hybrid without detection", "chain", "hybrid:detect=0", 2000),
    {0},
};

// --- Response times ---

static const PaperUnit slowest_units[] = {{"slowest", NONE}, {"nodes", NONE}, {0}};

#define TIMES(text, agent) TURNS(text, agent, "ms", slowest_units, 1000, NULL, NULL)

static const PaperTrial times_trials[] = {
    TIMES("hybrid", "hybrid"),
    TIMES("hybrid without detection", "hybrid:detect=0"),
    TIMES("chain", "chain"),
    {0},
};

// --- Depths ---

// "It would be useful to experiment with different max-depth value" (Max-Depth Optimization).
#define DEPTH_COST(depth)                                                                                              \
    TURNS("chain, depth " #depth, "chain:depth=" #depth "," FULL, "nodes", time_units, 200, NULL, NULL)
#define DEPTH_SCORE(depth, less)                                                                                       \
    GAMES("chain, depth " #depth " against depth " #less, "chain:depth=" #depth "," FULL,                              \
          "chain:depth=" #less "," FULL, "score", NONE, NULL, game_units, 1000, PAPER_OPENINGS)

static const PaperTrial depth_trials[] = {
    DEPTH_COST(1),     DEPTH_COST(2),
    DEPTH_COST(3),     DEPTH_COST(4),
    DEPTH_COST(5),     DEPTH_COST(6),
    DEPTH_COST(7),     DEPTH_SCORE(2, 1),
    DEPTH_SCORE(3, 2), DEPTH_SCORE(4, 3),
    DEPTH_SCORE(5, 4), DEPTH_SCORE(6, 5),
    DEPTH_SCORE(7, 6), {0},
};

// --- Perfect play ---

// How far the agents are from it, which the paper could not say: shares of turns of the same games in which their
// stone keeps what the position is worth. Solving takes most of the time, so all are asked in one trial. `level:n=10`
// is the strongest opponent that krow offers people, and random stones tell how much is kept by chance.
static const PaperUnit kept_units[] = {
    {"kept/critical", NONE}, {"kept_score/turns", NONE}, {"critical/turns", NONE}, {0}};

static const PaperTrial perfect_trials[] = {
    {
        .label = "seven agents asked in the same turns",
        .unit = "kept/turns",
        .published = NONE,
        .measure = &paper_measure_turns,
        .game = "connect4",
        .agents = {"chain", "hybrid"},
        .games = 40,
        .start = PAPER_EMPTY_BOARD,
        .further = kept_units,
        .asked = {"hybrid", "hybrid:gaps=1", "hybrid:detect=0", "chain", "chain:depth=6,nodes=0", "level:n=10",
                  "random"},
    },
    {0},
};

static const PaperTable tables[] = {
    {"calls", "Fig. 1: calls of the search in a turn, pruned or not", calls_trials},
    {"hybrid", "Fig. 2 and section 1a: hybrid against random, and turns decided without a search", hybrid_trials},
    {"chain", "Fig. 4: chain against random and against hybrid", chain_trials},
    {"detection", "Indirect Actions, and whether detection helps", detection_trials},
    {"times", "section 2b: response times in the same turns", times_trials},
    {"depth", "Max-Depth Optimization: what a stone more of depth brings and costs", depth_trials},
    {"perfect", "how far from perfect play: turns that keep the value of the position", perfect_trials},
    {0},
};

extern const Paper paper_004;
const Paper paper_004 = {
    .name = "004",
    .title = "Vasilchenko and Johnson: Intelligent Agent for Connect 4",
    .tables = tables,
};
