// Kulev and Wu, Heuristics and Threat-Space-Search in Connect 5: Figures 4 to 10, the games of section 6, and what the
// text would like to know. docs/papers/002.md says what agrees and what was decided.
//
// The paper has two kinds of figures (section 5): the mean nodes and seconds of a search of fixed depth over 100 test
// positions, and tournaments at 0.1 s a move from 50 starting positions, two games each. Its positions are lost; those
// of papers/connect5/connect5_positions.h were made as it describes. Here:
//
// - A search counts its nodes as papers/connect5/alphabeta.h says, and has a limit in nodes, not in seconds, so that
//   the same searches end at it everywhere. Where some do, the mean is a lower bound, and the row says so.
// - A plain search to depth 5, or a good one to depth 7, does not come to its end on most of these positions: with b
//   free cells the smallest tree that alpha-beta can have has b^ceil(d/2) + b^floor(d/2) - 1 leaves, which for b = 140
//   and depth 7 are 387 million. Depth 7 is searched on the first 20 positions only.
// - Figures are shown as printed also where they contradict one another; a remark says where.
// - Games have a clock: --jobs must not be more than there are cores, and a game played again may be another one. 100
//   games leave limits of at most ± 10 points for a share.
#include "papers/experiment/paper.h"

#include "papers/connect5/connect5_positions.h"

#include <math.h>

#define NONE NAN

// --- Positions ---

// Searches of openings and filters: as `krow openings --filter undecided` makes them.
#define RECIPE(share, least, most, number)                                                                             \
    {                                                                                                                  \
        .agent = "alphabeta:depth=1", .chance = (share), .min_turns = (least), .max_turns = (most),                    \
        .keep_unquiet = true, .undecided = 3, .seed = (number)                                                         \
    }

static const PaperPositions tests = {connect5_tests, CONNECT5_TESTS, RECIPE(0.5, 1, 168, 2009)};
static const PaperPositions starts = {connect5_starts, CONNECT5_STARTS, RECIPE(0.5, 1, 20, 2010)};

// The same recipes on 19x19, where nothing is kept.
#define LARGE_GAME "19x19:k=5"
static const PaperPositions large_tests = {NULL, 0, RECIPE(0.5, 1, 360, 2009)};
static const PaperPositions large_starts = {NULL, 0, RECIPE(0.5, 1, 20, 2010)};

// The test positions with other shares of random stones; those that are kept have half.
static const PaperPositions most_by_lot = {NULL, 0, RECIPE(0.8, 1, 168, 2009)};
static const PaperPositions nearly_all_by_lot = {NULL, 0, RECIPE(0.95, 1, 168, 2009)};

// Positions in which wins are to be found: from games of `connect5` at depth 1 with some random stones.
static const PaperPositions played = {
    NULL,
    0,
    {.agent = "connect5", .chance = 0.2, .min_turns = 10, .max_turns = 40, .keep_unquiet = true, .seed = 2011},
};

// --- Searches ---

#define SEARCH(text, rules, agent, stones, limit, list, count, figure, seconds, where, word)                           \
    {                                                                                                                  \
        .label = (text), .unit = "nodes", .published = (figure), .source = (where), .remark = (word),                  \
        .measure = &paper_measure_positions, .game = (rules), .agents = {(agent)},                                     \
        .limits = {.nodes = (limit), .depth = (stones)},                                                               \
        .further = (const PaperUnit[]){{"ms", 1000 * (seconds)}, {0}}, .positions = (list), .searches = (count)        \
    }

#define TEST(text, agent, stones, limit, count, figure, seconds, where, word)                                          \
    SEARCH(text, CONNECT5_GAME, agent, stones, limit, &tests, count, figure, seconds, where, word)

#define LIMIT 50000000
#define LIMIT_NONE 500000000
#define LIMIT_7 100000000
#define COUNT_7 20

