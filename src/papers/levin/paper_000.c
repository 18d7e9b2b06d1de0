// Levin, Deitch, Emerson and Shimshock, Analysis of Computational Agents for Connect-k Games: the figures of section 5
// and the argument of section 1.1 that p = 2q is fair. docs/papers/000.md says what agrees and what was decided.
//
// The paper gives shares of games won, but not how many games were played, from where they began, or how draws were
// counted. Here, unless a table says otherwise:
//
// - Connect6 on 19x19, as in section 3.1.
// - Every pair of games begins from another opening made by krow (match/openings.h: 1 to 10 turns of `adjacent`, half
//   of the stones at random, neither side has a threat yet), played with both colours. The agents are hardly
//   ever random, so openings are what makes games differ, and both colours take the luck of an opening out.
// - `wins` is the share of all games that were won, draws being not won; `score` counts a draw as half a win.
//
// How many games. Two shares p and r are distinguished (5 % error, 80 % power) by n games each with
//
//     n = (1.960 + 0.842)^2 (p (1 - p) + r (1 - r)) / (p - r)^2
//
// 77 % and 70 %: 7.85 (0.177 + 0.210) / 0.0049 = 620, so 640. A share near one half has limits of ± 1.96 / (2 sqrt n):
// 52 % leaves out 50 % from n = 2401 on, so 2400 (± 2.0 points; to see it four times in five would take 4905, about
// --scale 2, which plays other games). 400 games leave ± 5 points, 100 games ± 10.
#include "papers/experiment/paper.h"

#include <math.h>

#define CONNECT6 "connect6"
#define NONE NAN

// --- Section 5: the strongest agents ---

// The paper gives no width for the search of depth 4: 8 is krow's choice, and the table `width` shows what hangs on it.
static const PaperTrial agents_trials[] = {
    {.unit = "wins",
     .published = 0.77,
     .source = "section 5",
     .measure = &paper_measure_wins,
     .game = CONNECT6,
     .agents = {"sequences", "threats"},
     .games = 640},
    {.unit = "wins",
     .published = 0.70,
     .source = "section 5",
     .measure = &paper_measure_wins,
     .game = CONNECT6,
     .agents = {"sequences", "montecarlo"},
     .games = 640},
    {.unit = "wins",
     .published = 0.52,
     .source = "section 5",
     .measure = &paper_measure_wins,
     .game = CONNECT6,
     .agents = {"threats:depth=4,width=8", "sequences"},
     .games = 2400},
    {0},
};

// --- Everybody against everybody ---

// Opening Book is an aid for the first turns and needs somebody who goes on: Sequences, which it differs from only
// where an opening is short enough for a book to know it. Without a book in the database it does not differ at all.
#define BOOK "book:fallback=sequences"

static const PaperTrial roundrobin_trials[] = {
    {.label = "all agents of the paper",
     .unit = "score",
     .published = NONE,
     .measure = &paper_measure_field,
     .game = CONNECT6,
     .agents = {"random", "adjacent", "windows", "mesh", "montecarlo", "threats", "sequences", BOOK},
     .games = 60},
    {0},
};

// --- Section 3.3: the book as an early-game aid ---

// From the empty board, where a book has the most to say.
static const PaperTrial book_trials[] = {
    {.unit = "wins",
     .published = NONE,
     .measure = &paper_measure_wins,
     .game = CONNECT6,
     .agents = {BOOK, "sequences"},
     .games = 200,
     .start = PAPER_EMPTY_BOARD},
    {0},
};

// --- Section 5: "limited testing did show improvement" of Sequences with search ---

#define SEARCH(agent_a, agent_b, count)                                                                                \
    {                                                                                                                  \
        .unit = "wins", .published = NONE, .measure = &paper_measure_wins, .game = CONNECT6,                           \
        .agents = {agent_a, agent_b}, .games = (count)                                                                 \
    }

// Depth 2 is the own turn, depth 4 the answer too.
static const PaperTrial search_trials[] = {
    SEARCH("sequences:depth=2,width=8", "sequences", 400),
    SEARCH("sequences:depth=4,width=8", "sequences", 400),
    {0},
};

static const PaperTrial width_trials[] = {
    SEARCH("threats:depth=4,width=2", "sequences", 400),
    SEARCH("threats:depth=4,width=4", "sequences", 400),
    SEARCH("threats:depth=4,width=16", "sequences", 400),
    {0},
};

// --- Section 5: NCTU6 ---