// The figure stands before section 3.2, and does not name an evaluation: as in Fig. 6.
static const PaperTrial plain_trials[] = {
    TEST("depth 3", "alphabeta:order=none", 3, LIMIT, 100, 50873, 0.054, "Fig. 4", NULL),
    TEST("depth 4", "alphabeta:order=none", 4, LIMIT, 100, 1346021, 1.527, "Fig. 4", NULL),
    TEST("depth 5", "alphabeta:order=none", 5, LIMIT, 100, NONE, NONE, NULL,
         "Fig. 4 calls it unfinished, Fig. 6 has 5508303 nodes"),
    {0},
};

// What an order saves can be reported only as far as the search without one goes: its limit is ten times the others'.
#define ORDER(text, options, figure, seconds)                                                                          \
    TEST(text, "alphabeta:" options, 5, LIMIT, 100, figure, seconds, "Fig. 6", NULL)

static const PaperTrial orderings_trials[] = {
    TEST("no ordering, Simple", "alphabeta:order=none", 5, LIMIT_NONE, 100, 5508303, 6.702, "Fig. 6",
         "Fig. 4 calls it unfinished"),
    ORDER("SimpleOrder, Simple", "order=simple", 228992, 0.382),
    ORDER("NeighborOrder, Simple", "order=neighbor", 1262594, 1.631),
    ORDER("HistoryOrder, Simple", "order=history", 245332, 0.256),
    ORDER("SimpleOrder, Neighbors", "eval=neighbors,order=simple", 1386467, 4.326),
    ORDER("NeighborOrder, Neighbors", "eval=neighbors,order=neighbor", 675191, 2.263),
    ORDER("HistoryOrder, Neighbors", "eval=neighbors,order=history", 636534, 1.551),
    {0},
};

#define DEEP(text, options, figure, seconds, where)                                                                    \
    TEST(text, "alphabeta:" options, 7, LIMIT_7, COUNT_7, figure, seconds, where, NULL)

static const PaperTrial orderings_7_trials[] = {
    DEEP("SimpleOrder, depth 7", "order=simple", 6771025, 12.498, "Fig. 7"),
    DEEP("HistoryOrder, depth 7", "order=history", 8304484, 9.103, "Fig. 7"),
    {0},
};

// HistoryOrder, since the first row of Fig. 8 is that of Fig. 7. Depth 5 is not in the paper: it comes to its end.
#define GENERATOR_5(text, options)                                                                                     \
    TEST(text ", depth 5 (beyond the paper)", "alphabeta:" options, 5, LIMIT, 100, NONE, NONE, NULL, NULL)

static const PaperTrial generators_trials[] = {
    DEEP("AllLegal, depth 7", "moves=all", 8304484, 9.103, "Fig. 8"),
    DEEP("Radius2, depth 7", "moves=radius2", 3691037, 6.799, "Fig. 8"),
    DEEP("Line2, depth 7", "moves=line2", 2737824, 6.069, "Fig. 8"),
    GENERATOR_5("AllLegal", "moves=all"),
    GENERATOR_5("Radius2", "moves=radius2"),
    GENERATOR_5("Line2", "moves=line2"),
    {0},
};

// Section 3.4: "perhaps a board larger than 13x13 will show a sharper effect".
#define LARGE(text, options, stones, count)                                                                            \
    SEARCH(text, LARGE_GAME, "alphabeta:" options, stones, LIMIT, &large_tests, count, NONE, NONE, NULL, NULL)

static const PaperTrial generators_19_trials[] = {
    LARGE("AllLegal, depth 4", "moves=all", 4, 50),
    LARGE("Radius2, depth 4", "moves=radius2", 4, 50),
    LARGE("Line2, depth 4", "moves=line2", 4, 50),
    {0},
};

#define LOT(text, options, stones, list)                                                                               \
    SEARCH(text, CONNECT5_GAME, "alphabeta:" options, stones, LIMIT, list, 50, NONE, NONE, NULL, NULL)

static const PaperTrial recipes_trials[] = {
    LOT("50 % by lot, depth 3, no ordering", "order=none", 3, &tests),
    LOT("80 % by lot, depth 3, no ordering", "order=none", 3, &most_by_lot),
    LOT("95 % by lot, depth 3, no ordering", "order=none", 3, &nearly_all_by_lot),
    LOT("50 % by lot, depth 5, HistoryOrder", "order=history", 5, &tests),
    LOT("80 % by lot, depth 5, HistoryOrder", "order=history", 5, &most_by_lot),
    LOT("95 % by lot, depth 5, HistoryOrder", "order=history", 5, &nearly_all_by_lot),
    {0},
};

// With b free cells a search to depth 5 has at least b^3 + b^2 - 1 leaves, so the printed nodes of Fig. 6 would allow
// for 62 free cells at the most, and those of depth 7 for 53, on a board of 169. One stone less fits better: b^2 + b^2
// - 1 at depth 4, and 6.7 million at depth 6 for b = 150, where 6.8 million are printed.
#define ONE_LESS(text, options, stones, count, figure, seconds, where)                                                 \
    TEST(text, "alphabeta:" options, stones, LIMIT_7, count, figure, seconds, where, NULL)

static const PaperTrial one_less_trials[] = {
    ONE_LESS("no ordering, Simple, depth 4", "order=none", 4, 100, 5508303, 6.702, "Fig. 6"),
    ONE_LESS("SimpleOrder, Simple, depth 4", "order=simple", 4, 100, 228992, 0.382, "Fig. 6"),
    ONE_LESS("NeighborOrder, Simple, depth 4", "order=neighbor", 4, 100, 1262594, 1.631, "Fig. 6"),
    ONE_LESS("HistoryOrder, Simple, depth 4", "order=history", 4, 100, 245332, 0.256, "Fig. 6"),
    ONE_LESS("SimpleOrder, Neighbors, depth 4", "eval=neighbors,order=simple", 4, 100, 1386467, 4.326, "Fig. 6"),
    ONE_LESS("NeighborOrder, Neighbors, depth 4", "eval=neighbors,order=neighbor", 4, 100, 675191, 2.263, "Fig. 6"),
    ONE_LESS("HistoryOrder, Neighbors, depth 4", "eval=neighbors,order=history", 4, 100, 636534, 1.551, "Fig. 6"),
    ONE_LESS("SimpleOrder, depth 6", "order=simple", 6, COUNT_7, 6771025, 12.498, "Fig. 7"),
    ONE_LESS("HistoryOrder, depth 6", "order=history", 6, COUNT_7, 8304484, 9.103, "Fig. 7 and 8"),
    ONE_LESS("HistoryOrder, Radius2, depth 6", "moves=radius2", 6, COUNT_7, 3691037, 6.799, "Fig. 8"),
    ONE_LESS("HistoryOrder, Line2, depth 6", "moves=line2", 6, COUNT_7, 2737824, 6.069, "Fig. 8"),
    {0},
};

// Section 4.5: "wins that are five or even seven moves beyond the maximum depth reached". A move is a stone.
#define BEYOND(text, stones)                                                                                           \
    {                                                                                                                  \
        .label = (text), .unit = "furthest", .published = 7, .source = "section 4.5",                                  \
        .measure = &paper_measure_positions, .game = CONNECT5_GAME, .agents = {"connect5:moves=all"},                  \
        .limits = {.nodes = LIMIT, .depth = (stones)}, .further = (const PaperUnit[]){{"beyond", NONE}, {0}},          \
        .positions = &played, .searches = 1000                                                                         \
    }

static const PaperTrial beyond_trials[] = {
    BEYOND("depth 2", 2),
    BEYOND("depth 3", 3),
    BEYOND("depth 4", 4),
    {0},
};

// --- Games ---

#define GAMES(text, rules, list, agent, opponent, won, lost, tied, where, word)                                        \
    {                                                                                                                  \
        .label = (text), .unit = "wins", .published = (won) / 100.0, .source = (where), .remark = (word),              \
        .measure = &paper_measure_games, .game = (rules), .agents = {(agent), (opponent)}, .games = 100,               \
        .start = PAPER_POSITIONS, .limits = {.turn_seconds = 0.1},                                                     \
        .further = (const PaperUnit[]){{"losses", (lost) / 100.0}, {"draws", (tied) / 100.0}, {0}},                    \
        .positions = (list)                                                                                            \
    }