// Played by hand there, and the program is not to be had: any engine may stand in. 100 games leave ± 6 points at 10 %.
// A second a turn is for the engine; our agents take less.
#define NCTU6(agent, share)                                                                                            \
    {                                                                                                                  \
        .label = agent " against NCTU6", .unit = "wins", .published = (share), .source = "section 5",                  \
        .measure = &paper_measure_wins, .game = CONNECT6, .agents = {agent, PAPER_OPPONENT}, .games = 100, .limits = { \
            .turn_seconds = 1                                                                                          \
        }                                                                                                              \
    }

static const PaperTrial nctu6_trials[] = {
    NCTU6("threats", 0),
    NCTU6("sequences", 0.10),
    {0},
};

// --- Section 1.1: p = 2q is fair ---

// Equal agents from the empty board, and the score of the first player; one half is fair. Openings would spoil it:
// stones that were put by lot are worth less than those that follow, so the side that moves next after an opening has
// the advantage, whatever q was.
//
// k = p + 4: a threat takes four stones whatever p is, so that no game is won at once, and Gomoku and Connect6 are
// among them. With k = 2p + 1 agents of Sequences draw every game of p = 4. The paper's own example is Connect6 with p
// = 1.
#define FIRST(text, rules, count, ...)                                                                                 \
    {                                                                                                                  \
        .label = (text), .unit = "score", .published = NONE, .measure = &paper_measure_first, .game = (rules),         \
        .agents = {__VA_ARGS__}, .games = (count), .start = PAPER_EMPTY_BOARD                                          \
    }

#define FIRST_TRIALS(count, ...)                                                                                       \
    {                                                                                                                  \
        FIRST("first player, k=5 p=1 q=1", "19x19:k=5", count, __VA_ARGS__),                                           \
            FIRST("first player, k=6 p=1 q=1", "19x19:k=6", count, __VA_ARGS__),                                       \
            FIRST("first player, k=6 p=2 q=1 (p = 2q)", "19x19:k=6,p=2,q=1", count, __VA_ARGS__),                      \
            FIRST("first player, k=6 p=2 q=2", "19x19:k=6,p=2,q=2", count, __VA_ARGS__),                               \
            FIRST("first player, k=7 p=3 q=1", "19x19:k=7,p=3,q=1", count, __VA_ARGS__),                               \
            FIRST("first player, k=7 p=3 q=2", "19x19:k=7,p=3,q=2", count, __VA_ARGS__),                               \
            FIRST("first player, k=7 p=3 q=3", "19x19:k=7,p=3,q=3", count, __VA_ARGS__),                               \
            FIRST("first player, k=8 p=4 q=1", "19x19:k=8,p=4,q=1", count, __VA_ARGS__),                               \
            FIRST("first player, k=8 p=4 q=2 (p = 2q)", "19x19:k=8,p=4,q=2", count, __VA_ARGS__),                      \
            FIRST("first player, k=8 p=4 q=3", "19x19:k=8,p=4,q=3", count, __VA_ARGS__),                               \
            FIRST("first player, k=8 p=4 q=4", "19x19:k=8,p=4,q=4", count, __VA_ARGS__), {0},                          \
    }

// Sequences draws lots among equal cells, which from an empty board are mostly pictures of one another: one agent
// against itself would play the same game again and again. So eight of them, which differ in how much they defend, play
// a round robin with both colours, 28 pairs of 40 games. (Of 224 such games at least 205 differed by more than a shift
// or a turn of the board.) ± 3 points without draws.
static const PaperTrial fairness_trials[] =
    FIRST_TRIALS(40, "sequences:c=0.8", "sequences:c=0.9", "sequences:c=1", "sequences:c=1.1", "sequences:c=1.25",
                 "sequences:c=1.5", "sequences:c=1.75", "sequences:c=2");

// The same between agents that know nothing: what is left of the advantage when only stones are counted. ± 2 points.
static const PaperTrial fairness_adjacent_trials[] = FIRST_TRIALS(2000, "adjacent", "adjacent");

static const PaperTable tables[] = {
    {"agents", "the strongest agents against each other", agents_trials},
    {"roundrobin", "every agent of the paper against every other", roundrobin_trials},
    {"search", "Sequences with a search against itself without", search_trials},
    {"width", "the width of the search of Threats, which the paper does not tell, against Sequences", width_trials},
    {"book", "Sequences with a book, if the database has one, against itself without", book_trials},
    {"nctu6", "against NCTU6, or an engine that stands in for it", nctu6_trials},
    {"fairness", "the first player's score between equal agents of Sequences", fairness_trials},
    {"fairness-adjacent", "the first player's score between two agents Adjacent", fairness_adjacent_trials},
    {0},
};

extern const Paper paper_000;
const Paper paper_000 = {
    .name = "000",
    .title = "Levin, Deitch, Emerson and Shimshock: Analysis of Computational Agents for Connect-k Games",
    .tables = tables,
};