#define PAIR(text, agent, opponent, won, lost, tied, where, word)                                                      \
    GAMES(text, CONNECT5_GAME, &starts, agent, opponent, won, lost, tied, where, word)

// A figure from the other half of a table, with the sides exchanged, is the same game; only one contradicts.
#define EVAL(name, eval, other_name, other, won, lost, tied, word)                                                     \
    PAIR(name " against " other_name, "alphabeta:eval=" eval, "alphabeta:eval=" other, won, lost, tied, "Fig. 5", word)

#define DOWN "empty-neighbors-down"
#define UP "empty-neighbors-up"

static const PaperTrial evaluations_trials[] = {
    EVAL("Random", "random", "Simple", "simple", 11, 84, 5, NULL),
    EVAL("Random", "random", "SimpleDef", "simpledef", 6, 86, 8, NULL),
    EVAL("Random", "random", "EmpNeiD", DOWN, 46, 52, 2, NULL),
    EVAL("Random", "random", "EmpNeiU", UP, 42, 57, 1, NULL),
    EVAL("Random", "random", "Nei", "neighbors", 71, 31, 8, "printed as 71-31-8, 110 games"),
    EVAL("Simple", "simple", "SimpleDef", "simpledef", 37, 36, 17, "printed as 37-36-17, 90 games"),
    EVAL("Simple", "simple", "EmpNeiD", DOWN, 99, 0, 1, NULL),
    EVAL("Simple", "simple", "EmpNeiU", UP, 83, 17, 0, NULL),
    EVAL("Simple", "simple", "Nei", "neighbors", 99, 1, 0, NULL),
    EVAL("SimpleDef", "simpledef", "EmpNeiD", DOWN, 95, 1, 4, NULL),
    EVAL("SimpleDef", "simpledef", "EmpNeiU", UP, 85, 15, 0, NULL),
    EVAL("SimpleDef", "simpledef", "Nei", "neighbors", 96, 0, 4, NULL),
    EVAL("EmpNeiD", DOWN, "EmpNeiU", UP, 35, 65, 0, NULL),
    EVAL("EmpNeiD", DOWN, "Nei", "neighbors", 38, 61, 1, "printed the other way round as 51-38-1, 90 games"),
    EVAL("EmpNeiU", UP, "Nei", "neighbors", 75, 25, 0, NULL),
    {0},
};

#define GENERATOR(name, moves, other_name, other, won, lost, tied)                                                     \
    PAIR(name " against " other_name, "alphabeta:moves=" moves, "alphabeta:moves=" other, won, lost, tied, "Fig. 9",   \
         NULL)

static const PaperTrial generators_games_trials[] = {
    GENERATOR("All", "all", "Radius2", "radius2", 44, 44, 12),
    GENERATOR("All", "all", "Line2", "line2", 45, 44, 11),
    GENERATOR("Radius2", "radius2", "Line2", "line2", 42, 46, 12),
    {0},
};

#define GENERATOR_19(name, moves, other_name, other)                                                                   \
    GAMES(name " against " other_name, LARGE_GAME, &large_starts, "alphabeta:moves=" moves, "alphabeta:moves=" other,  \
          NONE, NONE, NONE, NULL, NULL)

static const PaperTrial generators_19_games_trials[] = {
    GENERATOR_19("All", "all", "Radius2", "radius2"),
    GENERATOR_19("All", "all", "Line2", "line2"),
    GENERATOR_19("Radius2", "radius2", "Line2", "line2"),
    {0},
};

// Everything but the cap as in the agent the authors ended with (section 6).
#define CAP(name, cap, other_name, other, won, lost, tied, where, word)                                                \
    PAIR(name " against " other_name, "connect5:threats=" cap, "connect5:threats=" other, won, lost, tied, where, word)
#define CAP_10(cap, other, won, lost, tied, word)                                                                      \
    CAP("TS" cap, cap, "TS" other, other, won, lost, tied, "Fig. 10", word)

static const PaperTrial threats_trials[] = {
    CAP("NoTS", "0", "TS10", "10", 36, 64, 0, "Fig. 10", NULL),
    CAP("NoTS", "0", "TS50", "50", 26, 72, 2, "Fig. 10", NULL),
    CAP("NoTS", "0", "TS100", "100", 25, 70, 5, "Fig. 10", NULL),
    CAP("NoTS", "0", "TS150", "150", 25, 72, 3, "Fig. 10", NULL),
    CAP_10("10", "50", 38, 54, 9, "printed as 38-54-9, 101 games"),
    CAP_10("10", "100", 28, 60, 12, NULL),
    CAP_10("10", "150", 20, 68, 12, NULL),
    CAP_10("50", "100", 46, 45, 9, NULL),
    CAP_10("50", "150", 41, 50, 9, NULL),
    CAP_10("100", "150", 39, 50, 11, NULL),
    {0},
};

// Section 4.5: "it would be interesting to see how far this trend continues", and a search that handles threes.
#define HIGHER(cap, other) CAP("TS" cap, cap, "TS" other, other, NONE, NONE, NONE, NULL, NULL)

static const PaperTrial caps_trials[] = {
    HIGHER("300", "150"),
    HIGHER("1000", "150"),
    HIGHER("1000", "300"),
    PAIR("threes and TS150 against TS150", "connect5:threes=1", "connect5", NONE, NONE, NONE, NULL, NULL),
    {0},
};

// --- Section 6: Stahlfaust ---

// Played by hand, four games with each time, and not to be had. The first turn or two are made, as in paper 001: agents
// that draw few lots repeat their games from the empty board. "In less than 25 moves" is all that is reported of
// lengths.
#define STAHLFAUST(text, seconds, won, lost)                                                                           \
    {                                                                                                                  \
        .label = "connect5 against Stahlfaust, " text, .unit = "wins", .published = (won), .source = "section 6",      \
        .remark = "4 games there", .measure = &paper_measure_games, .game = "15x15:k=5",                               \
        .agents = {"connect5", PAPER_OPPONENT}, .games = 20, .start = PAPER_FIRST_TURNS,                               \
        .limits = {.turn_seconds = (seconds)}, .further = (const PaperUnit[])                                          \
        {                                                                                                              \
            {"losses", (lost)}, {"draws", 0}, {"turns", NONE},                                                         \
            {                                                                                                          \
                0                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

static const PaperTrial stahlfaust_trials[] = {
    STAHLFAUST("2 s", 2, 1, 0),
    STAHLFAUST("8 s", 8, 0.75, 0.25),
    {0},
};

static const PaperTable tables[] = {
    {"plain", "Fig. 4: alpha-beta without an order", plain_trials},
    {"evaluations", "Fig. 5: evaluations against each other", evaluations_trials},
    {"orderings", "Fig. 6: move orderings at depth 5, with two evaluations", orderings_trials},
    {"orderings-7", "Fig. 7: move orderings at depth 7", orderings_7_trials},
    {"generators", "Fig. 8: move generators at depth 7, and at depth 5", generators_trials},
    {"generators-games", "Fig. 9: move generators against each other", generators_games_trials},
    {"threats", "Fig. 10: caps of the threat search against each other", threats_trials},
    {"generators-19", "beyond the paper: move generators on 19x19", generators_19_trials},
    {"generators-19-games", "beyond the paper: move generators against each other on 19x19",
     generators_19_games_trials},
    {"caps", "beyond the paper: caps above 150, and threes, against each other", caps_trials},
    {"beyond-depth", "section 4.5: how many stones beyond the depth of the search wins are seen", beyond_trials},
    {"recipes", "beyond the paper: test positions with more and fewer stones by lot", recipes_trials},
    {"one-less", "beyond the paper: Figures 6 to 8 with one stone less, as if their depth were counted from 0",
     one_less_trials},
    {"stahlfaust", "section 6: against Stahlfaust, or a program that stands in for it", stahlfaust_trials},
    {0},
};

extern const Paper paper_002;
const Paper paper_002 = {
    .name = "002",
    .title = "Kulev and Wu: Heuristics and Threat-Space-Search in Connect 5",
    .tables = tables,
};
